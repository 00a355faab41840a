"""Bags of words as they are kept: each term by a number, so that a word of a text takes about two bytes.

The manifest numbers terms in the order in which they come up; so those that many texts have get small numbers. A bag
is kept as 16-bit numbers: how many runs it has, two for each run, and one for each term. A run is of terms with one
weight and one upper part of their numbers: it says these (a byte each), and how many terms it has, less one. The last
numbers are the lower parts, run by run. Numbers are never given anew, so that what was written stays true.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from mindnet.errors import StoreError
from mindnet.store.bags import BAG, term_numbers
from mindnet.store.postings import Ints

SCHEMA = "CREATE TABLE IF NOT EXISTS terms (number INTEGER PRIMARY KEY, hashes BLOB NOT NULL);"
"""``hashes`` are those of the terms from ``number`` on: 6 bytes each, the lowest first."""
_HASH = np.dtype([("low", "<u4"), ("high", "<u2")])
_CODE = np.dtype("<u2")
_LOW, _HIGH, _WEIGHT = 16, 24, 32
"""Up to which bit a number has its lower part, its upper one, and the weight beside it."""
MOST = 1 << _HIGH
_FEW = 4_096
"""So many new terms, at least, are looked up apart from the others before they are put in order among them."""


class Malformed(sqlite3.DatabaseError):
    """What is kept is no bag: the file's content is not what was written."""

    sqlite_errorcode = sqlite3.SQLITE_CORRUPT


