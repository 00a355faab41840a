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


R = TypeVar("R", bound=Row)
Read = TypeVar("Read", bound=Row, covariant=True)


class Table(Protocol[Read]):
    """A table as its segments follow it; a row has a number that rises from one written row to the next."""

    def lost(self, after: int) -> tuple[int, Sequence[int] | None]:
        """How many rows it has lost so far, and which of them behind so many; None where that is not known."""

    def living(self) -> Sequence[int]:
        """The numbers of all its rows."""

    def written(self, after: int) -> Sequence[Read]:
        """The rows behind a number, in order."""


class Part(Protocol):
    """A segment: it can lose rows, but gets no new ones."""

    def __len__(self) -> int: ...

    def keep(self, rows: Ints) -> None:
        """All but these rows are gone."""

    def drop(self, rows: Ints) -> None:
        """Those of these rows that it has are gone."""


P = TypeVar("P", bound=Part)


class Segments(Generic[R, P]):
    """The segments of one table, the oldest first; to be refreshed with the manifest held."""

    def __init__(self, build: Callable[[Sequence[R]], P], merge: Callable[[P, P], P]) -> None:
        self._build = build
        self._merge = merge
        self._parts: list[P] = []
        self._newest = 0
        self._seen = -1

    def __iter__(self) -> Iterator[P]:
        return iter(self._parts)

    def refresh(self, table: Table[R]) -> None:
        """Takes in the table as it is now."""
        self._seen, lost = table.lost(self._seen)
        if lost is None:
            living = np.array(table.living() if self._parts else (), dtype=np.int64)
            for part in self._parts:
                part.keep(living)
        elif lost:
            gone = np.array(lost, dtype=np.int64)
            for part in self._parts:
                part.drop(gone)
        if new := table.written(self._newest):
            self._parts.append(self._build(new))
            self._newest = new[-1].row
        while len(self._parts) > 1 and len(self._parts[-2]) <= 2 * len(self._parts[-1]):
            last = self._parts.pop()
            self._parts[-1] = self._merge(self._parts[-1], last)
