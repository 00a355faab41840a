"""Records to the JSON payloads that are stored and shown, and back.

Payloads hold only what every JSON reader takes: whatever a frontmatter says that JSON cannot
(not a number, an integer above 64 bits, half of a surrogate pair, hundreds of nested lists)
becomes text, since one such value makes the engine refuse a whole batch.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import fields
from operator import attrgetter
from typing import Any
from uuid import UUID

from mindnet.name_uuid import name_uuid
from mindnet.records import Chunk, Edge, Evidence, Note, NoteGraph
from mindnet.store.port import Collection

Payload = dict[str, Any]

_NOTE_FIELDS = tuple(field.name for field in fields(Note))
_CHUNK_FIELDS = tuple(field.name for field in fields(Chunk))
_EDGE_FIELDS = tuple(field.name for field in fields(Edge))
FIELDS: Mapping[Collection, tuple[str, ...]] = {"notes": _NOTE_FIELDS, "chunks": _CHUNK_FIELDS, "edges": _EDGE_FIELDS}
"""The fields of a payload, in order."""
_VALUES = {collection: attrgetter(*names) for collection, names in FIELDS.items()}
_WRITTEN = ("source_id", "target_id", "target_section", "note_id", "kind", "rule_id")
"""Fields of an edge with text from notes; the others are made by mindnet, of numbers and ASCII."""
_TUPLES = frozenset({"tags", "aliases", "edge_defaults", "headings", "heading_path"})


_MAX_DEPTH = 64
"""Nesting below this is kept; the engine's own reader stops at 128."""
_INTEGERS = range(-(2**63), 2**64)


def json_value(value: Any, depth: int = 0) -> Any:
    """``value`` as JSON that comes back equal from every store; what cannot be is written as text."""
    match value:
        case str():
            return value if value.isascii() else value.encode("utf-8", "replace").decode("utf-8")
        case bool() | None:
            return value
        case int():
            return value if value in _INTEGERS else str(value)
        case float():
            return value if math.isfinite(value) else str(value)
        case Mapping() if depth < _MAX_DEPTH:
            return {json_value(str(key)): json_value(one, depth + 1) for key, one in value.items()}
        case list() | tuple() if depth < _MAX_DEPTH:
            return [json_value(one, depth + 1) for one in value]
        case _:
            return json_value(_as_text(value))


def _as_text(value: Any) -> str:
    try:
        return str(value)
    except RecursionError:
        return "…"


def _plain(collection: Collection, record: object) -> Payload:
    return dict(zip(FIELDS[collection], map(json_value, _VALUES[collection](record)), strict=True))


def _fields(payload: Mapping[str, Any], names: tuple[str, ...]) -> Payload:
    return {name: tuple(payload[name]) if name in _TUPLES else payload[name] for name in names}


def note_payload(note: Note) -> Payload:
    return _plain("notes", note)


def note_of(payload: Mapping[str, Any]) -> Note:
    return Note(**_fields(payload, _NOTE_FIELDS))


def chunk_payload(chunk: Chunk) -> Payload:
    return _plain("chunks", chunk)


def chunk_of(payload: Mapping[str, Any]) -> Chunk:
    return Chunk(**_fields(payload, _CHUNK_FIELDS))


def edge_payload(edge: Edge) -> Payload:
    payload: Payload = dict(zip(_EDGE_FIELDS, _VALUES["edges"](edge), strict=True))
    payload["evidence"] = [_evidence(item) for item in edge.evidence]
    # A vault has several edges a note: only what a note can say is looked at.
    for name in _WRITTEN:
        if not payload[name].isascii():
            payload[name] = json_value(payload[name])
    return payload


def _evidence(item: Evidence) -> Payload:
    found: Payload = {"rule_id": item.rule_id, "line": item.line, "label": json_value(item.label)}
    if item.original is not None or item.pending:
        found["original"] = item.original
    if item.pending:
        found["pending"] = True
    return found


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
    return name_uuid(f"mindnet:point:note:{note_id}")


def chunk_point(chunk_id: str) -> str:
    """The point id of a chunk: a UUIDv5 of its id."""
    return name_uuid(f"mindnet:point:chunk:{chunk_id}")


def is_point(text: str) -> bool:
    """Whether ``text`` is written as the id of a point is."""
    try:
        return str(UUID(text)) == text
    except ValueError:
        return False
