"""The tokenizers of models that run here, as those who cut notes into chunks use them."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from mindnet.embedding.port import Tokenizer
from mindnet.embedding.words import WordTokenizer, longest, whole

if TYPE_CHECKING:
    from tokenizers import Tokenizer as Pieces

_WORD = re.compile(r"\S+")
_SAMPLES = (
    "Die Wärmepumpe heizt, das Haus (auch 2024).",
    "a  b\n\nc \t d\n   e",
    "- [[Eine Notiz|Name]]: `code_name`\n\n| x | y |\n\t1.\u00a0Ende 🙂",
)
"""Text in which pieces would cross the white space, if they can."""


def counter(pieces: Pieces) -> Callable[[str], int]:
    """Counts pieces, special ones not included.

    The parts of the tokenizer are asked one by one: as a whole it cuts off what is above the model's limit, and a
    second one without a limit would take as much memory as the first.
    """
    normalizer, splitter, model = pieces.normalizer, pieces.pre_tokenizer, pieces.model

    def count(text: str) -> int:
        text = whole(text)
        if normalizer is not None:
            text = normalizer.normalize_str(text)
        parts = [part for part, _ in splitter.pre_tokenize_str(text)] if splitter is not None else [text]
        return sum(len(model.tokenize(part)) for part in parts)

    return count


def tokenizer_of(count: Callable[[str], int]) -> Tokenizer:
    """Word by word where no piece crosses white space, which is seen from samples; else with whole texts."""
    if all(count(text) == sum(map(count, text.split())) for text in _SAMPLES):
        return WordTokenizer(count)
    return TextTokenizer(count)


class TextTokenizer:
    """Counts whole texts: for vocabularies whose pieces hold white space."""

    def __init__(self, count: Callable[[str], int]) -> None:
        self._count = count

    @property
    def additive(self) -> bool:
        return False

    def count(self, text: str) -> int:
        return self._count(text) if text.strip() else 0

    def truncate(self, text: str, limit: int) -> str:
        if self._fits(text, limit):
            return text
        ends = [word.end() for word in _WORD.finditer(text)]
        if kept := longest(len(ends), lambda words: self._fits(text[: ends[words - 1]], limit)):
            return text[: ends[kept - 1]]
        text = text.strip()
        return text[: longest(len(text), lambda size: self._fits(text[:size], limit))]

    def tail(self, text: str, limit: int) -> str:
        if self._fits(text, limit):
            return text
        starts = [word.start() for word in _WORD.finditer(text)][::-1]
        if kept := longest(len(starts), lambda words: self._fits(text[starts[words - 1] :], limit)):
            return text[starts[kept - 1] :]
        text = text.strip()
        kept = longest(len(text), lambda size: self._fits(text[len(text) - size :], limit))
        return text[len(text) - kept :]

    def _fits(self, text: str, limit: int) -> bool:
        return self.count(text) <= limit


class LazyTokenizer:
    """The tokenizer that ``load`` gives, loaded when something is counted: who only asks for the limit needs none."""

    def __init__(self, load: Callable[[], Tokenizer]) -> None:
        self._load = load

    @property
    def additive(self) -> bool:
        return self._load().additive

    def count(self, text: str) -> int:
        return self._load().count(text)

    def truncate(self, text: str, limit: int) -> str:
        return self._load().truncate(text, limit)

    def tail(self, text: str, limit: int) -> str:
        return self._load().tail(text, limit)
