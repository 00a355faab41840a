"""What a model is asked of links: by which text an answer is known, and to which passages links are offered.

An answer is kept by the hash of the text that a link stands in, not by its place: it holds until that text changes.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from mindnet.knowledge.kinds import REFERENCES
from mindnet.markdown.lines import split_lines
from mindnet.records import Asked, Chunk, ParsedNote, Scope


def text_hash(text: str) -> str:
    """The same for texts that differ in blanks and line ends alone."""
    return hashlib.sha256(" ".join(text.split()).encode("utf-8", "surrogatepass")).hexdigest()


class Blocks:
    """The blocks of a note by their lines; what is needed for that is made with the first candidate."""

    def __init__(self, parsed: ParsedNote) -> None:
        self._parsed = parsed
        self._lines: Sequence[str] = ()
        self._starts: list[int] = []

    def hash_of(self, line: int) -> str:
        """Of the paragraph, list item, table row ... in that line; of nothing for a line of the frontmatter."""
        parsed = self._parsed
        if not self._starts and parsed.blocks:
            self._lines = split_lines(parsed.text) if parsed.reading is None else parsed.reading.lines
            self._starts = [block.start_line for block in parsed.blocks]
        place = bisect_right(self._starts, line) - 1
        if place < 0 or parsed.blocks[place].end_line < line:
            return text_hash("")
        block = parsed.blocks[place]
        return text_hash("\n".join(self._lines[block.start_line - 1 : block.end_line]))


class _Link(Protocol):
    """A piece of evidence, as far as offers look at it."""

    source_id: str
    target_id: str
    section: str
    kind: str
    scope: Scope
    resolved: bool

    @property
    def candidate(self) -> bool: ...


Link = TypeVar("Link", bound=_Link)


@dataclass(frozen=True, slots=True)
class Offer(Generic[Link]):
    """A link of the note, and a passage in which it is not written."""

    link: Link
    chunk: Chunk
    asked: Asked


def offers(written: Sequence[Link], chunks: Sequence[Chunk], note_id: str) -> Iterator[Offer[Link]]:
    """Each link that stands in a passage, for each passage that does not name its target; passage by passage.

    Of a target that has a relation only its relations are offered, not the mention beside them. What is said of the
    whole note is said of each of its passages already, and links to nothing and to the note itself are no offer.
    """
    wide = {(link.target_id, link.kind, link.section) for link in written if link.scope == "note"}
    there = {(link.source_id, link.target_id) for link in written}
    links: dict[tuple[str, str], dict[str, Link]] = {}
    for link in written:
        if link.scope == "chunk" and link.resolved and not link.candidate and link.target_id != note_id:
            links.setdefault((link.target_id, link.section), {}).setdefault(link.kind, link)
    for chunk in chunks if links else ():
        block = text_hash(chunk.text)
        for (target, section), kinds in links.items():
            if (chunk.chunk_id, target) in there:
                continue
            for kind, link in kinds.items():
                if (kind != REFERENCES or len(kinds) == 1) and (target, kind, section) not in wide:
                    yield Offer(link, chunk, (note_id, target, kind, section, block))
