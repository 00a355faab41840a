"""Segments that follow a table of the manifest: what is new makes a new one, and small ones are merged.

Each segment stays more than twice as large as the next, so that there are few, and each row is
merged seldom, as in a log-structured merge tree (O'Neil et al., 1996).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Generic, Protocol, TypeVar

import numpy as np

from mindnet.store.postings import Ints


class Row(Protocol):
    """What one row of the table holds."""

    @property
    def row(self) -> int: ...


class Part(Protocol):
    """A segment: it can lose rows, but gets no new ones."""

    def __len__(self) -> int: ...

    def keep(self, rows: Ints) -> None:
        """All but these rows are gone."""


R = TypeVar("R", bound=Row)
P = TypeVar("P", bound=Part)


class Segments(Generic[R, P]):
    """The segments of one table, the oldest first; to be refreshed with the manifest held."""

    def __init__(self, build: Callable[[Sequence[R]], P], merge: Callable[[P, P], P]) -> None:
        self._build = build
        self._merge = merge
        self._parts: list[P] = []
        self._newest = 0

    def __iter__(self) -> Iterator[P]:
        return iter(self._parts)

    def refresh(self, living: Sequence[int], after: Callable[[int], Sequence[R]]) -> None:
        """Takes in the table as it is now: the numbers of its rows, and those written behind a number, in order."""
        rows = np.array(living, dtype=np.int64)
        for part in self._parts:
            part.keep(rows)
        if new := after(self._newest):
            self._parts.append(self._build(new))
            self._newest = new[-1].row
        while len(self._parts) > 1 and len(self._parts[-2]) <= 2 * len(self._parts[-1]):
            last = self._parts.pop()
            self._parts[-1] = self._merge(self._parts[-1], last)
