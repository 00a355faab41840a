"""Sums over all files of an index, kept up as files come and go: what a save costs does not grow with the vault."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from mindnet.indexing.report import distinct_faults
from mindnet.records import Fault
from mindnet.store.manifest import ManifestEntry


class Totals:
    """Numbers and faults of the entries that were put in. One thread may change them; any may ask."""

    def __init__(self, entries: Iterable[ManifestEntry] = ()) -> None:
        self.size = (0, 0, 0)
        """Numbers of notes, chunks and edges."""
        self._sums: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self._having: defaultdict[str, Counter[str]] = defaultdict(Counter)
        self._faults: dict[str, Sequence[Fault]] = {}
        self._version = 0
        self._said: tuple[object, tuple[Fault, ...]] = (None, ())
        for entry in entries:
            self.put(None, entry)

    def put(self, old: ManifestEntry | None, new: ManifestEntry | None) -> None:
        """Takes ``new`` in for ``old``, of the same file; None stands for no entry."""
        size = list(self.size)
        for entry, sign in ((old, -1), (new, 1)):
            if entry is None or not entry.indexed:
                continue
            for place, number in enumerate((1, entry.chunks, entry.edges)):
                size[place] += sign * number
            self._count(entry, sign)
        notes, chunks, edges = size
        self.size = notes, chunks, edges
        before, after = old.faults if old else (), new.faults if new else ()
        if before != after:
            for entry in (old, new):
                if entry is not None:
                    self._faults.pop(entry.path, None)
            if new is not None and after:
                self._faults[new.path] = after
            self._version += 1

    def _count(self, entry: ManifestEntry, sign: int) -> None:
        for group, numbers in entry.counts.items():
            sums, having = self._sums[group], self._having[group]
            for name, number in numbers.items():
                sums[name] += sign * number
                having[name] += sign
                if not having[name]:
                    # A name with the number 0 is there as long as one file has it.
                    del sums[name], having[name]

    def counts(self) -> dict[str, dict[str, int]]:
        """Group by group the sums over all indexed files, names in order."""
        return {group: dict(sorted(sums.items())) for group, sums in self._sums.items()}

    def faults(self, others: Sequence[Fault]) -> tuple[Fault, ...]:
        """The distinct faults of the files together with others; put in order only when one of them has changed."""
        known = (self._version, tuple(others))
        said, faults = self._said
        if said != known:
            own = [fault for one in tuple(self._faults.values()) for fault in one]
            faults = distinct_faults([*own, *others])
            self._said = known, faults
        return faults
