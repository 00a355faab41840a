"""Times in a question ("last week", "im März 2024", "seit Montag"): read carefully, as many are not meant of notes.

Each expression has a strength. *clear* ones can hardly be anything else; *likely* ones may also be what the notes
are about ("Was pflanze ich im März?"); *possible* ones mostly are ("Grundgesetz 1949"). Where the question itself
speaks of notes or of writing them ("notes from 2024", "was habe ich heute geändert"), all are clear. What is done
with each is decided in ``understanding``, where the notes are known. A grammar of its own, since general parsers of
dates take "may" and "on" for times, and are ten times as large.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from functools import lru_cache
from typing import Literal

from mindnet.retrieval import calendar_words as calendar
from mindnet.retrieval import spans
from mindnet.retrieval.calendar_words import DAYS, MONTHS, NUMBERS, UNITS, pattern
from mindnet.retrieval.spans import Span
from mindnet.store.analysis import words

Strength = Literal["clear", "likely", "possible"]
Stamp = Literal["created", "updated", "either"]
_STRENGTHS: tuple[Strength, ...] = ("clear", "likely", "possible")


@dataclass(frozen=True, slots=True)
class Time:
    """A time that stands in a question. ``text`` is what names it, ``start`` and ``end`` all that goes with it."""

    text: str
    start: int
    end: int
    span: Span
    strength: Strength
    stamp: Stamp = "either"


def times_of(question: str, today: date, quoted: Sequence[tuple[int, int]] = ()) -> tuple[Time, ...]:
    """The times of a question, the clearest first, then in their order; none within ``quoted`` places."""
    found: list[Time] = []
    taken = list(quoted)
    for rule in _rules():
        for match in rule.pattern.finditer(question):
            start, end = match.span()
            if any(start < stop and begin < end for begin, stop in taken):
                continue
            taken.append((start, end))
            span = rule.read(match, today)
            half = calendar.BEFORE_END.search(question[:start]) or calendar.BEHIND_START.match(question[end:])
            if half or span is None or span.first > today or (rule.named and not _is_named(match["it"], question)):
                continue
            found.append(_spoken(Time(match["it"], start, end, span, rule.strength), question))
    return tuple(sorted(found, key=lambda time: (_STRENGTHS.index(time.strength), time.start)))


def without(question: str, time: Time) -> str:
    """The question without the time, unless nothing that means something is left."""
    rest = re.sub(r"\s+", " ", f"{question[: time.start]} {question[time.end :]}").strip()
    return rest if next(words(rest), None) is not None else question


# ------------------------------------------------------------------ what is said of the notes themselves
_NOTES_OF = re.compile(
    r"\b(?:notes?|notiz(?:en)?|entry|entries|eintr(?:ag|äge|ägen)|journal|tagebuch),?"
    r"(?:\s+(?!about\b|on\b|über\b|zu\b|zum\b|zur\b|regarding\b)\w+){0,2}\s*$",
    re.IGNORECASE,
)
_FIRST_PERSON = re.compile(r"\b(?:i|we|ich|wir)\b", re.IGNORECASE)
_VERBS: tuple[tuple[Stamp, re.Pattern[str]], ...] = (
    ("created", pattern(r"created|erstellte?n?|angelegte?n?")),
    ("updated", pattern(r"edited|changed|modified|updated|(?:geänder|bearbeite|aktualisier|überarbeite)te?n?")),
    (
        "either",
        pattern(r"wrote|write|written|noted|recorded|added|(?:auf)?geschrieben|notiert|festgehalten|hinzugefügt"),
    ),
)
_BESIDE = 24
"""Characters within which a verb belongs to the time."""


def _spoken(time: Time, question: str) -> Time:
    """The time, clear if the question speaks of notes, and with the stamp that its verb names."""
    notes = _NOTES_OF.search(question[: time.start])
    personal = _FIRST_PERSON.search(question) is not None
    beside = f"{question[max(0, time.start - _BESIDE) : time.start]} | {question[time.end : time.end + _BESIDE]}"
    said = question if personal or notes else beside
    stamp = next((stamp for stamp, verb in _VERBS if verb.search(said)), None)
    start = notes.start() if notes else time.start
    strength = "clear" if notes or (personal and stamp) else time.strength
    return replace(time, start=start, strength=strength, stamp=stamp or "either")


def _is_named(text: str, question: str) -> bool:
    """Whether a month's name is written as a name; "may" in lower case is a verb, whatever else is in lower case."""
    month = next(word for word in re.findall(r"[^\W\d_]+", text) if word.lower() in MONTHS)
    return month[0].isupper() or (question == question.lower() and month != "may")


# ------------------------------------------------------------------ the grammar
_Read = Callable[[re.Match[str], date], Span | None]


@dataclass(frozen=True, slots=True)
class _Rule:
    """``it`` is the group that is shown; ``named``: a month's name has to be written as one."""

    strength: Strength
    pattern: re.Pattern[str]
    read: _Read
    named: bool = False


def _last_unit(match: re.Match[str], today: date) -> Span:
    unit = UNITS[match["unit"].lower()]
    return spans.around(spans.back(today, 1, unit), unit)


def _this_unit(match: re.Match[str], today: date) -> Span:
    return spans.around(today, UNITS[match["unit"].lower()])


def _rolling(match: re.Match[str], today: date) -> Span:
    """So many days, weeks … up to today, which is the last of the days."""
    return Span(spans.back(today, _number(match), UNITS[match["unit"].lower()]) + timedelta(1), today)


