"""Matrices in whole numbers: what is evened gives the same, and what is rounded is near."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from mindnet.embedding.e5.dense import STEPS, Dense, Normalised

Floats = NDArray[np.float32]
OUTPUTS, INPUTS, TOKENS = 24, 32, 50


def normal(*shape: int, seed: int = 1) -> Floats:
    return np.random.default_rng(seed).normal(size=shape).astype(np.float32)


@pytest.fixture
def dense() -> Dense:
    return Dense(normal(OUTPUTS, INPUTS), normal(OUTPUTS, seed=2))


def positive(*shape: int, seed: int) -> Floats:
    return np.abs(normal(*shape, seed=seed)) + np.float32(0.1)


def times(dense: Dense, state: Floats) -> Floats:
    found: Floats = state @ dense.weights.T + dense.bias
    return found


def test_inputs_and_outputs_that_are_divided_give_the_same(dense: Dense) -> None:
    state = normal(TOKENS, INPUTS, seed=3)
    inputs, outputs = positive(INPUTS, seed=4), positive(OUTPUTS, seed=5)
    assert np.allclose(times(dense.of_divided(inputs), state / inputs), times(dense, state), atol=1e-4)
    assert np.allclose(times(dense.divided(outputs), state) * outputs, times(dense, state), atol=1e-4)


def test_multiplications_above_each_other_give_the_outputs_of_each(dense: Dense) -> None:
    state, other = normal(TOKENS, INPUTS, seed=3), Dense(normal(7, INPUTS, seed=6), normal(7, seed=7))
    both = times(dense.above(other), state)
    assert np.allclose(both, np.concatenate([times(dense, state), times(other, state)], axis=1), atol=1e-5)


def test_whole_numbers_are_small_enough_to_be_added_in_16_bits_and_near(dense: Dense) -> None:
    numbers, scales = dense.whole()
    assert np.abs(numbers).max() == STEPS
    assert 2 * 255 * STEPS < 2**15
    assert np.abs(numbers * scales[:, None] - dense.weights).max() <= scales.max() / 2 + 1e-6


def rounded(state: Floats) -> Floats:
    """As a processor rounds what it multiplies: by the largest number of all."""
    scale = np.abs(state).max() / 127
    found: Floats = np.round(state / scale) * scale
    return found


def test_a_column_that_reaches_far_spoils_the_others_less_when_columns_are_evened(dense: Dense) -> None:
    spread = np.ones(INPUTS, np.float32)
    spread[3] = 60
    inputs = Normalised(spread, np.zeros(INPUTS, np.float32))
    state = normal(TOKENS, INPUTS, seed=3) * spread
    factors = dense.factors(inputs.reach)
    assert factors.argmax() == 3
    exact = times(dense, state)
    plain = times(dense, rounded(state))
    even = times(dense.of_divided(factors), rounded(state / factors))
    assert np.abs(even - exact).mean() < np.abs(plain - exact).mean() / 2


def test_the_spread_of_outputs_is_that_of_independent_inputs(dense: Dense) -> None:
    weight = positive(INPUTS, seed=8)
    state = normal(200_000, INPUTS, seed=9) * weight
    assert np.allclose((state @ dense.weights.T).std(axis=0), dense.spread(Normalised(weight, weight)), rtol=0.02)
