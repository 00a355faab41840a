"""Bridges: passages that share rare names with one that was found, and have what it lacks of the question.

A question of two steps ("the waterfall in the country where the Bubye flows") finds the passage of
its first step by words. That passage names what the second step is about, which the question does
not. So a second round asks for its names together with the words of the question that it does not
have. Related: pseudo-relevance feedback (Lavrenko & Croft, "Relevance-Based Language Models", 2001).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from mindnet.records import Pier
from mindnet.store.analysis import Word, words
from mindnet.store.bags import term_number
from mindnet.store.coverage import K1, Coverage
from mindnet.store.postings import Floats, Ints, Segment

MOST_NAMES = 24
"""So many names of a passage are followed, the rarest first."""
RARE = 0.02
"""A name that more than this part of all texts has leads nowhere in particular."""
ENOUGH = 4.0
"""Shared idf at which two passages are much about the same: one name that few others have."""
REST = 0.02
"""What shared names count where nothing of the rest of the question is met, beside its share, 0..1."""


@dataclass(frozen=True, slots=True)
class BridgeHit:
    """A chunk, the worth of the best bridge that leads to it, 0..1, and the number of its pier."""

    chunk_id: str
    note_id: str
    score: float
    pier: int


def name_term(word: Word) -> int:
    """The number that stands for a name: that of its German stem, which takes a genitive's ending off in both."""
    return term_number(word.terms[0])


def names_of(text: str, asked: Sequence[Word], coverage: Coverage) -> list[Word]:
    """The rare names of a text that the question does not have, the rarest first.

    A name is what is written with a capital, or a number. In German every noun is; the rare ones stay.
    """
    known = {term for word in asked for term in word.terms}
    found: dict[str, Word] = {}
    for word in words(text):
        if word.written[0].isupper() or word.written[0].isdigit():
            found.setdefault(word.german, word)
    most = max(2.0, RARE * coverage.total)
    counts = coverage.numbers([name_term(word) for word in found.values()])
    numbers = dict(zip(found, counts, strict=True))
    rare = [key for key, word in found.items() if 1 < numbers[key] <= most and known.isdisjoint(word.terms)]
    return [found[key] for key in sorted(rare, key=lambda key: (numbers[key], key))[:MOST_NAMES]]


def bridges(
    asked: Sequence[Word], piers: Sequence[Pier], segments: Sequence[Segment], coverage: Coverage
) -> tuple[list[Floats], list[Ints]]:
    """For each segment the worth of the best bridge to each of its texts, 0..1, and the number of its pier.

    No bridge leads to another passage of its pier's own note.
    """
    own = [{term for word in words(pier.text, stop_words=True) for term in word.terms} for pier in piers]
    rest = [coverage.zeros() for _ in piers]
    most = 0.0
    for word in asked:
        idf, worth = coverage.word(word)
        most += (K1 + 1) * idf
        for number, has in enumerate(own):
            if has.isdisjoint(word.terms):
                for total, (texts, part) in zip(rest[number], worth, strict=True):
                    total[texts] += part
    best = coverage.zeros()
    first: list[Ints] = [np.zeros(len(own), dtype=np.int64) for own in best]
    for number, pier in enumerate(piers):
        shared = coverage.zeros()
        for name in names_of(pier.text, asked, coverage):
            for (texts, part), total in zip(coverage.worth(name_term(name)), shared, strict=True):
                total[texts] += part
        for place, (segment, common, left) in enumerate(zip(segments, shared, rest[number], strict=True)):
            common[segment.places.get(pier.note_id, [])] = 0.0
            texts = np.flatnonzero(common)
            near = -np.expm1(-common[texts] / ((K1 + 1) * ENOUGH))
            reached = pier.strength * near * (left[texts] / (most or 1.0) + REST)
            better = reached > best[place][texts]
            best[place][texts[better]] = reached[better]
            first[place][texts[better]] = number
    return best, first
