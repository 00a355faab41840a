"""The store inside the process: Qdrant's own engine, three shards in the data folder.

The engine's habits that shape this file: its write-ahead log stays on and is flushed when asked
or every ``FLUSH_AFTER`` operations; a batch with one vector of the wrong length may be applied in
part, so lengths are checked before; a second process fails to open.
"""

from __future__ import annotations

import ctypes
import logging
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from itertools import chain, islice
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import qdrant_edge as engine

from mindnet.embedding.port import Vectors
from mindnet.errors import BusyError, DiskFullError, MindnetError, StoreError, folder_fault
from mindnet.records import Chunk, Edge, Label, Note, Place
from mindnet.store.engine_filters import any_of, batched, translate
from mindnet.store.engine_points import Part, ids_of, parts_of
from mindnet.store.engine_records import page, pages, payload_of, read
from mindnet.store.engine_vectors import among, best, of_notes
from mindnet.store.fair_lock import FairLock
from mindnet.store.lookups import Lookups, Make, R
from mindnet.store.packed import REST, STORED, unpack
from mindnet.store.payload import chunk_point, note_point
from mindnet.store.places import Known, LightRecords
from mindnet.store.port import (
    Collection,
    Condition,
    Replacement,
    ScoredPlace,
    StoreState,
    nothing,
)
from mindnet.store.ranking import by_place
from mindnet.store.recent import Recent
from mindnet.store.room import PER_CHARACTER, TO_OPEN, TO_WRITE, need_room
from mindnet.store.schema import INDEXES
from mindnet.store.shards import VECTOR, open_shard
from mindnet.store.unpacking import LABEL, PLACE, edge_from, label_from, note_id_from, place_from
from mindnet.store.validate import check_condition, check_query, check_replacements, owners

log = logging.getLogger(__name__)
T = TypeVar("T")
FLUSH_AFTER = 2_000
"""A flush stops the whole process: the engine waits for the disk without letting other threads run."""
RECENT: Mapping[Collection, int] = {"notes": 8_000_000, "chunks": 12_000_000, "edges": 32_000_000}
"""Bytes that records which were read lately may take, about."""
FILTERS_KEPT = 8
POINTS_OF_A_NOTE = 16
"""A note of many more points counts as several."""
READY = 5
"""So many parts of a batch are made before anybody has to wait for it."""


Shards = Mapping[Collection, engine.EdgeShard]


def _taken(ready: deque[T]) -> Iterator[T]:
    """Each in turn, held by nobody else."""
    while ready:
        yield ready.popleft()


def _is_panic(error: BaseException) -> bool:
    """The engine's own crashes reach Python outside of ``Exception``."""
    return type(error).__name__ == "PanicException"


