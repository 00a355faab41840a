"""From a note's blocks to chunks: whole lines where it can be, within a number of tokens, with a window each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from mindnet.embedding.port import Tokenizer
from mindnet.knowledge.sentences import sentence_ends
from mindnet.knowledge.types import ChunkProfile
from mindnet.markdown.lines import split_lines
from mindnet.records import Block, Heading, ParsedNote

HEADER_SHARE = 6
"""Title and heading path take at most one of so many tokens of the model's limit."""


@dataclass(frozen=True, slots=True)
class ChunkDraft:
    """A chunk before it has an id: lines ``start_line`` to ``end_line`` of the file."""

    text: str
    window: str
    heading_path: tuple[str, ...]
    start_line: int
    end_line: int


@dataclass(frozen=True, slots=True)
class _Piece:
    """What is not cut any further. ``whole`` is False for a part of a line; ``joint`` then goes before it."""

    text: str
    start_line: int
    end_line: int
    tokens: int
    boundary: bool
    joint: str = "\n"
    whole: bool = True


def chunk_note(
    note: ParsedNote,
    *,
    title: str,
    profile: ChunkProfile,
    tokenizer: Tokenizer,
    max_tokens: int,
) -> list[ChunkDraft]:
    """The chunks of a note, in order; together they cover every line of the body that is not blank.

    ``max_tokens`` is the embedding model's limit, which no window exceeds. A note without body
    has one chunk, its title and aliases, if its frontmatter names one of them: it can be found
    by name. A note with nothing in it has none.
    """
    lines = split_lines(note.text)
    header_limit = max_tokens // HEADER_SHARE
    limit = min(profile.max_tokens, max_tokens - header_limit - 2 * profile.overlap_tokens)
    pieces = list(_pieces(note, lines, profile, tokenizer, limit))
    drafts = [_draft(group, note.headings, lines) for group in _groups(pieces, limit)]
    if not drafts:
        return list(_name_only(note, title, tokenizer, max_tokens))
    return _with_windows(drafts, title, profile.overlap_tokens, tokenizer, header_limit, note.headings, profile)


def _name_only(note: ParsedNote, title: str, tokenizer: Tokenizer, max_tokens: int) -> Iterator[ChunkDraft]:
    if note.aliases or str(note.frontmatter.get("title") or "").strip():
        text = tokenizer.truncate("\n".join(dict.fromkeys([title, *note.aliases])), max_tokens)
        yield ChunkDraft(text, text, (), 1, max(1, note.body_line - 1))


# ------------------------------------------------------------------ pieces
def _pieces(
    note: ParsedNote, lines: Sequence[str], profile: ChunkProfile, tokenizer: Tokenizer, limit: int
) -> Iterator[_Piece]:
    for block in note.blocks:
        boundary = block.kind == "heading" and 0 < block.level <= profile.split_level
        text = "\n".join(lines[block.start_line - 1 : block.end_line])
        tokens = tokenizer.count(text)
        if tokens <= limit:
            yield _Piece(text, block.start_line, block.end_line, tokens, boundary)
        else:
            yield from _smaller(block, text, boundary, tokenizer, limit)


def _smaller(block: Block, text: str, boundary: bool, tokenizer: Tokenizer, limit: int) -> Iterator[_Piece]:
    """A block above the limit: prose by sentences, anything else by lines, a line by sentences, these by words."""
    if block.kind == "paragraph":
        yield from _by_sentences(text, block.start_line, boundary, tokenizer, limit)
        return
    for number, line in enumerate(text.split("\n")):
        first = boundary and number == 0
        tokens = tokenizer.count(line)
        if tokens <= limit:
            yield _Piece(line, block.start_line + number, block.start_line + number, tokens, first)
        else:
            yield from _by_sentences(line, block.start_line + number, first, tokenizer, limit)


def _by_sentences(text: str, line: int, boundary: bool, tokenizer: Tokenizer, limit: int) -> Iterator[_Piece]:
    start = 0
    for end in sentence_ends(text):
        sentence = text[start:end]
        while sentence.strip():
            part = tokenizer.truncate(sentence, limit)
            if not part.strip():
                part = sentence[:1]  # one character alone is over the limit: it must go somewhere
            first = line + text.count("\n", 0, start + len(part) - len(part.lstrip()))
            last = line + text.count("\n", 0, start + len(part.rstrip()))
            joint = "" if start else "\n"
            yield _Piece(part, first, last, tokenizer.count(part), boundary and start == 0, joint, whole=False)
            start += len(part)
            sentence = sentence[len(part) :]
        start = end


def _groups(pieces: Sequence[_Piece], limit: int) -> Iterator[list[_Piece]]:
    group: list[_Piece] = []
    tokens = 0
    for piece in pieces:
        if group and (piece.boundary or tokens + piece.tokens > limit):
            yield group
            group, tokens = [], 0
        group.append(piece)
        tokens += piece.tokens
    if group:
        yield group


# ------------------------------------------------------------------ drafts and windows
def _draft(group: Sequence[_Piece], headings: Sequence[Heading], lines: Sequence[str]) -> ChunkDraft:
    start, end = group[0].start_line, group[-1].end_line
    if all(piece.whole for piece in group):
        text = "\n".join(lines[start - 1 : end])
    else:
        # A block was cut inside: its parts as they were, the gaps between blocks as line ends.
        text = group[0].text
        for before, piece in zip(group, group[1:], strict=False):
            text += piece.joint * max(1, piece.start_line - before.end_line) + piece.text
        text = text.strip("\n")
    return ChunkDraft(text, "", heading_path(headings, start), start, end)


def heading_path(headings: Sequence[Heading], line: int) -> tuple[str, ...]:
    """The headings that a line stands under, outermost first; a heading's own line stands under it."""
    path: list[Heading] = []
    for heading in headings:
        if heading.line > line:
            break
        path = [outer for outer in path if outer.level < heading.level] + [heading]
    return tuple(heading.text for heading in path)


def _with_windows(
    drafts: Sequence[ChunkDraft],
    title: str,
    overlap: int,
    tokenizer: Tokenizer,
    header_limit: int,
    headings: Sequence[Heading],
    profile: ChunkProfile,
) -> list[ChunkDraft]:
    borders = [heading.line for heading in headings if heading.level <= profile.split_level]
    found: list[ChunkDraft] = []
    for index, draft in enumerate(drafts):
        path = [heading for heading in draft.heading_path if heading != title]
        parts = [tokenizer.truncate("\n".join([title, " › ".join(path)] if path else [title]), header_limit)]
        before = drafts[index - 1] if index else None
        after = drafts[index + 1] if index + 1 < len(drafts) else None
        if overlap and before is not None and not _between(borders, before.end_line, draft.start_line):
            parts.append(tokenizer.tail(before.text, overlap))
        parts.append(draft.text)
        if overlap and after is not None and not _between(borders, draft.end_line, after.start_line):
            parts.append(tokenizer.truncate(after.text, overlap))
        found.append(replace(draft, window="\n".join(part for part in parts if part.strip())))
    return found


def _between(borders: Sequence[int], after: int, upto: int) -> bool:
    return any(after < border <= upto for border in borders)
