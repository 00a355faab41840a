"""What is known of each file of a vault: its entry, its names, its claims on edges, and whether it waits."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace

from mindnet.indexing.entries import known_name
from mindnet.indexing.flight import Built
from mindnet.indexing.report import Report
from mindnet.indexing.source import VaultSource
from mindnet.indexing.totals import Totals
from mindnet.knowledge.mirrors import NOTHING, Stake, Stakes, stake_of
from mindnet.records import Fault
from mindnet.store.kept_words import Words
from mindnet.store.manifest import Manifest, ManifestEntry
from mindnet.vault.resolve import Catalog


class Ledger:
    """The books of a write path, in memory and in the manifest; one thread at a time may change them."""

    def __init__(self, manifest: Manifest, source: VaultSource) -> None:
        self.manifest = manifest
        self.source = source
        self._steady = threading.RLock()
        self._entries = manifest.entries()
        self._totals = Totals(self._entries.values())
        self._unread: dict[str, Fault] = {}
        self.catalog = Catalog()
        self.stakes = Stakes(source.kinds, source.verdicts)
        for entry in self._entries.values():
            self.stakes.put(entry.path, Stake.from_json(entry.stake))
        self._pending = set(manifest.pending())
        self._awake: set[str] = set()
        self._due: set[str] = set()
        self.catalog.fill(known_name(entry) for entry in self._entries.values() if entry.indexed)

    # -------------------------------------------------------------- public
    @property
    def entries(self) -> dict[str, ManifestEntry]:
        return self._entries

    def report(
        self, written: int = 0, embedded: int = 0, reused: int = 0, removed: int = 0, seconds: float = 0.0
    ) -> Report:
        """The state of the whole index, with the numbers of one run."""
        counts = self._totals.counts()
        notes, chunks, edges = self.size()
        return Report(
            notes=notes,
            chunks=chunks,
            edges=edges,
            by_kind=counts.get("kind", {}),
            by_provenance=counts.get("provenance", {}),
            by_rule=counts.get("rule", {}),
            totals=counts.get("totals", {}),
            faults=self.faults(),
            written=written,
            embedded=embedded,
            reused=reused,
            removed=removed,
            seconds=seconds,
            dry_run=False,
        )

    def size(self) -> tuple[int, int, int]:
        """Numbers of notes, chunks and edges; may be asked from any thread."""
        return self._totals.size

    def faults(self) -> tuple[Fault, ...]:
        """Of all files, those that could not be read among them; may be asked from any thread."""
        return self._totals.faults([*tuple(self._unread.values()), *self.catalog.duplicates()])

    def steady(self) -> AbstractContextManager[object]:
        """Within it no name and no stake changes and no file begins to wait; what waits may still be written."""
        return self._steady

    def waiting(self) -> frozenset[str]:
        """Files whose points may not be what they should be: an update has announced them, or a stopped one left them.

        All others are stored as the catalog and the stakes have them, as far as their file has not changed.
        """
        with self._steady:
            return frozenset(self._pending | self._due)

    # -------------------------------------------------------------- keeping them
    def _announce(self, paths: Iterable[str]) -> None:
        fresh = set(paths) - self._pending
        self.manifest.announce(sorted(fresh))
        self._pending |= fresh

    def _stake(self, batch: list[Built]) -> None:
        """Takes in what the files say of edges that are more than their own affair."""
        awakened: set[str] = set()
        for loaded, graph in batch:
            stake = stake_of(graph.edges, self.source.kinds) if graph else NOTHING
            awakened |= self.stakes.put(loaded.file.path, stake)
        self._awaken(awakened)

    def _awaken(self, paths: set[str]) -> None:
        """Their mirrors, or the edges that they own, may be others now: they are built once more at the end."""
        self._announce(paths)
        self._awake |= paths

    def _commit(
        self,
        entries: Sequence[ManifestEntry],
        *,
        removed: Sequence[str] = (),
        words: Mapping[str, Words] | None = None,
        same: Sequence[str] = (),
    ) -> None:
        # What was awakened since it was built goes on waiting.
        self.manifest.commit(entries, removed, words=words or {}, settled=same, waiting=self._awake)
        for path in removed:
            self._totals.put(self._entries.pop(path, None), None)
        for entry in entries:
            self._totals.put(self._entries.get(entry.path), entry)
            self._entries[entry.path] = replace(entry, link_keys=None)
        self._pending -= {*(entry.path for entry in entries), *removed, *same} - self._awake

    def _doubt(self, paths: Iterable[str]) -> None:
        for path in paths:
            self._entries[path] = replace(self._entries[path], size=-1, file_hash="", payload_hash="")

    def _distrust(self) -> None:
        """What the store holds of files that wait is not known: all of it is written anew."""
        for path in self._pending & self._entries.keys():
            self._entries[path] = replace(self._entries[path], payload_hash="")

    def _moved(self, removed: Iterable[str], hashes: Mapping[str, str]) -> dict[str, str]:
        """Old id to new of notes that are gone from one place and stand in another, word for word, and in no third."""
        gone: dict[str, list[str]] = {}
        for entry in (self._entries[path] for path in removed):
            if entry.indexed and entry.file_hash:
                gone.setdefault(entry.file_hash, []).append(entry.note_id)
        come: dict[str, list[str]] = {}
        for path, digest in hashes.items():
            if path not in self._entries and path in self.catalog:
                come.setdefault(digest, []).append(self.catalog.note_id(path))
        pairs = [(gone[digest], come[digest]) for digest in gone.keys() & come.keys()]
        return {old[0]: new[0] for old, new in pairs if len(old) == len(new) == 1 and old != new}
