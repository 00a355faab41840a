"""The store inside the process: Qdrant's own engine, three shards in the data folder.

The engine's habits that shape this file: its write-ahead log stays on and is flushed when asked
or every ``FLUSH_AFTER`` operations; a point needs a vector, so notes and edges carry a sparse one
of a single number; a batch with one vector of the wrong length may be applied in part, so lengths
are checked before; its files are never touched by us; a second process fails to open.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import qdrant_edge as engine

from mindnet.embedding.port import Vectors
from mindnet.errors import StoreError
from mindnet.records import Chunk, Edge, Note, NoteGraph
from mindnet.store.engine_filters import FIELD_INDEXES, any_of, translate
from mindnet.store.payload import (
    Payload,
    chunk_of,
    chunk_payload,
    chunk_point,
    edge_of,
    edge_payload,
    note_of,
    note_payload,
    note_point,
)
from mindnet.store.port import All, AnyOf, Collection, Condition, Replacement, ScoredChunk
from mindnet.store.schema import INDEXES
from mindnet.store.validate import check_query, check_replacements

FLUSH_AFTER = 500
SCROLL = 1_000
ASK = 1_000
_DUMMY = "none"
_VECTOR = "window"


class EmbeddedStore:
    """``Store`` over three shards; every call holds one lock."""

    def __init__(self, folder: Path, *, prefix: str, dimension: int) -> None:
        self._lock = threading.RLock()
        self._dimension = dimension
        self._operations = 0
        self._shards: dict[Collection, engine.EdgeShard] = {}
        try:
            for collection in INDEXES:
                self._shards[collection] = self._open(folder / f"{prefix}_{collection}", collection)
        except Exception as error:
            self.close()
            raise StoreError(f"The store in {folder} does not open: {error}") from error

    def _open(self, folder: Path, collection: Collection) -> engine.EdgeShard:
        if folder.is_dir() and any(folder.iterdir()):
            return engine.EdgeShard.load(str(folder))
        folder.mkdir(parents=True, exist_ok=True)
        if collection == "chunks":
            config = engine.EdgeConfig(
                vectors={_VECTOR: engine.EdgeVectorParams(size=self._dimension, distance=engine.Distance.Cosine)},
                wal_enabled=True,
            )
        else:
            config = engine.EdgeConfig(sparse_vectors={_DUMMY: engine.EdgeSparseVectorParams()}, wal_enabled=True)
        shard = engine.EdgeShard.create(str(folder), config)
        for name, schema in INDEXES[collection].items():
            shard.update(engine.UpdateOperation.create_field_index(name, schema))
        return shard

    @contextmanager
    def exclusive(self) -> Iterator[None]:
        with self._lock:
            yield

    @contextmanager
    def _engine(self) -> Iterator[Mapping[Collection, engine.EdgeShard]]:
        with self._lock:
            if not self._shards:
                raise StoreError("The store is closed.")
            try:
                yield self._shards
            except StoreError:
                raise
            except Exception as error:
                raise StoreError(f"The store failed: {error}", hint="See the log; `mindnet check` tells more.") from error

    # -------------------------------------------------------------- writing
    def replace_note(self, graph: NoteGraph, vectors: Vectors, *, previous_note_id: str | None = None) -> None:
        self.replace_notes([(graph, vectors, previous_note_id)])

    def replace_notes(self, replacements: Sequence[Replacement]) -> None:
        for graph, vectors, _ in replacements:
            if vectors.shape != (len(graph.chunks), self._dimension):
                raise StoreError(
                    f"{graph.note.path}: vectors of shape {vectors.shape}, "
                    f"not ({len(graph.chunks)}, {self._dimension}); nothing was written."
                )
        if not replacements:
            return
        points: dict[Collection, list[engine.Point]] = {"notes": [], "chunks": [], "edges": []}
        owners: list[str] = []
        for graph, vectors, previous in replacements:
            owners += [graph.note.note_id, *([previous] if previous else [])]
            points["notes"].append(_sparse_point(note_point(graph.note.note_id), note_payload(graph.note)))
            points["chunks"] += [
                engine.Point(chunk_point(chunk.chunk_id), {_VECTOR: row}, chunk_payload(chunk))
                for chunk, row in zip(graph.chunks, vectors.tolist(), strict=True)
            ]
            points["edges"] += [_sparse_point(edge.edge_id, edge_payload(edge)) for edge in graph.edges]
        with self._engine() as shards:
            for collection, new in points.items():
                if new:
                    shards[collection].update(engine.UpdateOperation.upsert_points(new))
            for collection, new in points.items():
                self._delete_stale(shards[collection], owners, {str(point.id) for point in new})
            self._count_operation(shards, len(replacements))

    def _delete_stale(self, shard: engine.EdgeShard, owners: Sequence[str], new: set[str]) -> None:
        """What the notes had before and have no longer. Ids are read first: a filter would carry all the new ones."""
        stale = [
            record.id
            for some in _batched(owners)
            for record in self._scroll(shard, any_of("note_id", some), payload=False)
            if str(record.id) not in new
        ]
        if stale:
            shard.update(engine.UpdateOperation.delete_points(stale))

    def remove_note(self, note_id: str) -> None:
        with self._engine() as shards:
            for shard in shards.values():
                shard.update(engine.UpdateOperation.delete_points_by_filter(any_of("note_id", [note_id])))
            self._count_operation(shards, 1)

    def _count_operation(self, shards: Mapping[Collection, engine.EdgeShard], number: int) -> None:
        self._operations += number
        if self._operations >= FLUSH_AFTER:
            self._flush(shards)

    def _flush(self, shards: Mapping[Collection, engine.EdgeShard]) -> None:
        for shard in shards.values():
            shard.flush()
        self._operations = 0

    # -------------------------------------------------------------- reading
    def note(self, note_id: str) -> Note | None:
        return self.notes([note_id]).get(note_id)

    def notes(self, note_ids: Sequence[str]) -> Mapping[str, Note]:
        with self._engine() as shards:
            found = [note_of(r.payload) for r in self._retrieve(shards["notes"], [note_point(i) for i in note_ids])]
        return {note.note_id: note for note in found}

    def chunks(self, chunk_ids: Sequence[str]) -> Mapping[str, Chunk]:
        with self._engine() as shards:
            records = self._retrieve(shards["chunks"], [chunk_point(chunk_id) for chunk_id in chunk_ids])
            found = [chunk_of(record.payload) for record in records]
        return {chunk.chunk_id: chunk for chunk in found}

    def chunk_vectors(self, chunk_ids: Sequence[str]) -> Mapping[str, Vectors]:
        with self._engine() as shards:
            records = self._retrieve(shards["chunks"], [chunk_point(i) for i in chunk_ids], vectors=True)
            return {r.payload["chunk_id"]: np.asarray(r.vector[_VECTOR], dtype=np.float32) for r in records}

    def chunks_of(self, note_ids: Sequence[str]) -> Sequence[Chunk]:
        found = [chunk_of(payload) for payload in self._payloads("chunks", "note_id", note_ids)]
        return sorted(found, key=lambda chunk: (chunk.path, chunk.ord))

    def search_chunks(self, vector: Vectors, limit: int, where: Condition | None = None) -> Sequence[ScoredChunk]:
        return self._nearest(vector, limit, translate(where))

    def score_chunks(
        self, vector: Vectors, note_ids: Sequence[str], where: Condition | None = None
    ) -> Sequence[ScoredChunk]:
        found: list[ScoredChunk] = []
        for some in _batched(sorted(set(note_ids))):
            own = AnyOf("note_id", tuple(some))
            condition = translate(own if where is None else All((own, where)))
            with self._engine() as shards:
                number = shards["chunks"].count(engine.CountRequest(exact=True, filter=condition))
                found += self._nearest(vector, number, condition) if number else []
        return sorted(found, key=lambda one: (-one.score, one.chunk.chunk_id))

    def _nearest(self, vector: Vectors, limit: int, condition: engine.Filter | None) -> list[ScoredChunk]:
        request = engine.QueryRequest(
            limit,
            query=engine.Query.Nearest(vector.tolist(), using=_VECTOR),
            filter=condition,
            params=engine.SearchParams(exact=True),
            with_payload=True,
        )
        with self._engine() as shards:
            points = shards["chunks"].query(request)
        scored = [ScoredChunk(chunk_of(point.payload), float(point.score)) for point in points]
        return sorted(scored, key=lambda one: (-one.score, one.chunk.chunk_id))

    def edges_from(self, note_ids: Sequence[str]) -> Sequence[Edge]:
        return self._edges("note_id", note_ids)

    def edges_to(self, target_ids: Sequence[str]) -> Sequence[Edge]:
        return self._edges("target_id", target_ids)

    def _edges(self, key: str, values: Sequence[str]) -> list[Edge]:
        found = [edge_of(payload) for payload in self._payloads("edges", key, values)]
        return sorted(found, key=lambda edge: edge.edge_id)

    def note_ids(self, where: Condition | None = None) -> Sequence[str]:
        with self._engine() as shards:
            selector = engine.PayloadSelector.Include(["note_id"])
            return sorted(r.payload["note_id"] for r in self._scroll(shards["notes"], translate(where), selector))

    def count(self, collection: Collection, where: Condition | None = None) -> int:
        with self._engine() as shards:
            return shards[collection].count(engine.CountRequest(exact=True, filter=translate(where)))

    def scroll(self, collection: Collection, where: Condition | None = None) -> Iterator[Mapping[str, Any]]:
        with self._engine() as shards:
            for record in self._scroll(shards[collection], translate(where)):
                yield record.payload

    def indexes(self, collection: Collection) -> frozenset[str]:
        with self._engine() as shards:
            return frozenset(shards[collection].info().payload_schema)

    def _payloads(self, collection: Collection, key: str, values: Sequence[str]) -> Iterator[Mapping[str, Any]]:
        with self._engine() as shards:
            for some in _batched(sorted(set(values))):
                for record in self._scroll(shards[collection], any_of(key, some)):
                    yield record.payload

    def _scroll(
        self, shard: engine.EdgeShard, condition: engine.Filter | None, payload: Any = True
    ) -> Iterator[engine.Record]:
        offset = None
        while True:
            request = engine.ScrollRequest(offset=offset, limit=SCROLL, filter=condition, with_payload=payload)
            records, offset = shard.scroll(request)
            yield from records
            if offset is None:
                return

    def _retrieve(self, shard: engine.EdgeShard, points: Sequence[str], *, vectors: bool = False) -> list[engine.Record]:
        return shard.retrieve(list(dict.fromkeys(points)), True, vectors) if points else []

    # -------------------------------------------------------------- keeping
    def flush(self) -> None:
        with self._engine() as shards:
            self._flush(shards)

    def close(self) -> None:
        with self._lock:
            shards, self._shards = self._shards, {}
            for shard in shards.values():
                shard.flush()
                shard.close()


def _sparse_point(point_id: str, payload: dict[str, Any]) -> engine.Point:
    return engine.Point(point_id, {_DUMMY: engine.SparseVector([0], [1.0])}, payload)


def open_store(folder: Path, *, prefix: str, dimension: int) -> EmbeddedStore:
    """The embedded store in ``folder``, made if it is not there; raises ``StoreError`` when it does not open."""
    return EmbeddedStore(folder, prefix=prefix, dimension=dimension)
