"""The graph check: is what is stored whole, consistent, and the same as the vault?"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from mindnet.indexing.pipeline import Pipeline
from mindnet.knowledge.edges import CANDIDATE, EXPLICIT, edge_id
from mindnet.records import Fault
from mindnet.store.lexical import LexicalIndex
from mindnet.store.payload_schema import IDS, payload_fault
from mindnet.store.port import Collection, Store
from mindnet.store.schema import INDEXES
from mindnet.vault.read import encode_note, read_bytes

Payload = Mapping[str, Any]
STRUCTURE_FIELDS = {"belongs_to": "note_id", "next": "neighbors_next", "prev": "neighbors_prev"}
"""Kinds that mindnet alone makes, and the field of the chunk that names their target."""
INHERITED = (
    "title", "path", "type", "status", "tags", "aliases", "private", "retriever_weight", "chunk_profile",
    "edge_defaults", "created", "updated",
)  # fmt: skip
FIELDS = ("id", "type", "title")
"""What a strict check expects of a note's frontmatter."""


@dataclass(frozen=True, slots=True)
class Problem:
    """``id`` names what is wrong: a note's path, a chunk or an edge."""

    code: str
    id: str
    message: str


@dataclass(frozen=True, slots=True)
class State:
    """All that the rules look at, read once."""

    notes: Mapping[str, Payload]
    chunks: Mapping[str, Payload]
    edges: tuple[Payload, ...]
    odd: tuple[Problem, ...]
    """Payloads that are not as their schema says, or there twice; they are not among those above."""
    protected: frozenset[str]
    pipeline: Pipeline
    lexical_chunks: frozenset[str]


def check_index(pipeline: Pipeline, lexical: LexicalIndex) -> list[Problem]:
    """Every problem found, in the order of the rules; an empty list for a clean index."""
    store = pipeline.store
    with store.exclusive():
        read = {collection: tuple(store.scroll(collection)) for collection in INDEXES}
        lexical_chunks = frozenset(lexical.chunk_ids())
    odd: list[Problem] = []
    state = State(
        notes=_by_id("notes", read["notes"], odd),
        chunks=_by_id("chunks", read["chunks"], odd),
        edges=tuple(_sound("edges", read["edges"], odd)),
        odd=tuple(odd),
        protected=pipeline.source.kinds.protected,
        pipeline=pipeline,
        lexical_chunks=lexical_chunks,
    )
    return [problem for rule in RULES for problem in rule(state)]


def _sound(collection: Collection, payloads: Iterable[Payload], odd: list[Problem]) -> Iterator[Payload]:
    """The payloads that are as their schema says: the other rules could not read the rest."""
    for payload in payloads:
        fault = payload_fault(collection, payload)
        if fault is None:
            yield payload
        else:
            name = f"{collection}: {payload.get(IDS[collection], 'without id')}"
            odd.append(Problem("payload_schema", name, fault))


def _by_id(collection: Collection, payloads: Iterable[Payload], odd: list[Problem]) -> dict[str, Payload]:
    found: dict[str, Payload] = {}
    for payload in _sound(collection, payloads, odd):
        name = payload[IDS[collection]]
        if found.setdefault(name, payload) is not payload:
            odd.append(Problem("double_point", name, f"stored more than once in {collection}"))
    return found


def missing_fields(store: Store) -> list[Problem]:
    """A remark for each note whose frontmatter lacks ``id``, ``type`` or ``title``; none of them is mandatory."""
    remarks = []
    for note in store.scroll("notes"):
        written = {key.lower() for key, value in note["frontmatter"].items() if value not in (None, "")}
        if lacking := [field for field in FIELDS if field not in written]:
            message = f"the frontmatter has no {', '.join(f'`{field}`' for field in lacking)}"
            remarks.append(Problem("field_missing", note["path"], message))
    return sorted(remarks, key=lambda remark: remark.id)


def payload_schema(state: State) -> Iterator[Problem]:
    """Every payload has the fields of its schema, each of its type and in its range, and no other."""
    yield from state.odd


def payload_indexes(state: State) -> Iterator[Problem]:
    for collection, fields in INDEXES.items():
        for name in sorted(fields.keys() - state.pipeline.store.indexes(collection)):
            yield Problem("index_missing", f"{collection}.{name}", "the payload field is not indexed")


