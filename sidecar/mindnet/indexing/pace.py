"""How many windows are embedded at once: as many as take a moment, since what is saved meanwhile waits for them."""

from __future__ import annotations

import time
from collections.abc import Callable

MOMENT = 0.75
"""Seconds."""
LEAST, MOST = 16, 128
"""Fewer would leave a model waiting, more gain nothing."""


class Pace:
    """Told of each batch of an import when its vectors are there."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._last: float | None = None
        self.windows = MOST
        """So many are to be in the next batch."""

    def arrived(self, embedded: int, reused: int) -> None:
        """A batch of so many windows, of which most say how fast the model is if they were not known."""
        before, self._last = self._last, self._clock()
        if before is not None and embedded > reused:
            rate = embedded / max(self._last - before, 1e-6)
            self.windows = round(min(max(rate * MOMENT, LEAST), MOST))
