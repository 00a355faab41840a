"""Which of two things answers: whoever has begun with one ends with it."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar

Thing = TypeVar("Thing")


class Turns(Generic[Thing]):
    """Lends out the current thing to any number of threads; replaced, it goes when the last of them is done."""

    def __init__(self, thing: Thing) -> None:
        self._lock = threading.Lock()
        self._now = thing
        self._users: Counter[int] = Counter()
        self._leaving: dict[int, tuple[Thing, Callable[[Thing], None]]] = {}

    @property
    def now(self) -> Thing:
        return self._now

    @contextmanager
    def taken(self) -> Iterator[Thing]:
        """The current thing, which is not put away before the block is left."""
        with self._lock:
            thing = self._now
            self._users[id(thing)] += 1
        try:
            yield thing
        finally:
            self._leave(thing)

    def switch(self, thing: Thing, put_away: Callable[[Thing], None]) -> None:
        """From here on ``thing`` is lent out; ``put_away`` gets the one before, on the thread that needed it last."""
        with self._lock:
            before, self._now = self._now, thing
            self._users[id(before)] += 1
            self._leaving[id(before)] = before, put_away
        self._leave(before)

    def _leave(self, thing: Thing) -> None:
        key = id(thing)
        with self._lock:
            self._users[key] -= 1
            leaving = self._leaving.pop(key, None) if not self._users[key] else None
            if not self._users[key]:
                del self._users[key]
        if leaving is not None:
            thing, put_away = leaving
            put_away(thing)
