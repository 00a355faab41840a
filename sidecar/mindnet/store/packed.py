"""Payloads as the embedded engine keeps them: what is filtered by in fields of its own, all the rest in one text.

The engine takes about 5 µs for each value that it is given, and keeps its name with it; so the
rest is a JSON list in the order of the record's fields. Booleans are kept as text: the engine's
Python face turns those of a filter into 0 and 1, which match none.
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
TEXT = {True: "true", False: "false"}

_POINT_ID = "edge_id"
"""The one field that is the point's own id, as text."""
_FLAGS: Mapping[Collection, frozenset[str]] = {
    collection: frozenset(name for name, kind in fields.items() if kind == "bool")
    for collection, fields in FILTERABLE.items()
}
_REST: Mapping[Collection, tuple[str, ...]] = {
    collection: tuple(name for name in names if name not in FILTERABLE[collection] and name != _POINT_ID)
    for collection, names in FIELDS.items()
}
_EVIDENCE = _REST["edges"].index("evidence")
_RULE = _REST["edges"].index("rule_id")
_ITEM = tuple(field.name for field in fields(Evidence))
"""The keys of a piece of evidence, in order; of the last ones some may be left out."""


def pack(collection: Collection, payload: Payload) -> Payload:
    """What the engine is given for a payload."""
    stored = {name: payload[name] for name in FILTERABLE[collection]}
    for name in _FLAGS[collection]:
        stored[name] = TEXT[payload[name]]
    rest = [payload[name] for name in _REST[collection]]
    if collection == "edges":
        rest[_EVIDENCE] = [_short(item, payload["rule_id"]) for item in rest[_EVIDENCE]]
    stored[REST] = to_json(rest).decode()
    return stored


def unpack(collection: Collection, point_id: object, stored: Mapping[str, Any]) -> Payload:
    """The payload that ``pack`` was given, from what is stored under ``point_id``."""
    payload = dict(stored)
    rest = from_json(payload.pop(REST))
    for name in _FLAGS[collection] & payload.keys():
        payload[name] = payload[name] == TEXT[True]
    if collection == "edges":
        payload[_POINT_ID] = str(point_id)
        rest[_EVIDENCE] = [_whole(item, rest[_RULE]) for item in rest[_EVIDENCE]]
    payload.update(zip(_REST[collection], rest, strict=True))
    return payload


def _short(item: Payload, rule: str) -> list[Any]:
    """A piece of evidence as a list; most are of the rule that their edge is of, and do not name it again."""
    first, *others = item.values()
    return [None if first == rule else first, *others]


def _whole(item: list[Any], rule: str) -> Payload:
    first, *others = item
    return dict(zip(_ITEM, (rule if first is None else first, *others), strict=False))
