"""Records straight from what the embedded engine keeps of them, without the payload that they were made of.

A question reads hundreds of edges and places. ``packed`` says how they are kept; what is read here is the same as
by way of ``unpack``, in half the time.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from operator import itemgetter
from typing import Any

from pydantic_core import from_json

from mindnet.records import Edge, Evidence, Label, Place
from mindnet.store.packed import RESOLVED, REST, REST_FIELDS, TEXT, whole_edge
from mindnet.store.port import Collection

Stored = Mapping[str, Any]
PLACE = ("chunk_id", "note_id", "path", "status", "updated", REST)
LABEL = ("note_id", "path", "private", REST)
"""The fields that are read of a chunk and of a note."""
_TRUE = TEXT[True]


def _of_rest(collection: Collection, *names: str) -> Callable[[Sequence[Any]], Any]:
    """What takes these fields out of a record's list of all that is not filtered by."""
    return itemgetter(*map(REST_FIELDS[collection].index, names))


_place = _of_rest("chunks", "ord", "retriever_weight")
_title = _of_rest("notes", "title")


def place_from(_: str, stored: Stored) -> Place:
    """What chunks of a note share is kept once."""
    number, weight = _place(from_json(stored[REST]))
    note_id, path, status = stored["note_id"], stored["path"], stored["status"]
    return Place(
        stored["chunk_id"],
        sys.intern(note_id),
        number,
        sys.intern(path),
        status if status is None else sys.intern(status),
        weight,
        stored["updated"],
    )


def label_from(_: str, stored: Stored) -> Label:
    return Label(stored["note_id"], _title(from_json(stored[REST])), stored["path"], stored["private"] == _TRUE)


def edge_from(point: str, stored: Stored) -> Edge:
    """Of kinds and rules there are few, so each is kept once."""
    section, rule, provenance, confidence, evidence, mirror_of = whole_edge(*from_json(stored[REST]))
    return Edge(
        edge_id=point,
        source_id=stored["source_id"],
        target_id=stored["target_id"],
        target_section=section,
        note_id=stored["note_id"],
        kind=sys.intern(stored["kind"]),
        scope=stored["scope"],
        rule_id=sys.intern(rule),
        provenance=sys.intern(provenance),
        confidence=confidence,
        evidence=tuple([Evidence(*item) for item in evidence]),
        resolved=RESOLVED not in stored,
        mirror_of=mirror_of,
    )
