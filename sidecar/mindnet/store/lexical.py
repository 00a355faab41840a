"""The lexical leg: how much of the question the words of each chunk cover, and whether it names the chunk's note."""

from __future__ import annotations

import math
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from mindnet.records import Pier
from mindnet.store.analysis import STOP_WORDS, Word, content_words, humps, words, written_words
from mindnet.store.bridges import BridgeHit, bridges, names_of
from mindnet.store.coverage import FEW, Coverage, terms
from mindnet.store.manifest import Manifest
from mindnet.store.names import NameIndex
from mindnet.store.postings import Floats, Segment
from mindnet.store.segments import Segments
from mindnet.store.series import Series

NAME_SHARE = 0.2
"""The part of a score that goes to notes whose title, file name or alias the question names."""


@dataclass(frozen=True, slots=True)
class LexicalHit:
    """A chunk and how much of the question its words cover, 0..1."""

    chunk_id: str
    note_id: str
    score: float


class LexicalIndex:
    """Reads the words that the manifest keeps; may be called from several threads.

    The postings are held in memory, about as large as the text; what the manifest has learned
    since the last question is added before the next.
    """

    def __init__(self, manifest: Manifest) -> None:
        self._manifest = manifest
        self._segments = Segments(Segment.build, Segment.merge)
        self._names = NameIndex(manifest)
        self._coverage = Coverage(())
        self._generation = -1
        self._last: tuple[str, list[Floats]] | None = None
        self._series: tuple[int, Series] | None = None

    def search(self, query: str, limit: int, allowed: Container[str] | None = None) -> Sequence[LexicalHit]:
        """The best chunks, best first, ties by chunk id; only of the notes in ``allowed`` if given."""
        with self._manifest.reading():
            scores = self._scores(query)
            found = [
                LexicalHit(segment.chunk_ids[place], segment.note_ids[place], float(scores[number][place]))
                for number, segment, place in _best(tuple(self._segments), scores, limit, allowed)
            ]
        return sorted(found, key=lambda hit: (-hit.score, hit.chunk_id))[: max(limit, 0)]

    def bridges(
        self, query: str, piers: Sequence[Pier], limit: int, allowed: Container[str] | None = None
    ) -> Sequence[BridgeHit]:
        """The best chunks that share names with a pier of another note and have more of the question, best first."""
        with self._manifest.reading():
            self._refresh()
            segments = tuple(self._segments)
            best, first = bridges(_asked(query), piers, segments, self._coverage)
            found = [
                BridgeHit(
                    segment.chunk_ids[place],
                    segment.note_ids[place],
                    round(float(best[number][place]), 12),
                    int(first[number][place]),
                )
                for number, segment, place in _best(segments, best, limit, allowed)
            ]
        return sorted(found, key=lambda hit: (-hit.score, hit.chunk_id))[: max(limit, 0)]

    def having(self, text: str, allowed: Container[str] | None = None) -> Sequence[str]:
        """The ids of the chunks that have every word of the text, function words too, in any order and field.

        Words are known by their stems: a few of these chunks may have another form.
        """
        wanted = sorted({terms(word)[0] for word in words(text, stop_words=True)})
        found: list[str] = []
        with self._manifest.reading():
            self._refresh()
            for segment in self._segments if wanted else ():
                places = segment.having(wanted).tolist()
                found += (
                    segment.chunk_ids[place]
                    for place in places
                    if allowed is None or segment.note_ids[place] in allowed
                )
        return sorted(found)

    def shared_names(self, query: str, pier: Pier, text: str) -> tuple[str, ...]:
        """The names, as the pier writes them, that make a bridge to the text, the rarest first."""
        with self._manifest.reading():
            self._refresh()
            present, _ = _vocabulary(text)
            named = names_of(pier.text, _asked(query), self._coverage)
            return tuple(name.written for name in named if name.terms[0] in present)

    def score(self, query: str, chunk_ids: Sequence[str]) -> Mapping[str, float]:
        """The score of each of these chunks; those that share no word with the query have 0."""
        found = dict.fromkeys(chunk_ids, 0.0)
        with self._manifest.reading():
            rest = list(found)
            for segment, own in zip(self._segments, self._scores(query), strict=True):
                position, alive = segment.position, segment.alive
                elsewhere = []
                for chunk_id in rest:
                    place = position.get(chunk_id)
                    if place is not None and alive[place]:
                        found[chunk_id] = float(own[place])
                    else:
                        elsewhere.append(chunk_id)
                rest = elsewhere
        return found

    def alike_words(self, query: str, text: str) -> tuple[str, ...]:
        """The words of the query, as typed, of which the text has only words that begin alike."""
        present, beginnings = _vocabulary(text)
        return tuple(
            word.written for word in _asked(query) if word.beginning in beginnings and present.isdisjoint(word.terms)
        )

    def near_words(self, query: str, text: str) -> tuple[tuple[str, str], ...]:
        """Words of the query that no chunk has, as typed, each with the one of the text that it may stand for."""
        asked = _asked(query)
        present, _ = _vocabulary(text)
        if len(asked) > FEW or all(not present.isdisjoint(word.terms) for word in asked):
            return ()
        with self._manifest.reading():
            self._refresh()
            found = []
            for word in asked:
                near = self._coverage.near(word)
                counts = (
                    [(near[one.terms[0]], one.written) for one in words(text) if one.terms[0] in near] if near else []
                )
                if counts:
                    found.append((word.written, max(counts, key=lambda pair: pair[0])[1]))
        return tuple(found)

    def matched_words(self, query: str, text: str) -> tuple[str, ...]:
        """The words of the query, as typed, that the text has by either stem."""
        present, _ = _vocabulary(text)
        return tuple(word.written for word in _asked(query) if not present.isdisjoint(word.terms))

    def in_series(self, query: str, note_id: str) -> Sequence[tuple[str, int]]:
        """The notes near this one in a series, if the query has its number; each with how many places away."""
        asked = _folded(query)
        if not any(word[0].isdigit() for word in asked):
            return ()
        with self._manifest.reading():
            if self._series is None or self._series[0] != self._manifest.generation:
                self._series = self._manifest.generation, Series(self._manifest.note_paths())
            return self._series[1].near(note_id, asked)

    def chunk_ids(self) -> Iterator[str]:
        """Every chunk whose words are known."""
        return iter(self._manifest.chunk_ids())

    # -------------------------------------------------------------- scores
    def _scores(self, query: str) -> list[Floats]:
        """For each segment the score of each of its chunks; the last question's are kept, as it is asked in turns."""
        self._refresh()
        if self._last is None or self._last[0] != query:
            self._last = query, self._rank(query)
        return self._last[1]

    def _rank(self, query: str) -> list[Floats]:
        asked = content_words(query)
        found = [(1 - NAME_SHARE) * own for own in self._coverage.scores(asked)]
        named = self._names.scores(asked, self._coverage)
        for segment, own in zip(self._segments, found, strict=True):
            for note_id in named.keys() & segment.places.keys():
                own[segment.places[note_id]] += NAME_SHARE * named[note_id]
        return [own.round(12) for own in found]

    # -------------------------------------------------------------- keeping up
    def _refresh(self) -> None:
        generation = self._manifest.generation
        if generation == self._generation:
            return
        self._segments.refresh(self._manifest.chunk_table)
        self._names.refresh()
        self._coverage = Coverage(tuple(self._segments), near=True)
        self._generation = generation
        self._last = None