class EmbeddedStore(Lookups, LightRecords):
    """``Store`` over three shards; every call holds one lock."""

    def __init__(self, folder: Path, *, prefix: str, dimension: int) -> None:
        self._lock = FairLock()
        self._folder = folder
        self._dimension = dimension
        self._operations = 0
        self._recent = {collection: Recent[Any](most, _size) for collection, most in RECENT.items()}
        self._places, self._labels = Known[Place](), Known[Label]()
        self._named = Known[str]()
        """Which note each point is of; the id of a point is made of the note's, so that it is true for good."""
        self._note_ids: dict[str, Sequence[str]] = {}
        """Which notes the last filters let through; every question asks which are private."""
        self._owners: set[str] | None = None
        """The notes that may have points, where that is known: of a store that was empty when it was opened."""
        self._shards: dict[Collection, engine.EdgeShard] = {}
        try:
            folder.mkdir(parents=True, exist_ok=True)
            need_room(folder, TO_OPEN)
            for collection in INDEXES:
                self._shards[collection] = open_shard(folder / f"{prefix}_{collection}", collection, dimension)
            if not any(shard.info().points_count for shard in self._shards.values()):
                self._owners = set()
        except BaseException as error:
            self.close()
            if isinstance(error, MindnetError) or (not isinstance(error, Exception) and not _is_panic(error)):
                raise
            if fault := folder_fault(folder, error):
                raise fault from error
            if "WouldBlock" in str(error):
                raise BusyError(
                    f"The store in {folder} is open in another process.",
                    hint="Stop it, or let the commands go through the daemon.",
                ) from error
            raise StoreError(
                f"The store in {folder} does not open: {error}", hint="It can be built anew from the vault."
            ) from error

    @contextmanager
    def exclusive(self) -> Iterator[None]:
        with self._lock:
            yield

    @contextmanager
    def _engine(self) -> Iterator[Shards]:
        with self._lock:
            if not self._shards:
                raise StoreError("The store is closed.")
            try:
                yield self._shards
            except MindnetError:
                raise
            except BaseException as error:
                if not isinstance(error, Exception) and not _is_panic(error):
                    raise
                if fault := folder_fault(self._folder, error):
                    raise fault from error
                raise StoreError(
                    f"The store failed: {error}", hint="See the log; `mindnet check` tells more."
                ) from error

    # -------------------------------------------------------------- writing

    def replace_notes(self, replacements: Sequence[Replacement], then: Callable[[], None] = nothing) -> None:
        current = check_replacements(replacements, self._dimension)
        whole = (graph for graph, vectors, _ in current if vectors is not None)
        text = sum(len(chunk.text) + len(chunk.window) for graph in whole for chunk in graph.chunks)
        parts = parts_of(current)
        # Of a note of many megabytes the rest is made when it is written: all at once would not fit into memory.
        ready = deque(islice(parts, READY))
        with self.exclusive():
            self._replace(chain(_taken(ready), parts), owners(replacements), ids_of(current), text)
            then()

    def _replace(
        self,
        parts: Iterable[Part],
        owned: Mapping[Collection, set[str]],
        ids: Mapping[Collection, set[str]],
        characters: int,
    ) -> None:
        with self._engine() as shards:
            need_room(self._folder, TO_WRITE + characters * PER_CHARACTER)
            # What the notes have is read before, by id: a filter would carry all the new ones.
            held = {collection: self._ids_of(shards[collection], self._had(owned[collection])) for collection in ids}
            self._note_ids.clear()
            if self._owners is not None:
                self._owners.update(*owned.values())
            for collection, new in ids.items():
                self._forget(collection, held[collection] | new)
            for collection, points in parts:
                shards[collection].update(engine.UpdateOperation.upsert_points(points))
            for collection, new in ids.items():
                _delete(shards[collection], held[collection] - new)
            self._count_operations(shards, max(len(owned["edges"]), sum(map(len, ids.values())) // POINTS_OF_A_NOTE))

    def _had(self, note_ids: set[str]) -> Sequence[str]:
        """Those that may have points already."""
        return sorted(note_ids if self._owners is None else note_ids & self._owners)

    def _ids_of(self, shard: engine.EdgeShard, note_ids: Sequence[str]) -> set[str]:
        return {
            str(record.id)
            for some in batched(note_ids)
            for record in pages(shard, any_of("note_id", some), payload=False)
        }

    def remove_notes(self, note_ids: Sequence[str]) -> None:
        with self._engine() as shards:
            need_room(self._folder, TO_WRITE)
            self._note_ids.clear()
            for collection, shard in shards.items():
                points = self._ids_of(shard, sorted(set(note_ids)))
                self._forget(collection, points)
                _delete(shard, points)
            self._count_operations(shards, len(note_ids))

    def clear(self) -> None:
        with self._engine() as shards:
            need_room(self._folder, TO_WRITE)
            self._note_ids.clear()
            for recent in self._recent.values():
                recent.clear()
            self._places.clear()
            self._labels.clear()
            for shard in shards.values():
                # A filter without conditions holds for every point.
                shard.update(engine.UpdateOperation.delete_points_by_filter(engine.Filter()))
            self._flush(shards)

    def _forget(self, collection: Collection, points: Set[str]) -> None:
        """What is known of points that are written or deleted is true no more."""
        self._recent[collection].forget(points)
        if collection == "chunks":
            self._places.forget(points)
        elif collection == "notes":
            self._labels.forget(points)

    def _count_operations(self, shards: Shards, number: int) -> None:
        self._operations += number
        if self._operations >= FLUSH_AFTER:
            self._flush(shards)

    def _flush(self, shards: Shards) -> None:
        need_room(self._folder, TO_OPEN)
        for shard in shards.values():
            shard.flush()
        self._operations = 0

    # -------------------------------------------------------------- reading

    def chunk_vectors(self, chunk_ids: Sequence[str]) -> Mapping[str, Vectors]:
        found: dict[str, Vectors] = {}
        asked = {chunk_point(chunk_id): chunk_id for chunk_id in chunk_ids}
        ids: list[engine.PointId] = [*asked]
        with self._engine() as shards:
            for some in batched(ids):
                for record in shards["chunks"].retrieve(some, False, True):
                    if isinstance(record.vector, dict) and VECTOR in record.vector:
                        found[asked[str(record.id)]] = np.asarray(record.vector[VECTOR], dtype=np.float32)
        return found

    def search_places(self, vector: Vectors, limit: int, where: Condition | None = None) -> Sequence[ScoredPlace]:
        check_query(vector, self._dimension)
        condition = _filter("chunks", where)
        with self._engine() as shards:
            return self._placed(shards, best(shards["chunks"], vector, limit, condition))[: max(limit, 0)]

    def score_places(
        self, vector: Vectors, note_ids: Sequence[str], chunk_ids: Sequence[str], where: Condition | None = None
    ) -> Sequence[ScoredPlace]:
        check_query(vector, self._dimension)
        condition = _filter("chunks", where)
        with self._engine() as shards:
            scores = of_notes(shards["chunks"], vector, note_ids, condition)
            rest = set(map(chunk_point, chunk_ids)) - scores.keys()
            scores |= among(shards["chunks"], vector, sorted(rest), condition)
            return self._placed(shards, scores)

    def _placed(self, shards: Shards, scores: Mapping[str, float]) -> list[ScoredPlace]:
        places = self._places_of(shards, scores)
        return sorted((ScoredPlace(place, scores[point]) for point, place in places.items()), key=by_place)

    def places(self, chunk_ids: Sequence[str]) -> Mapping[str, Place]:
        with self._engine() as shards:
            found = self._places_of(shards, map(chunk_point, chunk_ids))
        return {place.chunk_id: place for place in found.values()}

    def labels(self, note_ids: Sequence[str]) -> Mapping[str, Label]:
        with self._engine() as shards:
            found = self._labels.of(
                map(note_point, note_ids), lambda some: read(shards["notes"], some, label_from, LABEL)
            )
        return {label.note_id: label for label in found.values()}

    def _places_of(self, shards: Shards, points: Iterable[str]) -> dict[str, Place]:
        return self._places.of(points, lambda some: read(shards["chunks"], some, place_from, PLACE))

    def note_ids(self, where: Condition | None = None) -> Sequence[str]:
        # As text: in Python True equals 1, in the store it does not.
        condition, asked = _filter("notes", where), repr(where)
        with self._engine() as shards:
            if asked not in self._note_ids:
                points = [str(record.id) for record in pages(shards["notes"], condition, payload=False)]
                named = self._named.of(points, lambda some: read(shards["notes"], some, note_id_from, [REST]))
                if len(self._note_ids) >= FILTERS_KEPT:
                    self._note_ids.clear()
                self._note_ids[asked] = tuple(sorted(named.values()))
            return list(self._note_ids[asked])

    def count(self, collection: Collection, where: Condition | None = None) -> int:
        with self._engine() as shards:
            return shards[collection].count(engine.CountRequest(exact=True, filter=_filter(collection, where)))

    def scroll(self, collection: Collection, where: Condition | None = None) -> Iterator[Mapping[str, Any]]:
        # The lock is held for a page at a time: a reader that pauses holds up nobody.
        condition = _filter(collection, where)
        offset: engine.PointId | None = None
        while True:
            with self._engine() as shards:
                records, offset = page(shards[collection], condition, True, offset)
            yield from (unpack(collection, record.id, payload_of(record)) for record in records)
            if offset is None:
                return

    def indexes(self, collection: Collection) -> frozenset[str]:
        with self._engine() as shards:
            present = shards[collection].info().payload_schema
        return frozenset(name for name in INDEXES[collection] if STORED[name] in present)

    def _by_id(self, collection: Collection, points: Iterable[str], make: Make[R]) -> list[R]:
        with self._engine() as shards:
            return list(self._records(shards, collection, points, make).values())

    def _by_value(
        self,
        collection: Collection,
        keys: Sequence[str],
        values: Sequence[str],
        make: Make[R],
        where: Condition | None = None,
    ) -> list[R]:
        rest = _filter(collection, where)
        with self._engine() as shards:
            points = [
                str(record.id)
                for key in keys
                for some in batched(sorted(set(values)))
                for record in pages(shards[collection], any_of(key, some, rest), payload=False)
            ]
            return list(self._records(shards, collection, points, make).values())

    def _records(self, shards: Shards, collection: Collection, points: Iterable[str], make: Make[R]) -> dict[str, R]:
        """The records of these points by point, as far as they are there; only those not read lately are unpacked."""
        recent: Recent[R] = self._recent[collection]
        asked = dict.fromkeys(points)
        found = recent.known(asked)
        missing = [point for point in asked if point not in found]
        if missing:
            take: Any = (
                edge_from if collection == "edges" else lambda point, kept: make(unpack(collection, point, kept))
            )
            fresh: dict[str, R] = read(shards[collection], missing, take)
            recent.keep(fresh)
            found |= fresh
        return found

    # -------------------------------------------------------------- keeping
    def state(self) -> StoreState:
        return StoreState("qdrant-edge", str(self._folder), None if self._shards else "The store is closed.")

    def publish(self) -> None:
        """Nothing is left to do: nobody else sees the collections."""

    def flush(self) -> None:
        with self._engine() as shards:
            self._flush(shards)

    def close(self) -> None:
        """Flushes and closes what is open; a second call does nothing.

        What cannot be flushed stays in the log, and is taken from there by the next start.
        """
        with self._lock:
            shards, self._shards = self._shards, {}
            try:
                if shards:
                    self._flush(shards)
            except DiskFullError as error:
                # Closing a shard flushes it, and so does dropping it: on a full disk either would end the process.
                log.warning("the store is left without being flushed: %s", error)
                for shard in shards.values():
                    ctypes.pythonapi.Py_IncRef(ctypes.py_object(shard))
                return
            except Exception as error:
                log.warning("the store could not be flushed: %s", error)
            for shard in shards.values():
                try:
                    shard.close()
                except Exception as error:
                    log.warning("a collection could not be closed: %s", error)


def _delete(shard: engine.EdgeShard, points: Set[str]) -> None:
    ids: list[engine.PointId] = [*points]
    for some in batched(ids):
        shard.update(engine.UpdateOperation.delete_points(some))


def _filter(collection: Collection, where: Condition | None) -> engine.Filter | None:
    return translate(check_condition(collection, where))


def _size(record: Note | Chunk | Edge) -> int:
    """About how many bytes a record takes."""
    match record:
        case Note():
            return 2_000 + len(record.fulltext)
        case Chunk():
            return 2_000 + len(record.text) + len(record.window)
        case Edge():
            return 1_000


def open_store(folder: Path, *, prefix: str, dimension: int) -> EmbeddedStore:
    """The embedded store in ``folder``, made if it is not there.

    Raises ``BusyError`` when another process has it open, ``StoreError`` when it is damaged or
    holds vectors of another length.
    """
    return EmbeddedStore(folder, prefix=prefix, dimension=dimension)