def manifest_agrees(state: State) -> Iterator[Problem]:
    """Every indexed file has its note, with as many chunks and edges as the manifest says, and no other is stored."""
    chunks = Counter(payload["note_id"] for payload in state.chunks.values())
    edges = Counter(payload["note_id"] for payload in state.edges)
    known = set()
    for entry in state.pipeline.entries.values():
        if not entry.indexed:
            continue
        known.add(entry.note_id)
        note = state.notes.get(entry.note_id)
        if note is not None and note["path"] != entry.path:
            yield Problem("path_differs", entry.path, f"the store has the note at {note['path']}")
        stored = (entry.note_id in state.notes, chunks[entry.note_id], edges[entry.note_id])
        if stored != (True, entry.chunks, entry.edges):
            yield Problem(
                "points_differ",
                entry.path,
                f"the store holds {stored[1]} chunks and {stored[2]} edges, "
                f"the manifest {entry.chunks} and {entry.edges}",
            )
    for note_id in sorted((state.notes.keys() | chunks.keys() | edges.keys()) - known):
        yield Problem("ghost", note_id, "stored, but no file of the vault has this note")


def chunk_chain(state: State) -> Iterator[Problem]:
    """Chunks count from 1 and name their neighbours; every ``next`` has its ``prev``."""
    of_note: dict[str, list[Payload]] = defaultdict(list)
    for chunk_id, chunk in state.chunks.items():
        of_note[chunk["note_id"]].append(chunk)
        for name, back in (("neighbors_next", "neighbors_prev"), ("neighbors_prev", "neighbors_next")):
            neighbour = chunk[name]
            if neighbour is not None and state.chunks.get(neighbour, {}).get(back) != chunk_id:
                yield Problem("chain_broken", chunk_id, f"{name} is {neighbour}, which does not lead back")
    for note_id, own in of_note.items():
        for due, chunk in enumerate(sorted(own, key=lambda chunk: (chunk["ord"], chunk["chunk_id"])), start=1):
            if (chunk["ord"], chunk["chunk_id"]) != (due, f"{note_id}#c{due:02d}"):
                yield Problem("chunk_order", chunk["chunk_id"], f"it is chunk {chunk['ord']} where {due} is due")
    pairs = {(e["source_id"], e["target_id"], e["kind"]) for e in state.edges if e["kind"] in ("next", "prev")}
    for source, target, kind in sorted(pairs):
        back = "prev" if kind == "next" else "next"
        if (target, source, back) not in pairs:
            yield Problem("chain_broken", source, f"`{kind}` to {target} has no `{back}`")


def structure_edges(state: State) -> Iterator[Problem]:
    """Each chunk has its edge to its note and to the neighbours that it names, and no other of these kinds."""
    said = {
        (chunk_id, target, kind)
        for chunk_id, chunk in state.chunks.items()
        for kind, field in STRUCTURE_FIELDS.items()
        if (target := chunk[field]) is not None
    }
    stored = {(e["source_id"], e["target_id"], e["kind"]) for e in state.edges if e["kind"] in STRUCTURE_FIELDS}
    for source, target, kind in sorted(said - stored):
        yield Problem("structure_missing", source, f"`{kind}` to {target} is not stored")
    for source, target, kind in sorted(stored - said):
        yield Problem("structure_stray", source, f"`{kind}` to {target}, which the chunk does not name")


def inherited_values(state: State) -> Iterator[Problem]:
    """A chunk is filtered and weighted by values of its note: they are the note's."""
    for chunk_id, chunk in state.chunks.items():
        # A chunk without a note is a ghost, and reported as that.
        note = state.notes.get(chunk["note_id"], chunk)
        for name in INHERITED:
            if chunk[name] != note[name]:
                yield Problem("chunk_differs", chunk_id, f"`{name}` is {chunk[name]!r}, the note's is {note[name]!r}")


def edge_ends(state: State) -> Iterator[Problem]:
    """No orphan edges: the source exists, and the target does exactly when the edge says so."""
    for edge in state.edges:
        sources = state.chunks if edge["scope"] == "chunk" else state.notes
        if edge["source_id"] not in sources:
            yield Problem("orphan_edge", edge["edge_id"], f"its source {edge['source_id']} does not exist")
        elif edge["scope"] == "chunk" and state.chunks[edge["source_id"]]["note_id"] != edge["note_id"]:
            yield Problem("wrong_owner", edge["edge_id"], f"its source is no chunk of {edge['note_id']}")
        if edge["note_id"] not in state.notes:
            yield Problem("orphan_edge", edge["edge_id"], f"its note {edge['note_id']} does not exist")
        targets = state.chunks if edge["kind"] in ("next", "prev") else state.notes
        if edge["resolved"] and edge["target_id"] not in targets:
            yield Problem("orphan_edge", edge["edge_id"], f"its target {edge['target_id']} does not exist")
        if not edge["resolved"]:
            owner = state.notes.get(edge["note_id"])
            if owner and state.pipeline.catalog.resolve(owner["path"], edge["target_id"]).path is not None:
                yield Problem("not_healed", edge["edge_id"], f"{edge['target_id']} exists by now")


