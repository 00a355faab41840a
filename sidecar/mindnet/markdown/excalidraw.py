"""Drawings of the Excalidraw plugin: the author's text above the drawing, the drawing's texts, its links.

A drawing is a Markdown file whose last sections are the plugin's (``# Excalidraw Data`` and those below it);
before that it was a file of JSON. Of the plugin's sections only two are read, and not as Markdown: what a text
element says may look like a heading, a list or half a code fence.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mindnet.markdown import passages
from mindnet.markdown.body import Body, Links, read_body, read_passages
from mindnet.markdown.frontmatter import Frontmatter
from mindnet.markdown.json_items import read_items
from mindnet.markdown.lines import split_lines
from mindnet.markdown.passages import Passage
from mindnet.markdown.reading import Pages, text_of
from mindnet.markdown.tags import unique
from mindnet.records import Block, ParsedNote, Reading, Stretch
from mindnet.vault.names import DRAWING_SUFFIX

PLUGIN_KEY = "excalidraw-plugin"
_DATA = re.compile(r"#[ \t]+Excalidraw Data[ \t]*\Z")
_SECTION = re.compile(
    r"##?[ \t]+(?P<name>Text Elements|Element Links|Embedded files|Markdown Images|Drawing)[ \t]*\Z", re.IGNORECASE
)
_FENCE = re.compile(r"[ \t]*(?:```|~~~)[ \t]*(?:compressed-)?json[ \t]*\Z")
_BANNER = re.compile(r"==[ \t]*\u26a0.*EXCALIDRAW.*\u26a0[ \t]*==")
_BLOCK_ID = re.compile(r"(?:\A|[ \t]+)\^[\w-]+[ \t]*\Z")
_LINK_KEY = re.compile(r"\s*[\w-]+:[ \t]*")
_SEPARATORS = frozenset(("", "%%", "#"))


def is_drawing(path: str, frontmatter: Frontmatter) -> bool:
    """Whether a Markdown file is a drawing: by its name, or because its frontmatter says so."""
    return path.lower().endswith(DRAWING_SUFFIX) or PLUGIN_KEY in frontmatter.values


def parse_drawing(path: str, lines: Sequence[str], body_line: int) -> tuple[Body, Reading]:
    """Read a drawing's file; its reading has the file's own lines, those that do not count left empty."""
    start = _data_start(lines, body_line)
    above = ["" if _BANNER.match(line) else line for line in lines[body_line - 1 : start - 1]]
    while above and above[-1].strip() in _SEPARATORS:
        above.pop()
    back = read_body(path, above, body_line)
    read = ["" for _ in lines]
    read[body_line - 1 : body_line - 1 + len(above)] = above
    blocks: list[Block] = []
    linked: list[Passage] = []
    for name, first, end in _sections(lines, start):
        if name == "text elements":
            following = [*lines[first : end - 1], ""]
            elements = list(map(_element_line, lines[first - 1 : end - 1], following))
            read[first - 1 : end - 1] = elements
            blocks += _paragraphs(elements, first)
        elif name == "element links":
            for number in range(first, end):
                linked += _element_link(lines[number - 1], number)
    drawn = _read_elements(path, read, blocks, linked)
    links = Links(back.links.mentions + drawn.mentions, back.links.tags + drawn.tags, back.links.faults + drawn.faults)
    stretches = [Stretch(start)] if start <= len(lines) else []
    stretches += [Stretch(blocks[0].start_line)] if blocks else []
    return Body(back.headings, (*back.blocks, *blocks), links), Reading(
        read, range(1, len(lines) + 1), tuple(stretches)
    )


def _read_elements(path: str, read: Sequence[str], blocks: Sequence[Block], linked: Sequence[Passage]) -> Links:
    texts = (passages.plain(read[one.start_line - 1 : one.end_line], one.start_line) for one in blocks)
    return read_passages(path, sorted([*texts, *linked], key=lambda passage: passage.origins[0]))


def _data_start(lines: Sequence[str], body_line: int) -> int:
    """The line where the plugin's own sections begin, the first behind the file if there are none."""
    numbers = range(body_line, len(lines) + 1)
    marked = next((at for at in numbers if _DATA.match(lines[at - 1])), None)
    if marked is not None:
        return marked
    for at in numbers:
        section = _SECTION.match(lines[at - 1])
        name = section["name"].lower() if section else ""
        if name == "text elements":
            return at
        if name == "drawing":
            # The author may well have a heading of that name: the plugin's has the drawing below it.
            below = next((lines[below] for below in range(at, len(lines)) if lines[below].strip()), "")
            if _FENCE.match(below):
                return at
    return len(lines) + 1


