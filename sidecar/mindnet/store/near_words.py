"""Words that no text has: what they may be a slip of the keyboard for, and which words they are put together of.

The index knows words by numbers alone, so it cannot be asked what is near. The near forms are made instead, and it
is asked which of them it has: words one edit away (Damerau, 1964; made as in Norvig, "How to Write a Spelling
Corrector", 2007), and the two halves of a compound wherever it may be cut.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from string import ascii_lowercase

from mindnet.store.analysis import german_stem

Known = Callable[[Sequence[str]], Sequence[bool]]
"""Which of some terms the index has."""

SLIP = 0.8
"""What a word counts that is one edit away from one of the question's."""
SHORTEST, LONGEST = 6, 24
"""Letters of a word that may be a slip: in a shorter one, one edit makes another word."""
HALF = 4
"""Letters that each half of a compound has."""
ALONE = 5
"""Letters of a half that counts where the index does not have the other."""
LAST = 0.65
"""What the last part of a compound counts at least: it says what the thing is, the first part of which kind."""


def near_terms(folded: str, known: Known) -> Mapping[str, float]:
    """The terms of the index that a word which it does not have may stand for, each with what it counts, 0..1.

    A half of a compound counts as much as it is of the word, the last one more.
    """
    if not folded.isalpha():
        return {}
    found: dict[str, float] = {}
    made = _slips(folded)
    found |= {term: SLIP for term, has in zip(made, known(made), strict=True) if has}
    cuts = range(HALF, len(folded) - HALF + 1)
    halves = _halves(folded)
    has = known(halves)
    for number, cut in enumerate(cuts):
        head, tail = has[2 * number], has[2 * number + 1]
        rest = len(folded) - cut
        for place, own, other, size, least in ((0, head, tail, cut, 0.0), (1, tail, head, rest, LAST)):
            if own and (other or size >= ALONE):
                term = halves[2 * number + place]
                found[term] = max(found.get(term, 0.0), size / len(folded), least)
    return found


@lru_cache(256)
def _slips(folded: str) -> tuple[str, ...]:
    """Terms of words one letter more, less, another or exchanged with the next; the first stays, as it mostly does."""
    if not SHORTEST <= len(folded) <= LONGEST:
        return ()
    found = set()
    for place in range(1, len(folded) + 1):
        before, after = folded[:place], folded[place:]
        if after:
            found.add(before + after[1:])
            found.update(before + letter + after[1:] for letter in ascii_lowercase)
        if len(after) > 1:
            found.add(before + after[1] + after[0] + after[2:])
        found.update(before + letter + after for letter in ascii_lowercase)
    found.discard(folded)
    return tuple(sorted({f"d{german_stem(one)}" for one in found}))


@lru_cache(256)
def _halves(folded: str) -> tuple[str, ...]:
    """Terms of both halves, wherever the word may be cut."""
    cuts = range(HALF, len(folded) - HALF + 1)
    return tuple(f"d{german_stem(half)}" for cut in cuts for half in (folded[:cut], folded[cut:]))
