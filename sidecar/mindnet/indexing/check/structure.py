"""Rules on points as such, on notes against the manifest, and on the order of chunks."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator

from mindnet.indexing.check.problem import Problem, place
from mindnet.indexing.check.state import ChunkRow, State
from mindnet.store.schema import INDEXES

STRUCTURE_FIELDS = {"belongs_to": "note_id", "next": "neighbors_next", "prev": "neighbors_prev"}
"""Kinds that mindnet alone makes, and the field of the chunk that names their target."""


def payload_schema(state: State) -> Iterator[Problem]:
    """Every payload has the fields of its schema, each of its type and in its range, and no other."""
    yield from state.odd


def payload_indexes(state: State) -> Iterator[Problem]:
    for collection, fields in INDEXES.items():
        for name in sorted(fields.keys() - state.pipeline.store.indexes(collection)):
            yield Problem("index_missing", f"{collection}.{name}", "the payload field is not indexed")


def manifest_agrees(state: State) -> Iterator[Problem]:
    """Every indexed file has its note, with as many chunks and edges as the manifest says, and no other is stored."""
    chunks = Counter(chunk.note_id for chunk in state.chunks.values())
    edges = Counter(edge.note_id for edge in state.edges)
    known = set()
    for entry in state.entries:
        if not entry.indexed:
            continue
        known.add(entry.note_id)
        note = state.notes.get(entry.note_id)
        if note is not None and note.path != entry.path and state.settled(entry.note_id):
            yield Problem("path_differs", entry.path, f"the store has the note at {note.path}")
        stored = (entry.note_id in state.notes, chunks[entry.note_id], edges[entry.note_id])
        if stored != (True, entry.chunks, entry.edges) and state.settled(entry.note_id):
            yield Problem(
                "points_differ",
                entry.path,
                f"the store holds {'the note' if stored[0] else 'no note'}, {stored[1]} chunks and {stored[2]} edges, "
                f"the manifest the note, {entry.chunks} and {entry.edges}",
            )
    for note_id in sorted((state.notes.keys() | chunks.keys() | edges.keys()) - known):
        yield Problem("ghost", state.path(note_id), f"{note_id} is stored, but no file of the vault has this note")


def chunk_chain(state: State) -> Iterator[Problem]:
    """Chunks count from 1 and name their neighbours; every ``next`` has its ``prev``."""
    of_note: dict[str, list[ChunkRow]] = defaultdict(list)
    back = {"neighbors_next": "neighbors_prev", "neighbors_prev": "neighbors_next"}
    for chunk_id, chunk in state.chunks.items():
        of_note[chunk.note_id].append(chunk)
        for name, other in back.items():
            neighbour = getattr(chunk, name)
            found = state.chunks.get(neighbour) if neighbour is not None else None
            if neighbour is not None and (found is None or getattr(found, other) != chunk_id):
                message = f"`{name}` of chunk {chunk.ord} is {state.end(neighbour)}, which does not lead back"
                yield Problem("chain_broken", _place(state, chunk), message)
    for note_id, own in of_note.items():
        for due, chunk in enumerate(sorted(own, key=lambda chunk: (chunk.ord, chunk.chunk_id)), start=1):
            if (chunk.ord, chunk.chunk_id) != (due, f"{note_id}#c{due:02d}"):
                message = f"{chunk.chunk_id} is chunk {chunk.ord} where {due} is due"
                yield Problem("chunk_order", _place(state, chunk), message)
    pairs = {(e.source_id, e.target_id, e.kind) for e in state.edges if e.kind in ("next", "prev")}
    for source, target, kind in sorted(pairs):
        other = "prev" if kind == "next" else "next"
        if (target, source, other) not in pairs:
            yield Problem(
                "chain_broken", _chunk_place(state, source), f"`{kind}` to {state.end(target)} has no `{other}`"
            )


def structure_edges(state: State) -> Iterator[Problem]:
    """Each chunk has its edge to its note and to the neighbours that it names, and no other of these kinds."""
    said = {
        (chunk_id, target, kind)
        for chunk_id, chunk in state.chunks.items()
        for kind, field in STRUCTURE_FIELDS.items()
        if (target := getattr(chunk, field)) is not None
    }
    stored = {(e.source_id, e.target_id, e.kind) for e in state.edges if e.kind in STRUCTURE_FIELDS}
    for source, target, kind in sorted(said - stored):
        yield Problem(
            "structure_missing", _chunk_place(state, source), f"`{kind}` to {state.end(target)} is not stored"
        )
    for source, target, kind in sorted(stored - said):
        message = f"`{kind}` to {state.end(target)}, which the chunk does not name"
        yield Problem("structure_stray", _chunk_place(state, source), message)


def inherited_values(state: State) -> Iterator[Problem]:
    """A chunk is filtered and weighted by values of its note: they are the note's."""
    for chunk in state.chunks.values():
        for name, (own, due) in chunk.differing.items():
            message = f"`{name}` of chunk {chunk.ord} is {own!r}, the note's is {due!r}"
            yield Problem("chunk_differs", _place(state, chunk), message)


def lexical_agrees(state: State) -> Iterator[Problem]:
    for chunk_id in sorted(state.chunks.keys() ^ state.lexical_chunks):
        note_id = chunk_id.rpartition("#c")[0]
        if note_id not in state.unsettled:
            what = "no words are kept" if chunk_id in state.chunks else "words are kept of a chunk that is not there"
            yield Problem("lexical_differs", _chunk_place(state, chunk_id), f"{state.end(chunk_id)}: {what}")


def _place(state: State, chunk: ChunkRow) -> str:
    return place(state.path(chunk.note_id), chunk.line)


def _chunk_place(state: State, chunk_id: str) -> str:
    chunk = state.chunks.get(chunk_id)
    return _place(state, chunk) if chunk else state.path(chunk_id.rpartition("#c")[0] or chunk_id)
