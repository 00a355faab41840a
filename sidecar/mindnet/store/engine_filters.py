"""The filter language and the table of indexes in the terms of Qdrant's engine."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import qdrant_edge as engine

from mindnet.store.port import All, AnyOf, Between, Condition, Not, Some, StartsWith
from mindnet.store.schema import FieldIndex

FIELD_INDEXES: Mapping[FieldIndex, engine.PayloadSchemaType | engine.KeywordIndexParams] = {
    "keyword": engine.PayloadSchemaType.Keyword,
    "prefix": engine.KeywordIndexParams(prefix=True),
    "integer": engine.PayloadSchemaType.Integer,
    "bool": engine.PayloadSchemaType.Bool,
}


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
    """One ``MatchAny`` takes texts alone or integers alone, and booleans are matched one by one."""
    texts = [value for value in values if isinstance(value, str)]
    flags = [value for value in values if isinstance(value, bool)]
    numbers = [value for value in values if isinstance(value, int) and not isinstance(value, bool)]
    parts = [engine.FieldCondition(key, match=engine.MatchValue(flag)) for flag in flags]
    if numbers:
        parts.append(engine.FieldCondition(key, match=engine.MatchAny(numbers)))
    if texts or not parts:
        parts.append(engine.FieldCondition(key, match=engine.MatchAny(texts)))
    return parts[0] if len(parts) == 1 else engine.Filter(should=list(parts))
