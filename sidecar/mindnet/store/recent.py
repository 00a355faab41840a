"""Records that were read lately, kept so that the next question need not unpack them again.

Taking a record out of the engine's answer costs more than finding it, and questions that follow
each other (while someone types, or asks on) meet the same passages, edges and much-linked notes.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from typing import Generic, TypeVar

R = TypeVar("R")
LARGE = 8
"""A record of more than this part of all that may be kept would push too many others out."""


class Recent(Generic[R]):
    """Records by the id of their point; those that were not asked for the longest go first.

    ``most`` bounds the sum of what ``size`` says of the records; one that takes a good part of that by itself
    is not kept. Not safe for threads by itself.
    """

    def __init__(self, most: int, size: Callable[[R], int]) -> None:
        self._most = most
        self._size = size
        self._kept: OrderedDict[str, tuple[R, int]] = OrderedDict()
        self._sum = 0

    def __len__(self) -> int:
        return len(self._kept)

    def known(self, points: Iterable[str]) -> dict[str, R]:
        """Those of these that are kept, in the order asked for."""
        found: dict[str, R] = {}
        for point in points:
            entry = self._kept.get(point)
            if entry is not None:
                self._kept.move_to_end(point)
                found[point] = entry[0]
        return found

    def keep(self, records: Mapping[str, R]) -> None:
        """Takes these in, the last as the latest; what no longer fits goes."""
        for point, record in records.items():
            self._drop(point)
            size = self._size(record)
            if size * LARGE <= self._most:
                self._kept[point] = record, size
                self._sum += size
        while self._sum > self._most:
            self._drop(next(iter(self._kept)))

    def forget(self, points: Iterable[str]) -> None:
        """To be called for whatever is written or deleted."""
        for point in points:
            self._drop(point)

    def clear(self) -> None:
        self._kept.clear()
        self._sum = 0

    def _drop(self, point: str) -> None:
        entry = self._kept.pop(point, None)
        if entry is not None:
            self._sum -= entry[1]
