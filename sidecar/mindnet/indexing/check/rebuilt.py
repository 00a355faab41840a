"""What is stored of each file against what its text says: it is built anew, by itself, and nothing is written.

The file on disk is read only if it still has the hash that the manifest knows; names and stakes
are those that the pipeline has. So a difference is one of the index alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from mindnet.indexing.check.problem import Payload
from mindnet.indexing.check.stale import Stale
from mindnet.indexing.entries import entry_of
from mindnet.indexing.pipeline import Pipeline
from mindnet.indexing.source import Loaded
from mindnet.knowledge.mirrors import NOTHING, stake_of
from mindnet.records import Fault, NoteGraph
from mindnet.store.kept import Kept, kept
from mindnet.store.manifest import ManifestEntry
from mindnet.store.port import AnyOf, Collection

NOTES = 32
"""So many are compared at a time; the worker waits for that long, and so much is held in memory."""


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """A file as it is built now, beside what is kept of it. ``graph`` is None for one that is not indexed."""

    loaded: Loaded
    graph: NoteGraph | None
    due: ManifestEntry
    kept: Kept
    stored: Mapping[Collection, Sequence[Payload]]

    @property
    def path(self) -> str:
        return self.due.path


def rebuilt(pipeline: Pipeline, paths: Sequence[str], stale: Stale) -> Iterator[list[Rebuilt]]:
    """The files that have not changed and that no update has in hand, some at a time; ``stale`` learns of the others.

    While some are looked at, nothing of them changes.
    """
    for start in range(0, len(paths), NOTES):
        some = paths[start : start + NOTES]
        with pipeline.steady():
            waiting = pipeline.waiting()
            stale.files.update((path, "file_waiting") for path in some if path in waiting)
            asked = [path for path in some if path not in waiting and path not in stale.files]
            yield list(_some(pipeline, asked, stale))


def rebuild(pipeline: Pipeline, path: str) -> tuple[Loaded, NoteGraph | None] | None:
    """A file and what it becomes in the light of the pipeline's names and stakes; None if it cannot be read."""
    file = pipeline.source.file(path)
    loaded = pipeline.source.load(file) if file is not None else None
    if loaded is None or isinstance(loaded, Fault):
        return None
    graph = pipeline.source.graph(loaded, pipeline.catalog) if path in pipeline.catalog or loaded.name is None else None
    return loaded, graph


def settled(pipeline: Pipeline, graph: NoteGraph) -> NoteGraph:
    """With the edges that the file owns."""
    return replace(graph, edges=pipeline.stakes.settle(graph.note.path, graph.edges))


def _some(pipeline: Pipeline, paths: Sequence[str], stale: Stale) -> Iterator[Rebuilt]:
    stored = _stored(pipeline, [entry.note_id for path in paths if (entry := pipeline.entries.get(path))])
    for own in kept(pipeline.manifest, paths):
        path = own.entry.path
        built = rebuild(pipeline, path)
        if built is None:
            continue
        loaded, raw = built
        if loaded.text.sha256 != own.entry.file_hash:
            stale.files[path] = "file_changed"
            continue
        graph = settled(pipeline, raw) if raw else None
        stake = stake_of(raw.edges, pipeline.source.kinds) if raw else NOTHING
        note_id = graph.note.note_id if graph else own.entry.note_id
        yield Rebuilt(loaded, graph, entry_of(loaded, graph, stake), own, stored.get(note_id, {}))


def _stored(pipeline: Pipeline, note_ids: Sequence[str]) -> Mapping[str, Mapping[Collection, list[Payload]]]:
    """Every payload of these notes."""
    found: dict[str, dict[Collection, list[Payload]]] = {}
    ids = tuple(dict.fromkeys(note_id for note_id in note_ids if note_id))
    collections: tuple[Collection, ...] = ("notes", "chunks", "edges")
    with pipeline.store.exclusive():
        for collection in collections if ids else ():
            for payload in pipeline.store.scroll(collection, AnyOf("note_id", ids)):
                found.setdefault(payload["note_id"], {}).setdefault(collection, []).append(payload)
    return found
