"""Matrices of a network in whole numbers, and what keeps the numbers that flow into them close to each other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
STEPS = 63
"""The largest whole number: two products with bytes fit into 16 bits, in which some processors add them."""
EASE = 0.8
"""How much of a column's reach goes over into the matrix (SmoothQuant's alpha)."""
DEVIATIONS = 3.0
"""Of normalised numbers nearly all are within so many standard deviations."""
_LEAST = 1e-4


@dataclass(frozen=True, slots=True)
class Dense:
    """A multiplication with ``weights``, shape (outputs, inputs), and the addition of ``bias``, shape (outputs,)."""

    weights: Floats
    bias: Floats

    def above(self, *others: Dense) -> Dense:
        """One multiplication whose outputs are this one's, then those of the others."""
        parts = (self, *others)
        return Dense(np.concatenate([one.weights for one in parts]), np.concatenate([one.bias for one in parts]))

    def of_divided(self, factors: Floats) -> Dense:
        """The one that gives the same when each input has been divided by its factor, shape (inputs,)."""
        return Dense(self.weights * factors, self.bias)

    def divided(self, factors: Floats) -> Dense:
        """The one that gives each output divided by its factor, shape (outputs,)."""
        return Dense(self.weights / factors[:, None], self.bias / factors)

    def spread(self, inputs: Normalised) -> Floats:
        """The standard deviation of each output, shape (outputs,), were the inputs independent of each other."""
        spread: Floats = np.linalg.norm(self.weights * inputs.weight, axis=1)
        return spread

    def factors(self, reach: Floats) -> Floats:
        """What to divide inputs of such a reach by, shape (inputs,), so that they and the weights are both even.

        SmoothQuant's formula, with a geometric mean of 1.
        """
        own = np.maximum(np.abs(self.weights).max(axis=0), _LEAST)
        found = np.maximum(reach, _LEAST) ** EASE / own ** (1 - EASE)
        even: Floats = (found / np.exp(np.log(found).mean())).astype(np.float32)
        return even

    def whole(self) -> tuple[NDArray[np.int8], Floats]:
        """Whole numbers of the weights' shape, and the scale of each output, shape (outputs,)."""
        scales: Floats = (np.abs(self.weights).max(axis=1) / STEPS).astype(np.float32)
        return np.round(self.weights / scales[:, None]).astype(np.int8), scales


@dataclass(frozen=True, slots=True)
class Normalised:
    """What a normalisation makes of numbers: ``weight`` is the standard deviation of each, ``bias`` its mean."""

    weight: Floats
    bias: Floats

    @property
    def reach(self) -> Floats:
        return np.float32(DEVIATIONS) * np.abs(self.weight) + np.abs(self.bias)