def _sections(lines: Sequence[str], start: int) -> Iterator[tuple[str, int, int]]:
    """Name, first line and end (not in it) of the plugin's sections; the drawing is the last."""
    name, first = "", start
    for at in range(start, len(lines) + 1):
        match = _SECTION.match(lines[at - 1])
        if match is None:
            continue
        yield name, first, at
        name, first = match["name"].lower(), at + 1
        if name == "drawing":
            return
    yield name, first, len(lines) + 1


def _element_line(line: str, following: str) -> str:
    """A line of a text element, without the block id that stands at the end of each element."""
    if line.strip() == "%%":
        return ""
    return line if following.strip() and following.strip() != "%%" else _BLOCK_ID.sub("", line)


def _paragraphs(lines: Sequence[str], first_line: int) -> Iterator[Block]:
    """Lines that count from ``first_line`` as blocks of lines without a blank one between."""
    for blank, group in itertools.groupby(enumerate(lines, first_line), key=lambda one: not one[1].strip()):
        if not blank:
            numbers = [number for number, _ in group]
            yield Block("paragraph", numbers[0], numbers[-1])


def _element_link(line: str, number: int) -> Iterator[Passage]:
    """The link in ``element: [[X]]``."""
    key = _LINK_KEY.match(line)
    column = key.end() if key else 0
    if line[column:].strip():
        yield Passage(line[column:], ((number, column),))


# ------------------------------------------------------------------ files of the old form
def parse_scene(path: str, text: str) -> ParsedNote:
    """Parse a drawing that is a file of JSON; never raises. Faults, and what it is found by, are as in a canvas."""
    found = read_items(text, ("elements",))
    pages = Pages(path, text)
    blocks: list[Block] = []
    linked: list[Passage] = []
    for item in found.items:
        line, value = pages.line_of(item.offset), item.value
        if not isinstance(value, dict):
            pages.odd(line, "An entry of 'elements' is no object")
        elif not value.get("isDeleted") and (item.name or "type" in value):
            if value.get("type") == "text":
                blocks += _text_element(value, line, pages)
            if link := " ".join((text_of(value.get("link")) or "").split()):
                linked.append(Passage(link, ((pages.add([""], line), 0),)))
    if blocks:
        pages.stretch(blocks[0].start_line)
    elif found.items:
        blocks.append(pages.name())
    reading = pages.reading()
    drawn = _read_elements(path, reading.lines, blocks, linked)
    return ParsedNote(
        path=path,
        text=text,
        frontmatter={},
        frontmatter_lines={},
        body_line=1,
        headings=(),
        blocks=tuple(blocks),
        mentions=tuple(drawn.mentions),
        tags=unique(drawn.tags),
        aliases=(),
        faults=(*pages.faults(found.error), *map(pages.in_file, drawn.faults)),
        reading=reading,
    )


def _text_element(value: Mapping[str, Any], line: int, pages: Pages) -> Sequence[Block]:
    """Put one text element into the reading, as it was typed where that is kept beside what is shown."""
    written = [text for key in ("rawText", "originalText", "text") if (text := text_of(value.get(key))) is not None]
    if not written:
        pages.odd(line, "The 'text' of a text element is no text")
        return ()
    lines = split_lines(next(filter(None, written), ""))
    blocks = list(_paragraphs(lines, pages.add(lines, line)))
    pages.add([""], line)
    return blocks
