"""Near-duplicates: of passages with nearly the same text the best is shown, the others are named with it.

Two texts are near copies when they share most of their runs of three words (Broder, "On the resemblance and
containment of documents", 1997), and all their numbers: clauses that differ in one number say different things.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from mindnet.records import Chunk, Copy
from mindnet.retrieval.legs import Candidate
from mindnet.store.analysis import words

_HEADING = re.compile(r"^ {0,3}#{1,6}[ \t].*$", re.MULTILINE)
RESEMBLANCE = 0.8
"""Shared runs, of all that either text has: in fifty words one may be another."""
RUN = 3
SHORTEST = 8
"""A text of fewer words is a copy only under the same title: it says too little by itself."""


@dataclass(frozen=True, slots=True)
class Folded:
    """Candidates in their order, and by the chunk id of each the copies that it stands for."""

    shown: tuple[Candidate, ...]
    copies: dict[str, tuple[Copy, ...]]

    def named(self, chunk: Chunk) -> tuple[Copy, ...]:
        """The passages that this one stands for."""
        return self.copies.get(chunk.chunk_id, ())

    def stands_for(self, note_id: str, limit: int) -> int | None:
        """The place, from 1, of the hit that stands for a note; None for one that is a hit itself, or no copy."""
        shown = self.shown[:limit]
        if any(one.place.note_id == note_id for one in shown):
            return None
        copied = (
            place
            for place, one in enumerate(shown, 1)
            if any(copy.chunk.note_id == note_id for copy in self.named(one.chunk))
        )
        return next(copied, None)


def fold_copies(ranked: Sequence[Candidate], limit: int) -> Folded:
    """The best ``limit`` of a ranking whose copies are folded into the first of them, and the rest as it is."""
    shown: list[Candidate] = []
    copies: dict[str, list[Copy]] = {}
    for place, candidate in enumerate(ranked):
        if len(shown) >= limit:
            shown += ranked[place:]
            break
        like = ((resemblance(one.chunk, candidate.chunk), one) for one in shown)
        best = max(like, key=lambda pair: pair[0], default=None)
        if best is None or best[0] < RESEMBLANCE:
            shown.append(candidate)
        else:
            copies.setdefault(best[1].chunk.chunk_id, []).append(Copy(candidate.chunk, best[0]))
    return Folded(tuple(shown), {chunk_id: tuple(found) for chunk_id, found in copies.items()})


def resemblance(one: Chunk, other: Chunk) -> float:
    """How much of their text two passages share, 0..1; 0 for those that are too short or differ in a number."""
    mine, theirs = _text(one.text), _text(other.text)
    if min(mine.length, theirs.length) < SHORTEST and one.title != other.title:
        return 0.0
    if mine.numbers != theirs.numbers or not mine.runs or not theirs.runs:
        return 0.0
    if min(len(mine.runs), len(theirs.runs)) < RESEMBLANCE * max(len(mine.runs), len(theirs.runs)):
        return 0.0
    return len(mine.runs & theirs.runs) / len(mine.runs | theirs.runs)


@dataclass(frozen=True, slots=True)
class _Text:
    length: int
    runs: frozenset[tuple[str, ...]]
    numbers: frozenset[str]


@lru_cache(2_048)
def _text(text: str) -> _Text:
    # The same text may stand under another heading.
    body = _HEADING.sub("", text)
    folded = [word.folded for word in words(body if body.strip() else text, stop_words=True)]
    starts = range(max(1, len(folded) - RUN + 1)) if folded else range(0)
    runs = frozenset(tuple(folded[start : start + RUN]) for start in starts)
    return _Text(
        len(folded), runs, frozenset(word for word in folded if not word.isalpha() and any(map(str.isdigit, word)))
    )
