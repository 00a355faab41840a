"""Records straight from what the embedded engine keeps of them, without the payload that they were made of.

A question reads hundreds of edges and places. ``packed`` says how they are kept; what is read here is the same as
by way of ``unpack``, in half the time.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

from pydantic_core import from_json

from mindnet.records import Edge, Evidence, Label, Place
from mindnet.store.packed import REST, STORED, TEXT, USUAL
from mindnet.store.packed_edges import unpack_edge
from mindnet.store.short_ids import end_of, long

Stored = Mapping[str, Any]
PLACE = (STORED["path"], STORED["status"], STORED["updated"], REST)
LABEL = (STORED["path"], STORED["private"], REST)
"""The fields that are read of a chunk and of a note."""
_PATH, _STATUS, _UPDATED, _PRIVATE = map(STORED.__getitem__, ("path", "status", "updated", "private"))
_KIND, _SCOPE, _RESOLVED = map(STORED.__getitem__, ("kind", "scope", "resolved"))
_TRUE = TEXT[True]


def place_from(_: str, stored: Stored) -> Place:
    """What chunks of a note share is kept once."""
    kept, number, weight, chunk = from_json(stored[REST])
    note_id, status = sys.intern(long(kept)), stored.get(_STATUS)
    return Place(
        end_of(chunk, note_id),
        note_id,
        number,
        sys.intern(stored[_PATH]),
        status if status is None else sys.intern(status),
        weight,
        stored[_UPDATED],
    )


def label_from(_: str, stored: Stored) -> Label:
    kept, title = from_json(stored[REST])
    return Label(long(kept), title, stored[_PATH], stored.get(_PRIVATE) == _TRUE)


def edge_from(point: str, stored: Stored) -> Edge:
    """Of kinds and rules there are few, so each is kept once."""
    kind = sys.intern(stored[_KIND])
    note_id, source, target, evidence, rule, confidence, section, provenance, mirror_of = unpack_edge(
        stored[REST], kind
    )
    return Edge(
        edge_id=point,
        source_id=source,
        target_id=target,
        target_section=section,
        note_id=note_id,
        kind=kind,
        scope=stored.get(_SCOPE, USUAL["scope"]),
        rule_id=sys.intern(rule),
        provenance=sys.intern(provenance),
        confidence=confidence,
        evidence=tuple([Evidence(*item) for item in evidence]),
        resolved=_RESOLVED not in stored,
        mirror_of=mirror_of,
    )


def note_id_from(_: str, stored: Stored) -> str:
    kept, *_rest = from_json(stored[REST])
    return long(kept)
