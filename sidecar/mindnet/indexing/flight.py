"""Batches on their way from the vault into the store."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass

from mindnet.embedding.port import Vectors
from mindnet.indexing.plan import Plan
from mindnet.indexing.source import Loaded
from mindnet.records import NoteGraph
from mindnet.store.kept_words import Words
from mindnet.store.manifest import ManifestEntry
from mindnet.store.port import Replacement

PIECE = 250
"""Points that are stored at once, a note's always together."""
Built = tuple[Loaded, NoteGraph | None]
"""A file and what it became, with the edges that it alone would give; None for one that is not indexed."""


Vectorised = Future[tuple[Vectors, int, int]]
"""The vectors of windows, how many of them were embedded, and how many were known."""


@dataclass(frozen=True, slots=True)
class Flying:
    """A batch whose windows are being embedded: what is to be stored of it, by note, and the words of each.

    Of ``relinked`` notes it is the edges alone.
    """

    batch: Sequence[Built]
    entries: Sequence[ManifestEntry]
    graphs: Sequence[NoteGraph]
    relinked: Sequence[NoteGraph]
    unindexed: Sequence[str]
    same: Sequence[str]
    written: int
    words: Mapping[str, Words]
    vectors: Vectorised


class Flight:
    """Batches on their way into the store, one behind the other: while one is embedded, the one before is stored."""

    def __init__(
        self, start: Callable[[list[Built], Plan], Flying], store: Callable[[Flying], tuple[int, int]]
    ) -> None:
        self._start = start
        self._store = store
        self._flying: Flying | None = None
        self.written = self.embedded = self.reused = 0

    def take(self, batch: list[Built], plan: Plan) -> None:
        following = self._start(batch, plan)
        self.land()
        self._flying = following

    def land(self) -> None:
        """Stores what is under way."""
        flying, self._flying = self._flying, None
        if flying is not None:
            embedded, reused = self._store(flying)
            self.written += flying.written
            self.embedded += embedded
            self.reused += reused


def pieces(replacements: Sequence[Replacement]) -> Iterator[Sequence[Replacement]]:
    """Some notes at a time: searches wait while a piece is stored, and come before the next."""
    piece: list[Replacement] = []
    points = 0
    for replacement in replacements:
        graph, *_ = replacement
        piece.append(replacement)
        points += len(graph.chunks) + len(graph.edges)
        if points >= PIECE:
            yield piece
            piece, points = [], 0
    if piece:
        yield piece
