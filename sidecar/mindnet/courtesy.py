"""Threads that share one interpreter: answers come before work that nobody waits for, and turns can be short."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

PATIENCE = 0.25
"""Seconds that work stands still for answers, and then goes on for, should there always be one under way."""

_lock = threading.Lock()
_wished: list[float] = []
_usual = sys.getswitchinterval()


@contextmanager
def short_turns(seconds: float) -> Iterator[None]:
    """Threads take turns of so many seconds, or shorter ones that another wishes meanwhile.

    Whoever lets another thread run, to read a file or to unpack it, waits for a whole turn of that one afterwards.
    """
    global _usual
    with _lock:
        if not _wished:
            _usual = sys.getswitchinterval()
        _wished.append(seconds)
        sys.setswitchinterval(min(_usual, *_wished))
    try:
        yield
    finally:
        with _lock:
            _wished.remove(seconds)
            sys.setswitchinterval(min(_usual, *_wished) if _wished else _usual)


class Courtesy:
    """Tells work in the background when somebody waits for an answer.

    Python runs one thread at a time and takes turns by the clock: beside a thread that parses notes, an answer would
    take twice as long. Work that asks between its steps stands still meanwhile. It gets at least half of the time.
    """

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._condition = threading.Condition()
        self._answering = 0
        self._works_until = 0.0

    @property
    def is_answering(self) -> bool:
        return self._answering > 0

    @contextmanager
    def answering(self) -> Iterator[None]:
        """Somebody waits for what is done in this block."""
        with self._condition:
            self._answering += 1
        try:
            yield
        finally:
            with self._condition:
                self._answering -= 1
                if not self._answering:
                    self._condition.notify_all()

    def give_way(self) -> None:
        """Returns when nobody waits for an answer, or has been waiting for too long already."""
        # Looked at without the lock: this is asked at every note, and a step too early or too late does no harm.
        if not self._answering or self._clock() < self._works_until:
            return
        with self._condition:
            if not self._condition.wait_for(lambda: not self._answering, PATIENCE):
                self._works_until = self._clock() + PATIENCE
