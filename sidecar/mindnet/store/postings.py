"""The words of chunks as numbers: a bag for each chunk, and segments that turn many bags into postings.

A term is the 48-bit hash of a stem (of 200,000 terms, two share one with a chance of 10⁻⁴), so no
dictionary has to be kept. A segment is built once and never changes but for which of its chunks
are still alive.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b

import numpy as np
from numpy.typing import NDArray

from mindnet.records import Chunk
from mindnet.store.analysis import content_words, fold, humps, path_stem, words, written_words

FIELD_WEIGHTS: Mapping[str, int] = {"title": 3, "aliases": 3, "headings": 2, "tags": 2}
"""So many times does a word in a field count beside one in the text; whole numbers, as bags hold them in a byte."""
_BAG = np.dtype([("low", "<u4"), ("high", "<u2"), ("weight", "u1")])
"""The two parts of a term's number, and its weighted frequency: 7 bytes."""
_MOST = 255
"""More often than so many times makes no difference: BM25 gives a word then 99 % of the most it can."""

_WEIGHTS = tuple(bytes((weight,)) for weight in range(_MOST + 1))

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]
Flags = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class StoredBag:
    """A chunk's words as they are stored. ``length`` is its number of words in all fields."""

    row: int
    chunk_id: str
    note_id: str
    length: int
    bag: bytes


@dataclass(frozen=True, slots=True)
class StoredContext:
    """What one note says of another, as words: ``bag`` of the sentence, ``name_bag`` of the link's own text.

    ``length`` is the number of words of the sentence, ``names`` that of the link's different content words.
    """

    row: int
    source_id: str
    target_id: str
    private: bool
    length: int
    bag: bytes
    names: int
    name_bag: bytes


def _hash(term: str) -> bytes:
    """The 6 bytes that stand for a term: the start of its BLAKE2b hash."""
    return blake2b(term.encode("utf-8", "replace"), digest_size=6).digest()


def term_number(term: str) -> int:
    """The number of a term: its hash, the lowest byte first."""
    return int.from_bytes(_hash(term), "little")


@lru_cache(200_000)
def _hashes(written: str) -> tuple[bytes, ...]:
    """The terms of a word as it is written, and of its humps: none where nothing is left of it when it is folded."""
    pieces = (written, *humps(written))
    found = (term for piece in pieces for word in words(piece, stop_words=True) for term in word.terms)
    return tuple(_hash(term) for term in dict.fromkeys(found))


@lru_cache(200_000)
def _all_hashes(written: str) -> tuple[bytes, ...]:
    """With the term of words that begin like it, which a short word and a function word do not have."""
    beginnings = (word.beginning for word in words(written))
    return (*_hashes(written), *(_hash(beginning) for beginning in beginnings if beginning is not None))


def bag_of(chunk: Chunk) -> tuple[int, bytes]:
    """The number of words of a chunk, and its terms with their weighted frequency."""
    fields = {
        "title": "\n".join(_titles(chunk)),
        "aliases": "\n".join(chunk.aliases),
        "headings": "\n".join(chunk.heading_path),
        "tags": "\n".join(chunk.tags),
    }
    written = written_words(chunk.text)
    length = len(written)
    found = Counter(written)
    for name, text in fields.items():
        written = written_words(text) if text else []
        length += len(written)
        for word in written:
            found[word] += FIELD_WEIGHTS[name]
    return length, _packed(_weights(found, _all_hashes))


def _titles(chunk: Chunk) -> tuple[str, ...]:
    """The title, and the file's name where it is another."""
    stem = path_stem(chunk.path)
    return (chunk.title,) if fold(stem) == fold(chunk.title) else (chunk.title, stem)


def bag_of_text(text: str) -> tuple[int, bytes]:
    """The number of words of a text without fields, and its terms with their frequency."""
    written = written_words(text)
    return len(written), _packed(_weights(Counter(written), _hashes))


def bag_of_names(text: str) -> tuple[int, bytes]:
    """The number of different content words of a name, and their terms, each once."""
    named = content_words(text)
    return len(named), _packed({term: 1 for word in named for term in _hashes(word.written)})


def _weights(found: Mapping[str, int], terms_of: Callable[[str], tuple[bytes, ...]]) -> Mapping[bytes, int]:
    """The terms of words, each with the weight of all words that have it."""
    weights: dict[bytes, int] = defaultdict(int)
    for written, weight in found.items():
        for term in terms_of(written):
            weights[term] += weight
    return weights


def _packed(weights: Mapping[bytes, int]) -> bytes:
    """A bag as it is stored: entries of ``_BAG``."""
    return b"".join([term + _WEIGHTS[min(weight, _MOST)] for term, weight in weights.items()])


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
        order = np.argsort(postings.terms, kind="stable")
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
        entries = np.frombuffer(b"".join(bag.bag for bag in bags), dtype=_BAG)
        # In place: of a large vault these are the largest things that there are in memory.
        terms = entries["high"].astype(np.int64)
        terms <<= 32
        terms |= entries["low"]
        sizes = [len(bag.bag) // _BAG.itemsize for bag in bags]
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