@lru_cache(64)
def _asked(query: str) -> tuple[Word, ...]:
    """The words of a question, which is held against many texts."""
    return tuple(content_words(query))


@lru_cache(64)
def _folded(query: str) -> frozenset[str]:
    """All words of a question, as they are without case and accents."""
    return frozenset(word.folded for word in words(query, stop_words=True))


@lru_cache(2_048)
def _vocabulary(text: str) -> tuple[frozenset[str], frozenset[str]]:
    """The stems of a text's words, and the beginnings of those that have a meaning."""
    present: set[str] = set()
    beginnings: set[str] = set()
    for written in set(written_words(text)):
        terms, beginning = _known(written)
        present.update(terms)
        if beginning is not None:
            beginnings.add(beginning)
    return frozenset(present), frozenset(beginnings)


@lru_cache(200_000)
def _known(written: str) -> tuple[tuple[str, ...], str | None]:
    """The stems of a word and of its humps, and its beginning if it has a meaning."""
    found = [*words(written, stop_words=True)]
    beginnings = (word.beginning for word in found if word.folded not in STOP_WORDS)
    found += (part for hump in humps(written) for part in words(hump, stop_words=True))
    return tuple(dict.fromkeys(term for word in found for term in word.terms)), next(beginnings, None)


def _best(
    segments: Sequence[Segment], scores: Sequence[Floats], limit: int, allowed: Container[str] | None
) -> list[tuple[int, Segment, int]]:
    """Number and segment and position of the best texts of notes in ``allowed``, in no order.

    At least ``limit`` if there are so many above 0, and all that tie with the last. Few notes are
    not allowed as a rule, so the best are looked at first, and more only if too few of them are.
    """
    positive = sum(int(np.count_nonzero(own > 0)) for own in scores)
    asked = max(limit, 1)
    while True:
        least = _least(scores, asked)
        found = [
            (number, segment, place)
            for number, (segment, own) in enumerate(zip(segments, scores, strict=True))
            for place in np.flatnonzero(own >= least).tolist()
            if allowed is None or segment.note_ids[place] in allowed
        ]
        if len(found) >= limit or asked >= positive:
            return found
        asked *= 4


def _least(scores: Sequence[Floats], limit: int) -> float:
    """The lowest score that can be among the best ``limit``; above 0 in any case."""
    above = np.concatenate([own[own > 0] for own in scores]) if scores else np.empty(0)
    if not len(above) or limit < 1:
        return math.inf
    if limit >= len(above):
        return float(above.min())
    return float(np.partition(above, len(above) - limit)[len(above) - limit])
