"""How many windows an import embeds at once."""

from __future__ import annotations

import pytest

from mindnet.indexing.pace import LEAST, MOMENT, MOST, Pace


def after(seconds: float, embedded: int, reused: int = 0) -> int:
    """The size of the batch that follows one which took so long."""
    times = iter([0.0, seconds])
    pace = Pace(lambda: next(times))
    pace.arrived(10, 0)
    pace.arrived(embedded, reused)
    return pace.windows


@pytest.mark.parametrize(
    ("seconds", "embedded", "expected"), [(2.0, 128, 48), (0.1, 128, MOST), (20.0, 40, LEAST), (MOMENT, 64, 64)]
)
def test_a_batch_takes_a_moment_with_a_slow_model_and_is_large_with_a_fast_one(
    seconds: float, embedded: int, expected: int
) -> None:
    assert after(seconds, embedded) == expected


def test_windows_that_were_known_say_nothing_of_the_model() -> None:
    assert after(0.5, 2, reused=100) == MOST
