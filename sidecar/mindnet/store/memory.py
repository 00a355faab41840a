"""A store in plain dictionaries: deterministic, forgets all on exit. For tests, and as the meaning of the port."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from mindnet.embedding.port import Vectors
from mindnet.errors import StoreError
from mindnet.records import Chunk, Edge, Note, NoteGraph
from mindnet.store.filters import matches
from mindnet.store.payload import Payload, chunk_of, edge_of, graph_payloads, note_of
from mindnet.store.places import WholeRecords
from mindnet.store.port import (
    STRUCTURE_KINDS,
    Collection,
    Condition,
    Replacement,
    ScoredChunk,
    StoreState,
    nothing,
)
from mindnet.store.ranking import by_score
from mindnet.store.schema import INDEXES
from mindnet.store.validate import check_condition, check_query, check_replacements, owners

_NONE: Mapping[Collection, set[str]] = {"notes": set(), "chunks": set(), "edges": set()}
_ID: Mapping[Collection, str] = {"notes": "note_id", "chunks": "chunk_id", "edges": "edge_id"}


class MemoryStore(WholeRecords):
    """``Store`` over dictionaries; every call holds one lock and reads through every payload."""

    def __init__(self, *, dimension: int) -> None:
        self._lock = threading.RLock()
        self._dimension = dimension
        self._points: dict[Collection, dict[str, Payload]] = {"notes": {}, "chunks": {}, "edges": {}}
        self._vectors: dict[str, Vectors] = {}
        self._closed = False

    @contextmanager
    def exclusive(self) -> Iterator[None]:
        with self._lock:
            yield

    @contextmanager
    def _open(self) -> Iterator[dict[Collection, dict[str, Payload]]]:
        with self._lock:
            if self._closed:
                raise StoreError("The store is closed.")
            yield self._points

    # -------------------------------------------------------------- writing
    def replace_note(self, graph: NoteGraph, vectors: Vectors, *, previous_note_id: str | None = None) -> None:
        self.replace_notes([(graph, vectors, previous_note_id)])

    def replace_notes(self, replacements: Sequence[Replacement], then: Callable[[], None] = nothing) -> None:
        current = check_replacements(replacements, self._dimension)
        with self._open() as points:
            written: dict[Collection, set[str]] = {"notes": set(), "chunks": set(), "edges": set()}
            for graph, vectors, _ in current:
                for collection, payload in graph_payloads(graph):
                    if vectors is None and collection != "edges":
                        continue
                    point = payload[_ID[collection]]
                    points[collection][point] = json.loads(json.dumps(payload))
                    written[collection].add(point)
                for chunk, vector in zip(graph.chunks, vectors, strict=True) if vectors is not None else ():
                    norm = float(np.linalg.norm(vector))
                    self._vectors[chunk.chunk_id] = (vector / norm if norm else vector).astype(np.float32)
            self._delete(owners(replacements), keep=written)
            then()

    def remove_notes(self, note_ids: Sequence[str]) -> None:
        with self._open():
            gone = set(note_ids)
            self._delete(dict.fromkeys(self._points, gone), keep=_NONE)

    def clear(self) -> None:
        with self._open() as points:
            for held in points.values():
                held.clear()
            self._vectors.clear()

    def _delete(self, owned: Mapping[Collection, set[str]], *, keep: Mapping[Collection, set[str]]) -> None:
        for collection, held in self._points.items():
            stale = [point for point, payload in held.items() if payload["note_id"] in owned[collection]]
            for point in stale:
                if point not in keep[collection]:
                    del held[point]
                    if collection == "chunks":
                        del self._vectors[point]

    # -------------------------------------------------------------- reading
    def note(self, note_id: str) -> Note | None:
        return self.notes([note_id]).get(note_id)

    def notes(self, note_ids: Sequence[str]) -> Mapping[str, Note]:
        with self._open() as points:
            held = points["notes"]
            return {note_id: note_of(held[note_id]) for note_id in note_ids if note_id in held}

    def chunks(self, chunk_ids: Sequence[str]) -> Mapping[str, Chunk]:
        with self._open() as points:
            held = points["chunks"]
            return {chunk_id: chunk_of(held[chunk_id]) for chunk_id in chunk_ids if chunk_id in held}

    def edges(self, edge_ids: Sequence[str]) -> Mapping[str, Edge]:
        with self._open() as points:
            held = points["edges"]
            return {edge_id: edge_of(held[edge_id]) for edge_id in edge_ids if edge_id in held}

    def chunk_vectors(self, chunk_ids: Sequence[str]) -> Mapping[str, Vectors]:
        with self._open():
            return {chunk_id: self._vectors[chunk_id].copy() for chunk_id in chunk_ids if chunk_id in self._vectors}

    def chunks_of(self, note_ids: Sequence[str]) -> Sequence[Chunk]:
        found = [chunk_of(payload) for payload in self._where("chunks", ("note_id",), note_ids)]
        return sorted(found, key=lambda chunk: (chunk.path, chunk.ord))

    def search_chunks(self, vector: Vectors, limit: int, where: Condition | None = None) -> Sequence[ScoredChunk]:
        return self._scored(vector, None, where)[:limit]

    def score_chunks(
        self, vector: Vectors, note_ids: Sequence[str], where: Condition | None = None
    ) -> Sequence[ScoredChunk]:
        return self._scored(vector, frozenset(note_ids), where)

    def _scored(self, vector: Vectors, note_ids: frozenset[str] | None, where: Condition | None) -> list[ScoredChunk]:
        check_query(vector, self._dimension)
        check_condition("chunks", where)
        norm = float(np.linalg.norm(vector)) or 1.0
        with self._open() as points:
            found = [
                ScoredChunk(chunk_of(payload), float(np.dot(self._vectors[chunk_id], vector / norm)))
                for chunk_id, payload in points["chunks"].items()
                if (note_ids is None or payload["note_id"] in note_ids) and matches(where, payload)
            ]
        return sorted(found, key=by_score)

    def edges_from(self, note_ids: Sequence[str], *, structure: bool | None = None) -> Sequence[Edge]:
        return self._edges(("note_id", "source_id"), note_ids, structure)

    def edges_to(self, target_ids: Sequence[str], *, structure: bool | None = None) -> Sequence[Edge]:
        return self._edges(("target_id",), target_ids, structure)

    def _edges(self, keys: Sequence[str], values: Sequence[str], structure: bool | None) -> list[Edge]:
        found = map(edge_of, self._where("edges", keys, values))
        asked = (edge for edge in found if structure is None or (edge.kind in STRUCTURE_KINDS) == structure)
        return sorted(asked, key=lambda edge: edge.edge_id)

    def _where(self, collection: Collection, keys: Sequence[str], values: Sequence[str]) -> list[Payload]:
        wanted = frozenset(values)
        with self._open() as points:
            return [payload for payload in points[collection].values() if any(payload[key] in wanted for key in keys)]

    def note_ids(self, where: Condition | None = None) -> Sequence[str]:
        return sorted(payload["note_id"] for payload in self.scroll("notes", where))

    def count(self, collection: Collection, where: Condition | None = None) -> int:
        return sum(1 for _ in self.scroll(collection, where))

    def scroll(self, collection: Collection, where: Condition | None = None) -> Iterator[Mapping[str, Any]]:
        check_condition(collection, where)
        with self._open() as points:
            found = [json.dumps(payload) for payload in points[collection].values() if matches(where, payload)]
        yield from map(json.loads, found)

    def indexes(self, collection: Collection) -> frozenset[str]:
        return frozenset(INDEXES[collection])

    # -------------------------------------------------------------- keeping
    def state(self) -> StoreState:
        return StoreState("memory", "", "The store is closed." if self._closed else None)

    def publish(self) -> None:
        """Nothing is left to do: nobody else sees the collections."""

    def flush(self) -> None:
        with self._open():
            pass

    def close(self) -> None:
        with self._lock:
            self._closed = True
