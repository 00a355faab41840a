"""Payloads as the embedded engine keeps them: what is filtered by in fields of its own, all the rest in one text.

The engine takes about 5 µs for each value that it is given, and keeps its name with it; so the
rest is a JSON list in the order of the record's fields. Booleans are kept as text: the engine's
Python face turns those of a filter into 0 and 1, which match none. An edge that is resolved does not say so.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from pydantic_core import from_json, to_json

from mindnet.records import Evidence
from mindnet.store.payload import FIELDS, Payload
from mindnet.store.port import Collection
from mindnet.store.schema import FILTERABLE

REST = "rest"
RESOLVED = "resolved"
TEXT = {True: "true", False: "false"}

_POINT_ID = "edge_id"
"""The one field that is the point's own id, as text."""
_FLAGS: Mapping[Collection, frozenset[str]] = {
    collection: frozenset(name for name, kind in fields.items() if kind == "bool")
    for collection, fields in FILTERABLE.items()
}
REST_FIELDS: Mapping[Collection, tuple[str, ...]] = {
    collection: tuple(name for name in names if name not in FILTERABLE[collection] and name != _POINT_ID)
    for collection, names in FIELDS.items()
}
"""What stands in the one text, in order."""
_EVIDENCE = REST_FIELDS["edges"].index("evidence")
_ITEM = tuple(field.name for field in fields(Evidence))
"""The keys of a piece of evidence, in order; of the last ones some may be left out."""
_SAME = 0
"""Stands for what follows from the edge's rule, as it does for most edges."""


def pack(collection: Collection, payload: Payload) -> Payload:
    """What the engine is given for a payload."""
    stored = {name: payload[name] for name in FILTERABLE[collection]}
    for name in _FLAGS[collection]:
        stored[name] = TEXT[payload[name]]
    if collection == "edges":
        # Most links lead somewhere: only of the others it is said.
        if payload[RESOLVED]:
            del stored[RESOLVED]
        rest = _short_edge(payload)
    else:
        rest = [payload[name] for name in REST_FIELDS[collection]]
    stored[REST] = to_json(rest).decode()
    return stored


def unpack(collection: Collection, point_id: object, stored: Mapping[str, Any]) -> Payload:
    """The payload that ``pack`` was given, from what is stored under ``point_id``."""
    payload = dict(stored)
    rest = from_json(payload.pop(REST))
    if collection == "edges":
        payload[_POINT_ID] = str(point_id)
        payload.setdefault(RESOLVED, TEXT[True])
        rest = whole_edge(*rest)
        rest[_EVIDENCE] = [dict(zip(_ITEM, item, strict=False)) for item in rest[_EVIDENCE]]
    for name in _FLAGS[collection] & payload.keys():
        payload[name] = payload[name] == TEXT[True]
    payload.update(zip(REST_FIELDS[collection], rest, strict=True))
    return payload


def _short_edge(edge: Payload) -> list[Any]:
    """The rest of an edge in few bytes: a vault has several edges a note, and the engine keeps whole blocks of 128."""
    rule, provenance, confidence = edge["rule_id"], edge["provenance"], edge["confidence"]
    short = [
        edge["target_section"],
        rule,
        _SAME if provenance == _provenance(rule) else provenance,
        int(confidence) if confidence in (0.0, 1.0) else confidence,
        [_short_item(item, rule) for item in edge["evidence"]],
    ]
    return short if edge["mirror_of"] is None else [*short, edge["mirror_of"]]


def whole_edge(
    section: str,
    rule: str,
    provenance: str | int,
    confidence: float,
    evidence: list[list[Any]],
    mirror_of: str | None = None,
) -> list[Any]:
    """The rest of an edge, from what is kept, in the order of its fields; each piece of evidence is a list, too."""
    whole = _provenance(rule) if provenance == _SAME else provenance
    return [section, rule, whole, float(confidence), [_whole_item(item, rule) for item in evidence], mirror_of]


def _provenance(rule: str) -> str:
    """What most edges of a rule are: ``structure`` of ``structure:next``."""
    return rule.partition(":")[0]


def _short_item(item: Payload, rule: str) -> list[Any]:
    """A piece of evidence as a list, without an empty label at its end."""
    first, *others = item.values()
    short = [_SAME if first == rule else first, *others]
    return short[:-1] if len(short) == 3 and not short[-1] else short


def _whole_item(item: list[Any], rule: str) -> list[Any]:
    first, *others = item
    return [rule if first == _SAME else first, *(others if len(others) > 1 else [*others, ""])]
