"""The second round: from the best passages by the names in them to others, which the question only circumscribes."""

from __future__ import annotations

from collections.abc import Container

from mindnet.records import Pier
from mindnet.retrieval.legs import Candidate, Pool
from mindnet.retrieval.score import Scorer

SHARPNESS = 4
"""Power of a pier's score beside the best one's."""
SURE = 0.25
"""A passage whose words cover less of the question may not be what the question names: its names count less."""
FAINTEST = 0.05
"""A passage of less strength is no pier."""


def follow_names(pool: Pool, scorer: Scorer, allowed: Container[str] | None) -> None:
    """Raises what shares names with the best found, and brings in what no search found."""
    settings = scorer.settings.bridges
    if scorer.mode != "semantic" and settings.piers and settings.chunks and settings.share:
        pool.follow(_piers(pool, scorer), settings.chunks, allowed)


def _piers(pool: Pool, scorer: Scorer) -> list[Pier]:
    """The best passage of each of the best notes, the best first."""
    best: dict[str, Candidate] = {}
    for candidate in sorted(pool.by_id.values(), key=scorer.order):
        if len(best) >= scorer.settings.bridges.piers or scorer.found(candidate) <= 0:
            break
        best.setdefault(candidate.place.note_id, candidate)
    if not best:
        return []
    pool.read(best.values())
    top = scorer.found(next(iter(best.values())))
    found = []
    for one in best.values():
        strength = (scorer.found(one) / top) ** SHARPNESS * min(1.0, one.lexical / SURE)
        if strength >= FAINTEST:
            chunk = one.chunk
            text = f"{chunk.title}\n{chunk.text}"
            found.append(Pier(chunk.chunk_id, chunk.note_id, chunk.path, chunk.title, text, strength))
    return found
