"""What work costs the processor, for tests of how that grows."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable


def cpu_seconds(work: Callable[[], object]) -> float:
    """Without the garbage collector, as an import works: it looks at all that other tests have left, too."""
    gc.collect()
    gc.disable()
    try:
        start = time.process_time()
        work()
        return time.process_time() - start
    finally:
        gc.enable()


def least(work: Callable[[], object], times: int = 3) -> float:
    """Of several times the shortest, since a busy machine only adds."""
    return min(cpu_seconds(work) for _ in range(times))
