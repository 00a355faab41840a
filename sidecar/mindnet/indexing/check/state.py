"""What the rules look at that span notes: every point's ends and place in the whole, without texts, read once."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from mindnet.indexing.check.problem import Payload, Problem, end_name, first_line
from mindnet.indexing.pipeline import Pipeline
from mindnet.records import Fault, record
from mindnet.store.lexical import LexicalIndex
from mindnet.store.manifest import ManifestEntry
from mindnet.store.payload_schema import IDS, payload_fault
from mindnet.store.port import Collection
from mindnet.vault.read import read_bytes

INHERITED = (
    "title", "path", "type", "status", "tags", "aliases", "private", "retriever_weight", "chunk_profile",
    "edge_defaults", "created", "updated",
)  # fmt: skip


@record
class NoteRow:
    path: str
    values: Mapping[str, object]
    """Those that its chunks have too."""


@record
class ChunkRow:
    chunk_id: str
    note_id: str
    ord: int
    line: int
    neighbors_prev: str | None
    neighbors_next: str | None
    differing: Mapping[str, tuple[object, object]]
    """Names of the values that are not the note's, with its own and the note's."""


@record
class EdgeRow:
    edge_id: str
    source_id: str
    target_id: str
    target_section: str
    note_id: str
    kind: str
    scope: str
    provenance: str
    resolved: bool
    mirror_of: str | None
    line: int

    @property
    def source_note(self) -> str:
        return self.note_id if self.scope == "chunk" else self.source_id


@dataclass(frozen=True, slots=True)
class State:
    """``odd`` are payloads that are not as their schema says, or there twice: they are not among the others.

    ``unsettled`` are the ids of notes that an update has announced and not written yet, ``coming``
    those of notes that it has named and not written for the first time.
    """

    notes: Mapping[str, NoteRow]
    chunks: Mapping[str, ChunkRow]
    edges: tuple[EdgeRow, ...]
    odd: tuple[Problem, ...]
    entries: tuple[ManifestEntry, ...]
    lexical_chunks: frozenset[str]
    unsettled: frozenset[str]
    coming: frozenset[str]
    pipeline: Pipeline

    def settled(self, note_id: str) -> bool:
        """Whether a note's edges have to fit the others now: it is not in an update's hands, and need not be."""
        # Two files have it for a moment when the one that had it first is gone.
        own = [entry for entry in self.entries if entry.indexed and entry.note_id == note_id]
        return note_id not in self.unsettled and not any(map(self._changed, own))

    def _changed(self, entry: ManifestEntry) -> bool:
        """Whether a file is another than the one that was indexed, or gone."""
        if not entry.file_hash:
            return False
        content = read_bytes(self.pipeline.source.vault, entry.path)
        return isinstance(content, Fault) or hashlib.sha256(content).hexdigest() != entry.file_hash

    def end(self, of: str) -> str:
        """What the id of a note or chunk stands for, as a person knows it."""
        return end_name(of, self.pipeline.catalog)

    def path(self, note_id: str) -> str:
        """The file of a note, else its id."""
        note = self.notes.get(note_id)
        return note.path if note else self.pipeline.catalog.path_of(note_id) or note_id


def read_state(pipeline: Pipeline, lexical: LexicalIndex) -> State:
    """All collections at one moment, between two writes."""
    store, odd = pipeline.store, list[Problem]()
    with pipeline.steady(), store.exclusive():
        notes = dict(_notes(_sound("notes", store.scroll("notes"), odd), odd))
        chunks = dict(_chunks(_sound("chunks", store.scroll("chunks"), odd), notes, odd))
        edges = tuple(_edges(_sound("edges", store.scroll("edges"), odd)))
        waiting = pipeline.waiting()
        entries = pipeline.entries
        return State(
            notes=notes,
            chunks=chunks,
            edges=edges,
            odd=tuple(odd),
            entries=tuple(entries.values()),
            lexical_chunks=frozenset(lexical.chunk_ids()),
            unsettled=frozenset(entries[path].note_id for path in waiting if path in entries),
            coming=frozenset(pipeline.catalog.note_id(path) for path in pipeline.catalog.names if path not in entries),
            pipeline=pipeline,
        )


def _sound(collection: Collection, payloads: Iterable[Payload], odd: list[Problem]) -> Iterator[Payload]:
    """The payloads that are as their schema says: the other rules could not read the rest."""
    for payload in payloads:
        fault = payload_fault(collection, payload)
        if fault is None:
            yield payload
        else:
            name = f"{collection}: {payload.get(IDS[collection], 'without id')}"
            path = payload.get("path")
            odd.append(Problem("payload_schema", name, f"{fault} ({path})" if isinstance(path, str) else fault))


def _notes(payloads: Iterable[Payload], odd: list[Problem]) -> Iterator[tuple[str, NoteRow]]:
    seen: set[str] = set()
    for note in payloads:
        if _first("notes", note, seen, odd):
            yield note["note_id"], NoteRow(note["path"], {name: note[name] for name in INHERITED})


def _chunks(
    payloads: Iterable[Payload], notes: Mapping[str, NoteRow], odd: list[Problem]
) -> Iterator[tuple[str, ChunkRow]]:
    seen: set[str] = set()
    for chunk in payloads:
        if not _first("chunks", chunk, seen, odd):
            continue
        # A chunk without a note is a ghost, and reported as that.
        note = notes.get(chunk["note_id"])
        due = note.values if note else chunk
        differing = {name: (chunk[name], due[name]) for name in INHERITED if chunk[name] != due[name]}
        yield (
            chunk["chunk_id"],
            ChunkRow(
                chunk["chunk_id"],
                chunk["note_id"],
                chunk["ord"],
                chunk["start_line"],
                chunk["neighbors_prev"],
                chunk["neighbors_next"],
                differing,
            ),
        )


def _first(collection: Collection, payload: Payload, seen: set[str], odd: list[Problem]) -> bool:
    name = payload[IDS[collection]]
    if name in seen:
        odd.append(Problem("double_point", payload["path"], f"{name} is stored more than once in {collection}"))
        return False
    seen.add(name)
    return True


def _edges(payloads: Iterable[Payload]) -> Iterator[EdgeRow]:
    """One text for each end, kind and provenance, however often it is stored."""
    once: dict[str, str] = {}

    def kept(text: str) -> str:
        return once.setdefault(text, text)

    for edge in payloads:
        yield EdgeRow(
            edge["edge_id"],
            kept(edge["source_id"]),
            kept(edge["target_id"]),
            kept(edge["target_section"]),
            kept(edge["note_id"]),
            kept(edge["kind"]),
            kept(edge["scope"]),
            kept(edge["provenance"]),
            edge["resolved"],
            edge["mirror_of"],
            first_line(edge["evidence"]),
        )
