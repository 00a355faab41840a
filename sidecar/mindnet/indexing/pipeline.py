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
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from functools import partial
from typing import Literal

from mindnet.courtesy import Courtesy
from mindnet.embedding.cache import VectorCache, embed_cached
from mindnet.embedding.port import Embedder
from mindnet.indexing.bulk import bulk
from mindnet.indexing.entries import entry_of, same_content, same_note
from mindnet.indexing.flight import Built, Flight, Flying, Vectorised, pieces
from mindnet.indexing.ledger import Ledger
from mindnet.indexing.pace import Pace
from mindnet.indexing.plan import Known, Looked, Plan, candidates, emptied, lies_in, newest_first
from mindnet.indexing.reconcile import differing
from mindnet.indexing.report import Report
from mindnet.indexing.source import HELD_BYTES, Loaded, VaultSource
from mindnet.knowledge.edges import edge_id
from mindnet.records import Fault, NoteGraph, Relation, VaultFile
from mindnet.store.kept_words import words_by_path, words_of_links
from mindnet.store.manifest import Manifest, ManifestEntry
from mindnet.store.port import Replacement, Store
from mindnet.vault.keys import NoteName

BATCH_NOTES = 64


def _ignore(*_: object) -> None:
    return None


Update = Callable[[frozenset[str] | None, bool], Report | None]
"""Brings paths (None: the whole vault) up to date; the second argument says whether notes that are gone are removed.

None where that has to wait until the update is done in whose midst it is asked for.
"""


