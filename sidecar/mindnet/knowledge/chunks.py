"""From a note's blocks to chunks: whole lines where it can be, within a number of tokens, with a window each."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from mindnet.embedding.port import Tokenizer
from mindnet.knowledge.sentences import sentence_ends
from mindnet.knowledge.types import ChunkProfile
from mindnet.markdown.lines import split_lines
from mindnet.records import Block, Heading, ParsedNote, Stretch

HEADER_SHARE = 6
"""Title and heading path take at most one of so many tokens of the model's limit."""
OVERLAP_SHARE = 16
"""And so do the overlaps with either neighbour."""
LONGEST_TOKEN = 16
"""No more characters a token than this are looked at when an endless line is cut, which keeps the cost linear."""
PROSE = frozenset({"paragraph", "list_item", "quote", "callout"})


@dataclass(slots=True)
class ChunkDraft:
    """A chunk before it has an id: lines ``start_line`` to ``end_line`` of the file.

    ``text`` is what stands there, the lines joined by a line feed, or a part of it where a block
    had to be cut inside a line; two drafts then share that line, and ``column`` is where in it this
    one begins. ``tokens`` is the sum over its pieces.
    """

    text: str
    window: str
    heading_path: tuple[str, ...]
    start_line: int
    end_line: int
    tokens: int = 0
    column: int = 0


@dataclass(slots=True)
class _Piece:
    """What is not cut any further. ``whole`` is False for a part of a line from ``column`` on, behind a ``joint``."""

    text: str
    start_line: int
    end_line: int
    tokens: int
    boundary: bool = False
    heading: bool = False
    joint: str = "\n"
    whole: bool = True
    column: int = 0


