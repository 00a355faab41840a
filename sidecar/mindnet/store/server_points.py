"""Points as a Qdrant server takes them, in requests of a bounded size."""

from __future__ import annotations

import json
from collections.abc import Sequence

from qdrant_client import models

from mindnet.store.payload import Payload
from mindnet.store.server_collections import VECTOR

REQUEST_BYTES = 4_000_000
"""About so much is written by one request; a server refuses more than 32 MB."""
_NUMBER_BYTES = 20
"""What a number of a vector takes as text, its comma included."""


def point(point_id: str, payload: Payload, vector: Sequence[float] | None = None) -> models.PointStruct:
    return models.PointStruct(id=point_id, vector={} if vector is None else {VECTOR: list(vector)}, payload=payload)


def upsert(points: Sequence[models.PointStruct]) -> models.UpsertOperation:
    return models.UpsertOperation(upsert=models.PointsList(points=list(points)))


def in_requests(points: Sequence[models.PointStruct], dimension: int) -> list[list[models.PointStruct]]:
    """The points in order, divided where a request would grow over ``REQUEST_BYTES``; one point is never divided."""
    requests: list[list[models.PointStruct]] = []
    size = REQUEST_BYTES
    for one in points:
        own = len(json.dumps(one.payload)) + (_NUMBER_BYTES * dimension if one.vector else 0)
        if size + own > REQUEST_BYTES:
            requests.append([])
            size = 0
        requests[-1].append(one)
        size += own
    return requests
