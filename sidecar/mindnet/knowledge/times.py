"""Points in time as payloads hold them: integers ``YYYYMMDDhhmmss`` in UTC."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

CREATED_KEYS = ("created", "date", "datum", "erstellt")
"""Frontmatter keys, in lower case, that say when a note was made; the first that can be read counts."""
_GERMAN = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})(?=$|[ ,T])[ ,T]*")
_DIGITS = {8: "%Y%m%d", 12: "%Y%m%d%H%M", 14: "%Y%m%d%H%M%S"}
_LAST_SECOND = 253_402_300_799


def file_time(ns: int) -> int:
    """The stamp of a file's time in nanoseconds; one out of the calendar's range is brought to its border."""
    return stamp(datetime.fromtimestamp(min(max(ns // 10**9, 0), _LAST_SECOND), UTC))


def stamp(moment: datetime) -> int:
    """``YYYYMMDDhhmmss`` in UTC; a time without a zone is taken as UTC."""
    utc = moment.astimezone(UTC) if moment.tzinfo else moment
    day = (utc.year * 100 + utc.month) * 100 + utc.day
    return ((day * 100 + utc.hour) * 100 + utc.minute) * 100 + utc.second


def created(frontmatter: Mapping[str, Any]) -> tuple[int | None, str | None]:
    """The stamp that the frontmatter gives, and the first key whose value is no date."""
    values = {key.lower(): (key, value) for key, value in frontmatter.items()}
    odd = None
    for name in CREATED_KEYS:
        key, value = values.get(name, ("", None))
        if value in (None, ""):
            continue
        found = read_date(value)
        if found is not None:
            return found, odd
        odd = odd or key
    return None, odd


def read_date(value: Any) -> int | None:
    """A date or time in ISO form, German form or as plain digits, perhaps as a link; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, str | int):
        return None
    text = str(value).strip().removeprefix("[[").removesuffix("]]").strip()
    try:
        if text.isdecimal():
            form = _DIGITS.get(len(text))
            return stamp(datetime.strptime(text, form)) if form else None
        if (german := _GERMAN.match(text)) is not None:
            day, month, year = german.groups()
            text = f"{year}-{int(month):02d}-{int(day):02d} {text[german.end() :]}".strip()
        return stamp(datetime.fromisoformat(text))
    except (ValueError, OverflowError):
        return None
