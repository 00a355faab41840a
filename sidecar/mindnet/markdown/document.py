"""The structure of a note's body: headings, blocks, and the passages that are read for links."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from markdown_it.token import Token

from mindnet.markdown import passages
from mindnet.markdown.blocks import parse_blocks
from mindnet.markdown.headings import heading_text
from mindnet.markdown.passages import Passage
from mindnet.records import Block, BlockKind, Heading

#: The first line of a callout: ``[!type]``, perhaps with metadata behind a bar, perhaps folded.
CALLOUT = re.compile(r"\s*\[!(?P<type>[^\[\]|\n]+)(?:\|[^\[\]\n]*)?\](?P<fold>[+-]?)")

_NO_TEXT_HTML = re.compile(r"\s*<(?:script|pre|style|textarea)\b", re.IGNORECASE)
_FOOTNOTE = re.compile(r"\[\^[^\]\s]+\]:")
_LEAVES: dict[str, BlockKind] = {
    "paragraph_open": "paragraph",
    "heading_open": "heading",
    "fence": "fence",
    "code_block": "fence",
    "html_block": "html",
    "hr": "rule",
    "math_block": "math",
    "comment_block": "comment",
}


@dataclass(frozen=True, slots=True)
class Document:
    """What a body consists of. ``problem`` names the failure if the block parser gave up, else it is empty."""

    headings: tuple[Heading, ...]
    blocks: tuple[Block, ...]
    passages: tuple[Passage, ...]
    problem: str = ""


def read_document(body: Sequence[str], first_line: int) -> Document:
    """Read the structure of a body, whose lines count from ``first_line``."""
    if not any(line and not line.isspace() for line in body):
        return Document((), (), ())
    problem = ""
    walk = _Walk(body, first_line)
    try:
        parse_blocks("\n".join(body), walk.run)
    except Exception as error:  # Whatever the parser trips over, the text is still there to be read.
        walk, problem = _Walk(body, first_line), type(error).__name__
    walk.fill_gaps()
    return Document(tuple(walk.headings), tuple(walk.blocks()), tuple(walk.passages), problem)


def may_hold(text: str) -> bool:
    """Whether there can be a link or a tag in a text."""
    return "[" in text or "#" in text


class _Walk:
    """One pass over the tokens of a body. Lines inside are counted from 0 within the body.

    Of its passages those are kept that can hold a link or a tag, and those of edge callouts.
    """

    def __init__(self, body: Sequence[str], first_line: int) -> None:
        self.body = body
        self.first = first_line
        self.headings: list[Heading] = []
        self.passages: list[Passage] = []
        self._owner = [0] * len(body)
        self._read = [False] * len(body)
        self._kinds: list[tuple[BlockKind, int]] = [("paragraph", 0)]
        self._callouts: list[int] = [0]
        self._edge_callouts = 0
        self._lists = 0
        self._in_footnote = False

    def run(self, tokens: Sequence[Token]) -> None:
        """Take in the tokens of some outermost blocks."""
        in_table = False
        for index, token in enumerate(tokens):
            kind = token.type
            if kind == "inline":
                if not in_table:
                    self._inline(tokens[index - 1], token)
            elif kind == "blockquote_open":
                self._quote(tokens, index)
            elif kind == "blockquote_close":
                self._callouts.pop()
            elif kind in ("bullet_list_open", "ordered_list_open"):
                self._lists += 1
            elif kind in ("bullet_list_close", "ordered_list_close"):
                self._lists -= 1
            elif kind == "list_item_open":
                if len(self._callouts) == 1:
                    self._own("list_item", token, self._lists)
            elif kind in ("table_open", "table_close"):
                in_table = kind == "table_open"
            elif kind == "tr_open":
                self._row(tokens[index - 1], token)
            elif kind in _LEAVES:
                self._leaf(token)
            if token.level == 0 and token.nesting >= 0 and kind != "code_block":
                after = tokens[index + 1].content if kind == "paragraph_open" else ""
                self._in_footnote = bool(_FOOTNOTE.match(after))

    def _own(self, kind: BlockKind, token: Token, level: int = 0, extra: int = 0) -> None:
        """Give a token's lines to a new block; an inner block (a nested item) takes them from the outer."""
        if token.map is None:
            return
        self._kinds.append((kind, level))
        number = len(self._kinds) - 1
        for line in range(token.map[0], min(token.map[1] + extra, len(self.body))):
            self._owner[line] = number

    def _quote(self, tokens: Sequence[Token], index: int) -> None:
        first = next((token for token in tokens[index + 1 : index + 3] if token.type == "inline"), None)
        callout = CALLOUT.match(first.content) if first is not None else None
        current = self._callouts[-1]
        if callout is not None:
            current = 0
            if callout["type"].strip().lower() == "edge":
                self._edge_callouts += 1
                current = self._edge_callouts
        self._callouts.append(current)
        if tokens[index].level == 0:
            self._own("quote" if callout is None else "callout", tokens[index])

    def _mark_read(self, start: int, end: int) -> None:
        self._read[start:end] = [True] * (min(end, len(self._read)) - start)

    def _inline(self, opening: Token, token: Token) -> None:
        if token.map is None:
            return
        start, end = token.map
        if opening.type == "heading_open":
            level = int(opening.tag[1:])
            self.headings.append(Heading(heading_text(token.content), level, self.first + start))
            if opening.markup.startswith("#"):
                passage = passages.heading(token.content, self.body[start], self.first + start, self._callouts[-1])
                self.passages.append(passage)
                return
        raw = self.body[start:end]
        if self._callouts[-1] or any(map(may_hold, raw)):
            self.passages.append(passages.paragraph(token.content, raw, self.first + start, self._callouts[-1]))

    def _row(self, before: Token, token: Token) -> None:
        if token.map is None:
            return
        line = token.map[0]
        is_head = before.type == "thead_open"
        self._mark_read(line, line + (2 if is_head else 1))
        self.passages += passages.cells(self.body[line], self.first + line, self._callouts[-1])
        if token.level <= 2 and len(self._callouts) == 1 and not self._lists:
            self._own("table_row", token, extra=1 if is_head else 0)

    def _leaf(self, token: Token) -> None:
        if token.map is None:
            return
        start, end = token.map
        self._mark_read(start, end)
        kind = _LEAVES[token.type]
        if token.type == "code_block" and self._in_footnote and token.level == 0:
            kind = "paragraph"  # A footnote goes on in indented lines, which CommonMark takes for code.
            self.passages.append(passages.plain(self.body[start:end], self.first + start))
        elif token.type == "html_block":
            if token.content.lstrip().startswith("<!--"):
                kind = "comment"
            if not _NO_TEXT_HTML.match(token.content):
                raw, quoted = self.body[start:end], len(self._callouts) > 1
                self.passages.append(passages.plain(raw, self.first + start, "html", self._callouts[-1], quoted))
        elif token.hidden and token.type in ("comment_block", "math_block"):
            self._rest(token, end - 1)
        elif token.type == "paragraph_open":
            kind = self._paragraph_kind("\n".join(self.body[start:end]).strip())
        if token.level == 0:
            self._own(kind, token, int(token.tag[1:]) if kind == "heading" else 0)

    def _rest(self, token: Token, line: int) -> None:
        """Read what stands behind the closing marker of a comment or formula."""
        column = self.body[line].find(token.markup) + len(token.markup)
        if self.body[line][column:].strip():
            origin = ((self.first + line, column),)
            self.passages.append(Passage(self.body[line][column:], origin, "text", self._callouts[-1]))

    @staticmethod
    def _paragraph_kind(text: str) -> BlockKind:
        for marker, kind in (("$$", "math"), ("%%", "comment")):
            if len(text) > 3 and text.startswith(marker) and text.find(marker, 2) == len(text) - 2:
                return "math" if kind == "math" else "comment"
        return "paragraph"

    def fill_gaps(self) -> None:
        """Read lines that the parser left out (nested beyond its limit) as plain text; none is lost."""
        self._kinds.append(("paragraph", 0))
        gap = len(self._kinds) - 1
        for line, text in enumerate(self.body):
            if text and not text.isspace() and not (self._owner[line] and self._read[line]):
                self._owner[line] = self._owner[line] or gap
                if not self._read[line] and may_hold(text):
                    self.passages.append(passages.plain([text], self.first + line))

    def blocks(self) -> list[Block]:
        """Group neighbouring lines of one owner, without the blank lines at their ends."""
        found: list[Block] = []
        line, count = 0, len(self.body)
        while line < count:
            owner = self._owner[line]
            start = line
            while line < count and self._owner[line] == owner:
                line += 1
            end = line
            while start < end and not self.body[start].strip():
                start += 1
            while end > start and not self.body[end - 1].strip():
                end -= 1
            if owner and start < end:
                kind, level = self._kinds[owner]
                found.append(Block(kind, self.first + start, self.first + end - 1, level))
        return found
