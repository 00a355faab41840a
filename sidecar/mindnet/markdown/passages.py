"""Stretches of text that are read for links, with the place of every character in the file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

_PREFIX = re.compile(r"[\s>]*")
_INDENT = re.compile(r"\s*")
_ATX = re.compile(r"[^#]*#{1,6}[ \t]*")
_PIPES = re.compile(r"\\.|!?\[\[[^\[\]\n]*\]\]|\|")


@dataclass(slots=True)
class Passage:
    r"""The text of one paragraph, heading, table cell or HTML block, its lines joined by ``\n``.

    ``origins`` holds for each line its line in the file and the column (in characters, from 0) where its text
    begins, behind quote marks and bullets. ``callout`` numbers the edge callout it stands in, 0 for none.
    """

    text: str
    origins: tuple[tuple[int, int], ...]
    kind: Literal["text", "html"] = "text"
    callout: int = 0


def paragraph(content: str, raw: Sequence[str], line: int, callout: int = 0) -> Passage:
    """Make a passage from a block's content and the raw lines of the file it came from.

    The block parser gives content without quote marks and indentation, but not where it began; each line of
    it is the end of its raw line.
    """
    parts = content.split("\n")
    skip = 0
    if len(parts) < len(raw):
        # Lines of odd white space only (a form feed) count as text for the parser, which then trims them.
        last = len(raw) - len(parts)
        while skip < last and not _ends_with(raw[skip], parts[0]):
            skip += 1
    origins = []
    texts = []
    for index, part in enumerate(parts):
        source = raw[skip + index] if skip + index < len(raw) else ""
        column = max(len(source.rstrip()) - len(part.strip()), 0)
        origins.append((line + skip + index, column))
        texts.append(source[column:])
    return Passage("\n".join(texts), tuple(origins), "text", callout)


def heading(content: str, raw: str, line: int, callout: int = 0) -> Passage:
    """Make a passage from an ATX heading's content and its raw line."""
    match = _ATX.match(raw)
    column = match.end() if match else 0
    return Passage(raw[column : column + len(content)], ((line, column),), "text", callout)


def cells(raw: str, line: int, callout: int = 0) -> list[Passage]:
    r"""Split a table row into a passage a cell. An escaped bar (``\|``) and one inside a link split nothing."""
    found = []
    match = _PREFIX.match(raw)
    start = match.end() if match else 0
    for pipe in _PIPES.finditer(raw, start):
        if pipe[0] == "|":
            found.append((start, pipe.start()))
            start = pipe.end()
    found.append((start, len(raw)))
    return [Passage(raw[a:b], ((line, a),), "text", callout) for a, b in found if raw[a:b].strip()]


def plain(
    raw: Sequence[str], line: int, kind: Literal["text", "html"] = "text", callout: int = 0, quoted: bool = True
) -> Passage:
    """Make a passage from raw lines, leaving out indentation and, if ``quoted``, quote marks."""
    prefix = _PREFIX if quoted else _INDENT
    columns = [match.end() if (match := prefix.match(row)) else 0 for row in raw]
    text = "\n".join(row[column:] for row, column in zip(raw, columns, strict=True))
    return Passage(text, tuple((line + index, column) for index, column in enumerate(columns)), kind, callout)


def _ends_with(raw: str, part: str) -> bool:
    return raw.replace("\0", "\ufffd").rstrip().endswith(part.strip())
