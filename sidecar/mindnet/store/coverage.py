"""BM25, scaled to how much of a question a text covers.

A word of the question matches by its German or by its English stem, and the better of the two
counts, once; a word that only begins alike counts less, and nowhere as much as the word itself
does anywhere. One that no text has may be misspelt or put together (``near_words``). The sum over
the words is divided by the most that the question could reach, (k1 + 1) × Σ idf, in which a word
that no text has counts in full: a text that has one of three rare words scores near a third.
Robertson & Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", 2009; the idf is
Lucene's, never negative.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from mindnet.store.analysis import Word
from mindnet.store.bags import term_number
from mindnet.store.near_words import near_terms
from mindnet.store.postings import Floats, Ints, Segment

K1 = 1.2
B = 0.75
WORDS_KEPT = 64
ALIKE = 0.6
"""What a word counts that only begins like one of the question's."""
BELOW = 0.99
"""As much of the least that a word is worth where it stands itself may be reached by one that begins alike."""
FEW = 4
"""In questions of more words the others make up for one that is misspelt."""

Found = tuple[Ints, Floats]
"""The positions of the texts of a segment that have something, and its worth in each."""


class Coverage:
    """What words are worth in the texts of some segments, as they are now: to be made anew when one changes."""

    def __init__(self, segments: Sequence[Segment], *, near: bool = False) -> None:
        self._segments = segments
        self._near = near
        self._total = sum(int(segment.alive.sum()) for segment in segments)
        length = sum(float(segment.lengths[segment.alive].sum()) for segment in segments)
        self._idfs: dict[Word, float] = {}
        self._nears: dict[Word, Mapping[str, float]] = {}
        self._words: dict[Word, tuple[float, list[Found]]] = {}
        self._norms = [K1 * (1 - B + B * segment.lengths * self._total / (length or 1.0)) for segment in segments]

    def scores(self, asked: Sequence[Word]) -> list[Floats]:
        """For each segment the score of each of its texts, 0..1."""
        sums = self.zeros()
        most = 0.0
        for word in asked:
            idf, found = self.word(word)
            most += (K1 + 1) * idf
            if len(asked) <= FEW and (near := self.near(word)):
                found = self._raised(found, near)
            for own, (texts, worth) in zip(sums, found, strict=True):
                own[texts] += worth
        # Rounded, so that equal texts tie whatever the order in which their words were added.
        return [np.clip(own / most, 0.0, 1.0).round(12) for own in sums] if most else sums

    def idf(self, word: Word) -> float:
        """How rare the word is, by the rarer of its stems that any text has."""
        known = self._idfs.get(word)
        if known is None:
            found = (number for term in terms(word) if (number := self.number(term)))
            known = max((_idf(self._total, number) for number in found), default=_idf(self._total, 0))
            self._idfs[word] = known
        return known

    def near(self, word: Word) -> Mapping[str, float]:
        """What a word that no text has may stand for: terms that some have, each with what it counts, 0..1.

        Nothing where near words do not count.
        """
        known = self._nears.get(word)
        if known is None:
            asks = self._near and not any(self.number(term) for term in terms(word))
            known = near_terms(word.folded, self._known) if asks else {}
            self._nears[word] = known
        return known

    def _known(self, made: Sequence[str]) -> Sequence[bool]:
        numbers = np.array([term_number(term) for term in made], dtype=np.int64)
        has = np.zeros(len(numbers), dtype=np.bool_)
        for segment in self._segments:
            has |= segment.has(numbers)
        found: list[bool] = has.tolist()
        return found

    @property
    def total(self) -> int:
        """The number of texts."""
        return self._total

    def zeros(self) -> list[Floats]:
        """For each segment a 0 for each of its texts."""
        return [np.zeros(len(segment)) for segment in self._segments]

    def number(self, term: int) -> int:
        """How many texts have the term."""
        return sum(segment.number(term) for segment in self._segments)

    def numbers(self, asked: Sequence[int]) -> list[int]:
        """``number`` of each of the terms."""
        wanted = np.array(asked, dtype=np.int64)
        total = np.zeros(len(wanted), dtype=np.int64)
        for segment in self._segments:
            total += segment.numbers(wanted)
        return [int(number) for number in total]

    def word(self, word: Word) -> tuple[float, list[Found]]:
        """A word's idf, and for each segment the positions of the texts that have it and its worth by the better stem.

        What was found of the last words is kept: the second round asks for those of the first again.
        """
        known = self._words.get(word)
        if known is None:
            while len(self._words) >= WORDS_KEPT:
                del self._words[next(iter(self._words))]
            known = self._words[word] = self._word(word)
        return known

    def _word(self, word: Word) -> tuple[float, list[Found]]:
        best = self.zeros()
        rarest = 0.0
        for term in terms(word):
            rarest = max(rarest, self._add_term(term, 1.0, best))
        if word.beginning is not None:
            # Else a short text with another word would stand before a long one with the word itself.
            self._add_term(term_number(word.beginning), ALIKE, best, most=BELOW * self._least(word, best))
        self._idfs[word] = rarest or _idf(self._total, 0)
        return self._idfs[word], _found(best)

    def _least(self, word: Word, best: Sequence[Floats]) -> float:
        """What the word is worth where it is worth least of all texts that have it; infinite if none has."""
        found = (
            float(own[texts].min())
            for term in terms(word)
            for (texts, _), own in zip(self.worth(term), best, strict=True)
            if len(texts)
        )
        return min(found, default=math.inf)

    def _raised(self, found: Sequence[Found], near: Mapping[str, float]) -> list[Found]:
        """What was found of a word, and what is worth more by a term that it may stand for."""
        best = self.zeros()
        for own, (texts, worth) in zip(best, found, strict=True):
            own[texts] = worth
        for term, factor in near.items():
            self._add_term(term_number(term), factor, best)
        return _found(best)

    def worth(self, term: int) -> Iterator[Found]:
        """For each segment the positions of the texts that have the term, and its BM25 there."""
        found = [segment.postings(term) for segment in self._segments]
        idf = _idf(self._total, sum(len(texts) for texts, _ in found))
        for (texts, weights), norm in zip(found, self._norms, strict=True):
            yield texts.astype(np.int64), idf * weights * (K1 + 1) / (weights + norm[texts])

    def _add_term(self, term: int, factor: float, best: Sequence[Floats], most: float = math.inf) -> float:
        """Raises ``best`` to a part of what one term is worth, or to ``most``; returns its idf, 0 if no text has it."""
        number = 0
        for (texts, worth), own in zip(self.worth(term), best, strict=True):
            own[texts] = np.maximum(own[texts], np.minimum(factor * worth, most))
            number += len(texts)
        return _idf(self._total, number) if number else 0.0


def _found(best: Sequence[Floats]) -> list[Found]:
    places = [np.flatnonzero(own) for own in best]
    return [(texts, own[texts]) for own, texts in zip(best, places, strict=True)]


def terms(word: Word) -> tuple[int, ...]:
    """The numbers of a word's stems, each once."""
    return tuple(dict.fromkeys(map(term_number, word.terms)))


def _idf(total: int, number: int) -> float:
    return math.log(1 + (total - number + 0.5) / (number + 0.5))
