"""What work costs the processor, for tests of how that grows."""

from __future__ import annotations

import time
from collections.abc import Callable


def cpu_seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def least(work: Callable[[], object], times: int = 3) -> float:
    """Of several times the shortest, since a busy machine only adds."""
    return min(cpu_seconds(work) for _ in range(times))
