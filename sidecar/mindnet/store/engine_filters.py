"""The filter language and the table of indexes in the terms of Qdrant's engine.

Booleans are kept as text (see ``packed``), and so they are asked for and indexed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TypeVar

import qdrant_edge as engine

from mindnet.store.packed import RESOLVED, TEXT
from mindnet.store.port import All, AnyOf, Between, Condition, Not, Some, StartsWith
from mindnet.store.schema import FILTERABLE, FieldIndex

T = TypeVar("T")

FIELD_INDEXES: Mapping[FieldIndex, engine.PayloadSchemaType | engine.KeywordIndexParams] = {
    "keyword": engine.PayloadSchemaType.Keyword,
    "prefix": engine.KeywordIndexParams(prefix=True),
    "integer": engine.PayloadSchemaType.Integer,
    "bool": engine.PayloadSchemaType.Keyword,
}

FLAGS = frozenset(name for fields in FILTERABLE.values() for name, kind in fields.items() if kind == "bool")


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
    own = engine.FieldCondition(key, match=engine.MatchAny(values))
    return engine.Filter(must=[own] if condition is None else [own, condition])


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
    if key == RESOLVED:
        unresolved = any_of(key, [TEXT[False]])
        # No point has an id out of none: an empty ``should`` would hold for every point.
        nothing = engine.HasIdCondition(set())
        chosen = [engine.Filter(must_not=[unresolved]) if value else unresolved for value in values]
        return engine.Filter(should=[nothing, *chosen])
    if key in FLAGS:
        return any_of(key, [TEXT[value] for value in values if isinstance(value, bool)])
    texts = [value for value in values if isinstance(value, str)]
    numbers = [value for value in values if isinstance(value, int) and not isinstance(value, bool)]
    if numbers and texts:
        return engine.Filter(should=[any_of(key, texts), any_of(key, numbers)])
    return any_of(key, numbers) if numbers else any_of(key, texts)
