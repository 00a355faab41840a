"""Weights chosen on one half of the questions and tried on the other, so that no question judges its own choice.

Two-fold cross-fitting: of each set the questions at even places choose for those at odd places, and the
other way round; every set counts the same in the choice, and there is one choice for all sets. The second
round by names and the walk over the graph, which start from the best hits and so depend a little on the
weights, stay those of the default configuration.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from evaluation.metrics import METRICS
from mindnet.retrieval.legs import Pool
from mindnet.retrieval.score import Scorer
from mindnet.retrieval.settings import RetrieverSettings

PARTS = ("semantic", "lexical", "names", "links", "edge", "centrality")
"""``names`` are the bridges of the second round, which the score counts as words."""
STEPS = (0.5, 0.75, 1.0, 1.5)
"""What the weight of each part but the first is tried at, times the default."""
MAIN = METRICS.index("recall@5")
CUT = 5


def weights_of(settings: RetrieverSettings) -> NDArray[np.float64]:
    """The default weight of each part."""
    scoring = settings.scoring
    names = scoring.lexical_weight * settings.bridges.share
    given = {part: getattr(scoring, f"{part}_weight") for part in PARTS if part != "names"} | {"names": names}
    return np.array([given[part] for part in PARTS])


@dataclass(frozen=True, slots=True)
class Parts:
    """The candidates of one question, those of a note behind each other.

    A column of raw values, factors included, for each part; ``starts`` are the places where the
    notes begin, and ``relevant`` those of them that answer, of ``wanted`` that there are.
    """

    raw: NDArray[np.float32]
    starts: NDArray[np.int64]
    relevant: NDArray[np.int64]
    wanted: int

    @classmethod
    def of(cls, pool: Pool, scorer: Scorer, relevant: frozenset[str], hidden: str | None) -> Parts:
        shown = sorted(
            (one for one in pool.by_id.values() if one.chunk.path != hidden),
            key=lambda one: (one.chunk.path, one.chunk.ord),
        )
        rows: list[tuple[float, ...]] = []
        notes: list[str] = []
        starts: list[int] = []
        for one in shown:
            if not notes or notes[-1] != one.chunk.path:
                notes.append(one.chunk.path)
                starts.append(len(rows))
            factors = scorer.factors(one.chunk)
            factor = factors["type"] * factors["status"]
            own = (one.semantic, one.lexical, one.bridge, one.links)
            rows.append((*(factor * value for value in own), one.edge, one.centrality))
        return cls(
            np.array(rows, dtype=np.float32).reshape(len(rows), len(PARTS)),
            np.array(starts, dtype=np.int64),
            np.array([place for place, note in enumerate(notes) if note in relevant], dtype=np.int64),
            len(relevant),
        )

    def recalls(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Recall@5 with each row of weights; of notes that tie, those by the earlier path are first."""
        if not len(self.relevant):
            return np.zeros(len(weights))
        total = np.maximum.reduceat(self.raw @ weights.T.astype(np.float32), self.starts, axis=0)
        found = np.zeros(len(weights))
        for place in self.relevant:
            before = (total > total[place]).sum(axis=0) + (total[:place] == total[place]).sum(axis=0)
            found += before < CUT
        return found / self.wanted


@dataclass(frozen=True, slots=True)
class CrossFit:
    """Recall@5 of each set with the default weights and with those that the other half chose; the two choices.

    ``best`` is what all questions together choose.
    """

    default: Mapping[str, float]
    fitted: Mapping[str, float]
    chosen: Sequence[Mapping[str, float]]
    best: Mapping[str, float]


def cross_fit(sets: Mapping[str, Sequence[Parts]], base: NDArray[np.float64]) -> CrossFit:
    """``base`` are the default weights, of the parts in their order."""
    grid = np.array([base * (1.0, *steps) for steps in product(STEPS, repeat=len(PARTS) - 1)])
    at = next(number for number, weights in enumerate(grid) if np.array_equal(weights, base))
    # For each set a table: a row for each question, a column for each choice of weights.
    tables = {
        name: np.array([parts.recalls(grid) for parts in asked]) for name, asked in sets.items() if len(asked) > 1
    }

    def choice(part: slice) -> int:
        """The best on a part of each set; of equals the one nearest to the default."""
        means = np.mean([table[part].mean(axis=0) for table in tables.values()], axis=0)
        near = np.abs(np.log(grid[:, 1:] / base[1:])).sum(axis=1)
        return int(np.lexsort((near, -means.round(9)))[0])

    choices = [choice(slice(half, None, 2)) for half in (0, 1)]
    fitted = {}
    for name, table in tables.items():
        tried = np.concatenate([table[1::2, choices[0]], table[0::2, choices[1]]])
        fitted[name] = 100 * float(tried.mean())
    return CrossFit(
        {name: 100 * float(table[:, at].mean()) for name, table in tables.items()},
        fitted,
        [_named(grid[one]) for one in choices],
        _named(grid[choice(slice(None))]),
    )


def _named(weights: NDArray[np.float64]) -> Mapping[str, float]:
    return dict(zip(PARTS, map(float, weights), strict=True))
