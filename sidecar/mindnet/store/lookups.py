"""The part of the port that both of Qdrant's adapters answer alike: records by their ids, and edges by their ends."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from mindnet.embedding.port import Vectors
from mindnet.records import Chunk, Edge, Note, NoteGraph
from mindnet.store.payload import Payload, chunk_of, chunk_point, edge_of, is_point, note_of, note_point
from mindnet.store.port import STRUCTURE_KINDS, AnyOf, Collection, Condition, Not, Replacement, nothing

R = TypeVar("R", Note, Chunk, Edge)
Make = Callable[[Payload], R]
"""Makes a collection's record of its payload."""
_STRUCTURE = AnyOf("kind", STRUCTURE_KINDS)
_RELATIONS = Not(_STRUCTURE)


class Lookups(ABC):
    """A store whose points have ids made of the records' own (``note_point``, ``chunk_point``)."""

    @abstractmethod
    def replace_notes(self, replacements: Sequence[Replacement], then: Callable[[], None] = nothing) -> None: ...

    @abstractmethod
    def _by_id(self, collection: Collection, points: Iterable[str], make: Make[R]) -> list[R]:
        """The records of these points, as far as they are there."""

    @abstractmethod
    def _by_value(
        self,
        collection: Collection,
        keys: Sequence[str],
        values: Sequence[str],
        make: Make[R],
        where: Condition | None = None,
    ) -> list[R]:
        """The records of which one of the fields ``keys`` has one of the values, and that fit, each once."""

    def replace_note(self, graph: NoteGraph, vectors: Vectors, *, previous_note_id: str | None = None) -> None:
        self.replace_notes([(graph, vectors, previous_note_id)])

    def note(self, note_id: str) -> Note | None:
        return self.notes([note_id]).get(note_id)

    def notes(self, note_ids: Sequence[str]) -> Mapping[str, Note]:
        found = self._by_id("notes", map(note_point, note_ids), note_of)
        return {note.note_id: note for note in found}

    def chunks(self, chunk_ids: Sequence[str]) -> Mapping[str, Chunk]:
        found = self._by_id("chunks", map(chunk_point, chunk_ids), chunk_of)
        return {chunk.chunk_id: chunk for chunk in found}

    def edges(self, edge_ids: Sequence[str]) -> Mapping[str, Edge]:
        # An edge's id is that of its point; the engine refuses what is no UUID.
        found = self._by_id("edges", filter(is_point, edge_ids), edge_of)
        return {edge.edge_id: edge for edge in found}

    def chunks_of(self, note_ids: Sequence[str]) -> Sequence[Chunk]:
        found = self._by_value("chunks", ("note_id",), note_ids, chunk_of)
        return sorted(found, key=lambda chunk: (chunk.path, chunk.ord))

    def edges_from(self, note_ids: Sequence[str], *, structure: bool | None = None) -> Sequence[Edge]:
        # Two questions rather than one with an "or": together they take less time.
        return self._edges(("note_id", "source_id"), note_ids, structure)

    def edges_to(self, target_ids: Sequence[str], *, structure: bool | None = None) -> Sequence[Edge]:
        return self._edges(("target_id",), target_ids, structure)

    def _edges(self, keys: Sequence[str], values: Sequence[str], structure: bool | None) -> list[Edge]:
        where = None if structure is None else _STRUCTURE if structure else _RELATIONS
        return sorted(self._by_value("edges", keys, values, edge_of, where), key=lambda edge: edge.edge_id)
