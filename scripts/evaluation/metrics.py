"""How good a ranking is, and how sure a difference between two rankings."""

from __future__ import annotations

import math
from collections.abc import Sequence
from collections.abc import Set as AbstractSet

import numpy as np
from numpy.typing import NDArray

CUTS = (1, 2, 5, 10)
METRICS = (*(f"recall@{cut}" for cut in CUTS), "mrr@10", "ndcg@10")
DEEPEST = max(CUTS)
ROUNDS = 2_000

Figures = NDArray[np.float64]


def scores(ranking: Sequence[str], relevant: AbstractSet[str]) -> tuple[float, ...]:
    """The figures of ``METRICS`` for one question, each 0..1; every relevant note counts the same."""
    if not relevant:
        raise ValueError("A question without a right answer measures nothing.")
    found = [note in relevant for note in ranking[:DEEPEST]]
    recalls = (sum(found[:cut]) / len(relevant) for cut in CUTS)
    first = next((1 / place for place, right in enumerate(found, 1) if right), 0.0)
    gain = sum(1 / math.log2(place + 1) for place, right in enumerate(found, 1) if right)
    ideal = sum(1 / math.log2(place + 1) for place in range(1, min(len(relevant), DEEPEST) + 1))
    return (*recalls, first, gain / ideal)


def interval(differences: Figures, *, rounds: int = ROUNDS, seed: int = 0) -> tuple[float, float, float]:
    """The mean of paired differences with the ends of its 95 % bootstrap interval (Efron, 1979)."""
    draw = np.random.default_rng(seed)
    number = len(differences)
    means = np.array([differences[draw.integers(0, number, number)].mean() for _ in range(rounds)])
    low, high = np.percentile(means, (2.5, 97.5))
    return float(differences.mean()), float(low), float(high)
