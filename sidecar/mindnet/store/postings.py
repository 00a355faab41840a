"""The words of chunks as postings: segments that turn many bags into them.

A segment is built once and never changes but for which of its chunks are still alive.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from mindnet.store.bags import BAG, TERM_BITS, term_numbers

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]
_BITS = 63
"""Of a signed number, those that are no sign."""


class StoredBag(NamedTuple):
    """A chunk's words as they are stored. ``length`` is its number of words in all fields."""

    row: int
    chunk_id: str
    note_id: str
    length: int
    bag: bytes


class StoredContext(NamedTuple):
    """What one note says of another, as words: ``bag`` of the sentence, ``name_bag`` of the link's own text.

    ``private`` is 0 or 1; ``length`` is the number of words of the sentence, ``names`` that of the link's different
    content words.
    """

    row: int
    source_id: str
    target_id: str
    private: int
    length: int
    bag: bytes
    names: int
    name_bag: bytes


class Segment:
    """Postings of some chunks: for each term the chunks that have it, with its weighted frequency there."""

    def __init__(
        self, rows: Ints, chunk_ids: Sequence[str], note_ids: Sequence[str], lengths: Floats, postings: _Postings
    ) -> None:
        self.rows = rows
        self.chunk_ids = chunk_ids
        self.note_ids = note_ids
        self.lengths = lengths
        self.alive: Flags = np.ones(len(rows), dtype=np.bool_)
        self._whole = True
        self.position = {chunk_id: index for index, chunk_id in enumerate(chunk_ids)}
        self._places: dict[str, list[int]] | None = None
        order = _order(postings.terms)
        ordered = postings.terms[order]
        # Where another term begins; numpy's own "unique" would put them in order once more.
        begins = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]])[: len(ordered)])
        self._terms, self._starts = ordered[begins], np.append(begins, len(order))
        self._chunks = postings.chunks[order]
        self._weights = postings.weights[order]

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def places(self) -> Mapping[str, list[int]]:
        """The positions of each note's texts."""
        if self._places is None:
            self._places = {}
            for index, note_id in enumerate(self.note_ids):
                self._places.setdefault(note_id, []).append(index)
        return self._places

    @classmethod
    def build(cls, bags: Sequence[StoredBag]) -> Segment:
        entries = np.frombuffer(b"".join(bag.bag for bag in bags), dtype=BAG)
        terms = term_numbers(entries)
        sizes = [len(bag.bag) // BAG.itemsize for bag in bags]
        return cls(
            np.array([bag.row for bag in bags], dtype=np.int64),
            [bag.chunk_id for bag in bags],
            [bag.note_id for bag in bags],
            np.array([bag.length for bag in bags], dtype=np.float64),
            _Postings(terms, np.repeat(np.arange(len(bags), dtype=np.uint32), sizes), entries["weight"]),
        )

    @classmethod
    def merge(cls, one: Segment, other: Segment) -> Segment:
        """The living chunks of both."""
        parts = [segment._living(offset) for segment, offset in ((one, 0), (other, int(one.alive.sum())))]
        kept = [
            (segment.chunk_ids[i], segment.note_ids[i])
            for segment in (one, other)
            for i in np.flatnonzero(segment.alive).tolist()
        ]
        return cls(
            np.concatenate([one.rows[one.alive], other.rows[other.alive]]),
            [chunk_id for chunk_id, _ in kept],
            [note_id for _, note_id in kept],
            np.concatenate([one.lengths[one.alive], other.lengths[other.alive]]),
            _Postings(
                np.concatenate([part.terms for part in parts]),
                np.concatenate([part.chunks for part in parts]),
                np.concatenate([part.weights for part in parts]),
            ),
        )

    def keep(self, rows: Ints) -> None:
        self.alive = np.isin(self.rows, rows)
        self._whole = bool(self.alive.all())

    def drop(self, rows: Ints) -> None:
        # Rows come in the order in which they were written.
        places = np.searchsorted(self.rows, rows)
        found = places < len(self.rows)
        places, rows = places[found], rows[found]
        self.alive[places[self.rows[places] == rows]] = False
        self._whole = bool(self.alive.all())

    def _living(self, offset: int) -> _Postings:
        number = (np.cumsum(self.alive) - 1 + offset).astype(np.uint32)
        keep = self.alive[self._chunks]
        terms = np.repeat(self._terms, np.diff(self._starts))
        return _Postings(terms[keep], number[self._chunks[keep]], self._weights[keep])

    def postings(self, term: int) -> tuple[NDArray[np.uint32], Floats]:
        """Positions of the living chunks that have the term, and its weighted frequency in each."""
        there = self._there(term)
        chunks, weights = self._chunks[there], self._weights[there]
        if not self._whole:
            living = self.alive[chunks]
            chunks, weights = chunks[living], weights[living]
        return chunks, weights.astype(np.float64)

    def number(self, term: int) -> int:
        """How many living chunks have the term."""
        there = self._there(term)
        return int(there.stop - there.start if self._whole else np.count_nonzero(self.alive[self._chunks[there]]))

    def numbers(self, terms: Ints) -> Ints:
        """``number`` of each of the terms."""
        if not self._whole or not len(self._terms):
            return np.array([self.number(term) for term in terms.tolist()], dtype=np.int64)
        places = np.minimum(np.searchsorted(self._terms, terms), len(self._terms) - 1)
        return np.where(self._terms[places] == terms, self._starts[places + 1] - self._starts[places], 0)

    def _there(self, term: int) -> slice:
        """Where the postings of a term are, alive or not."""
        place = int(np.searchsorted(self._terms, term))
        if place == len(self._terms) or self._terms[place] != term:
            return slice(0, 0)
        return slice(int(self._starts[place]), int(self._starts[place + 1]))

    def has(self, terms: Ints) -> Flags:
        """Which of the terms any chunk has, alive or not."""
        places = np.minimum(np.searchsorted(self._terms, terms), max(0, len(self._terms) - 1))
        return self._terms[places] == terms if len(self._terms) else np.zeros(len(terms), dtype=np.bool_)

    def having(self, terms: Sequence[int]) -> Ints:
        """Positions of the living chunks that have all the terms."""
        found: Ints = np.flatnonzero(self.alive)
        for term in terms:
            found = np.intersect1d(found, self.postings(term)[0].astype(np.int64), assume_unique=True)
        return found


@dataclass(frozen=True, slots=True)
class _Postings:
    """Three columns: a term, the position of a chunk that has it, and its weighted frequency there."""

    terms: Ints
    chunks: NDArray[np.uint32]
    weights: NDArray[np.uint8]


def _order(terms: Ints) -> Ints:
    """Places of the terms, the least term first and of one term the first place: a stable ``argsort``.

    Numbers are put in order many times as fast as places are. So each number is a term's highest digits and its
    place, where the two fit into one; should two terms have the same highest digits, it is done the long way.
    """
    digits = len(terms).bit_length()
    rest = max(0, TERM_BITS + digits - _BITS)
    # In place: of millions of postings, each further array takes as long to get as to fill.
    keys = terms >> rest
    keys <<= digits
    keys |= np.arange(len(terms))
    keys.sort()
    order: Ints = keys & ((1 << digits) - 1)
    if rest:
        keys >>= digits
        ordered = terms[order]
        if bool(((ordered[1:] != ordered[:-1]) & (keys[1:] == keys[:-1])).any()):
            return np.argsort(terms, kind="stable")
    return order
