"""The order of found chunks, the same from every engine: best first, ties by chunk id."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mindnet.store.port import ScoredChunk, ScoredPlace


def by_score(one: ScoredChunk) -> tuple[float, str]:
    """The key to sort by."""
    return -one.score, one.chunk.chunk_id


def by_place(one: ScoredPlace) -> tuple[float, str]:
    """The same key without the text."""
    return -one.score, one.place.chunk_id


def best(limit: int, ask: Callable[[int], Sequence[ScoredChunk]]) -> Sequence[ScoredChunk]:
    """The best ``limit`` chunks of an engine that breaks ties as it likes.

    ``ask`` gives as many of the best as it is asked for, in order. One score on both sides of the
    limit: all chunks that share it are needed to choose by chunk id, so more are asked for.
    """
    if limit < 1:
        return []
    asked = limit + 1
    while True:
        found = ask(asked)
        if len(found) < asked or found[-1].score < found[limit - 1].score:
            return found[:limit]
        asked *= 4
