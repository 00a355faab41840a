"""The store on a Qdrant server: the same collections, reached over HTTP.

The client waits for each write, so a note that was stored is found by the next search. All calls
go through one lock: within ``exclusive()`` this process sees one state, and a note's change, one
batch for each collection, is never half visible here. Searches are exact, as in the embedded
store, so no vector index is built.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import numpy as np
from qdrant_client import QdrantClient, models

from mindnet.embedding.port import Vectors
from mindnet.errors import StoreError
from mindnet.store.connection import Connection, connect
from mindnet.store.lookups import Lookups, Make, R
from mindnet.store.payload import (
    Payload,
    chunk_of,
    chunk_payload,
    chunk_point,
    edge_payload,
    note_payload,
    note_point,
)
from mindnet.store.places import WholeRecords
from mindnet.store.port import All, AnyOf, Collection, Condition, Replacement, ScoredChunk, StoreState, nothing
from mindnet.store.ranking import best, by_score
from mindnet.store.schema import INDEXES
from mindnet.store.server_collections import VECTOR, Family, prepare, publish, remove
from mindnet.store.server_filters import owned_by, translate
from mindnet.store.server_points import in_requests, point, upsert
from mindnet.store.validate import check_condition, check_query, check_replacements, owners

T = TypeVar("T")
ASK = 1_000
"""So many ids stand in one request, and so many points in one answer."""
PING_AFTER = 5.0
PING_SECONDS = 2


class ServerStore(Lookups, WholeRecords):
    """``Store`` over three collections of a Qdrant server, those of one ``build`` of a vault's index."""

    def __init__(
        self, connection: Connection, *, prefix: str, build: str, dimension: int, owner: str, fresh: bool = False
    ) -> None:
        self._lock = threading.RLock()
        self._connection = connection
        self._dimension = dimension
        self._family = Family(prefix, owner)
        self._names: Mapping[Collection, str] = self._family.names(build)
        self._closed = False
        prepare(connection, self._family, build, dimension=dimension, fresh=fresh)

    @contextmanager
    def exclusive(self) -> Iterator[None]:
        with self._lock:
            yield

    def _ask(self, request: Callable[[QdrantClient], T]) -> T:
        with self._lock:
            if self._closed:
                raise StoreError("The store is closed.")
            return self._connection.ask(request)

    # -------------------------------------------------------------- writing

    def replace_notes(self, replacements: Sequence[Replacement], then: Callable[[], None] = nothing) -> None:
        current = check_replacements(replacements, self._dimension)
        points: dict[Collection, list[models.PointStruct]] = {"notes": [], "chunks": [], "edges": []}
        for graph, vectors, _ in current:
            if vectors is not None:
                points["notes"].append(point(note_point(graph.note.note_id), note_payload(graph.note)))
                points["chunks"] += [
                    point(chunk_point(chunk.chunk_id), chunk_payload(chunk), row)
                    for chunk, row in zip(graph.chunks, vectors.tolist(), strict=True)
                ]
            points["edges"] += [point(edge.edge_id, edge_payload(edge)) for edge in graph.edges]
        owned = owners(replacements)
        with self._lock:
            for collection, new in points.items():
                if owned[collection]:
                    self._replace(collection, sorted(owned[collection]), new)
            then()

    def _replace(self, collection: Collection, owners: Sequence[str], new: Sequence[models.PointStruct]) -> None:
        """Writes the points, then deletes what else the owners have: in one request, or in several when they are many.

        Only the last one deletes, so that nothing is gone before all that is new is there.
        """
        *first, last = in_requests(new, self._dimension) or [[]]
        for some in first:
            self._update(collection, [upsert(some)])
        stale = owned_by(owners, but=[str(one.id) for one in new])
        delete = models.DeleteOperation(delete=models.FilterSelector(filter=stale))
        self._update(collection, [upsert(last), delete] if last else [delete])

    def remove_notes(self, note_ids: Sequence[str]) -> None:
        with self._lock:
            for some in _by(ASK, sorted(set(note_ids))):
                for collection in INDEXES:
                    self._replace(collection, some, [])

    def clear(self) -> None:
        everything = models.DeleteOperation(delete=models.FilterSelector(filter=models.Filter()))
        with self._lock:
            for collection in INDEXES:
                self._update(collection, [everything])

    def _update(self, collection: Collection, operations: Sequence[models.UpdateOperation]) -> None:
        self._ask(lambda client: client.batch_update_points(self._names[collection], operations, wait=True))

    # -------------------------------------------------------------- reading

    def chunk_vectors(self, chunk_ids: Sequence[str]) -> Mapping[str, Vectors]:
        found: dict[str, Vectors] = {}
        for record in self._records("chunks", map(chunk_point, chunk_ids), fields=["chunk_id"], vectors=True):
            if isinstance(record.vector, dict) and VECTOR in record.vector:
                found[_payload(record)["chunk_id"]] = np.asarray(record.vector[VECTOR], dtype=np.float32)
        return found

    def search_chunks(self, vector: Vectors, limit: int, where: Condition | None = None) -> Sequence[ScoredChunk]:
        check_query(vector, self._dimension)
        return best(limit, lambda number: self._nearest(vector, number, where))

    def score_chunks(
        self, vector: Vectors, note_ids: Sequence[str], where: Condition | None = None
    ) -> Sequence[ScoredChunk]:
        check_query(vector, self._dimension)
        found: list[ScoredChunk] = []
        with self._lock:
            for some in _by(ASK, sorted(set(note_ids))):
                own = AnyOf("note_id", tuple(some))
                condition = own if where is None else All((own, where))
                number = self.count("chunks", condition)
                found += self._nearest(vector, number, condition) if number else []
        return sorted(found, key=by_score)

    def _nearest(self, vector: Vectors, limit: int, where: Condition | None) -> list[ScoredChunk]:
        answer = self._ask(
            lambda client: client.query_points(
                self._names["chunks"],
                query=vector.tolist(),
                using=VECTOR,
                query_filter=_filter("chunks", where),
                search_params=models.SearchParams(exact=True),
                limit=limit,
                with_payload=True,
            )
        )
        found = (ScoredChunk(chunk_of(point.payload or {}), float(point.score)) for point in answer.points)
        return sorted(found, key=by_score)

    def note_ids(self, where: Condition | None = None) -> Sequence[str]:
        with self._lock:
            return sorted(_payload(record)["note_id"] for record in self._pages("notes", where, ["note_id"]))

    def count(self, collection: Collection, where: Condition | None = None) -> int:
        name, condition = self._names[collection], _filter(collection, where)
        return self._ask(lambda client: client.count(name, count_filter=condition, exact=True)).count

    def scroll(self, collection: Collection, where: Condition | None = None) -> Iterator[Mapping[str, Any]]:
        return map(_payload, self._pages(collection, where))

    def indexes(self, collection: Collection) -> frozenset[str]:
        return frozenset(self._ask(lambda client: client.get_collection(self._names[collection])).payload_schema)

    def _by_id(self, collection: Collection, points: Iterable[str], make: Make[R]) -> list[R]:
        return [make(_payload(record)) for record in self._records(collection, points)]

    def _records(
        self, collection: Collection, points: Iterable[str], *, fields: list[str] | None = None, vectors: bool = False
    ) -> list[models.Record]:
        found: list[models.Record] = []
        with self._lock:
            for some in _by(ASK, list(dict.fromkeys(points))):
                found += self._retrieve(collection, some, fields, vectors)
        return found

    def _retrieve(
        self, collection: Collection, points: Sequence[str], fields: list[str] | None, vectors: bool
    ) -> list[models.Record]:
        name = self._names[collection]
        return self._ask(
            lambda client: client.retrieve(name, points, with_payload=fields or True, with_vectors=vectors)
        )

    def _by_value(
        self,
        collection: Collection,
        keys: Sequence[str],
        values: Sequence[str],
        make: Make[R],
        where: Condition | None = None,
    ) -> list[R]:
        with self._lock:
            records = {
                record.id: record
                for key in keys
                for own in (AnyOf(key, tuple(some)) for some in _by(ASK, sorted(set(values))))
                for record in self._pages(collection, own if where is None else All((own, where)))
            }
            return [make(_payload(record)) for record in records.values()]

    def _pages(
        self, collection: Collection, where: Condition | None, fields: list[str] | None = None
    ) -> Iterator[models.Record]:
        # The lock is held for a page at a time: a reader that pauses holds up nobody.
        condition = _filter(collection, where)
        offset: models.ExtendedPointId | None = None
        while True:
            records, offset = self._page(self._names[collection], condition, fields, offset)
            yield from records
            if offset is None:
                return

    def _page(
        self,
        name: str,
        condition: models.Filter | None,
        fields: list[str] | None,
        offset: models.ExtendedPointId | None,
    ) -> tuple[list[models.Record], models.ExtendedPointId | None]:
        return self._ask(
            lambda client: client.scroll(
                name, scroll_filter=condition, limit=ASK, offset=offset, with_payload=fields or True
            )
        )

    # -------------------------------------------------------------- keeping
    def state(self) -> StoreState:
        fault = self._connection.fault(self._ping, PING_AFTER)
        return StoreState("qdrant", self._connection.address, None if fault is None else fault.message)

    def _ping(self, client: QdrantClient) -> object:
        return client.count(self._names["notes"], exact=False, timeout=PING_SECONDS)

    def publish(self) -> None:
        """All three plain names lead to these collections at once."""
        with self._lock:
            publish(self._connection, self._family, self._names)

    def flush(self) -> None:
        """Nothing is left to do: every write has been waited for."""
        with self._lock:
            if self._closed:
                raise StoreError("The store is closed.")

    def close(self) -> None:
        with self._lock:
            if not self._closed:
                self._closed = True
                self._connection.close()


