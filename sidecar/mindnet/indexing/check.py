"""The graph check: is what is stored whole, consistent, and the same as the vault?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from mindnet.indexing.pipeline import Pipeline
from mindnet.records import Fault
from mindnet.store.lexical import LexicalIndex
from mindnet.store.port import Store
from mindnet.store.schema import INDEXES
from mindnet.vault.read import encode_note, read_bytes

Payload = Mapping[str, Any]
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
    protected: frozenset[str]
    pipeline: Pipeline
    lexical_chunks: frozenset[str]


def check_index(pipeline: Pipeline, lexical: LexicalIndex) -> list[Problem]:
    """Every problem found, in the order of the rules; an empty list for a clean index."""
    store = pipeline.store
    with store.exclusive():
        state = State(
            notes={payload["note_id"]: payload for payload in store.scroll("notes")},
            chunks={payload["chunk_id"]: payload for payload in store.scroll("chunks")},
            edges=tuple(store.scroll("edges")),
            protected=pipeline.source.kinds.protected,
            pipeline=pipeline,
            lexical_chunks=frozenset(lexical.chunk_ids()),
        )
    return [problem for rule in RULES for problem in rule(state)]


def missing_fields(store: Store) -> list[Problem]:
    """A remark for each note whose frontmatter lacks ``id``, ``type`` or ``title``; none of them is mandatory."""
    remarks = []
    for note in store.scroll("notes"):
        written = {key.lower() for key, value in note["frontmatter"].items() if value not in (None, "")}
        if lacking := [field for field in FIELDS if field not in written]:
            message = f"the frontmatter has no {', '.join(f'`{field}`' for field in lacking)}"
            remarks.append(Problem("field_missing", note["path"], message))
    return sorted(remarks, key=lambda remark: remark.id)


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
    for chunk_id, chunk in state.chunks.items():
        for name, back in (("neighbors_next", "neighbors_prev"), ("neighbors_prev", "neighbors_next")):
            neighbour = chunk[name]
            if neighbour is not None and state.chunks.get(neighbour, {}).get(back) != chunk_id:
                yield Problem("chain_broken", chunk_id, f"{name} is {neighbour}, which does not lead back")
    pairs = {(e["source_id"], e["target_id"], e["kind"]) for e in state.edges if e["kind"] in ("next", "prev")}
    for source, target, kind in sorted(pairs):
        back = "prev" if kind == "next" else "next"
        if (target, source, back) not in pairs:
            yield Problem("chain_broken", source, f"`{kind}` to {target} has no `{back}`")


def edge_ends(state: State) -> Iterator[Problem]:
    """No orphan edges: the source exists, and the target does exactly when the edge says so."""
    for edge in state.edges:
        sources = state.chunks if edge["scope"] == "chunk" else state.notes
        if edge["source_id"] not in sources:
            yield Problem("orphan_edge", edge["edge_id"], f"its source {edge['source_id']} does not exist")
        targets = state.chunks if edge["kind"] in ("next", "prev") else state.notes
        if edge["resolved"] and edge["target_id"] not in targets:
            yield Problem("orphan_edge", edge["edge_id"], f"its target {edge['target_id']} does not exist")
        if not edge["resolved"]:
            owner = state.notes.get(edge["note_id"])
            if owner and state.pipeline.catalog.resolve(owner["path"], edge["target_id"]).path is not None:
                yield Problem("not_healed", edge["edge_id"], f"{edge['target_id']} exists by now")


def edge_identity(state: State) -> Iterator[Problem]:
    """No doubles: source, target, kind and section occur once."""
    seen = Counter((e["source_id"], e["target_id"], e["kind"], e["target_section"]) for e in state.edges)
    for key, number in sorted(seen.items()):
        if number > 1:
            yield Problem("double_edge", "->".join(key[:2]), f"`{key[2]}` is stored {number} times")


def protected_kinds(state: State) -> Iterator[Problem]:
    for edge in state.edges:
        if edge["kind"] in state.protected and edge["provenance"] != "structure":
            yield Problem("protected_kind", edge["edge_id"], f"`{edge['kind']}` with provenance {edge['provenance']}")


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
        if content != encode_note(note["fulltext"], note["encoding"], note["bom"]) and not _changed(state, entry.path):
            yield Problem("round_trip", entry.path, "the stored text does not give the file back")


def _changed(state: State, path: str) -> bool:
    file = state.pipeline.source.file(path)
    entry = state.pipeline.entries[path]
    return file is None or (file.size, file.mtime_ns) != (entry.size, entry.mtime_ns)


RULES: tuple[Callable[[State], Iterator[Problem]], ...] = (
    payload_indexes,
    manifest_agrees,
    chunk_chain,
    edge_ends,
    edge_identity,
    protected_kinds,
    lexical_agrees,
    round_trip,
)
