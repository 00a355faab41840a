"""What the filter language means, said once in Python: the memory store runs on it, the others are tested by it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mindnet.store.port import All, AnyOf, Between, Condition, Not, Some, StartsWith


def matches(condition: Condition | None, payload: Mapping[str, Any]) -> bool:
    """Whether a payload meets the condition; None is met by all.

    A field that is missing, null or an empty list meets no condition on it, so its negation holds.
    Of a list field, any one element has to meet it. ``True`` and ``1`` are different values.
    """
    match condition:
        case None:
            return True
        case AnyOf(key, values):
            wanted = {(type(value), value) for value in values}
            return any((type(value), value) in wanted for value in _elements(payload.get(key)))
        case Between(key, low, high):
            return any(
                not isinstance(value, bool)
                and isinstance(value, int | float)
                and (low is None or value >= low)
                and (high is None or value <= high)
                for value in _elements(payload.get(key))
            )
        case StartsWith(key, prefix):
            return any(isinstance(value, str) and value.startswith(prefix) for value in _elements(payload.get(key)))
        case All(conditions):
            return all(matches(one, payload) for one in conditions)
        case Some(conditions):
            return any(matches(one, payload) for one in conditions)
        case Not(inner):
            return not matches(inner, payload)


def _elements(value: Any) -> list[Any]:
    if value is None:
        return []
    if isinstance(value, list | tuple):
        return [one for one in value if not isinstance(one, list | dict)]
    return [] if isinstance(value, dict) else [value]