class TermCodes:
    """The terms that a manifest has numbered; to be used with its connection held."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        """What was numbered in a transaction that failed is not."""
        self._terms: Ints = np.empty(0, np.int64)
        self._ordered: tuple[Ints, Ints] = self._terms, self._terms
        """The terms in order, and their numbers."""
        self._new: dict[int, int] = {}
        """Numbers of terms behind these."""

    def coded(self, db: sqlite3.Connection, bags: Sequence[bytes]) -> list[bytes]:
        """The bags as they are kept. Within a transaction, as terms may be new."""
        entries = np.frombuffer(b"".join(bags), BAG)
        sizes = np.array([len(bag) for bag in bags], np.int64) // BAG.itemsize
        terms, each = np.unique(term_numbers(entries), return_inverse=True)
        numbers = self._numbers(db, terms)[each]

        owner = np.repeat(np.arange(len(bags)), sizes)
        key = (owner << _WEIGHT) | (entries["weight"].astype(np.int64) << _HIGH) | numbers
        key.sort()
        lower, run = (key & 0xFFFF).astype(_CODE), key >> _LOW
        first = np.flatnonzero(np.diff(run, prepend=-1))
        runs = np.empty((len(first), 2), _CODE)
        runs[:, 0], runs[:, 1] = run[first] & 0xFFFF, np.diff(first, append=len(run)) - 1

        head, tail = runs.tobytes(), lower.tobytes()
        borders = np.searchsorted(run[first] >> (_WEIGHT - _LOW), np.arange(len(bags) + 1)).tolist()
        ends = [0, *np.cumsum(sizes).tolist()]
        return [
            _bytes(stop - start) + head[4 * start : 4 * stop] + tail[2 * begin : 2 * end] if end > begin else b""
            for (start, stop), (begin, end) in zip(pairwise(borders), pairwise(ends), strict=True)
        ]

    def bags(self, db: sqlite3.Connection, coded: Sequence[bytes]) -> list[bytes]:
        """The bags that were kept, with the terms of each in no promised order."""
        whole = b"".join(coded)
        lengths = np.array([len(one) for one in coded], np.int64)
        if (lengths % _CODE.itemsize).any():
            raise Malformed("a bag of words is cut off")
        codes = np.frombuffer(whole, _CODE)
        lengths //= _CODE.itemsize
        starts = np.cumsum(lengths) - lengths
        filled = lengths > 0
        number_of_runs = np.zeros(len(coded), np.int64)
        number_of_runs[filled] = codes[starts[filled]]
        sizes = np.where(filled, lengths - 1 - 2 * number_of_runs, 0)
        if (sizes < 0).any():
            raise Malformed("a bag of words is cut off")

        runs = _ranges(starts + 1, number_of_runs, 2)
        counts = codes[runs + 1].astype(np.int64) + 1
        head = np.repeat(codes[runs].astype(np.int64), counts)
        lower = codes[_ranges(starts + 1 + 2 * number_of_runs, sizes, 1)]
        if len(head) != len(lower):
            raise Malformed("a bag of words is cut off")
        numbers = ((head & 0xFF) << _LOW) | lower
        terms = self._known(db, int(numbers.max(initial=-1)) + 1)[numbers]

        bags = np.empty(len(numbers), BAG)
        bags["low"], bags["high"], bags["weight"] = terms & 0xFFFFFFFF, terms >> 32, head >> 8
        raw = bags.tobytes()
        ends = [0, *(np.cumsum(sizes) * BAG.itemsize).tolist()]
        return [raw[begin:end] for begin, end in pairwise(ends)]

    # -------------------------------------------------------------- numbers
    def _known(self, db: sqlite3.Connection, needed: int) -> Ints:
        """At least so many terms, by their numbers; what another process has written meanwhile is read."""
        if needed > len(self._terms):
            self._read(db)
            if needed > len(self._terms):
                raise Malformed("a word has a number that no term has")
        return self._terms

    def _read(self, db: sqlite3.Connection) -> None:
        known = len(self._terms)
        rows = db.execute("SELECT number, hashes FROM terms WHERE number >= ? ORDER BY number", (known,)).fetchall()
        for number, hashes in rows:
            if number != known or len(hashes) % _HASH.itemsize:
                raise Malformed("terms are missing")
            known += len(hashes) // _HASH.itemsize
        self._add(_terms_of(b"".join(hashes for _, hashes in rows)))

    def _numbers(self, db: sqlite3.Connection, terms: Ints) -> Ints:
        """The number of each of these different terms, of new ones a new one."""
        self._read(db)
        found = self._look_up(terms)
        unknown = terms[found < 0]
        if len(unknown):
            first = len(self._terms)
            if first + len(unknown) > MOST:
                raise StoreError(
                    f"The index has {first} different words and can hold no more.",
                    hint="`mindnet reset --yes` removes it, and an import builds it anew from the vault.",
                )
            db.execute("INSERT INTO terms VALUES (?, ?)", (first, _hashes_of(unknown)))
            self._add(unknown)
            found[found < 0] = np.arange(first, first + len(unknown))
        return found

    def _look_up(self, terms: Ints) -> Ints:
        """The numbers of the terms that have one; -1 for the others."""
        self._order()
        ordered, numbers = self._ordered
        found: Ints = np.full(len(terms), -1, np.int64)
        if len(ordered):
            places = np.minimum(np.searchsorted(ordered, terms), len(ordered) - 1)
            there = ordered[places] == terms
            found[there] = numbers[places[there]]
        if self._new:
            for place in np.flatnonzero(found < 0).tolist():
                found[place] = self._new.get(int(terms[place]), -1)
        return found

    def _order(self) -> None:
        """Has every term in one of the two places in which it is looked up."""
        first, number = len(self._ordered[0]), len(self._terms)
        if number - first > max(_FEW, number // 8):
            order = np.argsort(self._terms)
            self._ordered, self._new = (self._terms[order], order), {}
        else:
            first += len(self._new)
            self._new.update(zip(self._terms[first:].tolist(), range(first, number), strict=True))

    def _add(self, terms: Ints) -> None:
        if len(terms):
            self._terms = np.concatenate([self._terms, terms])


def _bytes(number: int) -> bytes:
    return number.to_bytes(_CODE.itemsize, "little")


def _ranges(starts: Ints, sizes: Ints, step: int) -> Ints:
    """For each start so many numbers, each larger by ``step`` than the one before."""
    ends = np.cumsum(sizes)
    within: Ints = np.arange(ends[-1] if len(ends) else 0) - np.repeat(ends - sizes, sizes)
    return np.repeat(starts, sizes) + step * within


def _terms_of(hashes: bytes) -> Ints:
    return term_numbers(np.frombuffer(hashes, _HASH))


def _hashes_of(terms: Ints) -> bytes:
    entries: NDArray[np.void] = np.empty(len(terms), _HASH)
    entries["low"], entries["high"] = terms & 0xFFFFFFFF, terms >> 32
    return entries.tobytes()
