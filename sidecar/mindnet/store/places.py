"""Where chunks stand and what notes are called: the little of a record that most of a search needs.

Of the hundreds of passages that a question weighs it shows ten. Their order needs their places alone, and a
relation that is shown needs the name of its other end. So these are kept for all points that were ever asked
for, where whole records would not fit into memory.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from itertools import islice
from typing import Generic, TypeVar

from mindnet.embedding.port import Vectors
from mindnet.records import Chunk, Label, Note, Place
from mindnet.store.port import All, AnyOf, Condition, ScoredChunk, ScoredPlace, Some

T = TypeVar("T")
MOST = 250_000
"""So many are kept of each kind, of about 500 bytes."""


class Known(Generic[T]):
    """Values by the id of their point; the oldest go first. Not safe for threads by itself."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._kept: dict[str, T] = {}

    def __len__(self) -> int:
        return len(self._kept)

    def of(self, points: Iterable[str], read: Callable[[list[str]], Mapping[str, T]]) -> dict[str, T]:
        """The values of these points, as far as they are there; ``read`` is asked for those that are not known."""
        kept = self._kept
        asked = dict.fromkeys(points)
        found = {point: kept[point] for point in asked if point in kept}
        if len(found) < len(asked):
            fresh = read([point for point in asked if point not in found])
            found.update(fresh)
            kept.update(fresh)
            for point in list(islice(kept, max(0, len(kept) - self._most))):
                del kept[point]
        return found

    def forget(self, points: Iterable[str]) -> None:
        """To be called for whatever is written or deleted."""
        for point in points:
            self._kept.pop(point, None)

    def clear(self) -> None:
        self._kept.clear()


def placed(chunk: Chunk) -> Place:
    return Place(
        chunk.chunk_id, chunk.note_id, chunk.ord, chunk.path, chunk.status, chunk.retriever_weight, chunk.updated
    )


class WholeRecords(ABC):
    """Places and labels of a store that reads its records whole."""

    @abstractmethod
    def notes(self, note_ids: Sequence[str]) -> Mapping[str, Note]: ...

    @abstractmethod
    def chunks(self, chunk_ids: Sequence[str]) -> Mapping[str, Chunk]: ...

    @abstractmethod
    def search_chunks(self, vector: Vectors, limit: int, where: Condition | None = None) -> Sequence[ScoredChunk]: ...

    @abstractmethod
    def score_chunks(
        self, vector: Vectors, note_ids: Sequence[str], where: Condition | None = None
    ) -> Sequence[ScoredChunk]: ...

    def labels(self, note_ids: Sequence[str]) -> Mapping[str, Label]:
        notes = self.notes(note_ids).items()
        return {note_id: Label(note_id, note.title, note.path, note.private) for note_id, note in notes}

    def places(self, chunk_ids: Sequence[str]) -> Mapping[str, Place]:
        return {chunk_id: placed(chunk) for chunk_id, chunk in self.chunks(chunk_ids).items()}

    def search_places(self, vector: Vectors, limit: int, where: Condition | None = None) -> Sequence[ScoredPlace]:
        return [ScoredPlace(placed(one.chunk), one.score) for one in self.search_chunks(vector, limit, where)]

    def score_places(
        self, vector: Vectors, note_ids: Sequence[str], chunk_ids: Sequence[str], where: Condition | None = None
    ) -> Sequence[ScoredPlace]:
        asked: Condition = Some((AnyOf("note_id", tuple(note_ids)), AnyOf("chunk_id", tuple(chunk_ids))))
        asked = asked if where is None else All((asked, where))
        # A chunk's id begins with its note's.
        owners = sorted({*note_ids, *(chunk_id.rpartition("#")[0] for chunk_id in chunk_ids)})
        return [ScoredPlace(placed(one.chunk), one.score) for one in self.score_chunks(vector, owners, asked)]


class LightRecords(ABC):
    """Whole chunks of a store that knows places without them."""

    @abstractmethod
    def exclusive(self) -> AbstractContextManager[None]: ...

    @abstractmethod
    def chunks(self, chunk_ids: Sequence[str]) -> Mapping[str, Chunk]: ...

    @abstractmethod
    def search_places(self, vector: Vectors, limit: int, where: Condition | None = None) -> Sequence[ScoredPlace]: ...

    @abstractmethod
    def score_places(
        self, vector: Vectors, note_ids: Sequence[str], chunk_ids: Sequence[str], where: Condition | None = None
    ) -> Sequence[ScoredPlace]: ...

    def search_chunks(self, vector: Vectors, limit: int, where: Condition | None = None) -> Sequence[ScoredChunk]:
        with self.exclusive():
            return self._whole(self.search_places(vector, limit, where))

    def score_chunks(
        self, vector: Vectors, note_ids: Sequence[str], where: Condition | None = None
    ) -> Sequence[ScoredChunk]:
        with self.exclusive():
            return self._whole(self.score_places(vector, note_ids, (), where))

    def _whole(self, found: Sequence[ScoredPlace]) -> list[ScoredChunk]:
        chunks = self.chunks([one.place.chunk_id for one in found])
        return [ScoredChunk(chunks[one.place.chunk_id], one.score) for one in found]
