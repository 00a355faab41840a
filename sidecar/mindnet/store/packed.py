"""Payloads as the embedded engine keeps them: what is filtered by in fields of its own, all the rest in two texts.

The engine takes about 5 µs for each value that it is given, and keeps its name with it; so names are one letter, and
the rest are JSON lists in the order of the record's fields. The first holds what is read of hundreds of records for
each question, the second, which is compressed, what is read of those that are shown.

Ids that are filtered by are kept as numbers. Booleans are kept as text: the engine's Python face turns those of a
filter into 0 and 1, which match none. What most points have is not said.
"""

from __future__ import annotations

import zlib
from base64 import b64decode, b64encode
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from pydantic_core import from_json, to_json

from mindnet.store.packed_edges import EDGE_VALUES, evidence_of, pack_edge, unpack_edge
from mindnet.store.payload import FIELDS, Payload
from mindnet.store.port import Collection
from mindnet.store.schema import FILTERABLE
from mindnet.store.short_ids import end, end_of, long, number_of, short

STORED: Mapping[str, str] = MappingProxyType(
    {
        "note_id": "n",
        "chunk_id": "c",
        "type": "y",
        "tags": "g",
        "path": "p",
        "status": "s",
        "private": "h",
        "created": "a",
        "updated": "u",
        "source_id": "f",
        "target_id": "t",
        "kind": "k",
        "scope": "o",
        "resolved": "r",
    }
)
"""What the fields that are filtered by are called in the engine."""
REST, LONG_REST = "x", "z"
NUMBERED = frozenset({"note_id", "chunk_id", "source_id", "target_id"})
"""The fields that are kept as numbers (``number_of``)."""
TEXT = {True: "true", False: "false"}
FLAGS = frozenset(name for fields in FILTERABLE.values() for name, kind in fields.items() if kind == "bool")
_UNSAID: Mapping[str, Any] = MappingProxyType(
    {"scope": "chunk", "resolved": True, "private": False, "status": None, "tags": []}
)
"""What is not kept, since it is so of most points."""
USUAL: Mapping[str, str | bool] = MappingProxyType({"scope": "chunk", "resolved": True, "private": False})
"""Those of them by which is filtered."""
_UNSAID_OF: Mapping[Collection, Payload] = {
    collection: {name: value for name, value in _UNSAID.items() if name in FILTERABLE[collection]}
    for collection in FILTERABLE
}

SHORT: Mapping[Collection, tuple[str, ...]] = {"notes": ("title",), "chunks": ("ord", "retriever_weight")}
"""What stands in the first text, in order, behind the id of the note; that of a chunk is the last."""
LONG: Mapping[Collection, tuple[str, ...]] = {
    collection: tuple(name for name in FIELDS[collection] if name not in {*FILTERABLE[collection], *short})
    for collection, short in SHORT.items()
}
"""What stands in the second one, in order."""
_NEIGHBOURS = ("neighbors_prev", "neighbors_next")
_FEW = 160
"""A text of so few bytes would hardly get shorter, as it is written in 64 letters when it is compressed."""
_KEPT = object()


def pack(collection: Collection, payload: Payload) -> Payload:
    """What the engine is given for a payload."""
    stored: Payload = {}
    for name in FILTERABLE[collection]:
        value = payload[name]
        if name in NUMBERED:
            stored[STORED[name]] = number_of(value)
        elif value != _UNSAID.get(name, _KEPT):
            stored[STORED[name]] = TEXT[value] if name in FLAGS else value
    if collection == "edges":
        stored[REST] = pack_edge(payload)
        return stored
    note_id = payload["note_id"]
    first: list[Any] = [short(note_id), *(payload[name] for name in SHORT[collection])]
    if collection == "chunks":
        first.append(end(payload["chunk_id"], note_id))
        payload = {**payload, **{name: value and end(value, note_id) for name, value in _neighbours(payload)}}
    stored[REST] = to_json(first).decode()
    stored[LONG_REST] = _compressed(to_json([payload[name] for name in LONG[collection]]))
    return stored


def unpack(collection: Collection, point_id: object, stored: Mapping[str, Any]) -> Payload:
    """The payload that ``pack`` was given, from what is stored under ``point_id``."""
    payload: Payload = dict(_UNSAID_OF[collection])
    for name in FILTERABLE[collection]:
        if name not in NUMBERED and (value := stored.get(STORED[name])) is not None:
            payload[name] = value == TEXT[True] if name in FLAGS else value
    if collection == "edges":
        payload.update(zip(EDGE_VALUES, unpack_edge(stored[REST], payload.get("kind", "")), strict=True))
        payload["evidence"] = evidence_of(payload["evidence"])
        payload["edge_id"] = str(point_id)
        return payload
    kept, *first = from_json(stored[REST])
    payload["note_id"] = note_id = long(kept)
    if collection == "chunks":
        payload["chunk_id"] = end_of(first.pop(), note_id)
    payload.update(zip(SHORT[collection], first, strict=True))
    payload.update(zip(LONG[collection], from_json(_whole(stored[LONG_REST])), strict=True))
    if collection == "chunks":
        payload.update({name: value and end_of(value, note_id) for name, value in _neighbours(payload)})
    return payload


def _neighbours(payload: Payload) -> list[tuple[str, Any]]:
    return [(name, payload[name]) for name in _NEIGHBOURS]


def _compressed(text: bytes) -> str:
    """As base64, which does not begin with a bracket as a list does."""
    return text.decode() if len(text) <= _FEW else b64encode(zlib.compress(text)).decode()


def _whole(kept: str) -> str | bytes:
    return kept if kept.startswith("[") else zlib.decompress(b64decode(kept))