class Pipeline(Ledger):
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
        courtesy: Courtesy | None = None,
    ) -> None:
        """``hash_compare``: what makes a note count as written, its body and the keys that are read, or any change.

        ``on_moved`` is told which notes have another id since their file was moved, old id to new, before any of them
        is built.
        """
        super().__init__(manifest, source)
        self._by_body = hash_compare == "body"
        self.store = store
        self.embedder = embedder
        self.vectors = vectors
        self._lock = threading.Lock()
        self._pace = Pace()
        self._on_moved = on_moved
        self.courtesy = courtesy or Courtesy()

    # -------------------------------------------------------------- public
    def update(
        self,
        paths: frozenset[str] | None,
        *,
        prune: bool = True,
        prune_all: bool = False,
        on_total: Callable[[int], None] = _ignore,
        on_step: Callable[[str], None] = _ignore,
        on_indexed: Callable[[str], None] = _ignore,
        on_removed: Callable[[str], None] = _ignore,
        stop: Callable[[], bool] = lambda: False,
        between: Callable[[Update], None] = _ignore,
    ) -> Report:
        """Brings the store up to date with ``paths`` (files or folders; None or "" among them: the whole vault).

        Several notes are not removed when no note is left in the vault, unless ``prune_all`` says so: that is a drive
        that is away, or a folder that is not synced, rather than a wish. It raises ``VaultError`` then.

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
                def at_once(some: frozenset[str] | None, prune: bool) -> Report | None:
                    if some is None:
                        return None
                    land()
                    overtaken.update(some)
                    plan = self._plan(self._look(some), prune=prune, resume=False)
                    return self._run(plan, done, on_removed, stop, _ignore, frozenset())

                between(at_once)

            overtaken: set[str] = set()
            try:
                looked = self._look(paths)
                with self._embedding(looked):
                    plan = self._plan(looked, prune=prune, prune_all=prune_all)
                    on_total(len(plan.todo))
                    report = self._run(plan, done, on_removed, stop, let_in, overtaken)
                if report.written >= BATCH_NOTES:
                    self.store.flush()
            except BaseException:
                self._distrust()
                raise
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
        many = self.embedder.many() if len(plan.todo) > BATCH_NOTES else nullcontext()
        # Two: while one takes the vectors of a batch in, the model has the windows of the next.
        with many, ThreadPoolExecutor(2, thread_name_prefix="windows") as threads:

            def embed(windows: list[str]) -> Vectorised:
                return threads.submit(embed_cached, self.embedder, self.vectors, windows)

            flight = Flight(partial(self._prepare, embed), partial(self._store, on_indexed))
            for batch in self._batches(plan, stop, overtaken):
                flight.take(batch, plan)
                between(flight.land)
            flight.land()
            removed = self._remove([path for path in plan.removed if not lies_in(path, overtaken)])
            for path in removed:
                on_removed(path)
            again = Flight(partial(self._prepare, embed), partial(self._store, _ignore))
            awakened = Plan(sorted(self._files(self._awake), key=newest_first))
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
            if strays:
                self.store.remove_notes(sorted(strays))
            self._doubt(wrong)
            self._distrust()

    def agrees(self) -> bool:
        """Whether the store holds of every note what the manifest says."""
        with self._lock:
            return differing(self.store, self._entries.values()) == (frozenset(), frozenset())

    def redo(self, paths: Iterable[str]) -> None:
        """The next update does these files again, whatever their size, time and hash say."""
        with self._lock:
            self._doubt(paths)

    def reconsider(self, note_ids: Iterable[str], relations: Iterable[Relation] = ()) -> frozenset[str]:
        """The next update that comes by builds these notes anew, and those that would give one of these relations.

        For when something else than their text has changed: what the user has decided of their edges, or a model has
        said of them. Gives their paths. That must change within the same ``steady()``.
        """
        with self._steady:
            found = {self.catalog.path_of(note_id) for note_id in note_ids}
            found.update(*(self.stakes.claimants(edge_id(*relation)) for relation in relations))
            paths = frozenset(path for path in found if path is not None)
            self._due |= paths
        return paths

    def settle(self) -> None:
        """Flushes the store: for a quiet moment, since searches wait for it. Until then its log keeps every write."""
        with self._lock:
            self.store.flush()

    # -------------------------------------------------------------- what to do
    def _look(self, paths: frozenset[str] | None) -> Looked:
        paths = None if paths is None else self.source.with_links(paths)
        return candidates(self.source, Known(self._entries, self.catalog.names), paths)

    def _embedding(self, looked: Looked) -> AbstractContextManager[None]:
        """What embeds many notes takes a second to start: as soon as many are seen that were never there."""
        new = len(looked.files.keys() - self._entries.keys())
        return self.embedder.many(new) if new > BATCH_NOTES and self.vectors.is_empty() else nullcontext()

    def _plan(self, looked: Looked, *, prune: bool, prune_all: bool = False, resume: bool = True) -> Plan:
        """``resume``: what was left undone earlier is done too."""
        paths, files, gone = looked.asked, looked.files, looked.gone
        looked_at = files.keys() | (paths or set())
        kept = {} if paths is None else self._unread
        self._unread = {path: fault for path, fault in kept.items() if not lies_in(path, looked_at)}
        self._unread.update({fault.path: fault for fault in looked.faults})
        names: list[NoteName] = []
        unnamed: list[str] = []
        changed: dict[str, VaultFile] = {}
        hashes: dict[str, str] = {}
        touched: list[ManifestEntry] = []
        held: dict[str, Loaded] = {}
        holding = 0
        for path, file in files.items():
            self.courtesy.give_way()
            entry = self._entries.get(path)
            # A file that is named has changed, though its size and the hour of a coarse clock may not have.
            named = path in self._pending or (paths is not None and path in paths)
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
                # It is as it was indexed, but can have been named otherwise by an update that failed.
                if loaded.name != self.catalog.name_of(path):
                    _name(loaded, names, unnamed)
                continue
            changed[path] = file
            hashes[path] = loaded.text.sha256
            _name(loaded, names, unnamed)
            holding += loaded.text.size
            if holding <= HELD_BYTES:
                held[path] = loaded
        removed = tuple(sorted(path for path in gone if path in self._entries)) if prune else ()
        if 1 < len(removed) == len(self._entries) and not (files or prune_all or self.source.discover()[0]):
            raise emptied(self.source.vault, len(removed))
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
            again = self._files(relink - changed.keys() - set(removed), looked.whole)
            self._announce(file.path for file in again)
        todo = sorted([*changed.values(), *again], key=newest_first)
        return Plan(todo, hashes, removed, tuple(entry for entry in touched if entry.path not in relink), held)

    def _files(self, paths: Iterable[str], whole: Mapping[str, VaultFile] | None = None) -> list[VaultFile]:
        """Those of the paths that are there: in ``whole``, if that is given, else on the disk."""
        look = self.source.file if whole is None else whole.get
        found = (look(path) for path in sorted(paths))
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
            self.courtesy.give_way()
            graph = self.source.graph(loaded, self.catalog)
            batch.append((loaded, graph))
            chunks += len(graph.chunks) if graph else 0
            if len(batch) >= BATCH_NOTES or chunks >= self._pace.windows:
                yield batch
                batch, chunks = [], 0
        if batch:
            yield batch

    def _prepare(self, embed: Callable[[list[str]], Vectorised], batch: list[Built], plan: Plan) -> Flying:
        """Sees what is to be stored of a batch, and has its windows embedded meanwhile."""
        entries: list[ManifestEntry] = []
        graphs: list[NoteGraph] = []
        relinked: list[NoteGraph] = []
        unindexed: list[str] = []
        same: list[str] = []
        done = unread = 0
        with self._steady:
            self._announce(loaded.file.path for loaded, _ in batch)
            self._stake(batch)
            # What wakes one of them from now on, perhaps before it is stored, has it built once more.
            self._awake -= {loaded.file.path for loaded, _ in batch}
        for loaded, raw in batch:
            self.courtesy.give_way()
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
                kept = path not in plan.changed and known is not None and same_note(known, entry)
                (relinked if kept else graphs).append(graph)
            elif known is not None and known.indexed:
                unindexed.append(known.note_id)
        vectors = embed([chunk.window for graph in graphs for chunk in graph.chunks])
        words = words_by_path(graphs) | words_of_links(relinked)
        return Flying(batch, entries, graphs, relinked, unindexed, same, done - unread, words, vectors)

    def _store(self, on_indexed: Callable[[str], None], flying: Flying) -> tuple[int, int]:
        """Gives how many windows were embedded, and how many were known."""
        vectors, embedded, reused = flying.vectors.result()
        self._pace.arrived(embedded, reused)
        replacements: list[Replacement] = [(graph, None, None) for graph in flying.relinked]
        start = 0
        for graph in flying.graphs:
            end = start + len(graph.chunks)
            replacements.append((graph, vectors[start:end], self._previous(graph)))
            start = end
        for piece in pieces(replacements):
            self.courtesy.give_way()
            self.store.replace_notes(piece, partial(self._learn, flying, {graph.note.path for graph, _, _ in piece}))
        rest = {entry.path for entry in flying.entries} - flying.words.keys()
        if rest or flying.same:
            with self.store.exclusive():
                self._forget(flying.unindexed)
                self._learn(flying, rest, flying.same)
        for loaded, _ in flying.batch:
            on_indexed(loaded.file.path)
        return embedded, reused

    def _learn(self, flying: Flying, paths: Set[str], same: Sequence[str] = ()) -> None:
        entries = [entry for entry in flying.entries if entry.path in paths]
        self._commit(entries, words={path: flying.words[path] for path in paths & flying.words.keys()}, same=same)

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
            self._forget([entry.note_id for path in paths if (entry := self._entries[path]).indexed])
            self._commit([], removed=paths)
        return paths

    def _forget(self, note_ids: Iterable[str]) -> None:
        """Takes notes out of the store, but those whose id another file has by now (a move with an ``id``)."""
        if gone := [note_id for note_id in note_ids if self.catalog.path_of(note_id) is None]:
            self.store.remove_notes(gone)


def _name(loaded: Loaded, names: list[NoteName], unnamed: list[str]) -> None:
    if loaded.name is not None:
        names.append(loaded.name)
    else:
        unnamed.append(loaded.file.path)
