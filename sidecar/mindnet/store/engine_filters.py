"""The filter language and the table of indexes in the terms of Qdrant's engine.

Fields are asked for and indexed by the names and in the form in which ``packed`` keeps them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

import qdrant_edge as engine

from mindnet.store.packed import NUMBERED, STORED, TEXT, USUAL
from mindnet.store.port import All, AnyOf, Between, Collection, Condition, Not, Some, StartsWith
from mindnet.store.schema import INDEXES, FieldIndex
from mindnet.store.short_ids import number_of

T = TypeVar("T")
Index = engine.PayloadSchemaType | engine.KeywordIndexParams | engine.IntegerIndexParams

_NUMBERS = engine.IntegerIndexParams(lookup=True, range=False)
_FIELD_INDEXES: Mapping[FieldIndex, Index] = {
    "keyword": engine.PayloadSchemaType.Keyword,
    "prefix": engine.KeywordIndexParams(prefix=True),
    # Dates are asked for by their range alone.
    "integer": engine.IntegerIndexParams(lookup=False, range=True),
    "bool": engine.PayloadSchemaType.Keyword,
}


def field_indexes(collection: Collection) -> dict[str, Index]:
    """By what the engine calls a field, how it indexes it."""
    return {
        STORED[name]: _NUMBERS if name in NUMBERED else _FIELD_INDEXES[kind]
        for name, kind in INDEXES[collection].items()
    }


ASK = 1_000
"""So many values or ids go into one question."""


def batched(values: Sequence[T]) -> Iterator[list[T]]:
    """As many at a time as are asked for at once."""
    for start in range(0, len(values), ASK):
        yield list(values[start : start + ASK])


def translate(condition: Condition | None) -> engine.Filter | None:
    """A condition in the engine's own terms."""
    return None if condition is None else engine.Filter(must=[_translate(condition)])


def of_points(points: Iterable[str], condition: engine.Filter | None = None) -> engine.Filter:
    """These points, as far as they fit the condition."""
    own = engine.HasIdCondition(set(points))
    return engine.Filter(must=[own] if condition is None else [own, condition])


def any_of(key: str, values: list[str] | list[int], condition: engine.Filter | None = None) -> engine.Filter:
    """Points whose field holds one of the texts, or of the integers, as far as they fit the condition."""
    wanted = [number_of(value) for value in values if isinstance(value, str)] if key in NUMBERED else values
    own = engine.FieldCondition(STORED[key], match=engine.MatchAny(wanted))
    return engine.Filter(must=[own] if condition is None else [own, condition])


def _translate(condition: Condition) -> engine.FieldCondition | engine.Filter | engine.HasIdCondition:
    match condition:
        case AnyOf(key, values):
            return _any_value(key, values)
        case Between(key, low, high):
            return engine.FieldCondition(STORED[key], range=engine.RangeFloat(gte=low, lte=high))
        case StartsWith(key, prefix):
            return engine.FieldCondition(STORED[key], match=engine.MatchPrefix(prefix))
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
    if key in USUAL:
        # No point has an id out of none: an empty ``should`` would hold for every point.
        chosen = [_said_or_not(key, value) for value in values]
        return engine.Filter(should=[engine.HasIdCondition(set()), *chosen])
    texts = [value for value in values if isinstance(value, str)]
    numbers = [value for value in values if isinstance(value, int) and not isinstance(value, bool)]
    if numbers and texts:
        return engine.Filter(should=[any_of(key, texts), any_of(key, numbers)])
    return any_of(key, numbers) if numbers else any_of(key, texts)


def _said_or_not(key: str, value: str | int | bool) -> engine.Filter:
    """The usual value is not said. Of another type than that, no value is there."""
    if type(value) is not type(USUAL[key]):
        return engine.Filter(must=[engine.HasIdCondition(set())])
    if value == USUAL[key]:
        return engine.Filter(must=[engine.IsEmptyCondition(STORED[key])])
    return any_of(key, [TEXT[value] if isinstance(value, bool) else str(value)])
