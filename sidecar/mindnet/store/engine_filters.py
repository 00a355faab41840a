"""The filter language and the table of indexes in the terms of Qdrant's engine.

The engine's Python binding turns the booleans of a filter into the integers 0 and 1, which match
no boolean of a payload. So each boolean field is stored a second time as text, under a name of
its own, and filters ask for that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import qdrant_edge as engine

from mindnet.store.payload import Payload
from mindnet.store.port import All, AnyOf, Between, Collection, Condition, Not, Some, StartsWith
from mindnet.store.schema import INDEXES, FieldIndex

FIELD_INDEXES: Mapping[FieldIndex, engine.PayloadSchemaType | engine.KeywordIndexParams] = {
    "keyword": engine.PayloadSchemaType.Keyword,
    "prefix": engine.KeywordIndexParams(prefix=True),
    "integer": engine.PayloadSchemaType.Integer,
    "bool": engine.PayloadSchemaType.Bool,
}


_FLAG = "_"
_TEXT = {True: "true", False: "false"}


def with_flags(payload: Payload) -> Payload:
    """The payload to store: each boolean also as text."""
    return payload | {_FLAG + key: _TEXT[value] for key, value in payload.items() if isinstance(value, bool)}


def without_flags(payload: Payload) -> Payload:
    """The payload as it was given."""
    return {key: value for key, value in payload.items() if not key.startswith(_FLAG)}


def field_indexes(collection: Collection) -> Mapping[str, engine.PayloadSchemaType | engine.KeywordIndexParams]:
    """The indexes to create on a collection."""
    wanted = {name: FIELD_INDEXES[kind] for name, kind in INDEXES[collection].items()}
    flags = {_FLAG + name: FIELD_INDEXES["keyword"] for name, kind in INDEXES[collection].items() if kind == "bool"}
    return wanted | flags


def translate(condition: Condition | None) -> engine.Filter | None:
    """A condition in the engine's own terms."""
    return None if condition is None else engine.Filter(must=[_translate(condition)])


def any_of(key: str, values: Sequence[str]) -> engine.Filter:
    """Points whose field holds one of the texts."""
    return engine.Filter(must=[engine.FieldCondition(key, match=engine.MatchAny(list(values)))])


def _translate(condition: Condition) -> engine.FieldCondition | engine.Filter | engine.HasIdCondition:
    match condition:
        case AnyOf(key, values):
            return _any_value(key, values)
        case Between(key, low, high):
            return engine.FieldCondition(key, range=engine.RangeFloat(gte=low, lte=high))
        case StartsWith(key, prefix):
            return engine.FieldCondition(key, match=engine.MatchPrefix(prefix))
        case All(conditions):
            return engine.Filter(must=[_translate(one) for one in conditions])
        case Some(()):
            # An empty ``should`` holds for every point; no point has an id out of none.
            return engine.HasIdCondition(set())
        case Some(conditions):
            return engine.Filter(should=[_translate(one) for one in conditions])
        case Not(inner):
            return engine.Filter(must_not=[_translate(inner)])


def _any_value(key: str, values: Sequence[str | int | bool]) -> engine.FieldCondition | engine.Filter:
    """One ``MatchAny`` takes texts alone or integers alone."""
    texts = [value for value in values if isinstance(value, str)]
    flags = [_TEXT[value] for value in values if isinstance(value, bool)]
    numbers = [value for value in values if isinstance(value, int) and not isinstance(value, bool)]
    parts = []
    if flags:
        parts.append(engine.FieldCondition(_FLAG + key, match=engine.MatchAny(flags)))
    if numbers:
        parts.append(engine.FieldCondition(key, match=engine.MatchAny(numbers)))
    if texts or not parts:
        parts.append(engine.FieldCondition(key, match=engine.MatchAny(texts)))
    return parts[0] if len(parts) == 1 else engine.Filter(should=list(parts))