def _by(number: int, values: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(values), number):
        yield values[start : start + number]


def _filter(collection: Collection, where: Condition | None) -> models.Filter | None:
    return translate(check_condition(collection, where))


def _payload(record: models.Record) -> Payload:
    return record.payload or {}


def open_server(
    url: str, *, api_key: str | None, prefix: str, build: str, dimension: int, owner: str, fresh: bool = False
) -> ServerStore:
    """The store on the server at ``url``; its collections are made if they are not there.

    ``owner`` names the vault: a prefix under which there are collections of another one is refused. ``build`` tells
    the collections of a vault's indexes apart. ``fresh`` empties them first. Raises ``StoreError`` when the server does
    not answer, refuses the key, is too old, or holds vectors of another length.
    """
    connection = connect(url, api_key)
    try:
        return ServerStore(connection, prefix=prefix, build=build, dimension=dimension, owner=owner, fresh=fresh)
    except BaseException:
        connection.close()
        raise


def remove_collections(
    url: str, *, api_key: str | None, prefix: str, owner: str, keep: Container[str] = ()
) -> list[str]:
    """Deletes the owner's collections with this prefix, but those of the builds to keep; gives their names.

    Others' are left alone. Raises ``StoreError`` when the server does not answer.
    """
    connection = connect(url, api_key)
    try:
        return remove(connection, Family(prefix, owner), keep)
    finally:
        connection.close()
