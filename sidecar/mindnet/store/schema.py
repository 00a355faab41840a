"""Which payload fields can be filtered by, and how they are indexed: one table for every store."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from mindnet.store.port import Collection

FieldIndex = Literal["keyword", "prefix", "integer", "bool"]
"""``prefix`` is a keyword index that also answers ``StartsWith``."""

_FILTERED: Mapping[str, FieldIndex] = {
    "type": "keyword",
    "tags": "prefix",
    "path": "prefix",
    "status": "keyword",
    "private": "bool",
    "created": "integer",
    "updated": "integer",
}

INDEXES: Mapping[Collection, Mapping[str, FieldIndex]] = {
    "notes": {"note_id": "keyword", **_FILTERED},
    "chunks": {"note_id": "keyword", "chunk_id": "keyword", **_FILTERED},
    "edges": {
        "source_id": "keyword",
        "target_id": "keyword",
        "kind": "keyword",
        "scope": "keyword",
        "note_id": "keyword",
    },
}

FILTERABLE: Mapping[Collection, Mapping[str, FieldIndex]] = {
    **INDEXES,
    "edges": {**INDEXES["edges"], "resolved": "bool"},
}
"""The fields that a condition may name: those that are indexed, and one that is asked for too seldom to be."""
