"""Notes in a series: numbered paragraphs, chapters, parts, days, each in its place by the number in its name.

An author who numbers notes says what comes before and after without writing a link, and whoever gives a note's
number speaks of its place. Of other questions the number of a note says nothing.
"""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from collections.abc import Container, Iterable, Sequence
from functools import lru_cache

from mindnet.store.analysis import fold, path_stem, written_words

REACH = 3
"""So many places before and after a note are near it."""
SHORTEST = 3
"""Fewer notes are no series."""
_NUMBER = re.compile(r"(\d+)")

Name = tuple[str, ...]


class Series:
    """Which notes stand near which, from the names of their files.

    Notes of one folder belong together whose names are alike up to the first number. Names that begin with a number
    must be alike in all but their numbers, as days are: much else begins with one.
    """

    def __init__(self, notes: Iterable[tuple[str, str]]) -> None:
        """``notes`` are pairs of note id and path."""
        self._numbers: dict[str, Name] = {}
        found: dict[Name, list[tuple[Sequence[str | int], str]]] = defaultdict(list)
        for note_id, path in notes:
            if (place := _place(path)) is not None:
                series, order, numbers = place
                found[series].append((order, note_id))
                self._numbers[note_id] = numbers
        self._places: dict[str, tuple[list[str], int]] = {}
        for members in found.values():
            if len(members) >= SHORTEST:
                ordered = [note_id for _, note_id in sorted(members)]
                self._places |= {note_id: (ordered, at) for at, note_id in enumerate(ordered)}

    def near(self, note_id: str, asked: Container[str]) -> list[tuple[str, int]]:
        """The notes up to ``REACH`` places before and after, each with how many places away.

        None of a note in no series, or whose number is not among the folded words that are ``asked``.
        """
        if note_id not in self._places or not all(number in asked for number in self._numbers[note_id]):
            return []
        ordered, at = self._places[note_id]
        first = max(0, at - REACH)
        return [
            (other, abs(place - at))
            for place, other in enumerate(ordered[first : at + REACH + 1], first)
            if place != at
        ]


@lru_cache(200_000)
def _place(path: str) -> tuple[Name, tuple[str | int, ...], Name] | None:
    """The series that a file belongs to by its name, its place there, and the words that are its number.

    None for a name without a number.
    """
    stem = fold(path_stem(path))
    numbered = tuple(word for word in written_words(stem) if word[0].isdigit())
    pieces = _NUMBER.split(stem)
    if not numbered:
        return None
    texts, numbers = pieces[::2], map(int, pieces[1::2])
    folder = posixpath.dirname(path)
    series = (folder, texts[0]) if texts[0].strip() else (folder, "", *texts)
    # Texts and numbers take turns, so that only like is compared with like.
    order: list[str | int] = [texts[0]]
    for number, text in zip(numbers, texts[1:], strict=True):
        order += (number, text)
    return series, tuple(order), numbered[:1] if len(series) == 2 else numbered
