"""Texts out of a file that is not Markdown throughout, put together line by line."""

from __future__ import annotations

import bisect
import re
from collections.abc import Iterable, Sequence
from typing import Any

from mindnet.records import Block, Fault, Reading, Stretch
from mindnet.vault.names import file_title

_LINE_END = re.compile(r"\r\n?|\n")
_LONE = re.compile("[\ud800-\udfff]")


class Pages:
    """What is read of a file of JSON: its texts below one another, each line with the line that its value stands in."""

    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self._starts = [0, *(match.end() for match in _LINE_END.finditer(text))]
        self._lines: list[str] = []
        self._numbers: list[int] = []
        self._stretches: list[Stretch] = []
        self._odd: list[tuple[int, str]] = []

    def line_of(self, offset: int) -> int:
        """The line of the file, from 1, that an offset lies in."""
        return bisect.bisect_right(self._starts, offset)

    def add(self, lines: Sequence[str], number: int) -> int:
        """Append lines that stand in line ``number`` of the file; where they begin in the reading, from 1."""
        first = len(self._lines) + 1
        self._lines += lines
        self._numbers += [number] * len(lines)
        return first

    def stretch(self, start_line: int, path: tuple[str, ...] = ()) -> None:
        """Let a stretch begin in a line of the reading; they come in order."""
        self._stretches.append(Stretch(start_line, path))

    def name(self, labels: Iterable[tuple[str, int]] = ()) -> Block:
        """Give a file without text its title and ``labels`` (with their lines of the file) as one, to be found by."""
        first = last = self.add([file_title(self.path)], 1)
        for label, number in labels:
            if shown := " ".join(label.split()):
                last = self.add([shown], number)
        return Block("paragraph", first, last)

    def odd(self, number: int, problem: str) -> None:
        """Note a value in line ``number`` of the file that is not what belongs there."""
        self._odd.append((number, problem))

    def in_file(self, fault: Fault) -> Fault:
        """The fault of a line of the reading as one of the file."""
        return Fault(fault.path, self._numbers[fault.line - 1], fault.code, fault.message)

    def faults(self, error: tuple[int, str] | None) -> list[Fault]:
        """One fault for what is no JSON, one for all odd values; each names the first line."""
        found = []
        if error is not None:
            message = f"The file is not valid JSON ({error[1]}); what could be read of it is there."
            found.append(Fault(self.path, self.line_of(error[0]), "json_syntax", message))
        if self._odd:
            number, problem = min(self._odd)
            more = f"; {len(self._odd) - 1} more values are odd" if len(self._odd) > 1 else ""
            found.append(Fault(self.path, number, "json_value", f"{problem}{more}."))
        return found

    def reading(self) -> Reading:
        return Reading(tuple(self._lines), tuple(self._numbers), tuple(self._stretches))


def text_of(value: Any) -> str | None:
    """A JSON value as text that every encoding takes, None if it is no text: halves of surrogate pairs are replaced."""
    if not isinstance(value, str):
        return None
    return value if value.isascii() else _LONE.sub("\ufffd", value)
