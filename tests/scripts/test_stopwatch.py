"""Time in which two are at the same work is counted once."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from bench import inside
from bench.inside import Stopwatch
from mindnet.embedding.port import Vectors


class Work:
    """Done twice at the same time: the second begins and ends within the first."""

    def work(self, *, again: bool) -> Vectors:
        return self.work(again=False) if again else np.zeros(1, np.float32)


def test_what_is_done_at_the_same_time_is_counted_once(monkeypatch: pytest.MonkeyPatch) -> None:
    clock: Iterator[float] = iter([10.0, 11.0, 13.0, 16.0, 20.0, 21.0])
    work = Work()
    watch = Stopwatch(work, "work")
    monkeypatch.setattr(inside, "perf_counter", lambda: next(clock))
    work.work(again=True)
    assert watch.seconds == 6.0
    work.work(again=False)
    assert watch.seconds == 7.0
