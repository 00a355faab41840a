"""The filter language and the table of indexes in the terms of a Qdrant server."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from qdrant_client import models

from mindnet.store.port import All, AnyOf, Between, Condition, Not, Some, StartsWith
from mindnet.store.schema import FieldIndex

Part = models.FieldCondition | models.HasIdCondition | models.Filter

FIELD_INDEXES: Mapping[FieldIndex, models.PayloadSchemaType | models.KeywordIndexParams] = {
    "keyword": models.PayloadSchemaType.KEYWORD,
    "prefix": models.KeywordIndexParams(type=models.KeywordIndexType.KEYWORD, prefix=True),
    "integer": models.PayloadSchemaType.INTEGER,
    "bool": models.PayloadSchemaType.BOOL,
}


def translate(condition: Condition | None) -> models.Filter | None:
    """A condition in the server's own terms."""
    return None if condition is None else models.Filter(must=[_translate(condition)])


def owned_by(note_ids: Sequence[str], *, but: Sequence[str] = ()) -> models.Filter:
    """Points of these notes, without those whose point ids are in ``but``."""
    owner = models.FieldCondition(key="note_id", match=models.MatchAny(any=list(note_ids)))
    return models.Filter(must=[owner], must_not=[models.HasIdCondition(has_id=list(but))] if but else None)


def _translate(condition: Condition) -> Part:
    match condition:
        case AnyOf(key, values):
            return _some([*_any_value(key, values)])
        case Between(key, low, high):
            return models.FieldCondition(key=key, range=models.Range(gte=low, lte=high))
        case StartsWith(key, prefix):
            return models.FieldCondition(key=key, match=models.MatchPrefix(prefix=prefix))
        case All(conditions):
            return models.Filter(must=[_translate(one) for one in conditions])
        case Some(conditions):
            return _some([_translate(one) for one in conditions])
        case Not(inner):
            return models.Filter(must_not=[_translate(inner)])


def _some(parts: Sequence[Part]) -> Part:
    """At least one of the parts. An empty ``should`` would hold for every point; no point has an id out of none."""
    if len(parts) == 1:
        return parts[0]
    return models.Filter(should=list(parts)) if parts else models.HasIdCondition(has_id=[])


def _any_value(key: str, values: Sequence[str | int | bool]) -> Sequence[Part]:
    """One ``MatchAny`` takes texts alone or integers alone, and no booleans."""
    texts = [value for value in values if isinstance(value, str)]
    flags = [value for value in values if isinstance(value, bool)]
    numbers = [value for value in values if isinstance(value, int) and not isinstance(value, bool)]
    matches: list[models.MatchAny | models.MatchValue] = [models.MatchValue(value=flag) for flag in flags]
    matches += [models.MatchAny(any=texts)] if texts else []
    matches += [models.MatchAny(any=numbers)] if numbers else []
    return [models.FieldCondition(key=key, match=match) for match in matches]
