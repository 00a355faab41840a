"""The lexical leg: BM25 by SQLite's FTS5, scaled to how much of the question it covers.

A word of the question matches by its German or by its English stem, and the better of the two
counts, once. The sum over the words is divided by the most that the question could reach,
2.2 × Σ idf (k1 = 1.2), in which a word that no note has counts in full: a passage that has one of
three rare words scores near a third. Robertson & Zaragoza, "The Probabilistic Relevance
Framework: BM25 and Beyond", 2009.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass

from mindnet.store.analysis import Word, content_words, words
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


class LexicalIndex:
    """Reads the words that the manifest keeps."""

    def __init__(self, manifest: Manifest) -> None:
        self._manifest = manifest

    def search(self, query: str, limit: int, allowed: Container[str] | None = None) -> Sequence[LexicalHit]:
        """The best chunks, best first, ties by chunk id; only of the notes in ``allowed`` if given."""
        found: list[LexicalHit] = []
        for hit in self._ranked(query, limit if allowed is None else -1):
            if allowed is None or hit.note_id in allowed:
                found.append(hit)
                if len(found) >= limit:
                    break
        return found

    def score(self, query: str, chunk_ids: Sequence[str]) -> Mapping[str, float]:
        """The score of each of these chunks; those that share no word with the query have 0."""
        scores = dict.fromkeys(chunk_ids, 0.0)
        if chunk_ids:
            for hit in self._ranked(query, -1, chunk_ids):
                scores[hit.chunk_id] = hit.score
        return scores

    def _ranked(self, query: str, limit: int, chunk_ids: Sequence[str] | None = None) -> Iterator[LexicalHit]:
        with self._manifest.reading() as db:
            total = db.execute("SELECT count(*) FROM chunks").fetchone()[0]
            known: list[tuple[Word, float, list[str]]] = []
            most = 0.0
            for word in content_words(query):
                terms = [f"d{word.german}", f"e{word.english}"]
                marks = ",".join("?" * len(terms))
                rows = db.execute(f"SELECT term, doc FROM vocabulary WHERE term IN ({marks})", terms).fetchall()
                idf = max((_idf(total, number) for _, number in rows), default=_idf(total, 0))
                most += _MOST * idf
                if rows:
                    known.append((word, idf, [term for term, _ in rows]))
            known = sorted(known, key=lambda one: -one[1])[:_MAX_WORDS]
            if not known or most <= 0:
                return
            where, only = "", []
            if chunk_ids is not None:
                rows = []
                for start in range(0, len(chunk_ids), 500):
                    some = chunk_ids[start : start + 500]
                    marks = ",".join("?" * len(some))
                    rows += db.execute(f"SELECT row FROM chunks WHERE chunk_id IN ({marks})", some).fetchall()
                only = [row[0] for row in rows]
                # Row numbers are our own integers: written into the text, they have no limit in number.
                where = f" AND rowid IN ({','.join(map(str, only))})"
            one_word = f"SELECT rowid AS r, {_BM25} AS s FROM lexical WHERE lexical MATCH ?{where}"
            parts: list[str] = []
            values: list[str | int] = []
            for _, _, terms in known:
                both = " UNION ALL ".join([one_word] * len(terms))
                parts.append(f"SELECT r, max(s) AS s FROM ({both}) GROUP BY r")
                values += [f'"{term}"' for term in terms]
            summed = f"SELECT r, sum(s) AS s FROM ({' UNION ALL '.join(parts)}) GROUP BY r"
            sql = (
                f"SELECT chunk_id, note_id, s FROM ({summed}) JOIN chunks ON chunks.row = r "
                "ORDER BY s DESC, chunk_id LIMIT ?"
            )
            ranked = db.execute(sql, [*values, limit]).fetchall()
        for chunk_id, note_id, score in ranked:
            yield LexicalHit(chunk_id, note_id, min(1.0, max(0.0, score / most)))

    def matched_words(self, query: str, text: str) -> tuple[str, ...]:
        """The words of the query, as typed, that the text has by either stem."""
        present = {stem for word in words(text, stop_words=True) for stem in (f"d{word.german}", f"e{word.english}")}
        return tuple(
            word.written
            for word in content_words(query)
            if f"d{word.german}" in present or f"e{word.english}" in present
        )

    def chunk_ids(self) -> Iterator[str]:
        """Every chunk whose words are known."""
        with self._manifest.reading() as db:
            rows = db.execute("SELECT chunk_id FROM chunks").fetchall()
        return (row[0] for row in rows)


def _idf(total: int, number: int) -> float:
    """As FTS5 computes it, with its floor for words that more than half of the chunks have."""
    return max(math.log((total - number + 0.5) / (number + 0.5)), 1e-6) if total > number else 1e-6
