"""The port of the store: three collections, replaced a note at a time, and a small filter language."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import Any, Literal, Protocol

from mindnet.embedding.port import Vectors
from mindnet.records import Chunk, Edge, Label, Note, NoteGraph, Place

Collection = Literal["notes", "chunks", "edges"]
STRUCTURE_KINDS = ("belongs_to", "next", "prev")
"""The kinds of edges that come from how a note is built, and of no others."""


# ------------------------------------------------------------------ filters
@dataclass(frozen=True, slots=True)
class AnyOf:
    """The field holds one of the values (for a list field: any element does)."""

    key: str
    values: tuple[str | int | bool, ...]


@dataclass(frozen=True, slots=True)
class Between:
    """``low <= field <= high``; None leaves a side open. A point without the field fails."""

    key: str
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class StartsWith:
    """The string field starts with the prefix."""

    key: str
    prefix: str


@dataclass(frozen=True, slots=True)
class All:
    conditions: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Some:
    """At least one of the conditions holds; of none, nothing holds."""

    conditions: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Not:
    condition: Condition


Condition = AnyOf | Between | StartsWith | All | Some | Not


@dataclass(frozen=True, slots=True)
class ScoredChunk:
    """A chunk and the cosine similarity of its vector to the query, -1..1."""

    chunk: Chunk
    score: float


@dataclass(frozen=True, slots=True)
class ScoredPlace:
    """A chunk's place and the cosine similarity of its vector to the query, -1..1."""

    place: Place
    score: float


@dataclass(frozen=True, slots=True)
class StoreState:
    """Which store it is, its folder or address, and what keeps it from answering (None: nothing)."""

    engine: str
    place: str
    fault: str | None = None


Replacement = tuple[NoteGraph, Vectors | None, str | None]
"""A note's new state, the vectors of its chunks, and the id it was stored under before if that was another.

Without vectors the note and its chunks are stored already as they are, and its edges alone are put.
"""


def nothing() -> None:
    """Nothing is done."""


class Store(Protocol):
    """Where notes, chunks with their vectors, and edges are kept.

    Point ids are UUIDs derived from the record's own id. Within ``exclusive()`` no other
    thread reads or writes, so that several calls see one state; single calls are atomic by
    themselves. Every method may raise ``StoreError``.
    """

    def exclusive(self) -> AbstractContextManager[None]: ...

    def replace_note(self, graph: NoteGraph, vectors: Vectors, *, previous_note_id: str | None = None) -> None:
        """Put a note's new state in the place of the old one.

        ``vectors`` has shape (len(graph.chunks), dimension) and is checked before anything is
        written. New points are written first, then those of the note (and of
        ``previous_note_id``, when the note had another id) that are not among them go.
        """

    def replace_notes(self, replacements: Sequence[Replacement], then: Callable[[], None] = nothing) -> None:
        """``replace_note`` for several notes in one batch.

        ``then`` is called within the same ``exclusive()``, which does not begin before it is known
        what to write: searches wait no longer than they must.
        """

    def remove_notes(self, note_ids: Sequence[str]) -> None:
        """Take out all that these notes own."""

    def clear(self) -> None:
        """Takes out every point; the collections and their indexes stay."""

    def note(self, note_id: str) -> Note | None: ...

    def notes(self, note_ids: Sequence[str]) -> Mapping[str, Note]: ...

    def labels(self, note_ids: Sequence[str]) -> Mapping[str, Label]: ...

    def chunks(self, chunk_ids: Sequence[str]) -> Mapping[str, Chunk]: ...

    def places(self, chunk_ids: Sequence[str]) -> Mapping[str, Place]: ...

    def edges(self, edge_ids: Sequence[str]) -> Mapping[str, Edge]: ...

    def chunk_vectors(self, chunk_ids: Sequence[str]) -> Mapping[str, Vectors]:
        """The vectors of those of the chunks that are there and have one."""

    def chunks_of(self, note_ids: Sequence[str]) -> Sequence[Chunk]: ...

    def search_chunks(self, vector: Vectors, limit: int, where: Condition | None = None) -> Sequence[ScoredChunk]:
        """The nearest chunks by cosine, best first, ties by chunk id."""

    def score_chunks(
        self, vector: Vectors, note_ids: Sequence[str], where: Condition | None = None
    ) -> Sequence[ScoredChunk]:
        """Every chunk of these notes with its cosine similarity."""

    def search_places(self, vector: Vectors, limit: int, where: Condition | None = None) -> Sequence[ScoredPlace]:
        """``search_chunks`` without the text."""

    def score_places(
        self, vector: Vectors, note_ids: Sequence[str], chunk_ids: Sequence[str], where: Condition | None = None
    ) -> Sequence[ScoredPlace]:
        """Every chunk of these notes, and these chunks, each once, with its cosine similarity."""

    def edges_from(self, note_ids: Sequence[str], *, structure: bool | None = None) -> Sequence[Edge]:
        """Every edge that these notes own (``note_id``) or that leaves them (``source_id``), by edge id.

        ``structure`` False leaves out those of ``STRUCTURE_KINDS``, True all others.
        """

    def edges_to(self, target_ids: Sequence[str], *, structure: bool | None = None) -> Sequence[Edge]:
        """Every edge whose ``target_id`` is among these."""

    def note_ids(self, where: Condition | None = None) -> Sequence[str]: ...

    def count(self, collection: Collection, where: Condition | None = None) -> int: ...

    def scroll(self, collection: Collection, where: Condition | None = None) -> Iterator[Mapping[str, Any]]:
        """Payloads of a collection, in batches, in no promised order."""

    def indexes(self, collection: Collection) -> frozenset[str]:
        """The payload fields that are indexed."""

    def state(self) -> StoreState:
        """Asked from any thread; waits for no other call, raises nothing, and takes a few seconds at most."""

    def publish(self) -> None:
        """Puts the collections under their plain names for others, where several indexes stand side by side."""

    def flush(self) -> None: ...

    def close(self) -> None: ...
