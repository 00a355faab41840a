"""The words of time expressions in German and English, as regular expressions, and what they mean."""

from __future__ import annotations

import re
from collections.abc import Mapping

_MONTHS = (
    ("januar", "jänner", "january"),
    ("februar", "feber", "february"),
    ("märz", "maerz", "march"),
    ("april",),
    ("mai", "may"),
    ("juni", "june"),
    ("juli", "july"),
    ("august",),
    ("september",),
    ("oktober", "october"),
    ("november",),
    ("dezember", "december"),
)
_DAYS = (
    ("montag", "monday"),
    ("dienstag", "tuesday"),
    ("mittwoch", "wednesday"),
    ("donnerstag", "thursday"),
    ("freitag", "friday"),
    ("samstag", "sonnabend", "saturday"),
    ("sonntag", "sunday"),
)
_NUMBERS = (
    ("ein", "eine", "einem", "einer", "einen", "one", "a", "an"),
    ("zwei", "two"),
    ("drei", "three"),
    ("vier", "four"),
    ("fünf", "fuenf", "five"),
    ("sechs", "six"),
    ("sieben", "seven"),
    ("acht", "eight"),
    ("neun", "nine"),
    ("zehn", "ten"),
    ("elf", "eleven"),
    ("zwölf", "zwoelf", "twelve"),
)
_UNITS = {
    "day": ("tag", "tage", "tagen", "day", "days"),
    "week": ("woche", "wochen", "week", "weeks"),
    "month": ("monat", "monate", "monaten", "monats", "month", "months"),
    "year": ("jahr", "jahre", "jahren", "jahres", "year", "years"),
}


def _numbered(groups: tuple[tuple[str, ...], ...]) -> Mapping[str, int]:
    return {word: number for number, words in enumerate(groups, 1) for word in words}


MONTHS = _numbered(_MONTHS)
"""The number of each month's name, from 1."""
DAYS = _numbered(_DAYS)
"""The number of each day's name, 1 for Monday."""
NUMBERS = _numbered(_NUMBERS)
UNITS = {word: unit for unit, words in _UNITS.items() for word in words}
"""``day``, ``week``, ``month`` or ``year`` for each of its names."""


def _any(words: Mapping[str, object]) -> str:
    return "|".join(sorted(words, key=lambda word: (-len(word), word)))


MONTH, DAY = _any(MONTHS), _any(DAYS)
SHORT_UNIT = _any({word: unit for word, unit in UNITS.items() if unit != "year"})
YEAR_UNIT = _any({word: unit for word, unit in UNITS.items() if unit == "year"})
NUMBER = rf"\d{{1,3}}|{_any(NUMBERS)}"
YEAR = r"(?:19|20)\d\d"
LAST = r"last|previous|letzte[nrms]?|vergangene[nrms]?|vorige[nrms]?"
PAST = rf"past|{LAST}"
THIS = r"this|current|diese[nrms]?|laufende[nrms]?"
SINCE = r"(?:since|seit|ab)\s+(?:(?:the|der|dem)\s+)?"
INTO = (
    r"(?:(?:in|im|from|of|on|during|over|within|for|aus|von|vom|am|während|innerhalb)\s+)?"
    r"(?:(?:the|der|die|das|dem|den|des)\s+)?"
)
"""Words before an expression that go with it."""
WITHIN = r"(?:in|im|during|from|of|aus|vom|von)\s+(?:dem\s+)?"
"""Words that make the name of a month a time."""
IN_YEAR = r"(?:(?:im|in|from|of|aus|vom)\s+)(?:(?:the\s+|dem\s+)?(?:jahr|year)\s+)?"
_END = rf"(?:\d|(?:{MONTH}|{DAY})\b)"
BEFORE_END = re.compile(
    r"(?:\b(?:between|until|till|to|before|after|by|zwischen|bis|vor|nach)|(?<=[^\s.!?])\s+(?:and|und|or|oder))"
    rf"(?:\s+(?:the|dem|zum|zur|im|am))?\s*$|(?:(?:\d|{MONTH})\s*[-–—/]|{MONTH})\s*$",
    re.IGNORECASE,
)
"""What stands before one end of a span: half of it would be another time. "And last week?" is whole."""
BEHIND_START = re.compile(rf"\s*(?:[-–—/]|(?:to|until|till|and|bis|und)\b)\s*(?:zum\s+)?{_END}", re.IGNORECASE)


def pattern(text: str) -> re.Pattern[str]:
    """An expression between word borders, whatever its case."""
    return re.compile(rf"(?<![\w-])(?:{text})(?![\w-])", re.IGNORECASE)