def chunk_note(
    note: ParsedNote,
    *,
    title: str,
    profile: ChunkProfile,
    tokenizer: Tokenizer,
    max_tokens: int,
) -> list[ChunkDraft]:
    """The chunks of a note, in order; together they cover every line of the body that is not blank.

    ``max_tokens`` is the embedding model's limit, which no window exceeds; where it is small, chunks
    are smaller than the profile allows. A note that has no body has one chunk, its title and
    aliases, so that it can be found by name; an empty canvas has none. Lines are those of the note's
    reading, where it has one.
    """
    lines = split_lines(note.text) if note.reading is None else note.reading.lines
    stretches = () if note.reading is None else note.reading.stretches
    opening = {stretch.start_line for stretch in stretches}
    header_limit = max_tokens // HEADER_SHARE
    overlap = min(profile.overlap_tokens, max_tokens // OVERLAP_SHARE)
    limit = max(1, min(profile.max_tokens, max_tokens - header_limit - 2 * overlap))
    pieces = (
        piece
        for block in note.blocks
        for piece in _pieces(block, lines, profile, tokenizer, limit, opens=block.start_line in opening)
    )
    drafts = [_draft(group, lines) for group in _groups(pieces, limit)]
    if not drafts:
        return list(_name_only(note, title, tokenizer, max_tokens))
    windows = _Windows(title, overlap, header_limit, max_tokens, tokenizer)
    borders = sorted(opening.union(one.line for one in note.headings if one.level <= profile.split_level))
    _add_paths(drafts, note.headings, stretches)
    windows.add(drafts, borders)
    return drafts


def _name_only(note: ParsedNote, title: str, tokenizer: Tokenizer, max_tokens: int) -> Iterator[ChunkDraft]:
    if note.reading is not None and not note.reading.lines:
        return
    text = tokenizer.truncate("\n".join(dict.fromkeys([title, *note.aliases])), max_tokens)
    if text.strip():
        yield ChunkDraft(text, text, (), 1, 1)


# ------------------------------------------------------------------ pieces
def _pieces(
    block: Block, lines: Sequence[str], profile: ChunkProfile, tokenizer: Tokenizer, limit: int, *, opens: bool
) -> Iterator[_Piece]:
    """The block itself if it is within the limit; else prose by sentences, anything else by lines.

    ``opens`` says that a chunk has to start with the block, as with a heading of the profile's split level.
    """
    heading = block.kind == "heading"
    boundary = opens or (heading and 0 < block.level <= profile.split_level)
    text = "\n".join(lines[block.start_line - 1 : block.end_line])
    tokens = _count(text, tokenizer, limit)
    if tokens <= limit:
        yield _Piece(text, block.start_line, block.end_line, tokens, boundary, heading)
        return
    cut = _by_sentences if block.kind in PROSE else _by_lines
    for number, piece in enumerate(cut(text, block.start_line, tokenizer, limit)):
        yield replace(piece, boundary=boundary) if number == 0 else piece


def _count(text: str, tokenizer: Tokenizer, limit: int) -> int:
    """Tokens of ``text``; of one that is far above the limit only that it is."""
    if len(text) > limit * LONGEST_TOKEN * 4:
        return limit + 1
    return tokenizer.count(text)


def _by_lines(text: str, line: int, tokenizer: Tokenizer, limit: int) -> Iterator[_Piece]:
    for number, content in enumerate(text.split("\n"), line):
        tokens = _count(content, tokenizer, limit)
        if tokens <= limit:
            yield _Piece(content, number, number, tokens)
        else:
            yield from _by_sentences(content, number, tokenizer, limit)


def _by_sentences(text: str, line: int, tokenizer: Tokenizer, limit: int) -> Iterator[_Piece]:
    """Sentences; one that is over the limit by its lines, and such a line by its words."""
    counted = 0
    for start, end, tokens in _spans(text, tokenizer, limit):
        part = text[start:end]
        line += text.count("\n", counted, start)
        counted = start
        if part.strip():
            before = len(part) - len(part.lstrip())
            first = line + part.count("\n", 0, before)
            last = line + part.count("\n", 0, len(part.rstrip()))
            column = start - 1 - text.rfind("\n", 0, start) if first == line else 0
            yield _Piece(part, first, last, tokens, joint="" if start else "\n", whole=False, column=column)


def _spans(text: str, tokenizer: Tokenizer, limit: int) -> Iterator[tuple[int, int, int]]:
    """(start, end, tokens) of the parts of ``text``, without gaps."""
    start = 0
    for end in sentence_ends(text):
        tokens = _count(text[start:end], tokenizer, limit)
        if tokens <= limit:
            yield start, end, tokens
            start = end
            continue
        while start < end:
            stop = text.find("\n", start, end) + 1 or end
            tokens = _count(text[start:stop], tokenizer, limit)
            if tokens > limit:
                part = tokenizer.truncate(text[start : min(stop, start + limit * LONGEST_TOKEN)], limit)
                # One character alone may be over the limit: it must go somewhere.
                stop = start + max(1, len(part))
                tokens = tokenizer.count(part)
            yield start, stop, tokens
            start = stop


def _groups(pieces: Iterable[_Piece], limit: int) -> Iterator[list[_Piece]]:
    """As many pieces as fit; a heading goes with what follows it."""
    group: list[_Piece] = []
    tokens = 0
    for piece in pieces:
        if group and (piece.boundary or tokens + piece.tokens > limit):
            keep = len(group)
            while not piece.boundary and keep > 1 and group[keep - 1].heading:
                keep -= 1
            if sum(one.tokens for one in group[keep:]) + piece.tokens > limit:
                keep = len(group)
            yield group[:keep]
            group = group[keep:]
            tokens = sum(one.tokens for one in group)
        group.append(piece)
        tokens += piece.tokens
    if group:
        yield group


# ------------------------------------------------------------------ drafts
def _draft(group: Sequence[_Piece], lines: Sequence[str]) -> ChunkDraft:
    start, end = group[0].start_line, group[-1].end_line
    if all(piece.whole for piece in group):
        text = "\n".join(lines[start - 1 : end])
    else:
        # A block was cut inside: its parts as they were, the gaps between blocks as line ends.
        parts = [group[0].text]
        for before, piece in pairwise(group):
            parts += [piece.joint * max(1, piece.start_line - before.end_line), piece.text]
        text = "".join(parts).strip("\n").rstrip()
    return ChunkDraft(text, "", (), start, end, sum(piece.tokens for piece in group), group[0].column)


def _add_paths(drafts: Sequence[ChunkDraft], headings: Sequence[Heading], stretches: Sequence[Stretch]) -> None:
    """Gives each draft the headings that its first line stands under, outermost first; a heading is under itself."""
    above: tuple[str, ...] = ()
    path: list[Heading] = []
    coming, opening = iter(headings), iter(stretches)
    heading, stretch = next(coming, None), next(opening, None)
    for draft in drafts:
        while stretch is not None and stretch.start_line <= draft.start_line:
            above, path = stretch.path, []
            while heading is not None and heading.line < stretch.start_line:
                heading = next(coming, None)
            stretch = next(opening, None)
        while heading is not None and heading.line <= draft.start_line:
            path = [outer for outer in path if outer.level < heading.level] + [heading]
            heading = next(coming, None)
        draft.heading_path = (*above, *(one.text for one in path))


# ------------------------------------------------------------------ windows
@dataclass(frozen=True, slots=True)
class _Windows:
    """Puts together what is embedded: title, heading path, a little of the neighbours, the text itself."""

    title: str
    overlap: int
    header_limit: int
    max_tokens: int
    tokenizer: Tokenizer

    def add(self, drafts: Sequence[ChunkDraft], borders: Sequence[int]) -> None:
        """Gives each draft its window; nothing is taken from behind a heading at one of ``borders``."""
        for index, draft in enumerate(drafts):
            before = after = ""
            if self.overlap and index:
                other = drafts[index - 1]
                if not _between(borders, other.end_line, draft.start_line):
                    before = self.tokenizer.tail(other.text, self.overlap)
            if self.overlap and index + 1 < len(drafts):
                other = drafts[index + 1]
                if not _between(borders, draft.end_line, other.start_line):
                    after = self.tokenizer.truncate(other.text, self.overlap)
            draft.window = self._window(draft, before, after)

    def _window(self, draft: ChunkDraft, before: str, after: str) -> str:
        path = [heading for heading in draft.heading_path if heading != self.title]
        header = "\n".join([self.title, " › ".join(path)] if path else [self.title])
        header = self.tokenizer.truncate(header, self.header_limit)
        # Where the tokens of joined texts do not add up exactly, the least needed goes first.
        most = self.header_limit + 2 * self.overlap + draft.tokens
        within = self.tokenizer.additive and most <= self.max_tokens
        for parts in ((header, before, draft.text, after), (header, draft.text), (draft.text,)):
            window = "\n".join(part for part in parts if part.strip())
            if within or self.tokenizer.count(window) <= self.max_tokens:
                return window
        return self.tokenizer.truncate(draft.text, self.max_tokens)


def _between(borders: Sequence[int], after: int, upto: int) -> bool:
    return bisect_right(borders, upto) > bisect_right(borders, after)
