"""The rest of an edge, besides what is filtered by, in few bytes: a vault has several edges a passage.

It is a list, of which the last values are left out as long as they are what most edges have.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from typing import Any

from pydantic_core import from_json, to_json

from mindnet.records import Evidence
from mindnet.store.payload import Payload
from mindnet.store.short_ids import end, end_of, long, short

_ITEM = tuple(field.name for field in fields(Evidence))
"""The keys of a piece of evidence, in order; of the last ones some may be left out."""
EDGE_VALUES = (
    "note_id", "source_id", "target_id", "evidence", "rule_id", "confidence", "target_section", "provenance",
    "mirror_of",
)  # fmt: skip
"""What is kept, in order."""
_SAME = 0
"""Stands for what follows from the kind, from the rule or from the piece of evidence before, as it mostly does."""
_USUAL = (0, 0, 0, _SAME, 1, "", _SAME, None)
"""Source, target, evidence, rule, confidence, section, provenance and original of an edge that says nothing of them."""
_PROVENANCES = {
    "inline": "explicit",
    "callout": "explicit",
    "edge_defaults": "rule",
    "matrix": "rule",
    "mirror": "rule",
}
"""What edges of a rule are, where the rule's first word is not what they are."""
_QUOTES = str.maketrans("\"'", "'\"")
"""The engine keeps text as JSON, in which each quotation mark would take two bytes."""


def pack_edge(edge: Payload) -> str:
    """All of an edge's payload but its own id, its kind and scope, and whether it is resolved."""
    note_id, rule = edge["note_id"], edge["rule_id"]
    source, target, mirror_of = edge["source_id"], edge["target_id"], edge["mirror_of"]
    provenance, confidence = edge["provenance"], edge["confidence"]
    values = [
        end(source, note_id),
        end(target, note_id),
        _pack_evidence(edge["evidence"], rule),
        _SAME if rule == _usual_rule(edge["kind"]) else rule,
        int(confidence) if confidence in (0.0, 1.0) else confidence,
        edge["target_section"],
        _SAME if provenance == _usual_provenance(rule) else provenance,
        None if mirror_of is None else short(mirror_of),
    ]
    while values and _is(values[-1], _USUAL[len(values) - 1]):
        values.pop()
    return to_json([short(note_id), *values]).decode().translate(_QUOTES)


def unpack_edge(kept: str, kind: str) -> Sequence[Any]:
    """The values of ``EDGE_VALUES``.

    Of the evidence each piece is a list of the values of its record, of which the last may be missing.
    """
    note, *values = from_json(kept.translate(_QUOTES))
    values += _USUAL[len(values) :]
    source, target, evidence, rule, confidence, section, provenance, mirror_of = values
    note_id = long(note)
    rule = _usual_rule(kind) if rule == _SAME else rule
    return (
        note_id,
        end_of(source, note_id),
        end_of(target, note_id),
        _unpack_evidence(evidence, rule),
        rule,
        float(confidence),
        section,
        _usual_provenance(rule) if provenance == _SAME else provenance,
        None if mirror_of is None else long(mirror_of),
    )


def evidence_of(items: Sequence[Sequence[Any]]) -> list[Payload]:
    """Unpacked evidence as it stands in a payload."""
    return [dict(zip(_ITEM, item, strict=False)) for item in items]


def _is(value: object, usual: object) -> bool:
    return type(value) is type(usual) and value == usual


def _usual_rule(kind: str) -> str:
    return f"structure:{kind}"


def _usual_provenance(rule: str) -> str:
    """What most edges of a rule are: ``structure`` of ``structure:next``."""
    first = rule.partition(":")[0]
    return _PROVENANCES.get(first, first)


def _pack_evidence(items: Sequence[Payload], rule: str) -> int | list[Any]:
    """Of one piece that the edge's own rule gave, without a label, the line alone; else a list of pieces.

    A piece that has line and label of the one before is its rule alone.
    """
    packed: list[Any] = []
    before: list[Any] = []
    for item in items:
        first, line, label, *more = item.values()
        named = _SAME if first == rule else first
        if more:
            original, *pending = more
            packed.append([named, line, label, original and short(original), *pending])
            before = []
            continue
        if [line, label] == before:
            packed.append(named)
        else:
            packed.append([named, line, label] if label else [named, line])
        before = [line, label]
    match packed:
        case [[int(), line]]:
            return int(line)
    return packed


def _unpack_evidence(packed: int | list[Any], rule: str) -> list[list[Any]]:
    if isinstance(packed, int):
        return [[rule, packed, ""]]
    items: list[list[Any]] = []
    for piece in packed:
        if not isinstance(piece, list):
            items.append([rule if piece == _SAME else piece, *items[-1][1:]])
            continue
        named, line, *more = piece
        label, *marks = more or [""]
        if marks:
            original, *pending = marks
            marks = [original and long(original), *pending]
        items.append([rule if named == _SAME else named, line, label, *marks])
    return items
