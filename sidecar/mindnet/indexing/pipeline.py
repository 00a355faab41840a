"""The write path: finds what changed, builds it anew, embeds what is unknown, and stores it note by note.

Within one batch the new points are written first, then the stale ones go, then the manifest
learns of it: a kill at any moment leaves a store that opens, and a file whose hash differs from
the manifest's is done again by the next scan.
"""

from __future__ import annotations

import hashlib
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from mindnet.embedding.cache import VectorCache, embed_cached
from mindnet.embedding.port import Embedder
from mindnet.indexing.reconcile import differing
from mindnet.indexing.report import Report, add_counts, distinct_faults
from mindnet.indexing.source import Loaded, VaultSource
from mindnet.knowledge.counts import count_edges
from mindnet.records import Fault, NoteGraph, VaultFile
from mindnet.store.manifest import Manifest, ManifestEntry
from mindnet.store.port import Store
from mindnet.vault.discover import UNREADABLE
from mindnet.vault.resolve import Catalog, NoteName, link_keys

BATCH_NOTES = 64
BATCH_CHUNKS = 128
HELD_NOTES = 2_000
"""So many parsed notes stay in memory between naming and building; the others are parsed twice."""


def _ignore(_: object) -> None:
    return None


@dataclass(frozen=True, slots=True)
class _Plan:
    """What one update has to do. ``todo`` is newest first."""

    todo: list[VaultFile]
    changed: frozenset[str]
    removed: tuple[str, ...]
    touched: tuple[ManifestEntry, ...]
    faults: tuple[Fault, ...]
    held: dict[str, Loaded]


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
    ) -> None:
        self.source = source
        self.store = store
        self.manifest = manifest
        self.embedder = embedder
        self.vectors = vectors
        self._lock = threading.Lock()
        self._entries = manifest.entries()
        self._unread: dict[str, Fault] = {}
        self.catalog = Catalog()
        self.catalog.apply([_name(entry) for entry in self._entries.values() if entry.indexed], [])

    # -------------------------------------------------------------- public
    def update(
        self,
        paths: frozenset[str] | None,
        *,
        prune: bool = True,
        on_total: Callable[[int], None] = _ignore,
        on_indexed: Callable[[str], None] = _ignore,
        on_removed: Callable[[str], None] = _ignore,
        stop: Callable[[], bool] = lambda: False,
    ) -> Report:
        """Brings the store up to date with ``paths`` (files or folders; None or "" among them: the whole vault).

        ``stop`` is asked between batches; what is then left is found by the next scan.
        """
        if paths is not None and "" in paths:
            paths = None
        with self._lock:
            started = time.monotonic()
            plan = self._plan(paths, prune=prune)
            on_total(len(plan.todo))
            written = embedded = reused = 0
            for batch in self._batches(plan, stop):
                done, new, known = self._write(batch, plan)
                written, embedded, reused = written + done, embedded + new, reused + known
                for file, _, _ in batch:
                    on_indexed(file.path)
            removed = self._remove(plan.removed)
            for path in removed:
                on_removed(path)
            if plan.touched:
                self._commit(plan.touched, [], ())
            if written >= BATCH_NOTES:
                self.store.flush()
            return self.report(written, embedded, reused, len(removed), time.monotonic() - started)

    def reconcile(self) -> None:
        """At start: what the store does not hold as the manifest says is done again by the next scan."""
        with self._lock:
            wrong, strays = differing(self.store, self._entries.values())
            for note_id in strays:
                self.store.remove_note(note_id)
            for path in wrong:
                self._entries[path] = replace(self._entries[path], size=-1, file_hash="")

    def redo(self, paths: Iterable[str]) -> None:
        """The next update does these files again, whatever their size, time and hash say."""
        with self._lock:
            for path in paths:
                self._entries[path] = replace(self._entries[path], size=-1, file_hash="")

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

    @property
    def entries(self) -> dict[str, ManifestEntry]:
        return self._entries

    # -------------------------------------------------------------- what to do
    def _plan(self, paths: frozenset[str] | None, *, prune: bool) -> _Plan:
        files, gone, faults = self._candidates(paths)
        self._unread = {} if paths is None else {p: f for p, f in self._unread.items() if p not in files}
        self._unread.update({fault.path: fault for fault in faults})
        names: list[NoteName] = []
        unnamed: list[str] = []
        changed: dict[str, VaultFile] = {}
        touched: list[ManifestEntry] = []
        held: dict[str, Loaded] = {}
        for path, file in files.items():
            entry = self._entries.get(path)
            if entry is not None and (entry.size, entry.mtime_ns) == (file.size, file.mtime_ns):
                continue
            loaded = self.source.load(file)
            if isinstance(loaded, Fault):
                # What is known of an unreadable note stays, unless it is gone for good.
                self._unread[path] = loaded
                if self.source.file(path) is None:
                    gone.add(path)
                continue
            if entry is not None and entry.file_hash == loaded.text.sha256:
                touched.append(entry.with_stat(loaded.text.size, loaded.text.mtime_ns))
                continue
            changed[path] = file
            if loaded.name is not None:
                names.append(loaded.name)
            else:
                unnamed.append(path)
            if len(held) < HELD_NOTES:
                held[path] = loaded
        removed = tuple(sorted(path for path in gone if path in self._entries)) if prune else ()
        affected = self.catalog.apply(names, [*removed, *unnamed])
        relink = (self.manifest.paths_linking(affected.keys) | affected.paths) - changed.keys() - set(removed)
        linkers = (files.get(path) or self.source.file(path) for path in sorted(relink))
        again = [file for file in linkers if file is not None]
        todo = sorted([*changed.values(), *again], key=_newest_first)
        return _Plan(todo, frozenset(changed), removed, tuple(touched), tuple(faults), held)

    def _candidates(self, paths: frozenset[str] | None) -> tuple[dict[str, VaultFile], set[str], list[Fault]]:
        """Files that are there, known paths that are not, and what could not be looked at."""
        if paths is None:
            found, faults = self.source.discover()
            files = {file.path: file for file in found}
            return files, _missing(self._entries, files, faults), faults
        files = {}
        gone: set[str] = set()
        faults = []
        for path in paths:
            inside, unread = self.source.discover_below(path)
            files.update({file.path: file for file in inside})
            faults += unread
            gone |= _missing((known for known in self._entries if known.startswith(f"{path}/")), files, unread)
            file = self.source.file(path)
            if file is not None:
                files[file.path] = file
            elif path in self._entries:
                gone.add(path)
        return files, gone, faults

    # -------------------------------------------------------------- doing it
    def _batches(
        self, plan: _Plan, stop: Callable[[], bool]
    ) -> Iterator[list[tuple[VaultFile, Loaded, NoteGraph | None]]]:
        batch: list[tuple[VaultFile, Loaded, NoteGraph | None]] = []
        chunks = 0
        for file in plan.todo:
            if stop():
                return
            loaded = plan.held.pop(file.path, None) or self.source.load(file)
            if isinstance(loaded, Fault):
                self._unread[file.path] = loaded
                continue
            graph = self.source.graph(loaded, self.catalog)
            batch.append((file, loaded, graph))
            chunks += len(graph.chunks) if graph else 0
            if len(batch) >= BATCH_NOTES or chunks >= BATCH_CHUNKS:
                yield batch
                batch, chunks = [], 0
        if batch:
            yield batch

    def _write(self, batch: list[tuple[VaultFile, Loaded, NoteGraph | None]], plan: _Plan) -> tuple[int, int, int]:
        entries: list[ManifestEntry] = []
        graphs: list[NoteGraph] = []
        unindexed: list[str] = []
        for _, loaded, graph in batch:
            known = self._entries.get(loaded.file.path)
            entry = _entry(loaded, graph)
            if loaded.file.path not in plan.changed and known is not None:
                if known.file_hash != entry.file_hash:
                    # It changed since the scan: its own event, or the next scan, brings it.
                    continue
                if known.payload_hash == entry.payload_hash:
                    continue
            entries.append(entry)
            if graph is not None:
                graphs.append(graph)
            elif known is not None and known.indexed:
                unindexed.append(known.note_id)
        windows = [chunk.window for graph in graphs for chunk in graph.chunks]
        vectors, embedded, reused = embed_cached(self.embedder, self.vectors, windows)
        replacements = []
        start = 0
        for graph in graphs:
            end = start + len(graph.chunks)
            replacements.append((graph, vectors[start:end], self._previous(graph)))
            start = end
        with self.store.exclusive():
            self.store.replace_notes(replacements)
            for note_id in unindexed:
                self._forget(note_id)
            self._commit(entries, [], graphs)
        return len(entries), embedded, reused

    def _previous(self, graph: NoteGraph) -> str | None:
        """The id under which the note was stored before, if no other note has it by now."""
        known = self._entries.get(graph.note.path)
        if known is None or not known.indexed or known.note_id == graph.note.note_id:
            return None
        return known.note_id if self.catalog.path_of(known.note_id) is None else None

    def _remove(self, paths: Iterable[str]) -> list[str]:
        paths = list(paths)
        if not paths:
            return []
        with self.store.exclusive():
            for path in paths:
                if (entry := self._entries[path]).indexed:
                    self._forget(entry.note_id)
            self._commit([], paths, ())
        return paths

    def _forget(self, note_id: str) -> None:
        """Takes a note out of the store, unless another file has its id by now (a move with an ``id``)."""
        if self.catalog.path_of(note_id) is None:
            self.store.remove_note(note_id)

    def _commit(self, entries: Iterable[ManifestEntry], removed: list[str], graphs: Iterable[NoteGraph]) -> None:
        entries = list(entries)
        self.manifest.commit(entries, removed, graphs=list(graphs))
        for path in removed:
            self._entries.pop(path, None)
        self._entries.update({entry.path: entry for entry in entries})


