"""A lock that a thread cannot take again at once while others wait for it.

Python's own locks go to whoever asks first after the release, and that is as a rule the thread that released: one that
stores piece after piece would keep a search waiting for all of them.
"""

from __future__ import annotations

import threading
from types import TracebackType


class FairLock:
    """Re-entrant; who waits comes before the thread that has just left."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._next = threading.Lock()
        """Held by the one who waits for the lock: whoever leaves has to wait for that one."""
        self._holder: int | None = None
        self._depth = 0

    def __enter__(self) -> None:
        me = threading.get_ident()
        # Only this thread can have written its own number there.
        if self._holder == me:
            self._depth += 1
            return
        with self._next:
            self._lock.acquire()
        self._holder = me

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._depth:
            self._depth -= 1
            return
        self._holder = None
        self._lock.release()
