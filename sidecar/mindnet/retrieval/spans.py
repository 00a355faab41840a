"""Spans of days: what "last week" or "March 2024" is, seen from today."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta


@dataclass(frozen=True, slots=True)
class Span:
    """Whole days, both ends inclusive; ``last`` None is up to now and beyond."""

    first: date
    last: date | None

    def moments(self, now: datetime) -> tuple[datetime, datetime | None]:
        """Its first and its last second in UTC, by the clock of ``now``: by that of the machine if it has no zone."""

        def utc(day: date, clock: time) -> datetime:
            return datetime.combine(day, clock, now.tzinfo).astimezone(UTC)

        return utc(self.first, time.min), utc(self.last, time(23, 59, 59)) if self.last is not None else None


def day(one: date) -> Span:
    return Span(one, one)


def month(year: int, number: int) -> Span:
    after = date(year + number // 12, number % 12 + 1, 1)
    return Span(date(year, number, 1), after - timedelta(1))


def year(number: int) -> Span:
    return Span(date(number, 1, 1), date(number, 12, 31))


def around(one: date, unit: str) -> Span:
    """The day, calendar week (from Monday), month or year that a day is in."""
    match unit:
        case "day":
            return day(one)
        case "week":
            first = one - timedelta(one.weekday())
            return Span(first, first + timedelta(6))
        case "month":
            return month(one.year, one.month)
        case _:
            return year(one.year)


def back(today: date, number: int, unit: str) -> date:
    """The same day so many days, weeks, months or years ago, or the last one of a shorter month."""
    if unit in ("day", "week"):
        return today - timedelta(number * (7 if unit == "week" else 1))
    months = today.year * 12 + today.month - 1 - number * (12 if unit == "year" else 1)
    whole = month(months // 12, months % 12 + 1)
    assert whole.last is not None
    return min(whole.first + timedelta(today.day - 1), whole.last)
