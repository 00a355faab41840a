"""Weights chosen on one half of the questions and tried on the other, so that no question judges its own choice.

Two-fold cross-fitting: of each set the questions at even places choose for those at odd places, and the
other way round; every set counts the same in the choice, and there is one choice for all sets. The walk over
the graph, whose seeds depend a little on the weights, stays that of the default configuration.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from numpy.typing import NDArray

from evaluation.metrics import METRICS, scores
from mindnet.retrieval.legs import Pool
from mindnet.retrieval.score import Scorer
from mindnet.retrieval.settings import Scoring

PARTS = ("semantic", "lexical", "links", "edge", "centrality")
STEPS = (0.5, 0.75, 1.0, 1.5)
"""What the weight of each part but the first is tried at, times the default."""
MAIN = METRICS.index("recall@5")


@dataclass(frozen=True, slots=True)
class Parts:
    """The candidates of one question: their notes, and a column of raw values, factors included, for each part."""

    notes: tuple[str, ...]
    raw: NDArray[np.float32]
    relevant: frozenset[str]

    @classmethod
    def of(cls, pool: Pool, scorer: Scorer, relevant: frozenset[str], hidden: str | None) -> Parts:
        shown = sorted(
            (one for one in pool.by_id.values() if one.chunk.path != hidden),
            key=lambda one: (one.chunk.path, one.chunk.ord),
        )
        rows = []
        for one in shown:
            factors = scorer.factors(one.chunk)
            factor = factors["type"] * factors["status"]
            rows.append((factor * one.semantic, factor * one.lexical, factor * one.links, one.edge, one.centrality))
        raw = np.array(rows, dtype=np.float32).reshape(len(rows), len(PARTS))
        return cls(tuple(one.chunk.path for one in shown), raw, relevant)

    def recall(self, weights: NDArray[np.float64]) -> float:
        """Recall@5 with these weights."""
        total = self.raw @ weights
        ranking: dict[str, None] = {}
        for place in np.argsort(-total, kind="stable").tolist():
            ranking[self.notes[place]] = None
            if len(ranking) >= 5:
                break
        return scores(list(ranking), self.relevant)[MAIN]


@dataclass(frozen=True, slots=True)
class CrossFit:
    """Recall@5 of each set with the default weights and with those that the other half chose; the two choices."""

    default: Mapping[str, float]
    fitted: Mapping[str, float]
    chosen: Sequence[Mapping[str, float]]


def cross_fit(sets: Mapping[str, Sequence[Parts]], scoring: Scoring) -> CrossFit:
    base = np.array([getattr(scoring, f"{part}_weight") for part in PARTS])
    grid = [base * (1.0, *steps) for steps in product(STEPS, repeat=len(PARTS) - 1)]
    at = next(number for number, weights in enumerate(grid) if np.array_equal(weights, base))
    # For each set a table: a row for each question, a column for each choice of weights.
    tables = {
        name: np.array([[parts.recall(weights) for weights in grid] for parts in asked])
        for name, asked in sets.items()
        if len(asked) > 1
    }
    choices = []
    for half in (0, 1):
        means = np.mean([table[half::2].mean(axis=0) for table in tables.values()], axis=0)
        choices.append(int(np.argmax(means)))
    fitted = {}
    for name, table in tables.items():
        tried = np.concatenate([table[1::2, choices[0]], table[0::2, choices[1]]])
        fitted[name] = 100 * float(tried.mean())
    return CrossFit(
        {name: 100 * float(table[:, at].mean()) for name, table in tables.items()},
        fitted,
        [dict(zip(PARTS, map(float, grid[choice]), strict=True)) for choice in choices],
    )
