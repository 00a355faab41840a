"""Two folders of notes, held against each other byte for byte: what an export is checked with."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from mindnet.knowledge.types import TypeRegistry
from mindnet.markdown.lines import split_lines
from mindnet.markdown.parse import parse_note
from mindnet.records import Fault, NoteText, VaultFile
from mindnet.vault.discover import UNREADABLE, IgnoreRules, discover
from mindnet.vault.read import read_note

Focus = Literal["all", "body"]
_LINE_END = re.compile(r"\r\n|\r|\n")
_SHOWN = 120
"""So many characters of a differing line are shown, from a little before the place."""
_BEFORE = 30


@dataclass(frozen=True, slots=True)
class Difference:
    """The first place where two files differ: its line, and what stands there in each, None where it has ended."""

    path: str
    line: int
    left: str | None
    right: str | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """Vault paths. ``left_out`` are missing too, but of a status that is not indexed, so that no export has them."""

    compared: int
    missing: tuple[str, ...]
    extra: tuple[str, ...]
    differing: tuple[Difference, ...]
    left_out: tuple[str, ...]
    unread: tuple[Fault, ...]

    @property
    def same(self) -> bool:
        return not (self.missing or self.extra or self.differing or self.unread)


def compare_folders(
    one: Path, other: Path, *, rules: IgnoreRules, types: TypeRegistry, focus: Focus = "all"
) -> Comparison:
    """Every note of ``one`` that ``rules`` do not leave out against the note of the same path in ``other``.

    With ``focus`` "body" frontmatter, encoding and byte order mark are passed over. Raises
    ``VaultError`` for a folder that cannot be read.
    """
    here, unread = _notes(one, rules)
    there, more = _notes(other, rules)
    unread += more
    differing: list[Difference] = []
    for path in sorted(here.keys() & there.keys()):
        left, right = read_note(one, here[path]), read_note(other, there[path])
        if isinstance(left, Fault) or isinstance(right, Fault):
            unread += [text for text in (left, right) if isinstance(text, Fault)]
        elif left.sha256 != right.sha256 and (found := difference(left, right, focus)) is not None:
            differing.append(found)
    missing: list[str] = []
    left_out: list[str] = []
    for path in sorted(here.keys() - there.keys()):
        (missing if _indexed(one, here[path], types) else left_out).append(path)
    return Comparison(
        compared=len(here.keys() & there.keys()),
        missing=tuple(missing),
        extra=tuple(sorted(there.keys() - here.keys())),
        differing=tuple(differing),
        left_out=tuple(left_out),
        unread=tuple(unread),
    )


def difference(left: NoteText, right: NoteText, focus: Focus = "all") -> Difference | None:
    """Where two texts of one path differ first; None where they do not, as far as ``focus`` looks."""
    if focus == "body":
        (one, first), (other, _) = _body(left), _body(right)
    else:
        one, other, first = left.text, right.text, 1
        if (left.encoding, left.bom) != (right.encoding, right.bom):
            return Difference(left.path, 1, _coding(left), _coding(right))
    place = _first_difference(one, other)
    if place == len(one) == len(other):
        return None
    line = len(split_lines(one[:place])) - 1
    here, there = _line(one, place), _line(other, place)
    if here and there and unicodedata.normalize("NFC", here) == unicodedata.normalize("NFC", there):
        # Only in the form of their letters, which looks the same: é is one sign, or an e and a mark.
        here, there = (text.encode("ascii", "backslashreplace").decode() for text in (here, there))
    return Difference(left.path, first + line, here, there)


def _first_difference(one: str, other: str) -> int:
    """The number of characters that both begin with, found by halving: comparing slices is quick."""
    same, end = 0, min(len(one), len(other))
    while same < end:
        middle = (same + end + 1) // 2
        if one[same:middle] == other[same:middle]:
            same = middle
        else:
            end = middle - 1
    return same


def _notes(folder: Path, rules: IgnoreRules) -> tuple[dict[str, VaultFile], list[Fault]]:
    files, faults = discover(folder, rules)
    return {file.path: file for file in files}, [fault for fault in faults if fault.code in UNREADABLE]


def _indexed(folder: Path, file: VaultFile, types: TypeRegistry) -> bool:
    text = read_note(folder, file)
    return isinstance(text, Fault) or types.indexed(parse_note(file.path, text.text))


def _body(note: NoteText) -> tuple[str, int]:
    """What stands below the frontmatter, and the number of its first line."""
    line = parse_note(note.path, note.text).body_line
    ends = _LINE_END.finditer(note.text)
    start = 0
    for _ in range(line - 1):
        end = next(ends, None)
        start = end.end() if end else len(note.text)
    return note.text[start:], line


def _coding(note: NoteText) -> str:
    return f"the file is {note.encoding}{' with a byte order mark' if note.bom else ''}"


def _line(text: str, place: int) -> str | None:
    """The line at ``place`` with its end, or a part of a long one; what cannot be seen is written as an escape."""
    if place >= len(text):
        return None
    start = max(text.rfind("\n", 0, place), text.rfind("\r", 0, place)) + 1
    end = _LINE_END.search(text, place)
    shown = text[max(start, place - _BEFORE) : end.end() if end else len(text)]
    if len(shown) > _SHOWN:
        shown = shown[:_SHOWN] + "…"
    return "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in shown)
