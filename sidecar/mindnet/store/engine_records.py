"""The engine's records: some by their ids, or all that fit a condition."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

import qdrant_edge as engine

from mindnet.store.engine_filters import batched
from mindnet.store.payload import Payload

T = TypeVar("T")
SCROLL = 1_000


def payload_of(record: engine.Record) -> Payload:
    return record.payload or {}


def read(
    shard: engine.EdgeShard, points: Sequence[str], take: Callable[[str, Payload], T], fields: Sequence[str] = ()
) -> dict[str, T]:
    """What ``take`` makes of each of these points and its ``fields`` (of all, if none is named), if it is there."""
    ids: list[engine.PointId] = [*points]
    payload: engine.WithPayloadType = engine.PayloadSelector.Include([*fields]) if fields else True
    return {
        (point := str(record.id)): take(point, payload_of(record))
        for some in batched(ids)
        for record in shard.retrieve(some, payload, False)
    }


def pages(
    shard: engine.EdgeShard, condition: engine.Filter | None, payload: engine.WithPayloadType = True
) -> Iterator[engine.Record]:
    """All records; to be read to the end while nobody else uses the engine."""
    offset: engine.PointId | None = None
    while True:
        records, offset = page(shard, condition, payload, offset)
        yield from records
        if offset is None:
            return


def page(
    shard: engine.EdgeShard,
    condition: engine.Filter | None,
    payload: engine.WithPayloadType,
    offset: engine.PointId | None,
) -> tuple[list[engine.Record], engine.PointId | None]:
    """The next records behind ``offset``, and where to go on, if anywhere."""
    return shard.scroll(engine.ScrollRequest(offset=offset, limit=SCROLL, filter=condition, with_payload=payload))
