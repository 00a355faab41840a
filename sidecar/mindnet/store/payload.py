"""Records to the JSON payloads that are stored and shown, and back."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from mindnet.records import Chunk, Edge, Evidence, Note, NoteGraph
from mindnet.store.port import Collection

Payload = dict[str, Any]

_NOTE_FIELDS = tuple(field.name for field in fields(Note))
_CHUNK_FIELDS = tuple(field.name for field in fields(Chunk))
_EDGE_FIELDS = tuple(field.name for field in fields(Edge))
_TUPLES = frozenset({"tags", "aliases", "edge_defaults", "headings", "heading_path"})


def _plain(record: object, names: tuple[str, ...]) -> Payload:
    return {
        name: list(value) if name in _TUPLES else value
        for name, value in ((name, getattr(record, name)) for name in names)
    }


def _fields(payload: Mapping[str, Any], names: tuple[str, ...]) -> Payload:
    return {name: tuple(payload[name]) if name in _TUPLES else payload[name] for name in names}


def note_payload(note: Note) -> Payload:
    payload = _plain(note, _NOTE_FIELDS)
    payload["hashes"] = dict(note.hashes)
    payload["frontmatter"] = dict(note.frontmatter)
    return payload


def note_of(payload: Mapping[str, Any]) -> Note:
    return Note(**_fields(payload, _NOTE_FIELDS))


def chunk_payload(chunk: Chunk) -> Payload:
    return _plain(chunk, _CHUNK_FIELDS)


def chunk_of(payload: Mapping[str, Any]) -> Chunk:
    return Chunk(**_fields(payload, _CHUNK_FIELDS))


def edge_payload(edge: Edge) -> Payload:
    payload = _plain(edge, _EDGE_FIELDS)
    payload["evidence"] = [
        {"rule_id": item.rule_id, "line": item.line, "label": item.label} for item in edge.evidence
    ]
    return payload


def edge_of(payload: Mapping[str, Any]) -> Edge:
    values = _fields(payload, _EDGE_FIELDS)
    values["evidence"] = tuple(Evidence(**item) for item in payload["evidence"])
    return Edge(**values)


def graph_payloads(graph: NoteGraph) -> Iterator[tuple[Collection, Payload]]:
    """Every payload of a note: its own, its chunks', its edges'."""
    yield "notes", note_payload(graph.note)
    for chunk in graph.chunks:
        yield "chunks", chunk_payload(chunk)
    for edge in graph.edges:
        yield "edges", edge_payload(edge)


def note_point(note_id: str) -> str:
    """The point id of a note: a UUIDv5 of its id."""
    return str(uuid5(NAMESPACE_URL, f"mindnet:point:note:{note_id}"))


def chunk_point(chunk_id: str) -> str:
    """The point id of a chunk: a UUIDv5 of its id."""
    return str(uuid5(NAMESPACE_URL, f"mindnet:point:chunk:{chunk_id}"))
