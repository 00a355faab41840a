"""The frontmatter that most notes have, read line by line; anything else is left to the YAML parser.

The YAML parser needs about a millisecond a note. Ordinary properties (``key: value``, a quoted value, a
list in one of its two forms) need none of it. This reader takes only what is beyond doubt and gives up on
all else, so that its answer is the parser's own; a property test holds the two together.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mindnet.markdown.scalars import plain_scalar


@dataclass(slots=True)
class Leaf:
    """One text inside the frontmatter: the keys that lead to it, the text, and its line in the file.

    An unquoted ``[[X]]``, which is a list in a list for YAML, is one leaf with its source as text.
    """

    keys: tuple[str, ...]
    text: str
    line: int


@dataclass(frozen=True, slots=True)
class Double:
    """A key that stands twice in one mapping, with the lines of both."""

    key: str
    first: int
    second: int


@dataclass(slots=True)
class Entry:
    """One top-level key with its JSON value, its line in the file and the texts in it.

    ``doubles`` are keys below it that stand twice.
    """

    key: str
    line: int
    value: Any
    leaves: tuple[Leaf, ...]
    doubles: tuple[Double, ...] = ()


_UNUSUAL = re.compile("[^\\x20-\\x7e\\xa0-\\u2027\\u202a-\\ud7ff\\ue000-\\ufefe\\uff00-\\ufffd\\U00010000-\\U0010ffff]")
_KEY = re.compile(r"([^\W\d](?:[\w .-]{0,100}[\w.-])?):(?: +(.*))?")
_ITEM = re.compile(r"( *)- +(.*)")
_PLAIN = re.compile(r"[^\s\-?:,\[\]{}#&*!|>'\"%@`](?:[^:#]|:(?! |\Z)|(?<! )#)*\Z")
_FLOW_PLAIN = r"[^\s\-?:,\[\]{}#&*!|>'\"%@`](?:[^:#,\[\]{}\"']*[^:#,\[\]{}\"'\s])?"
_DOUBLE = r'"[^"\\]*"'
_SINGLE = r"'[^']*'"
_QUOTED = re.compile(rf"(?:{_DOUBLE}|{_SINGLE})\Z")
_FLOW_ITEM = rf"(?:{_DOUBLE}|{_SINGLE}|{_FLOW_PLAIN})"
_FLOW = re.compile(rf"\[ *{_FLOW_ITEM}(?: *, *{_FLOW_ITEM})* *\]\Z")
_FLOW_ITEMS = re.compile(_FLOW_ITEM)
_LINK = re.compile(rf"\[\[({_FLOW_PLAIN})\]\]\Z")


def read_properties(lines: Sequence[str], first_line: int) -> list[Entry] | None:
    """Read simple frontmatter, or give None where only a YAML parser can say what is meant.

    ``lines`` are those between the two ``---``; ``first_line`` is the file line of the first. Entries
    come in order; a key that stands twice comes twice.
    """
    entries: list[Entry] = []
    at = 0
    while at < len(lines):
        line = lines[at].rstrip(" ")
        number = first_line + at
        at += 1
        if not line or line[0] == "#":
            continue
        match = _KEY.fullmatch(line)
        if match is None or _UNUSUAL.search(line):
            return None
        key, written = match[1], match[2]
        if written:
            entry = _value(key, written, number)
        else:
            items, at = _items(lines, at)
            entry = _list(key, items, number, first_line) if items else Entry(key, number, None, ())
        if entry is None:
            return None
        entries.append(entry)
    return entries


def _items(lines: Sequence[str], at: int) -> tuple[list[tuple[int, str, str]], int]:
    """Gather ``- item`` lines from ``at`` on, as (index, indentation, text), and where they end."""
    items: list[tuple[int, str, str]] = []
    while at < len(lines) and (match := _ITEM.fullmatch(lines[at].rstrip(" "))):
        items.append((at, match[1], match[2]))
        at += 1
    return items, at


def _list(key: str, items: list[tuple[int, str, str]], line: int, first_line: int) -> Entry | None:
    values: list[Any] = []
    leaves: list[Leaf] = []
    for index, indent, text in items:
        if indent != items[0][1] or _UNUSUAL.search(text):
            return None
        entry = _value(key, text, first_line + index)
        if entry is None:
            return None
        values.append(entry.value)
        leaves += entry.leaves
    return Entry(key, line, values, tuple(leaves))


def _value(key: str, text: str, line: int) -> Entry | None:
    if _PLAIN.match(text) or _QUOTED.match(text):
        value = _scalar(text)
        return Entry(key, line, value, _leaves(key, value, line))
    if link := _LINK.match(text):
        return Entry(key, line, [[plain_scalar(link[1])]], (Leaf((key,), text, line),))
    if _FLOW.match(text):
        values = [_scalar(item) for item in _FLOW_ITEMS.findall(text[1:-1])]
        return Entry(key, line, values, tuple(leaf for value in values for leaf in _leaves(key, value, line)))
    return None


def _scalar(text: str) -> Any:
    return text[1:-1] if text[0] in "\"'" else plain_scalar(text)


def _leaves(key: str, value: Any, line: int) -> tuple[Leaf, ...]:
    return () if value is None or isinstance(value, bool) else (Leaf((key,), str(value), line),)
