"""How near the engine's points are to a vector: by their ids, of all, of some notes, or of some points."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import qdrant_edge as engine

from mindnet.embedding.port import Vectors
from mindnet.store.engine_filters import any_of, batched, of_points
from mindnet.store.shards import VECTOR

FIRST = 1_000
"""So many chunks of some notes are asked for before they are counted."""

Scores = dict[str, float]


def nearest(shard: engine.EdgeShard, vector: Vectors, limit: int, condition: engine.Filter | None) -> Scores:
    """The best scores by the id of the point, in no promised order."""
    request = engine.QueryRequest(
        limit,
        query=engine.Query.Nearest(vector.tolist(), using=VECTOR),
        filter=condition,
        params=engine.SearchParams(exact=True),
        with_payload=False,
    )
    return {str(point.id): float(point.score) for point in shard.query(request)}


def best(shard: engine.EdgeShard, vector: Vectors, limit: int, condition: engine.Filter | None) -> Scores:
    """The best ``limit`` scores, and all that tie with the last: which come first there, the engine leaves open.

    A few more points take hardly longer, but to ask again takes as long as the first time.
    """
    asked = 2 * limit
    while limit > 0:
        found = nearest(shard, vector, asked, condition)
        ordered = sorted(found.values(), reverse=True)
        if len(ordered) < asked or ordered[-1] < ordered[limit - 1]:
            least = ordered[:limit][-1] if ordered else 0.0
            return {point: score for point, score in found.items() if score >= least}
        asked *= 4
    return {}


def of_notes(
    shard: engine.EdgeShard, vector: Vectors, note_ids: Iterable[str], condition: engine.Filter | None
) -> Scores:
    """The scores of every chunk of these notes that fits the condition."""
    scores: Scores = {}
    for some in batched(sorted(set(note_ids))):
        own = any_of("note_id", some, condition)
        known = nearest(shard, vector, FIRST, own)
        if len(known) == FIRST:
            number = shard.count(engine.CountRequest(exact=True, filter=own))
            known = nearest(shard, vector, number, own)
        scores |= known
    return scores


def among(shard: engine.EdgeShard, vector: Vectors, points: Sequence[str], condition: engine.Filter | None) -> Scores:
    """The scores of those of these points that fit: by their ids they are found faster than by any field."""
    scores: Scores = {}
    for some in batched(points):
        scores |= nearest(shard, vector, len(some), of_points(some, condition))
    return scores
