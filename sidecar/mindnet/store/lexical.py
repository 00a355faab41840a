"""The lexical leg: BM25 by SQLite's FTS5, scaled to how much of the question it covers.

A word of the question matches by its German or by its English stem, and the better of the two
counts, once. The sum over the words is divided by the most that the question could reach,
2.2 × Σ idf (k1 = 1.2), in which a word that no note has counts in full: a passage that has one of
three rare words scores near a third. Robertson & Zaragoza, "The Probabilistic Relevance
Framework: BM25 and Beyond", 2009.
"""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from mindnet.store.analysis import content_words, index_terms, index_terms_of
from mindnet.store.manifest import Manifest

FIELD_WEIGHTS = {"title": 3.0, "aliases": 3.0, "headings": 2.0, "tags": 2.0, "text": 1.0}
_MOST = 2.2
_MAX_WORDS = 24
"""A question of a whole paragraph is searched by its rarest words."""
_BM25 = f"-bm25(lexical, {', '.join(map(str, FIELD_WEIGHTS.values()))})"


@dataclass(frozen=True, slots=True)
class LexicalHit:
    """A chunk and how much of the question its words cover, 0..1."""

    chunk_id: str
    note_id: str
    score: float


@dataclass(frozen=True, slots=True)
class _Ranking:
    """All chunks that share a word with a question, best first. ``state`` is that of the index it was read from."""

    query: str
    state: int
    hits: tuple[LexicalHit, ...]
    scores: Mapping[str, float]


class LexicalIndex:
    """Reads the words that the manifest keeps; may be called from several threads."""

    def __init__(self, manifest: Manifest) -> None:
        self._manifest = manifest
        self._last: _Ranking | None = None

    def search(self, query: str, limit: int, allowed: Container[str] | None = None) -> Sequence[LexicalHit]:
        """The best chunks, best first, ties by chunk id; only of the notes in ``allowed`` if given."""
        hits = self._ranking(query).hits
        return list(islice((hit for hit in hits if allowed is None or hit.note_id in allowed), max(limit, 0)))

    def score(self, query: str, chunk_ids: Sequence[str]) -> Mapping[str, float]:
        """The score of each of these chunks; those that share no word with the query have 0."""
        scores = self._ranking(query).scores
        return {chunk_id: scores.get(chunk_id, 0.0) for chunk_id in chunk_ids}

    def _ranking(self, query: str) -> _Ranking:
        """Ranks all at once and keeps the last: one question is searched, scored and filtered in turn."""
        with self._manifest.reading() as db:
            last, state = self._last, db.total_changes
            if last is None or (last.query, last.state) != (query, state):
                hits = tuple(_rank(db, query))
                last = self._last = _Ranking(query, state, hits, {hit.chunk_id: hit.score for hit in hits})
            return last

    def matched_words(self, query: str, text: str) -> tuple[str, ...]:
        """The words of the query, as typed, that the text has by either stem."""
        present = set(index_terms(text).split())
        return tuple(word.written for word in content_words(query) if not present.isdisjoint(index_terms_of(word)))

    def chunk_ids(self) -> Iterator[str]:
        """Every chunk whose words are known."""
        with self._manifest.reading() as db:
            rows = db.execute("SELECT chunk_id FROM chunks").fetchall()
        return (row[0] for row in rows)


def _rank(db: sqlite3.Connection, query: str) -> list[LexicalHit]:
    (total,) = db.execute("SELECT count(*) FROM chunks").fetchone()
    known: list[tuple[float, list[str]]] = []
    most = 0.0
    for word in content_words(query):
        rows = db.execute("SELECT term, doc FROM vocabulary WHERE term IN (?, ?)", index_terms_of(word)).fetchall()
        idf = max((_idf(total, number) for _, number in rows), default=_idf(total, 0))
        most += _MOST * idf
        if rows:
            known.append((idf, [term for term, _ in rows]))
    sums: dict[int, float] = {}
    for _, terms in sorted(known, key=lambda one: -one[0])[:_MAX_WORDS]:
        for row, score in _better_of(db, terms).items():
            sums[row] = sums.get(row, 0.0) + score
    if not sums:
        return []
    hits = [
        LexicalHit(chunk_id, note_id, min(1.0, max(0.0, sums[row] / most)))
        for row, chunk_id, note_id in db.execute("SELECT row, chunk_id, note_id FROM chunks")
        if row in sums
    ]
    return sorted(hits, key=lambda hit: (-hit.score, hit.chunk_id))


def _better_of(db: sqlite3.Connection, terms: Sequence[str]) -> dict[int, float]:
    """Row to score for one word: that of its better stem.

    One plain statement a stem: inside of a larger one SQLite may refuse to run ``bm25``.
    """
    best: dict[int, float] = {}
    for term in terms:
        for row, score in db.execute(f"SELECT rowid, {_BM25} FROM lexical WHERE lexical MATCH ?", (f'"{term}"',)):
            if score > best.get(row, 0.0):
                best[row] = score
    return best


def _idf(total: int, number: int) -> float:
    """As FTS5 computes it, with its floor for words that more than half of the chunks have."""
    return max(math.log((total - number + 0.5) / (number + 0.5)), 1e-6) if total > number else 1e-6
