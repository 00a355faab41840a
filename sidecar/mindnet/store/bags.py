"""The words of a text as a bag: its terms, each with how often the text has it.

A term is the 48-bit hash of a stem (of 200,000 terms, two share one with a chance of 10⁻⁴), so no
dictionary has to be kept. The bags of many texts are made at once, so that counting is numpy's work.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from hashlib import blake2b
from itertools import chain, pairwise

import numpy as np
from numpy.typing import NDArray

from mindnet.records import Chunk
from mindnet.store.analysis import STOP_WORDS, content_words, fold, humps, path_stem, word_of, written_words

FIELD_WEIGHTS: Mapping[str, int] = {"title": 3, "aliases": 3, "headings": 2, "tags": 2}
"""So many times does a word in a field count beside one in the text; whole numbers, as bags hold them in a byte."""
BAG = np.dtype([("low", "<u4"), ("high", "<u2"), ("weight", "u1")])
"""The two parts of a term's number, and its weighted frequency: 7 bytes."""
_TERM = np.dtype([("low", "<u4"), ("high", "<u2")])
TERM_BITS = 48
"""Of the number that stands for a term."""
_MOST = 255
"""More often than so many times makes no difference: BM25 gives a word then 99 % of the most it can."""
_AT_ONCE = 256
"""Texts whose bags are made together: few enough that a text's place fits beside a term into one number."""
Terms = Callable[[str], bytes]
"""A word as it is written to the hashes of its terms, one behind the other."""


def _hash(term: str) -> bytes:
    """The 6 bytes that stand for a term: the start of its BLAKE2b hash."""
    return blake2b(term.encode("utf-8", "replace"), digest_size=6).digest()


def term_number(term: str) -> int:
    """The number of a term: its hash, the lowest byte first."""
    return int.from_bytes(_hash(term), "little")


def term_numbers(entries: NDArray[np.void]) -> NDArray[np.int64]:
    """The numbers of the terms of entries with the two parts ``low`` and ``high``: those of ``BAG``, for one."""
    # In place: of a large vault these are the largest things that there are in memory.
    terms = entries["high"].astype(np.int64)
    terms <<= 32
    terms |= entries["low"]
    return terms


@lru_cache(200_000)
def _terms(written: str) -> bytes:
    """The terms of a word as it is written, and of its humps: none where nothing is left of it when it is folded."""
    found = [term for piece in (written, *humps(written)) if (word := word_of(piece)) for term in word.terms]
    return b"".join([_hash(term) for term in dict.fromkeys(found)])


@lru_cache(200_000)
def _all_terms(written: str) -> bytes:
    """With the term of words that begin like it, which a short word and a function word do not have."""
    word = word_of(written)
    if word is None or word.beginning is None or word.folded in STOP_WORDS:
        return _terms(written)
    return _terms(written) + _hash(word.beginning)


def bags_of_chunks(chunks: Sequence[Chunk]) -> list[tuple[int, bytes]]:
    """Of each chunk the number of words in all fields, and its bag."""
    return _bags([_counted(chunk) for chunk in chunks], _all_terms)


def _counted(chunk: Chunk) -> tuple[int, Mapping[str, int]]:
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
    return length, found


def _titles(chunk: Chunk) -> tuple[str, ...]:
    """The title, and the file's name where it is another."""
    stem = path_stem(chunk.path)
    return (chunk.title,) if fold(stem) == fold(chunk.title) else (chunk.title, stem)


def bags_of_texts(texts: Sequence[str]) -> list[tuple[int, bytes]]:
    """Of each text without fields the number of words, and its bag."""
    written = map(written_words, texts)
    return _bags([(len(some), Counter(some)) for some in written], _terms)


def bag_of_names(text: str) -> tuple[int, bytes]:
    """The number of different content words of a name, and a bag of their terms, each once."""
    named = content_words(text)
    hashes = b"".join([_terms(word.written) for word in named])
    terms = dict.fromkeys(hashes[start : start + _TERM.itemsize] for start in range(0, len(hashes), _TERM.itemsize))
    return len(named), ordered(b"".join([term + b"\x01" for term in terms]))


def ordered(bag: bytes) -> bytes:
    """A bag with its terms in order."""
    entries = np.frombuffer(bag, BAG)
    return entries[np.argsort(term_numbers(entries))].tobytes()


def _bags(counted: Sequence[tuple[int, Mapping[str, int]]], terms_of: Terms) -> list[tuple[int, bytes]]:
    slices = (counted[start : start + _AT_ONCE] for start in range(0, len(counted), _AT_ONCE))
    bags = chain.from_iterable(_packed([words for _, words in some], terms_of) for some in slices)
    return [(length, bag) for (length, _), bag in zip(counted, bags, strict=True)]


def _packed(counted: Sequence[Mapping[str, int]], terms_of: Terms) -> Iterator[bytes]:
    """The bags: the terms of a text's words, each with the weight of all words that have it, in order of terms."""
    distinct = dict.fromkeys(chain.from_iterable(counted))
    hashes = [terms_of(word) for word in distinct]
    terms = term_numbers(np.frombuffer(b"".join(hashes), _TERM))
    sizes = np.fromiter(map(len, hashes), np.int64, len(hashes)) // _TERM.itemsize
    begins = np.cumsum(sizes) - sizes

    # One entry for each word of each text: which word it is, of which text, and how much it weighs there.
    place = dict(zip(distinct, range(len(distinct)), strict=True))
    number = sum(map(len, counted))
    word = np.fromiter(map(place.__getitem__, chain.from_iterable(counted)), np.int64, number)
    weight = np.fromiter(chain.from_iterable(some.values() for some in counted), np.int64, number)
    text = np.repeat(np.arange(len(counted)), [len(some) for some in counted])

    # One for each term of these.
    each = sizes[word]
    ends = np.cumsum(each)
    which = np.arange(ends[-1] if number else 0) + np.repeat(begins[word] - (ends - each), each)
    key = (np.repeat(text, each) << TERM_BITS) | terms[which]
    order = np.argsort(key)
    key, weight = key[order], np.repeat(weight, each)[order]

    first = np.flatnonzero(np.diff(key, prepend=-1))
    bags = np.empty(len(first), BAG)
    key = key[first]
    bags["low"], bags["high"] = key & 0xFFFFFFFF, (key >> 32) & 0xFFFF
    bags["weight"] = np.minimum(np.add.reduceat(weight, first) if len(first) else weight, _MOST)
    borders = np.searchsorted(key, np.arange(len(counted) + 1) << TERM_BITS)
    for start, end in pairwise(borders):
        yield bags[start:end].tobytes()