def _missing(known: Iterable[str], files: Mapping[str, VaultFile], faults: Iterable[Fault]) -> set[str]:
    """Known paths that were not found again, except where something could not be looked at."""
    hidden = [fault.path for fault in faults if fault.code in UNREADABLE]
    return {
        path
        for path in known
        if path not in files and not any(path == at or not at or path.startswith(f"{at}/") for at in hidden)
    }


def _newest_first(file: VaultFile) -> tuple[int, str]:
    return -file.mtime_ns, file.path


def _name(entry: ManifestEntry) -> NoteName:
    return NoteName(entry.path, entry.fm_id, entry.title, entry.aliases, entry.type)


def _entry(loaded: Loaded, graph: NoteGraph | None) -> ManifestEntry:
    name = loaded.name
    return ManifestEntry(
        path=loaded.file.path,
        note_id=graph.note.note_id if graph else "",
        size=loaded.text.size,
        mtime_ns=loaded.text.mtime_ns,
        file_hash=loaded.text.sha256,
        body_hash=graph.note.hashes["body"] if graph else "",
        payload_hash=payload_hash(graph) if graph else "",
        chunks=len(graph.chunks) if graph else 0,
        edges=len(graph.edges) if graph else 0,
        fm_id=name.note_id_hint if name else None,
        title=name.title if name else "",
        aliases=name.aliases if name else (),
        type=name.type if name else "",
        faults=(*loaded.text.faults, *(graph.faults if graph else loaded.parsed.faults)),
        indexed=graph is not None,
        counts=count_edges(graph.edges) if graph else {},
        link_keys=frozenset().union(*(link_keys(m.target) for m in loaded.parsed.mentions if m.target)),
    )


def payload_hash(graph: NoteGraph) -> str:
    """SHA-256 over what of a note depends on other notes too: its id and its edges."""
    digest = hashlib.sha256(graph.note.note_id.encode())
    for edge in graph.edges:
        digest.update(
            f"{edge.edge_id}|{edge.rule_id}|{edge.provenance}|{edge.confidence}|{edge.resolved}|{edge.evidence}\n".encode()
        )
    return digest.hexdigest()
