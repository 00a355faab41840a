"""An embedding model that runs in this process, whatever runs it: prefixes, threads, what is taken from its vectors."""

from __future__ import annotations

import hashlib
import os
import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import numpy as np
from platformdirs import user_cache_path

from mindnet.embedding.floors import floor_of
from mindnet.embedding.pieces import LazyTokenizer, tokenizer_of
from mindnet.embedding.port import Tokenizer, Vectors
from mindnet.embedding.prefixes import Prefixes, prefixes_of
from mindnet.embedding.words import whole
from mindnet.errors import EmbeddingError, MindnetError

THREADS = min(os.cpu_count() or 1, 4)
SPECIAL = 4
"""Tokens kept free for the marks that a model puts around a text; two or three in all that fastembed knows."""
CACHE = "MINDNET_CACHE_DIR"
"""Names another folder for what can be made or fetched again."""


class Runtime(Protocol):
    """A model in memory; texts come with their prefixes, vectors of shape (dimension,) go as the model gives them."""

    def embed_passage(self, text: str) -> Vectors: ...

    def embed_query(self, text: str) -> Vectors: ...

    def count(self, text: str) -> int:
        """The text's tokens, without those that are put around every text."""


@dataclass(frozen=True, slots=True)
class LocalModel:
    """A model whose files are in ``folder``; ``label`` names it with its version, prefixes included.

    ``max_tokens`` is how many it reads, everything counted. ``open`` gives it in memory, for one thread of each who
    asks it; it may raise anything. ``language`` is the direction, of length 1, in which it tells languages apart, where
    that is known.
    """

    model: str
    label: str
    folder: Path
    dimension: int
    max_tokens: int
    prefixes: Prefixes
    open: Callable[[], Runtime]
    language: Vectors | None = None


def cache_folder() -> Path:
    given = os.environ.get(CACHE)
    return Path(given) if given else user_cache_path("mindnet", appauthor=False)


def mark(model: str, language: Vectors | None = None) -> str:
    """A short sign of what is put before texts and taken from vectors: with others, vectors are others."""
    taken = b"" if language is None else language.tobytes()
    return hashlib.sha256(repr(prefixes_of(model)).encode() + taken).hexdigest()[:6]


class LocalEmbedder:
    """One model; may be called from several threads.

    A text is a batch of its own, on one thread, and ``THREADS`` texts run side by side, whoever asks for them. Texts in
    one batch would be filled up to the longest (of passages of 160 tokens, 8 in a batch take a third more time), and
    where a model rounds what flows through it by the largest number in the batch, a text would have another vector
    among others than alone. Threads inside of a multiplication would wait for each other by spinning.
    """

    def __init__(self, local: LocalModel) -> None:
        self._local = local
        self._loading = threading.Lock()
        self._turns = threading.Semaphore(THREADS)
        self._model: Runtime | None = None
        self._counting: Tokenizer | None = None
        self._tokenizer = LazyTokenizer(self._load_tokenizer)

    @property
    def name(self) -> str:
        return self._local.label

    @property
    def dimension(self) -> int:
        return self._local.dimension

    @property
    def max_tokens(self) -> int:
        # Of the prefix no token is shorter than a byte: so the vocabulary, which is large, is not read for this.
        return self._local.max_tokens - SPECIAL - len(self._local.prefixes.passage.encode())

    @property
    def floor(self) -> float:
        return floor_of(self._local.model)

    @property
    def tokenizer(self) -> LazyTokenizer:
        return self._tokenizer

    def many(self, expected: int = 0) -> AbstractContextManager[None]:  # noqa: ARG002
        return nullcontext()

    def prepare(self) -> None:
        # No daemon: a process that ends meanwhile waits for it, as one whose libraries are still at work aborts.
        threading.Thread(target=self._prepare, name="mindnet-model").start()

    def _prepare(self) -> None:
        # Whoever embeds loads it once more, and is told what is wrong.
        with suppress(Exception):
            self.embed_query("")

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        model = self._load()
        prefix = self._local.prefixes.passage

        def embed(text: str) -> Vectors:
            with self._turns:
                return self._unit([model.embed_passage(prefix + whole(text))])

        if not texts:
            return np.empty((0, self.dimension), np.float32)
        if len(texts) == 1:
            return embed(texts[0])
        # The longest first, so that no thread ends up with one while the others have nothing left.
        order = sorted(range(len(texts)), key=lambda place: -len(texts[place]))
        with ThreadPoolExecutor(THREADS, thread_name_prefix="embedding") as pool:
            found = np.concatenate(list(pool.map(embed, (texts[place] for place in order))))
        vectors = np.empty_like(found)
        vectors[order] = found
        return vectors

    def embed_query(self, text: str) -> Vectors:
        """A question that is longer than the model's limit has the mean of its parts."""
        model = self._load()
        prefix = self._local.prefixes.query
        limit = self._local.max_tokens - SPECIAL - len(prefix.encode())
        parts = [prefix + part for part in self._parts(whole(text), limit)]
        found = self._unit([model.embed_query(part) for part in parts])
        return _unit(found.mean(axis=0)) if len(parts) > 1 else found[0]

    def _parts(self, text: str, limit: int) -> Iterable[str]:
        # No token is shorter than a byte.
        while len(text.encode()) > limit and self._tokenizer.count(text) > limit:
            part = self._tokenizer.truncate(text, limit)
            yield part
            text = text[text.index(part) + len(part) :] if part.strip() else ""
        yield text

    def _unit(self, made: Sequence[Vectors]) -> Vectors:
        """As an array of unit vectors, whatever the model gives; a text that it gives nothing for has a direction."""
        found = np.stack([np.asarray(one, dtype=np.float32) for one in made])
        if (language := self._local.language) is not None:
            found = _unit(found)
            found -= np.outer(found @ language, language)
        return _unit(found)

    # ------------------------------------------------------------------ loading
    def _load(self) -> Runtime:
        if (model := self._model) is not None:
            return model
        with self._loading:
            if self._model is None:
                try:
                    self._model = self._local.open()
                except MindnetError:
                    raise
                # onnxruntime's failures have no base of their own.
                except Exception as error:
                    raise EmbeddingError(
                        f"The embedding model {self._local.model} cannot be loaded: {error}",
                        hint=f"Remove {self._local.folder}, and it is made or fetched anew.",
                    ) from error
            return self._model

    def _load_tokenizer(self) -> Tokenizer:
        if self._counting is None:
            self._counting = tokenizer_of(self._load().count)
        return self._counting


def _unit(vectors: Vectors) -> Vectors:
    """The vectors with length 1; those of length 0 get a direction of their own."""
    lengths = np.linalg.norm(vectors, axis=-1, keepdims=True)
    first = np.zeros(vectors.shape[-1], np.float32)
    first[0] = 1.0
    return np.where(lengths > 0, vectors / np.where(lengths > 0, lengths, 1), first).astype(np.float32)
