"""Payloads as the embedded engine keeps them: what is filtered by in fields of its own, all the rest in one text.

The engine takes about 5 µs for each value that it is given, and keeps its name with it; so the
rest is a JSON list in the order of the record's fields, compressed where it is long. Booleans are
kept as text: the engine's Python face turns those of a filter into 0 and 1, which match none.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Mapping
from typing import Any

from mindnet.store.payload import FIELDS, Payload
from mindnet.store.port import Collection
from mindnet.store.schema import FILTERABLE

REST = "rest"
TEXT = {True: "true", False: "false"}
_FLAG = {text: flag for flag, text in TEXT.items()}
_LONG = 500
"""Texts of so many characters are compressed."""

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


def pack(collection: Collection, payload: Payload) -> Payload:
    """What the engine is given for a payload."""
    flags = _FLAGS[collection]
    stored = {name: TEXT[payload[name]] if name in flags else payload[name] for name in FILTERABLE[collection]}
    stored[REST] = _squeezed(_dumps([payload[name] for name in _REST[collection]]))
    return stored


def unpack(collection: Collection, point_id: object, stored: Mapping[str, Any]) -> Payload:
    """The payload that ``pack`` was given, from what is stored under ``point_id``."""
    flags = _FLAGS[collection]
    payload = {name: _FLAG[stored[name]] if name in flags else stored[name] for name in FILTERABLE[collection]}
    payload.update(zip(_REST[collection], json.loads(_unsqueezed(stored[REST])), strict=True))
    if collection == "edges":
        payload[_POINT_ID] = str(point_id)
    return payload


_dumps = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def _squeezed(text: str) -> str:
    """A JSON list or, when it is long, its zlib stream in base64, which never begins with a bracket."""
    return text if len(text) < _LONG else base64.b64encode(zlib.compress(text.encode())).decode()


def _unsqueezed(text: str) -> str:
    return text if text.startswith("[") else zlib.decompress(base64.b64decode(text)).decode()