def _last_days(_match: re.Match[str], today: date) -> Span:
    """A week."""
    return Span(today - timedelta(6), today)


def _ago(match: re.Match[str], today: date) -> Span:
    unit = UNITS[match["unit"].lower()]
    return spans.around(spans.back(today, _number(match), unit), unit)


def _number(match: re.Match[str]) -> int:
    text = (_group(match, "number") or "1").lower()
    return int(text) if text.isdigit() else NUMBERS[text]


def _near_day(match: re.Match[str], today: date) -> Span:
    name = match["name"].lower()
    days = 0 if name in ("today", "heute") else 1 if name in ("yesterday", "gestern") else 2
    return spans.day(today - timedelta(days))


def _weekday(match: re.Match[str], today: date) -> Span:
    """The last one before today."""
    behind = (today.weekday() + 1 - DAYS[match["day"].lower()]) % 7 or 7
    return spans.day(today - timedelta(behind))


def _month(match: re.Match[str], today: date) -> Span:
    """Without a year the last one that has begun."""
    number, year = MONTHS[match["month"].lower()], _group(match, "year")
    return spans.month(int(year) if year else today.year - (number > today.month), number)


def _year(match: re.Match[str], _today: date) -> Span:
    return spans.year(int(match["year"]))


def _date(match: re.Match[str], _today: date) -> Span | None:
    month = _group(match, "number") or MONTHS[match["month"].lower()]
    try:
        return spans.day(date(int(match["year"]), int(month), int(match["day"])))
    except ValueError:
        return None


def _group(match: re.Match[str], name: str) -> str | None:
    return match.groupdict().get(name)


def _since(read: _Read) -> _Read:
    def open_end(match: re.Match[str], today: date) -> Span | None:
        span = read(match, today)
        return span and Span(span.first, None)

    return open_end


def _both(strength: Strength, before: str, it: str, read: _Read, *, named: bool = False) -> Iterator[_Rule]:
    """The time itself, and since then."""
    yield _Rule(strength, pattern(rf"{calendar.SINCE}(?P<it>{it})"), _since(read), named)
    yield _Rule(strength, pattern(rf"{before}(?P<it>{it})"), read, named)


def _grammar() -> Iterator[_Rule]:
    """The longer before the shorter, since each part of a question is read once."""
    into, number = calendar.INTO, rf"(?P<number>{calendar.NUMBER})"
    month, year = rf"(?P<month>{calendar.MONTH})", rf"(?P<year>{calendar.YEAR})"
    of_month = r"(?P<day>\d{1,2})"
    for text in (
        rf"{year}-(?P<number>\d\d)-(?P<day>\d\d)",
        rf"{of_month}\.\s?(?P<number>\d{{1,2}})\.\s?{year}",
        rf"{of_month}(?:\.|st|nd|rd|th)?\s+{month},?\s+{year}",
        rf"{month}\s+{of_month}(?:st|nd|rd|th)?,?\s+{year}",
    ):
        yield from _both("likely", into, text, _date)
    units: tuple[tuple[Strength, str], ...] = (("clear", calendar.SHORT_UNIT), ("likely", calendar.YEAR_UNIT))
    for strength, names in units:
        unit = rf"(?P<unit>{names})"
        yield _Rule(strength, pattern(rf"{into}(?P<it>(?:{calendar.PAST})\s+{number}\s+{unit})"), _rolling)
        yield _Rule(strength, pattern(rf"(?P<it>{number}\s+{unit}\s+ago)"), _ago)
        yield _Rule(strength, pattern(rf"(?P<it>vor\s+{number}\s+{unit})"), _ago)
        yield _Rule(strength, pattern(rf"{into}(?P<it>past\s+{unit})"), _rolling)
        yield _Rule(strength, pattern(rf"{into}(?P<it>(?:{calendar.PAST})\s+(?P<unit>days|tagen?))"), _last_days)
        yield from _both(strength, into, rf"(?:{calendar.LAST})\s+{unit}", _last_unit)
        yield _Rule(strength, pattern(rf"{into}(?P<it>(?:{calendar.THIS})\s+{unit})"), _this_unit)
    weekday = rf"(?P<day>{calendar.DAY})"
    yield from _both("clear", into, r"(?P<name>yesterday|gestern|vorgestern|day before yesterday)", _near_day)
    yield from _both("clear", into, rf"(?:{calendar.LAST})\s+{weekday}", _weekday)
    yield _Rule("clear", pattern(rf"{calendar.SINCE}(?P<it>{weekday})"), _since(_weekday))
    yield _Rule("likely", pattern(rf"(?:on|from|am|vom)\s+(?P<it>{weekday})"), _weekday)
    yield _Rule("likely", pattern(rf"{calendar.SINCE}(?P<it>{month}\s+{year})"), _since(_month), named=True)
    yield _Rule("clear", pattern(rf"{calendar.WITHIN}(?P<it>{month}\s+{year})"), _month, named=True)
    yield _Rule("likely", pattern(rf"(?P<it>{month}\s+{year})"), _month, named=True)
    yield from _both("likely", calendar.WITHIN, month, _month, named=True)
    yield from _both("likely", calendar.IN_YEAR, year, _year)
    yield _Rule("possible", pattern(rf"(?P<it>{year})"), _year)
    yield _Rule("possible", pattern(r"(?:(?:from|of|von)\s+)?(?P<it>(?P<name>today|heute))"), _near_day)


@lru_cache(1)
def _rules() -> tuple[_Rule, ...]:
    """Made when a question is read, not when the sidecar starts: it takes 15 ms."""
    return tuple(_grammar())
