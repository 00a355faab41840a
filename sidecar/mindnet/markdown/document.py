"""The block structure of a note's body, as CommonMark with tables has it, and Obsidian's own on top.

``%%`` comments and ``$$`` math may span blocks, which CommonMark knows nothing of: where a note has
one over several lines, its lines are taken out and the rest is parsed again.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from markdown_it import MarkdownIt
from markdown_it.token import Token

from mindnet.records import Block, BlockKind, Heading

_CALLOUT = re.compile(r"\s*\[!(?P<type>[^\[\]\n]+)\]")
_SPAN = re.compile(r"%%|\$\$|`+")
_SIMPLE: dict[str, BlockKind] = {
    "paragraph_open": "paragraph",
    "heading_open": "heading",
    "fence": "fence",
    "code_block": "fence",
    "html_block": "html",
    "hr": "rule",
    "blockquote_open": "quote",
}


@dataclass(frozen=True, slots=True)
class Stretch:
    """Lines ``start:end`` (from 0, end exclusive) of inline text. ``table`` says that they are one table row."""

    start: int
    end: int
    table: bool = False


@dataclass(frozen=True, slots=True)
class Quote:
    """A block quote's lines, how deep it is, and its callout type in lower case ("" for none)."""

    start: int
    end: int
    depth: int
    callout: str


@dataclass(frozen=True, slots=True)
class Document:
    """Blocks and headings with lines of the file; stretches and quotes with lines of the body, from 0."""

    headings: tuple[Heading, ...]
    blocks: tuple[Block, ...]
    stretches: tuple[Stretch, ...]
    quotes: tuple[Quote, ...]


def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"maxNesting": 50}).enable("table")
    # `[^1]: [[X]]` is a footnote in Obsidian, not a link's definition.
    parser.disable("reference")
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser


_PARSER = _parser()


def read_document(lines: Sequence[str], body_line: int) -> Document:
    """Parses the lines from ``body_line`` (from 1) on."""
    body = list(lines[body_line - 1 :])
    tokens = _PARSER.parse("\n".join(body))
    hidden = _hidden_lines(body, tokens)
    if hidden:
        for _, start, end in hidden:
            body[start:end] = [""] * (end - start)
        tokens = _PARSER.parse("\n".join(body))
    stretches, quotes, headings = _inline(tokens)
    blocks = _blocks(tokens, lines[body_line - 1 :], hidden)
    shift = body_line
    return Document(
        tuple(Heading(heading.text, heading.level, heading.line + shift) for heading in headings),
        tuple(Block(b.kind, b.start_line + shift, b.end_line + shift, b.level) for b in blocks),
        tuple(stretches),
        tuple(quotes),
    )


# ------------------------------------------------------------------ comments and math over several lines
def _hidden_lines(body: Sequence[str], tokens: Sequence[Token]) -> list[tuple[BlockKind, int, int]]:
    """Whole lines inside ``%%`` or ``$$`` that spans lines: (kind, start, end), outside of code."""
    if not any("%%" in line or "$$" in line for line in body):
        return []
    code = [False] * len(body)
    for token in tokens:
        if token.type in ("fence", "code_block") and token.map:
            code[token.map[0] : token.map[1]] = [True] * (token.map[1] - token.map[0])
    found: list[tuple[BlockKind, int, int]] = []
    opened: tuple[str, int] | None = None
    for number, line in enumerate(body):
        if code[number] and opened is None:
            continue
        position = 0
        while (match := _SPAN.search(line, position)) is not None:
            position = match.end()
            mark = match.group()
            if opened is not None:
                if mark == opened[0]:
                    kind: BlockKind = "comment" if mark == "%%" else "math"
                    found.append((kind, opened[1], number + 1))
                    opened = None
                continue
            end = line.find(mark, position)
            if end >= 0:
                position = end + len(mark)  # closed on its own line: inline text
            elif not mark.startswith("`"):
                opened = (mark, number)
    return found


# ------------------------------------------------------------------ inline text
def _inline(tokens: Sequence[Token]) -> tuple[list[Stretch], list[Quote], list[Heading]]:
    stretches: list[Stretch] = []
    headings: list[Heading] = []
    quotes: list[Quote] = []
    open_quotes: list[tuple[int, int, int]] = []
    table = False
    first_inline_of: dict[int, str] = {}
    for index, token in enumerate(tokens):
        match token.type:
            case "blockquote_open" if token.map:
                open_quotes.append((token.map[0], token.map[1], index))
            case "blockquote_close":
                start, end, opened = open_quotes.pop()
                callout = _CALLOUT.match(first_inline_of.get(opened, ""))
                kind = callout["type"].split("|")[0].strip().lower() if callout else ""
                quotes.append(Quote(start, end, len(open_quotes) + 1, kind))
            case "table_open":
                table = True
            case "table_close":
                table = False
            case "tr_open" if token.map:
                stretches.append(Stretch(token.map[0], token.map[0] + 1, table=True))
            case "html_block" if token.map:
                stretches.append(Stretch(token.map[0], token.map[1]))
            case "inline" if token.map and not table:
                if open_quotes and tokens[index - 2].type == "blockquote_open":
                    first_inline_of.setdefault(open_quotes[-1][2], token.content)
                stretches.append(Stretch(token.map[0], token.map[1]))
                opener = tokens[index - 1]
                if opener.type == "heading_open" and token.content.strip():
                    headings.append(Heading(token.content.strip(), int(opener.tag[1]), token.map[0]))
    return stretches, quotes, headings


# ------------------------------------------------------------------ blocks
def _blocks(tokens: Sequence[Token], body: Sequence[str], hidden: Sequence[tuple[BlockKind, int, int]]) -> list[Block]:
    """Flat blocks in order; each runs to the next start, or to its own end, blank lines behind it left out."""
    starts: list[tuple[int, int, BlockKind, int]] = []
    rows = 0
    for token in tokens:
        if not token.map:
            continue
        start, end = token.map
        if token.type == "list_item_open":
            starts.append((start, end, "list_item", token.level))
        elif token.type == "table_open":
            rows = 0
        elif token.type == "tr_open":
            # The head row and the line of dashes below it are one block.
            starts.append((start, start + (2 if rows == 0 else 1), "table_row", 0))
            rows += 1
        elif token.level == 0 and token.type in _SIMPLE:
            kind = _SIMPLE[token.type]
            level = int(token.tag[1]) if kind == "heading" else 0
            starts.append((start, end, kind, level))
    starts += [(start, end, kind, 0) for kind, start, end in hidden]
    starts.sort(key=lambda one: (one[0], -one[1]))
    blocks: list[Block] = []
    covered = 0
    for index, (start, end, kind, level) in enumerate(starts):
        start = max(start, covered)
        following = starts[index + 1][0] if index + 1 < len(starts) else len(body)
        end = min(end, following, len(body)) if following > start else min(end, len(body))
        blocks += _loose(body, covered, start)
        while end > start and not body[end - 1].strip():
            end -= 1
        if end > start:
            blocks.append(Block(kind, start, end - 1, level))
            covered = end
    blocks += _loose(body, covered, len(body))
    return blocks


def _loose(body: Sequence[str], start: int, end: int) -> list[Block]:
    """Lines that no token claims, as paragraphs."""
    blocks: list[Block] = []
    first: int | None = None
    for number in range(start, end + 1):
        if number < end and body[number].strip():
            first = number if first is None else first
        elif first is not None:
            blocks.append(Block("paragraph", first, number - 1))
            first = None
    return blocks
