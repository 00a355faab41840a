"""A tokenizer put together from words: models whose tokens never cross white space count so exactly, and fast."""

from __future__ import annotations

import re
from collections.abc import Callable

_WORD = re.compile(r"\S+")
CACHE_SIZE = 200_000
"""So many counts are remembered; then all are forgotten, which costs less than to know the oldest."""
LONGEST_PIECE = 64
"""No token stands for more characters than these (the bundled model's longest for 16)."""
LONGEST_KEPT = 64
"""Longer words (links, encoded data) seldom come again: their counts are not remembered."""


def whole(text: str) -> str:
    """The text without halves of surrogate pairs, which are no characters: libraries refuse them."""
    return text.encode("utf-8", "replace").decode("utf-8")


def longest(most: int, fits: Callable[[int], bool], *, first: int = 1) -> int:
    """The largest number up to ``most`` that fits, 0 if none does; ``first`` is tried first.

    Doubles it until it does not fit, then bisects: what lies far behind costs nothing.
    """
    low, high = 0, min(max(first, 1), most)
    while high < most and fits(high):
        low, high = high, min(2 * high, most)
    while low < high:
        middle = (low + high + 1) // 2
        if fits(middle):
            low = middle
        else:
            high = middle - 1
    return low


class _Counts(dict[str, int]):
    """Words to their counts: what is known is looked up without a call into Python."""

    def __init__(self, count_word: Callable[[str], int]) -> None:
        super().__init__()
        self._count_word = count_word

    def __missing__(self, word: str) -> int:
        count = self._count_word(word)
        if len(word) <= LONGEST_KEPT:
            if len(self) >= CACHE_SIZE:
                self.clear()
            self[word] = count
        return count


class WordTokenizer:
    """Counts with ``count_word`` a word at a time, and remembers the counts.

    Right for every vocabulary whose pieces do not cross white space, as is usual for
    SentencePiece models: the count of a text is then the sum over its words.
    """

    def __init__(self, count_word: Callable[[str], int]) -> None:
        self._count_word = _Counts(count_word).__getitem__

    @property
    def additive(self) -> bool:
        return True

    def count(self, text: str) -> int:
        return sum(map(self._count_word, text.split()))

    def _cost(self, word: str, budget: int) -> int:
        """The tokens of a word; of one that is far too long for the budget, only that it is above it."""
        return budget + 1 if len(word) > (budget + 1) * LONGEST_PIECE else self._count_word(word)

    def truncate(self, text: str, limit: int) -> str:
        """The longest start of whole words within ``limit``; a first word above it is cut by characters."""
        if len(text) <= 2 * limit and self.count(text) <= limit:
            return text
        used = 0
        end = 0
        for word in _WORD.finditer(text):
            used += self._cost(word.group(), limit - used)
            if used > limit:
                break
            end = word.end()
        else:
            return text
        return text[:end] if end else self._cut(text, limit, from_start=True)

    def tail(self, text: str, limit: int) -> str:
        """The longest end of whole words within ``limit``; a last word above it is cut by characters."""
        used = 0
        start = len(text)
        # As many words as tokens are enough, unless some have none: what lies before is not looked at.
        before = len(text.rsplit(None, limit)[0]) if text.strip() and limit > 0 else 0
        if self.count(text[before:]) <= limit:
            before = 0
        for word in reversed(list(_WORD.finditer(text, before))):
            used += self._cost(word.group(), limit - used)
            if used > limit:
                break
            start = word.start()
        else:
            return text
        return text[start:] if start < len(text.rstrip()) else self._cut(text, limit, from_start=False)

    def _cut(self, text: str, limit: int, *, from_start: bool) -> str:
        text = text.strip()

        def part(size: int) -> str:
            return text[:size] if from_start else text[len(text) - size :]

        return part(longest(len(text), lambda size: self.count(part(size)) <= limit, first=limit))