def edge_identity(state: State) -> Iterator[Problem]:
    """No doubles: source, target, kind and section occur once, and the id is made of them."""
    seen = Counter((e["source_id"], e["target_id"], e["kind"], e["target_section"]) for e in state.edges)
    for key, number in sorted(seen.items()):
        if number > 1:
            yield Problem("double_edge", "->".join(key[:2]), f"`{key[2]}` is stored {number} times")
    for edge in state.edges:
        if edge["edge_id"] != edge_id(edge["source_id"], edge["target_id"], edge["kind"], edge["target_section"]):
            yield Problem("wrong_id", edge["edge_id"], "the id is not that of its source, target, kind and section")


def protected_kinds(state: State) -> Iterator[Problem]:
    for edge in state.edges:
        if edge["kind"] in state.protected and edge["provenance"] != "structure":
            yield Problem("protected_kind", edge["edge_id"], f"`{edge['kind']}` with provenance {edge['provenance']}")


def mirrors_complete(state: State) -> Iterator[Problem]:
    """Each explicit relation has its inverse from the other end, once, and no mirror is left without an original."""
    kinds = state.pipeline.source.kinds
    said: dict[tuple[str, str, str], Payload] = {}
    stored: set[tuple[str, str, str]] = set()
    for edge in state.edges:
        source = edge["note_id"] if edge["scope"] == "chunk" else edge["source_id"]
        ends = source, edge["target_id"], edge["kind"]
        if edge["scope"] == "note" and not edge["target_section"] and not edge["provenance"].startswith(CANDIDATE):
            stored.add(ends)
        if edge["provenance"] == EXPLICIT and edge["resolved"] and source != edge["target_id"]:
            said[ends] = edge
    by_id = {edge["edge_id"]: edge for edge in state.edges}
    for (source, target, kind), edge in said.items():
        inverse = kinds.inverse(kind)
        if inverse is not None and (target, source, inverse) not in said and (target, source, inverse) not in stored:
            yield Problem("mirror_missing", edge["edge_id"], f"`{kind}` has no `{inverse}` from its other end")
    for edge in state.edges:
        if edge["mirror_of"] is None:
            continue
        original = by_id.get(edge["mirror_of"])
        if original is None or kinds.inverse(original["kind"]) != edge["kind"]:
            yield Problem("mirror_stale", edge["edge_id"], "the edge that it mirrors is not there")
        elif (edge["source_id"], edge["target_id"], edge["kind"]) in said:
            yield Problem("mirror_stale", edge["edge_id"], f"the note says `{edge['kind']}` itself")


def lexical_agrees(state: State) -> Iterator[Problem]:
    for chunk_id in sorted(state.chunks.keys() ^ state.lexical_chunks):
        yield Problem("lexical_differs", chunk_id, "words and chunks are not of the same state")


def round_trip(state: State) -> Iterator[Problem]:
    """What is stored gives each file back byte for byte; files changed since are left to the next scan."""
    for entry in state.pipeline.entries.values():
        note = state.notes.get(entry.note_id)
        if not entry.indexed or note is None:
            continue
        content = read_bytes(state.pipeline.source.vault, entry.path)
        if isinstance(content, Fault):
            continue
        if content != _stored_bytes(note) and not _changed(state, entry.path):
            yield Problem("round_trip", entry.path, "the stored text does not give the file back")


def _stored_bytes(note: Payload) -> bytes | None:
    try:
        return encode_note(note["fulltext"], note["encoding"], note["bom"])
    except (LookupError, UnicodeError):
        return None


def _changed(state: State, path: str) -> bool:
    file = state.pipeline.source.file(path)
    entry = state.pipeline.entries[path]
    return file is None or (file.size, file.mtime_ns) != (entry.size, entry.mtime_ns)


RULES: tuple[Callable[[State], Iterator[Problem]], ...] = (
    payload_schema,
    payload_indexes,
    manifest_agrees,
    chunk_chain,
    structure_edges,
    inherited_values,
    edge_ends,
    edge_identity,
    protected_kinds,
    mirrors_complete,
    lexical_agrees,
    round_trip,
)
