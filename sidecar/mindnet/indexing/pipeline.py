"""The write path: finds what changed, builds it anew, embeds what is unknown, and stores it note by note.

Before a batch the manifest is told which files it touches, directly or through a link or a
mirror. Then the new points are written, then the stale ones go, then the manifest learns of it. A
kill at any moment leaves a store that opens; what was announced and not committed, and what
differs from the manifest, is done again by the next scan.

Embedding takes most of the time and runs beside all else: while the windows of one batch are with
the model, the batch before is stored and the next is built.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial
from typing import Literal

from mindnet.embedding.cache import VectorCache, embed_cached
from mindnet.embedding.port import Embedder
from mindnet.indexing.bulk import bulk
from mindnet.indexing.entries import entry_of, known_name, same_content
from mindnet.indexing.flight import Built, Flight, Flying, Vectorised
from mindnet.indexing.plan import Known, Plan, candidates, lies_in, newest_first
from mindnet.indexing.reconcile import differing
from mindnet.indexing.report import Report, add_counts, distinct_faults
from mindnet.indexing.source import HELD_BYTES, Loaded, VaultSource
from mindnet.knowledge.mirrors import NOTHING, Stake, Stakes, stake_of
from mindnet.records import Fault, NoteGraph, VaultFile
from mindnet.store.kept_words import Words, words_by_path
from mindnet.store.manifest import Manifest, ManifestEntry
from mindnet.store.port import Store
from mindnet.vault.keys import NoteName
from mindnet.vault.resolve import Catalog

BATCH_NOTES = 64
BATCH_CHUNKS = 128


def _ignore(*_: object) -> None:
    return None


Update = Callable[[frozenset[str], bool], Report]
"""Brings paths up to date; the second argument says whether notes that are gone are removed."""


class Pipeline:
    """Keeps a store equal to a vault. One thread at a time may update."""

    def __init__(
        self,
        source: VaultSource,
        *,
        store: Store,
        manifest: Manifest,
        embedder: Embedder,
        vectors: VectorCache,
        hash_compare: Literal["body", "full"] = "body",
        on_moved: Callable[[Mapping[str, str]], None] = _ignore,
    ) -> None:
        """``hash_compare``: what makes a note count as written, its body and the keys that are read, or any change.

        ``on_moved`` is told which notes have another id since their file was moved, old id to new, before any of them
        is built.
        """
        self._by_body = hash_compare == "body"
        self.source = source
        self.store = store
        self.manifest = manifest
        self.embedder = embedder
        self.vectors = vectors
        self._lock = threading.Lock()
        self._steady = threading.RLock()
        self._on_moved = on_moved
        self._entries = manifest.entries()
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
    def update(
        self,
        paths: frozenset[str] | None,
        *,
        prune: bool = True,
        on_total: Callable[[int], None] = _ignore,
        on_step: Callable[[str], None] = _ignore,
        on_indexed: Callable[[str], None] = _ignore,
        on_removed: Callable[[str], None] = _ignore,
        stop: Callable[[], bool] = lambda: False,
        between: Callable[[Update], None] = _ignore,
    ) -> Report:
        """Brings the store up to date with ``paths`` (files or folders; None or "" among them: the whole vault).

        ``on_step`` and ``on_indexed`` are told each file that is done: as progress on ``on_total``, and as a note that
        can be found. ``stop`` is asked between batches; what is then left is found by the next scan. ``between``
        is called there too, with a function that brings a few paths up to date at once: what is
        saved during a long import need not wait for its end.
        """
        if paths is not None and "" in paths:
            paths = None

        def done(path: str) -> None:
            on_step(path)
            on_indexed(path)

        with self._lock, bulk():

            def let_in(land: Callable[[], None]) -> None:
                def at_once(some: frozenset[str], prune: bool) -> Report:
                    land()
                    overtaken.update(some)
                    plan = self._plan(some, prune=prune, resume=False)
                    return self._run(plan, done, on_removed, stop, _ignore, frozenset())

                between(at_once)

            overtaken: set[str] = set()
            plan = self._plan(paths, prune=prune)
            on_total(len(plan.todo))
            report = self._run(plan, done, on_removed, stop, let_in, overtaken)
            if report.written >= BATCH_NOTES:
                self.store.flush()
            return report

    def _run(
        self,
        plan: Plan,
        on_indexed: Callable[[str], None],
        on_removed: Callable[[str], None],
        stop: Callable[[], bool],
        between: Callable[[Callable[[], None]], None],
        overtaken: Set[str],
    ) -> Report:
        """``overtaken`` grows while it runs: paths whose newer state is stored by now, or is known to be gone.

        ``between`` gets a function that stores what is under way.
        """
        started = time.monotonic()
        if plan.touched:
            self._commit(plan.touched)
        with ThreadPoolExecutor(1, thread_name_prefix="windows") as thread:

            def embed(windows: list[str]) -> Vectorised:
                return thread.submit(embed_cached, self.embedder, self.vectors, windows)

            flight = Flight(partial(self._prepare, embed), partial(self._store, on_indexed))
            for batch in self._batches(plan, stop, overtaken):
                flight.take(batch, plan)
                between(flight.land)
            flight.land()
            removed = self._remove([path for path in plan.removed if not lies_in(path, overtaken)])
            for path in removed:
                on_removed(path)
            again = Flight(partial(self._prepare, embed), partial(self._store, _ignore))
            awakened = Plan(sorted(self._files(self._awake, {}), key=newest_first))
            for batch in self._batches(awakened, stop):
                again.take(batch, awakened)
            again.land()
        return self.report(
            flight.written + again.written,
            flight.embedded + again.embedded,
            flight.reused + again.reused,
            len(removed),
            time.monotonic() - started,
        )

    def reconcile(self) -> None:
        """At start: what the store does not hold as the manifest says is done again by the next scan."""
        with self._lock:
            wrong, strays = differing(self.store, self._entries.values())
            for note_id in strays:
                self.store.remove_note(note_id)
            self._doubt(wrong)
            for path in self._pending & self._entries.keys():
                # What the store holds of it is not known.
                self._entries[path] = replace(self._entries[path], payload_hash="")

    def agrees(self) -> bool:
        """Whether the store holds of every note what the manifest says."""
        with self._lock:
            return differing(self.store, self._entries.values()) == (frozenset(), frozenset())

    def redo(self, paths: Iterable[str]) -> None:
        """The next update does these files again, whatever their size, time and hash say."""
        with self._lock:
            self._doubt(paths)

    def reconsider(self, note_ids: Iterable[str], edge_id: str = "") -> frozenset[str]:
        """The next update that comes by builds these notes anew, and those that would give an edge of this id.

        For when something else than their text has changed: what the user has decided of their edges. Gives their
        paths. What is decided must change within the same ``steady()``.
        """
        with self._steady:
            found = {self.catalog.path_of(note_id) for note_id in note_ids} | self.stakes.claimants(edge_id)
            paths = frozenset(path for path in found if path is not None)
            self._due |= paths
        return paths

    def _doubt(self, paths: Iterable[str]) -> None:
        for path in paths:
            self._entries[path] = replace(self._entries[path], size=-1, file_hash="", payload_hash="")

    def settle(self) -> None:
        """Flushes the store: for a quiet moment, since searches wait for it. Until then its log keeps every write."""
        with self._lock:
            self.store.flush()

    def report(
        self, written: int = 0, embedded: int = 0, reused: int = 0, removed: int = 0, seconds: float = 0.0
    ) -> Report:
        """The state of the whole index, with the numbers of one run."""
        entries = [entry for entry in tuple(self._entries.values()) if entry.indexed]
        counts = add_counts(entry.counts for entry in entries)
        return Report(
            notes=len(entries),
            chunks=sum(entry.chunks for entry in entries),
            edges=sum(entry.edges for entry in entries),
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
        entries = [entry for entry in tuple(self._entries.values()) if entry.indexed]
        return len(entries), sum(entry.chunks for entry in entries), sum(entry.edges for entry in entries)

    def faults(self) -> tuple[Fault, ...]:
        of_notes = (fault for entry in tuple(self._entries.values()) for fault in entry.faults)
        return distinct_faults([*of_notes, *self._unread.values(), *self.catalog.duplicates()])

    def steady(self) -> AbstractContextManager[object]:
        """Within it no name and no stake changes and no file begins to wait; what waits may still be written."""
        return self._steady

    def waiting(self) -> frozenset[str]:
        """Files whose points may not be what they should be: an update has announced them, or a stopped one left them.

        All others are stored as the catalog and the stakes have them, as far as their file has not changed.
        """
        with self._steady:
            return frozenset(self._pending | self._due)

    @property
    def entries(self) -> dict[str, ManifestEntry]:
        return self._entries

    # -------------------------------------------------------------- what to do
    def _plan(self, paths: frozenset[str] | None, *, prune: bool, resume: bool = True) -> Plan:
        """``resume``: what was left undone earlier is done too."""
        paths = None if paths is None else self.source.with_links(paths)
        files, gone, faults = candidates(self.source, Known(self._entries, self.catalog.names), paths)
        looked_at = files.keys() | (paths or set())
        kept = {} if paths is None else self._unread
        self._unread = {path: fault for path, fault in kept.items() if not lies_in(path, looked_at)}
        self._unread.update({fault.path: fault for fault in faults})
        names: list[NoteName] = []
        unnamed: list[str] = []
        changed: dict[str, VaultFile] = {}
        hashes: dict[str, str] = {}
        touched: list[ManifestEntry] = []
        held: dict[str, Loaded] = {}
        holding = 0
        for path, file in files.items():
            entry = self._entries.get(path)
            # A file that is named has changed, though its size and the hour of a coarse clock may not have.
            named = paths is not None and path in paths
            if not named and entry is not None and (entry.size, entry.mtime_ns) == (file.size, file.mtime_ns):
                continue
            loaded = self.source.load(file)
            if isinstance(loaded, Fault):
                # What is known of an unreadable note stays, unless it is gone for good.
                self._unread[path] = loaded
                if self.source.file(path) is None:
                    gone.add(path)
                continue
            if entry is not None and entry.file_hash == loaded.text.sha256:
                if (entry.size, entry.mtime_ns) != (loaded.text.size, loaded.text.mtime_ns):
                    touched.append(entry.with_stat(loaded.text.size, loaded.text.mtime_ns))
                continue
            changed[path] = file
            hashes[path] = loaded.text.sha256
            if loaded.name is not None:
                names.append(loaded.name)
            else:
                unnamed.append(path)
            holding += loaded.text.size
            if holding <= HELD_BYTES:
                held[path] = loaded
        removed = tuple(sorted(path for path in gone if path in self._entries)) if prune else ()
        # A note can be named that is not stored yet, and be gone before it is.
        unstored = sorted(path for path in gone if path not in self._entries)
        with self._steady:
            affected = self.catalog.apply(names, [*removed, *unstored, *unnamed])
            if removed and (moved := self._moved(removed, hashes)):
                self._on_moved(moved)
            relink = self.manifest.paths_linking(affected.keys) | affected.paths
            if resume:
                relink |= self._pending
            due = {path for path in self._due if paths is None or lies_in(path, paths)}
            self._due -= due
            relink |= due
            again = self._files(relink - changed.keys() - set(removed), files)
            self._announce(file.path for file in again)
        todo = sorted([*changed.values(), *again], key=newest_first)
        return Plan(todo, hashes, removed, tuple(entry for entry in touched if entry.path not in relink), held)

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

    def _files(self, paths: Iterable[str], known: Mapping[str, VaultFile]) -> list[VaultFile]:
        found = (known.get(path) or self.source.file(path) for path in sorted(paths))
        return [file for file in found if file is not None]

    # -------------------------------------------------------------- doing it
    def _batches(
        self, plan: Plan, stop: Callable[[], bool], overtaken: Set[str] = frozenset()
    ) -> Iterator[list[Built]]:
        batch: list[Built] = []
        chunks = 0
        for file in plan.todo:
            if stop():
                return
            if file.path in plan.changed and lies_in(file.path, overtaken):
                continue
            loaded = plan.held.pop(file.path, None) or self.source.load(file)
            if isinstance(loaded, Fault):
                self._unread[file.path] = loaded
                continue
            known = self._entries.get(file.path)
            if loaded.text.sha256 != plan.changed.get(file.path, known.file_hash if known else None):
                # It changed since the scan: its own event, or the next scan, brings it.
                continue
            graph = self.source.graph(loaded, self.catalog)
            batch.append((loaded, graph))
            chunks += len(graph.chunks) if graph else 0
            if len(batch) >= BATCH_NOTES or chunks >= BATCH_CHUNKS:
                yield batch
                batch, chunks = [], 0
        if batch:
            yield batch

    def _prepare(self, embed: Callable[[list[str]], Vectorised], batch: list[Built], plan: Plan) -> Flying:
        """Sees what is to be stored of a batch, and has its windows embedded meanwhile."""
        entries: list[ManifestEntry] = []
        graphs: list[NoteGraph] = []
        unindexed: list[str] = []
        same: list[str] = []
        done = unread = 0
        with self._steady:
            self._announce(loaded.file.path for loaded, _ in batch)
            self._stake(batch)
            # What wakes one of them from now on, perhaps before it is stored, has it built once more.
            self._awake -= {loaded.file.path for loaded, _ in batch}
        for loaded, raw in batch:
            path = loaded.file.path
            known = self._entries.get(path)
            graph = replace(raw, edges=self.stakes.settle(path, raw.edges)) if raw else None
            entry = entry_of(loaded, graph, self.stakes.get(path))
            if path not in plan.changed and known is not None and known.payload_hash == entry.payload_hash:
                if known == replace(entry, link_keys=None):
                    same.append(path)
                else:
                    # What is reported of the file, or the time of its last change, is another.
                    entries.append(entry)
                continue
            entries.append(entry)
            done += 1
            unread += self._by_body and known is not None and same_content(known, entry)
            if graph is not None:
                graphs.append(graph)
            elif known is not None and known.indexed:
                unindexed.append(known.note_id)
        vectors = embed([chunk.window for graph in graphs for chunk in graph.chunks])
        return Flying(batch, entries, graphs, unindexed, same, done - unread, words_by_path(graphs), vectors)

    def _store(self, on_indexed: Callable[[str], None], flying: Flying) -> tuple[int, int]:
        """Gives how many windows were embedded, and how many were known."""
        vectors, embedded, reused = flying.vectors.result()
        replacements = []
        start = 0
        for graph in flying.graphs:
            end = start + len(graph.chunks)
            replacements.append((graph, vectors[start:end], self._previous(graph)))
            start = end

        def finish() -> None:
            for note_id in flying.unindexed:
                self._forget(note_id)
            self._commit(flying.entries, words=flying.words, same=flying.same)

        self.store.replace_notes(replacements, finish)
        for loaded, _ in flying.batch:
            on_indexed(loaded.file.path)
        return embedded, reused

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

    def _previous(self, graph: NoteGraph) -> str | None:
        """The id under which the note was stored before, if no other note has it by now."""
        known = self._entries.get(graph.note.path)
        if known is None or not known.indexed or known.note_id == graph.note.note_id:
            return None
        return known.note_id if self.catalog.path_of(known.note_id) is None else None

    def _remove(self, paths: Sequence[str]) -> Sequence[str]:
        if not paths:
            return paths
        with self._steady:
            self._announce(paths)
            self._awaken({other for path in paths for other in self.stakes.remove(path)})
            self._awake.difference_update(paths)
        with self.store.exclusive():
            for path in paths:
                if (entry := self._entries[path]).indexed:
                    self._forget(entry.note_id)
            self._commit([], removed=paths)
        return paths

    def _forget(self, note_id: str) -> None:
        """Takes a note out of the store, unless another file has its id by now (a move with an ``id``)."""
        if self.catalog.path_of(note_id) is None:
            self.store.remove_note(note_id)

    def _announce(self, paths: Iterable[str]) -> None:
        fresh = set(paths) - self._pending
        self.manifest.announce(sorted(fresh))
        self._pending |= fresh

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
            self._entries.pop(path, None)
        self._entries.update({entry.path: replace(entry, link_keys=None) for entry in entries})
        self._pending -= {*(entry.path for entry in entries), *removed, *same} - self._awake
