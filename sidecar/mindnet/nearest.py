"""The name that somebody may have meant, where one is near enough to be worth saying."""

from __future__ import annotations

from collections.abc import Iterable

from rapidfuzz import fuzz, process

OF_MANY = 75.0
"""Among the shipped kinds a name with one slip is found again (99.9 %), with two as well (96 %); other words are
near none (92 %)."""
OF_FEW = 60.0
"""Of a handful a looser likeness is still a help."""


def nearest(written: str, known: Iterable[str], least: float = OF_MANY) -> str | None:
    """The one of ``known`` that is most like ``written``; None where none is like it by ``least`` of 100."""
    found = process.extractOne(written, list(known), scorer=fuzz.ratio, score_cutoff=least)
    return found[0] if found else None


def did_you_mean(written: str, known: Iterable[str], least: float = OF_FEW) -> str:
    """The question with the nearest name, empty where none is near."""
    name = nearest(written, known, least)
    return f"Did you mean `{name}`?" if name else ""
