"""Values of plain YAML scalars, as JSON holds them."""

from __future__ import annotations

import datetime
import re

Scalar = str | int | float | bool | None

_WORDS: dict[str, bool | None] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_NUMBER = re.compile(r"[-+]?(?:(?P<int>[0-9]+)|(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?)\Z")
_DATE = re.compile(
    r"(?P<year>[0-9]{4})-(?P<month>[0-9]{1,2})-(?P<day>[0-9]{1,2})"
    r"(?:(?:[Tt]|[ \t]+)(?P<hour>[0-9]{1,2}):(?P<minute>[0-9]{2}):(?P<second>[0-9]{2})(?P<fraction>\.[0-9]+)?"
    r"[ \t]*(?:(?P<utc>Z)|(?P<zone>[-+][0-9]{1,2})(?::?(?P<zone_minute>[0-9]{2}))?)?)?\Z"
)
_LARGEST = 2**63 - 1
_LONGEST_NUMBER = 400


def plain_scalar(text: str) -> Scalar:
    """Give the value of an unquoted scalar by YAML 1.2's core schema, with what JSON cannot say kept as text.

    ``12:30``, ``yes`` and ``no`` are text, as in YAML 1.2. A date or time becomes its ISO form, still a string.
    A number that would be written otherwise afterwards (``1.10``, ``007``, ``0x1F``, ``1e3``) stays as written:
    it may as well be a version or a name. So do infinities, not-a-number and integers beyond 64 bits.
    """
    if text in _WORDS:
        return _WORDS[text]
    first = text[0]
    if not (first.isdigit() or first in "+-."):
        return text
    return _number(text) if len(text) <= _LONGEST_NUMBER else text


def _number(text: str) -> Scalar:
    number = _NUMBER.match(text)
    if number is not None:
        value = int(text) if number["int"] is not None else float(text)
        return value if str(value) == text and abs(value) <= _LARGEST else text
    date = _DATE.match(text)
    return text if date is None else _iso(date, text)


def _iso(match: re.Match[str], text: str) -> str:
    year, month, day = (int(match[name]) for name in ("year", "month", "day"))
    try:
        if match["hour"] is None:
            return datetime.date(year, month, day).isoformat()
        moment = datetime.datetime(year, month, day, int(match["hour"]), int(match["minute"]), int(match["second"]))
    except ValueError:
        return text  # The 31st of February is what someone wrote: it stays.
    zone = "Z" if match["utc"] else ""
    if match["zone"]:
        zone = f"{match['zone'][0]}{match['zone'][1:]:0>2}:{match['zone_minute'] or '00'}"
    return f"{moment.isoformat()}{match['fraction'] or ''}{zone}"
