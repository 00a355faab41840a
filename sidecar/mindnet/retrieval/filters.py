"""Which notes may answer, as a condition of the store."""

from __future__ import annotations

import calendar
import re
import unicodedata
from dataclasses import dataclass, fields
from typing import Any, Literal

from mindnet.errors import UsageError
from mindnet.store.port import All, AnyOf, Between, Condition, Not, Some, StartsWith

_DATE = re.compile(r"(\d{4})(?:-(\d{1,2})(?:-(\d{1,2})(?:[T ](\d{1,2}):(\d{2})(?::(\d{2}))?)?)?)?Z?$")


@dataclass(frozen=True, slots=True)
class DateRange:
    """Both ends as ``YYYYMMDDhhmmss`` and inclusive; None leaves one open."""

    low: int | None = None
    high: int | None = None

    @classmethod
    def parse(cls, low: str | None, high: str | None) -> DateRange:
        """From ISO dates; a year, month or day as an end means its last second."""
        return cls(_stamp(low, last=False), _stamp(high, last=True))


def _stamp(text: str | None, *, last: bool) -> int | None:
    if text is None:
        return None
    match = _DATE.match(text.strip())
    if match is None:
        raise UsageError(f"{text!r} is not a date.", hint="Write dates as 2026-11-30.")
    year, month, day, hour, minute, second = (int(part) if part else None for part in match.groups())
    assert year is not None
    month = month or (12 if last else 1)
    if not 1 <= month <= 12:
        raise UsageError(f"{text!r} is not a date.", hint="Write dates as 2026-11-30.")
    day = day or (calendar.monthrange(year, month)[1] if last else 1)
    clock = (hour, minute, second if second is not None else (59 if last else 0)) if hour is not None else None
    h, m, s = clock or ((23, 59, 59) if last else (0, 0, 0))
    return int(f"{year:04d}{month:02d}{day:02d}{h:02d}{m or 0:02d}{s:02d}")


@dataclass(frozen=True, slots=True)
class Filters:
    """Within a list any may match; the lists all must. Tags match with those nested below, paths by prefix.

    ``time`` is one that was read in the question: by field a range of which one has to match.
    """

    type: tuple[str, ...] = ()
    tag: tuple[str, ...] = ()
    path: tuple[str, ...] = ()
    status: tuple[str, ...] = ()
    created: DateRange = DateRange()
    updated: DateRange = DateRange()
    exclude_type: tuple[str, ...] = ()
    exclude_tag: tuple[str, ...] = ()
    exclude_path: tuple[str, ...] = ()
    exclude_status: tuple[str, ...] = ()
    time: tuple[tuple[Literal["created", "updated"], DateRange], ...] = ()

    def given(self) -> dict[str, Any]:
        """``filters`` with those that are set, as JSON values; nothing where none is."""
        values = {field.name: getattr(self, field.name) for field in fields(self)}
        found: dict[str, Any] = {
            name: [value.low, value.high] if isinstance(value, DateRange) else list(value)
            for name, value in values.items()
            if value and value != DateRange() and name != "time"
        }
        if self.time:
            found["time"] = {name: [span.low, span.high] for name, span in self.time}
        return {"filters": found} if found else {}


def conditions(filters: Filters) -> list[tuple[str, Condition]]:
    """Each filter that is set, by name, so that a note that is left out can be told which one cut it."""
    found: list[tuple[str, Condition]] = []
    if filters.type:
        found.append(("type", AnyOf("type", filters.type)))
    if filters.tag:
        found.append(("tag", _tags(filters.tag)))
    if filters.path:
        found.append(("path", _paths(filters.path)))
    if filters.status:
        found.append(("status", AnyOf("status", filters.status)))
    for name in ("created", "updated"):
        span: DateRange = getattr(filters, name)
        if span != DateRange():
            found.append((name, Between(name, span.low, span.high)))
    if filters.time:
        found.append(("time", Some(tuple(Between(name, span.low, span.high) for name, span in filters.time))))
    if filters.exclude_type:
        found.append(("exclude.type", Not(AnyOf("type", filters.exclude_type))))
    if filters.exclude_tag:
        found.append(("exclude.tag", Not(_tags(filters.exclude_tag))))
    if filters.exclude_path:
        found.append(("exclude.path", Not(_paths(filters.exclude_path))))
    if filters.exclude_status:
        found.append(("exclude.status", Not(AnyOf("status", filters.exclude_status))))
    return found


PRIVATE = AnyOf("private", (True,))


def where(filters: Filters, *, include_private: bool) -> Condition | None:
    """All filters as one condition, None when everything may answer."""
    parts = [condition for _, condition in conditions(filters)]
    if not include_private:
        parts.append(Not(PRIVATE))
    return All(tuple(parts)) if parts else None


def _tags(tags: tuple[str, ...]) -> Condition:
    plain = tuple(_nfc(tag).lstrip("#").rstrip("/") for tag in tags)
    return Some((AnyOf("tags", plain), *(StartsWith("tags", f"{tag}/") for tag in plain)))


def _paths(paths: tuple[str, ...]) -> Condition:
    return Some(tuple(StartsWith("path", _nfc(path)) for path in paths))


def _nfc(text: str) -> str:
    """The form in which the store has it, however the keyboard or the file system composed it."""
    return unicodedata.normalize("NFC", text)
