"""A deterministic embedder without a model: words hashed into a vector. For tests and measurements."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from functools import lru_cache

import numpy as np

from mindnet.embedding.port import Vectors
from mindnet.embedding.words import WordTokenizer

_WORD = re.compile(r"\w+")


@lru_cache(100_000)
def _place(word: str, dimension: int) -> tuple[int, float]:
    digest = hashlib.blake2b(word.encode(), digest_size=8).digest()
    return int.from_bytes(digest[:4], "big") % dimension, 1.0 if digest[4] & 1 else -1.0


class HashingEmbedder:
    """Texts that share words have similar vectors; one token is four characters of a word."""

    def __init__(self, dimension: int = 64, max_tokens: int = 512) -> None:
        self._dimension = dimension
        self._max_tokens = max_tokens
        self._tokenizer = WordTokenizer(lambda word: (len(word) + 3) // 4)

    @property
    def name(self) -> str:
        return f"hashing-{self._dimension}"

    @property
    def dimension(self) -> int:
        return self._dimension

    @property
    def max_tokens(self) -> int:
        return self._max_tokens

    @property
    def floor(self) -> float:
        return 0.0

    @property
    def tokenizer(self) -> WordTokenizer:
        return self._tokenizer

    def prepare(self) -> None:
        """Nothing has to be loaded."""

    def many(self, expected: int = 0) -> AbstractContextManager[None]:  # noqa: ARG002
        return nullcontext()

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        vectors = np.zeros((len(texts), self._dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            for word in _WORD.findall(text.casefold()):
                place, sign = _place(word, self._dimension)
                vectors[row, place] += sign
            norm = float(np.linalg.norm(vectors[row]))
            if norm:
                vectors[row] /= norm
            else:
                # A text without words still needs a direction.
                vectors[row, 0] = 1.0
        return vectors

    def embed_query(self, text: str) -> Vectors:
        row: Vectors = self.embed_passages([text])[0]
        return row
