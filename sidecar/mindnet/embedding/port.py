"""The port of embedding: text in, unit vectors out."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractContextManager
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]


class Tokenizer(Protocol):
    """Counts and cuts text in the units of an embedding model."""

    @property
    def additive(self) -> bool:
        """Whether texts joined by white space have the tokens of their parts, no more and no fewer."""

    def count(self, text: str) -> int:
        """Number of tokens of ``text``, special tokens not counted."""

    def truncate(self, text: str, limit: int) -> str:
        """The longest start of ``text``, in whole words, that has at most ``limit`` tokens.

        A first word above the limit is cut within.
        """

    def tail(self, text: str, limit: int) -> str:
        """The longest end of ``text``, in whole words, that has at most ``limit`` tokens.

        A last word above the limit is cut within.
        """


class Embedder(Protocol):
    """A model that turns texts into vectors of length 1.

    ``name`` identifies model and version: vectors of one name are comparable.
    """

    @property
    def name(self) -> str: ...

    @property
    def dimension(self) -> int: ...

    @property
    def max_tokens(self) -> int: ...

    @property
    def tokenizer(self) -> Tokenizer: ...

    @property
    def floor(self) -> float:
        """The cosine that a question has with a passage on something else altogether: what it counts from."""

    def many(self, expected: int = 0) -> AbstractContextManager[None]:
        """Within it many passages are embedded: what that needs may be started, and ends with it.

        ``expected``: about how many passages are to come for sure, as far as that is known.
        """

    def prepare(self) -> None:
        """Begins to load what a question needs, and returns at once; what fails is said to the one who asks."""

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of shape (len(texts), dimension), float32, each of length 1."""

    def embed_query(self, text: str) -> Vectors:
        """The vector of a question, shape (dimension,)."""
