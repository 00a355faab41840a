"""Reads the examples of a Markdown page: each is a fence, then a table of edges, then what is reported.

- A fence with the word ``markdown`` is a note; right behind it stands a table of all its edges, or *No edges.*
- A line ``Reported: `code` in line N, …`` behind that names all faults; without it there must be none.
- A fence with the word ``yaml`` under a comment ``<!-- settings: edges.yaml -->`` is the user's own file of that
  name, for the next note.
- ``<!-- note: Plans/Example.md -->`` above a note says where it lies, else it is ``Example.md``.
- ``<!-- also: structure -->`` above a note says that its table lists edges of a rule ``structure:…`` too, which
  the other tables leave out; in the same way ``<!-- also: mirror -->`` for ``mirror:…``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

COLUMNS = ("line", "kind", "target", "section", "scope", "provenance", "rule", "confidence")
NO_EDGES = "*No edges.*"
_FENCE = re.compile(r"(`{3,})(\w*)$")
_COMMENT = re.compile(r"<!-- (\w+): (.+) -->$")
_REPORTED = re.compile(r"`(\w+)` in line (\d+)")
_DELIMITER = re.compile(r"[:-]+")


@dataclass(frozen=True)
class Example:
    """One note of the page; ``line`` is that of its fence, ``edges`` are rows of ``COLUMNS``."""

    heading: str
    line: int
    path: str
    text: str
    also: frozenset[str]
    config: Mapping[str, str]
    edges: Sequence[tuple[str, ...]]
    reported: Sequence[tuple[str, int]]


@dataclass
class _Above:
    """What stands above a note and belongs to it."""

    path: str = "Example.md"
    also: set[str] = field(default_factory=set)
    config: dict[str, str] = field(default_factory=dict)
    settings: str = ""


def read_examples(page: str) -> Iterator[Example]:
    lines = page.split("\n")
    heading, above, at = "", _Above(), 0
    while at < len(lines):
        line, number = lines[at], at + 1
        at += 1
        if line.startswith("#"):
            heading = line.lstrip("# ")
        elif comment := _COMMENT.match(line):
            _note_down(above, comment[1], comment[2])
        elif fence := _FENCE.match(line):
            end = lines.index(fence[1], at)
            text = "".join(f"{one}\n" for one in lines[at:end])
            at = end + 1
            if fence[2] == "yaml" and above.settings:
                above.config[above.settings], above.settings = text, ""
            elif fence[2] == "markdown":
                edges, at = _edges(lines, at, number)
                reported, at = _reported(lines, at)
                yield Example(heading, number, above.path, text, frozenset(above.also), above.config, edges, reported)
                above = _Above()


def read_table(page: str, first_column: str) -> list[tuple[str, ...]]:
    """The rows of the one table whose first column has this name."""
    lines = page.split("\n")
    [head] = [index for index, line in enumerate(lines) if line.startswith(f"| {first_column} |")]
    return _rows(lines, head)[1:]


def code(cell: str) -> list[str]:
    """The code spans of a table's cell."""
    return re.findall(r"`([^`]+)`", cell)


def _note_down(above: _Above, name: str, value: str) -> None:
    if name == "note":
        above.path = value
    elif name == "also":
        above.also.add(value)
    elif name == "settings":
        above.settings = value
    else:
        raise ValueError(f"there is no remark `{name}` for an example")


def _edges(lines: Sequence[str], at: int, number: int) -> tuple[list[tuple[str, ...]], int]:
    at = _skip_blank(lines, at)
    if lines[at] == NO_EDGES:
        return [], at + 1
    rows = _rows(lines, at)
    if not rows or tuple(rows[0]) != COLUMNS:
        raise ValueError(f"behind the note in line {number} there is no table of edges")
    return [tuple(cell.strip("`") for cell in row) for row in rows[1:]], at + len(rows) + 1


def _reported(lines: Sequence[str], at: int) -> tuple[list[tuple[str, int]], int]:
    found = _skip_blank(lines, at)
    if found < len(lines) and lines[found].startswith("Reported: "):
        return [(code, int(line)) for code, line in _REPORTED.findall(lines[found])], found + 1
    return [], at


def _skip_blank(lines: Sequence[str], at: int) -> int:
    while at < len(lines) and not lines[at].strip():
        at += 1
    return at


def _rows(lines: Sequence[str], at: int) -> list[tuple[str, ...]]:
    """Cells of the table that begins at ``at``, its head first, without the delimiter row."""
    rows = []
    while at < len(lines) and lines[at].startswith("|"):
        cells = tuple(cell.strip().replace("\\|", "|") for cell in re.split(r"(?<!\\)\|", lines[at].strip()[1:-1]))
        if not all(_DELIMITER.fullmatch(cell) for cell in cells):
            rows.append(cells)
        at += 1
    return rows
