"""What links say: how well a question matches the texts of the links to a note, and the sentences around them.

Other notes describe a note where they link to it, often in words that it does not have itself, as
the web's anchor texts describe a page (Brin & Page, 1998). Of all that is said of a note the
best counts, so that a note is not better for being linked often, and one place can be named.
"""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from mindnet.records import LinkContext
from mindnet.store.analysis import content_words
from mindnet.store.coverage import Coverage
from mindnet.store.manifest import Manifest
from mindnet.store.names import naming
from mindnet.store.postings import Flags, Floats, Ints, Segment, StoredBag, StoredContext
from mindnet.store.segments import Segments


@dataclass(frozen=True, slots=True)
class SaidHit:
    """A note and the place where the best is said of it: 0..1, and the place's number."""

    note_id: str
    score: float
    row: int


@dataclass(slots=True)
class _Segment:
    """Some contexts: the words of the sentences, those of the link texts, and what belongs to each."""

    said: Segment
    named: Segment
    private: Flags
    targets: Ints

    @classmethod
    def build(cls, contexts: Sequence[StoredContext], targets: Ints) -> _Segment:
        said = [StoredBag(one.row, one.target_id, one.source_id, one.length, one.bag) for one in contexts]
        named = [StoredBag(one.row, one.target_id, one.source_id, one.names, one.name_bag) for one in contexts]
        private = np.array([one.private for one in contexts], dtype=np.bool_)
        return cls(Segment.build(said), Segment.build(named), private, targets)

    @classmethod
    def merge(cls, one: _Segment, other: _Segment) -> _Segment:
        """The living contexts of both."""
        return cls(
            Segment.merge(one.said, other.said),
            Segment.merge(one.named, other.named),
            np.concatenate([one.private[one.said.alive], other.private[other.said.alive]]),
            np.concatenate([one.targets[one.said.alive], other.targets[other.said.alive]]),
        )

    def keep(self, rows: Ints) -> None:
        self.said.keep(rows)
        self.named.keep(rows)

    def drop(self, rows: Ints) -> None:
        self.said.drop(rows)
        self.named.drop(rows)

    def __len__(self) -> int:
        return len(self.targets)


@dataclass(frozen=True, slots=True)
class _Asked:
    """The answer to one question: by number of the target its best score and the row of the place."""

    query: str
    name_share: float
    include_private: bool
    scores: Floats
    rows: Ints


class SaidIndex:
    """Reads the contexts that the manifest keeps; may be called from several threads.

    ``name_share`` is the part of a score that goes to links whose own text the question names; the
    rest goes to the sentences around them. What a private note says is heard only with ``include_private``.
    """

    def __init__(self, manifest: Manifest) -> None:
        self._manifest = manifest
        self._segments = Segments(self._build, _Segment.merge)
        self._numbers: dict[str, int] = {}
        self._names: list[str] = []
        self._coverage = Coverage(())
        self._generation = -1
        self._last: _Asked | None = None

    def search(
        self,
        query: str,
        limit: int,
        allowed: Container[str] | None = None,
        *,
        name_share: float,
        include_private: bool = False,
    ) -> Sequence[SaidHit]:
        """The notes of which the best is said, best first, ties by id; only those in ``allowed`` if given."""
        with self._manifest.reading():
            asked = self._ask(query, name_share, include_private)
            found = [
                SaidHit(self._names[number], float(asked.scores[number]), int(asked.rows[number]))
                for number in self._best(asked.scores, limit, allowed)
            ]
        return sorted(found, key=lambda hit: (-hit.score, hit.note_id))[: max(limit, 0)]

    def score(
        self, query: str, note_ids: Sequence[str], *, name_share: float, include_private: bool = False
    ) -> Mapping[str, SaidHit]:
        """The best that is said of each of these notes; those of which nothing fits are left out."""
        found = {}
        with self._manifest.reading():
            asked = self._ask(query, name_share, include_private)
            for note_id in note_ids:
                number = self._numbers.get(note_id)
                if number is not None and asked.scores[number] > 0:
                    found[note_id] = SaidHit(note_id, float(asked.scores[number]), int(asked.rows[number]))
        return found

    def contexts(self, rows: Sequence[int]) -> Mapping[int, tuple[str, LinkContext]]:
        """The places of these numbers, each with the id of the note that it stands in."""
        return self._manifest.contexts(rows)

    # -------------------------------------------------------------- scores
    def _best(self, scores: Floats, limit: int, allowed: Container[str] | None) -> list[int]:
        """The numbers of the best targets in ``allowed``: at least ``limit`` if there are so many, and all that tie.

        Few notes are not allowed as a rule, so the best are looked at first.
        """
        asked = max(limit, 1)
        while True:
            above = np.flatnonzero(scores > _least(scores, asked)).tolist()
            found = [number for number in above if allowed is None or self._names[number] in allowed]
            if len(found) >= limit or asked >= len(scores):
                return found
            asked *= 4

    def _ask(self, query: str, name_share: float, include_private: bool) -> _Asked:
        """The last question's answer is kept, as it is asked in turns."""
        self._refresh()
        last = self._last
        if last is None or (last.query, last.name_share, last.include_private) != (query, name_share, include_private):
            scores, rows = self._rank(query, name_share, include_private)
            last = self._last = _Asked(query, name_share, include_private, scores, rows)
        return last

    def _rank(self, query: str, name_share: float, include_private: bool) -> tuple[Floats, Ints]:
        asked = content_words(query)
        said = self._coverage.scores(asked)
        best = np.zeros(len(self._names))
        rows = np.zeros(len(self._names), dtype=np.int64)
        for segment, own in zip(self._segments, said, strict=True):
            named = naming(segment.named, asked, self._coverage)
            scores = ((1 - name_share) * own + name_share * named).round(12)
            heard = segment.said.alive if include_private else segment.said.alive & ~segment.private
            better = np.flatnonzero(heard & (scores > best[segment.targets]))
            # Of several for one note the last written stays: the best, of equals the one of the lowest number.
            order = better[np.lexsort((-segment.said.rows[better], scores[better]))]
            best[segment.targets[order]] = scores[order]
            rows[segment.targets[order]] = segment.said.rows[order]
        return best, rows

    # -------------------------------------------------------------- keeping up
    def _refresh(self) -> None:
        generation = self._manifest.generation
        if generation == self._generation:
            return
        self._segments.refresh(self._manifest.context_table)
        self._coverage = Coverage([segment.said for segment in self._segments])
        self._generation = generation
        self._last = None

    def _build(self, contexts: Sequence[StoredContext]) -> _Segment:
        for one in contexts:
            if one.target_id not in self._numbers:
                self._numbers[one.target_id] = len(self._names)
                self._names.append(one.target_id)
        targets = np.array([self._numbers[one.target_id] for one in contexts], dtype=np.int64)
        return _Segment.build(contexts, targets)


def _least(scores: Floats, limit: int) -> float:
    """A score that those among the best ``limit`` are above; never below 0."""
    if not 0 < limit < len(scores):
        return 0.0
    at = float(np.partition(scores, len(scores) - limit)[len(scores) - limit])
    return max(0.0, float(np.nextafter(at, 0.0)))
