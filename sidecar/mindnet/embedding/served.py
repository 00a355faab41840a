"""An embedding model on a server: what is asked of it, what it may answer, and what becomes of texts too long for it.

The server's tokenizer cannot be asked, so tokens are estimated, on the long side. A text above the limit, or one that
the server refuses as too long all the same, is embedded in parts, and its vector is their mean, weighted by their
tokens: no part of it is left out.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext, suppress
from dataclasses import dataclass
from typing import Protocol, TypeVar

import numpy as np

from mindnet.embedding.choice import Choice
from mindnet.embedding.floors import floor_of
from mindnet.embedding.port import Vectors
from mindnet.embedding.prefixes import Prefixes
from mindnet.embedding.words import WordTokenizer, whole
from mindnet.errors import EmbeddingError
from mindnet.remote.counting import estimate
from mindnet.remote.faults import ServerError
from mindnet.remote.patience import Patience

log = logging.getLogger(__name__)
T = TypeVar("T")
BATCH = 16
"""Texts in a request: a slow processor has vectors of so many passages within ``PASSAGES``' time."""
FRAME = 4
"""Tokens that a model puts around each text."""
LEAST = 64
"""A model that reads fewer tokens has no room for a passage with its title."""
CHECK_SECONDS = 60.0
"""So long after a look at the model, the next request looks first whether it is still the same."""
WEARY_SECONDS = 1.0
REST_SECONDS = 20.0
"""A server not reached in ``WEARY_SECONDS`` is not looked for again for so long, or each question would wait.

One that refuses the connection at once is asked every time.
"""
BLANK = "-"
"""Stands for a text without a letter, which some servers refuse."""


@dataclass(frozen=True, slots=True)
class Manner:
    """How long an answer is waited for, and how often it is asked for."""

    seconds: float
    patience: Patience


PASSAGES = Manner(180.0, Patience(attempts=5, seconds=30.0))
QUESTION = Manner(30.0, Patience(attempts=2, seconds=5.0))
LOOK = Manner(60.0, Patience(attempts=2, seconds=5.0))


@dataclass(frozen=True, slots=True)
class Facts:
    """What a model is: ``name`` tells it from every other one, ``max_tokens`` is room for a passage, in tokens."""

    name: str
    dimension: int
    max_tokens: int


class Host(Protocol):
    """A server with its model. Every call raises ``ServerError``; one thread at a time looks, many may embed."""

    @property
    def place(self) -> str:
        """Its address."""

    @property
    def prefixes(self) -> Prefixes: ...

    @property
    def tells_version(self) -> bool:
        """Whether ``look`` sees that another model has taken the name, so that it is worth another look."""

    def look(self, seconds: float) -> Facts:
        """What the model is now; raises ``EmbeddingError`` for one that cannot be used."""

    def vectors(self, texts: Sequence[str], seconds: float) -> Sequence[Sequence[float]]:
        """As the server gives them; after a first ``look``."""

    def explain(self, fault: ServerError) -> EmbeddingError:
        """The fault in words, with the address and what to do."""


def name_of(provider: str, model: str, prefixes: Prefixes) -> str:
    """The same for two models whose vectors of one passage are the same: what stands before it is a part of it."""
    mark = prefixes.passage.strip()
    return f"{provider}/{model} [{mark}]" if mark else f"{provider}/{model}"


def check_limit(who: str, model: str, wanted: int, reads: int | None, otherwise: int) -> int:
    """The tokens of a text at most: those ``wanted`` by the settings, or ``otherwise`` if they say nothing (0).

    Raises ``EmbeddingError`` where that is more than the model ``reads``, or too few for a passage.
    """
    limit = wanted or otherwise
    if reads is not None and limit > reads:
        raise EmbeddingError(
            f"{model} reads {reads} tokens, fewer than embedding.max_tokens says ({wanted}).",
            hint=f"Set it to {reads} or fewer, or to 0.",
        )
    if limit < 2 * LEAST:
        raise EmbeddingError(
            f"{model} of {who} reads {limit} tokens, too few for a passage with its title.",
            hint="Choose another model.",
        )
    return limit


def need_key(choice: Choice) -> None:
    """Raises ``ServerError`` where the settings name a variable for the key and it is empty."""
    if choice.api_key_env and not choice.key:
        raise ServerError("key_refused", f"the environment variable {choice.api_key_env} is empty")


def room_of(limit: int, prefixes: Prefixes) -> int:
    """What is left of a limit for a passage itself."""
    return limit - FRAME - estimate(prefixes.passage)


class ServedEmbedder:
    """The model of a host; may be called from several threads.

    ``known`` is what it was when an index was built with it: then the server need not answer yet, and when it does, it
    must have that very model. Raises ``EmbeddingError`` for a model that cannot be used, ``EmbedderAwayError`` while
    the server does not give vectors.
    """

    def __init__(self, host: Host, known: Facts | None = None, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._host = host
        self._clock = clock
        self._looking = threading.Lock()
        self._seen: float | None = None
        self._failed: tuple[float, EmbeddingError] | None = None
        self._tokenizer = WordTokenizer(estimate)
        if known is None:
            known = self._look(LOOK)
            self._seen = clock()
        self._facts = known
        prefixes = host.prefixes
        self._room = known.max_tokens
        self._question_room = max(LEAST, known.max_tokens + estimate(prefixes.passage) - estimate(prefixes.query))

    @property
    def name(self) -> str:
        return self._facts.name

    @property
    def dimension(self) -> int:
        return self._facts.dimension

    @property
    def floor(self) -> float:
        return floor_of(self._facts.name)

    @property
    def max_tokens(self) -> int:
        return self._facts.max_tokens

    @property
    def tokenizer(self) -> WordTokenizer:
        return self._tokenizer

    def many(self, expected: int = 0) -> AbstractContextManager[None]:  # noqa: ARG002
        return nullcontext()

    def prepare(self) -> None:
        # The server loads a model at the first text that it is given.
        threading.Thread(target=self._prepare, name="mindnet-model", daemon=True).start()

    def _prepare(self) -> None:
        with suppress(EmbeddingError):
            self.embed_query(BLANK)

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        return self._embed(texts, self._host.prefixes.passage, self._room, PASSAGES)

    def embed_query(self, text: str) -> Vectors:
        row: Vectors = self._embed([text], self._host.prefixes.query, self._question_room, QUESTION)[0]
        return row

    # -------------------------------------------------------------- the model
    def _look(self, manner: Manner) -> Facts:
        return self._ask(lambda: self._host.look(manner.seconds), manner)

    def _verify(self) -> None:
        """Sees that the model is the one whose vectors are in the index."""
        with self._looking:
            now = self._clock()
            if self._seen is not None and (not self._host.tells_version or now - self._seen < CHECK_SECONDS):
                return
            if self._failed is not None and now < self._failed[0]:
                raise self._failed[1]
            try:
                found = self._look(LOOK)
            except EmbeddingError as error:
                after = self._clock()
                self._failed = (after + REST_SECONDS, error) if after - now > WEARY_SECONDS else None
                raise
            if found != self._facts:
                raise EmbeddingError(
                    f"The embedding model is another one by now: {found.name} with {found.dimension} numbers and "
                    f"{found.max_tokens} tokens, where the index was built with {self._facts.name}, "
                    f"{self._facts.dimension} and {self._facts.max_tokens}.",
                    hint="Start mindnet again: it builds a new index.",
                )
            self._seen = now

    # -------------------------------------------------------------- texts to vectors
    def _embed(self, texts: Sequence[str], prefix: str, room: int, manner: Manner) -> Vectors:
        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        self._verify()
        parts = [self._parts(_plain(text), room) for text in texts]
        flat = [part for some in parts for part in some]
        rows = np.concatenate(
            [self._vectors(flat[at : at + BATCH], prefix, manner) for at in range(0, len(flat), BATCH)]
        )
        if len(flat) == len(texts):
            return rows
        taken = iter(rows)
        return np.stack([self._mean(some, [next(taken) for _ in some]) for some in parts])

    def _parts(self, text: str, room: int) -> list[str]:
        """The text in as few parts as have room each; a part ends between words where it can."""
        if self._tokenizer.count(text) <= room:
            return [text]
        parts = list(self._cut(text, room))
        log.info(
            "a text of %d characters is above the limit of %s: embedded in %d parts", len(text), self.name, len(parts)
        )
        return parts

    def _cut(self, text: str, room: int) -> Iterator[str]:
        while text := text.strip():
            part = self._tokenizer.truncate(text, room) or text[:1]
            yield part
            text = text[len(part) :]

    def _mean(self, parts: Sequence[str], rows: Sequence[Vectors]) -> Vectors:
        if len(rows) == 1:
            return rows[0]
        weights = np.array([max(1, self._tokenizer.count(part)) for part in parts], dtype=np.float32)
        mean: Vectors = _units((weights @ np.stack(rows))[None])[0]
        return mean

    def _vectors(self, texts: Sequence[str], prefix: str, manner: Manner) -> Vectors:
        """Unit vectors of texts within the limit; what the server refuses as too long is halved until it fits."""
        try:
            given = self._ask(
                lambda: self._host.vectors([prefix + text for text in texts], manner.seconds), manner, whole=False
            )
        except ServerError as fault:
            if len(texts) > 1:
                middle = len(texts) // 2
                halves = (texts[:middle], texts[middle:])
                return np.concatenate([self._vectors(some, prefix, manner) for some in halves])
            (text,) = texts
            parts = list(self._cut(text, max(1, self._tokenizer.count(text) // 2)))
            if len(parts) < 2:
                raise self._host.explain(fault) from fault
            log.warning(
                "%s refuses a text of %d characters as too long (%s): embedded in %d parts",
                self.name,
                len(text),
                fault.text,
                len(parts),
            )
            return self._mean(parts, list(self._vectors(parts, prefix, manner)))[None]
        return self._checked(given, len(texts))

    def _ask(self, request: Callable[[], T], manner: Manner, *, whole: bool = True) -> T:
        """The answer; raises what the host makes of a fault, and unless ``whole`` that a text is too long as it is."""
        try:
            return manner.patience.ask(request, is_passing=_is_passing, say_again=_say_again)
        except ServerError as fault:
            if fault.kind == "too_long" and not whole:
                raise
            raise self._host.explain(fault) from fault

    def _checked(self, given: Sequence[Sequence[float]], number: int) -> Vectors:
        """Refuses what cannot be the vectors of so many texts."""
        if len(given) != number:
            raise self._odd(f"{len(given)} vectors for {number} texts")
        lengths = {len(row) for row in given}
        if lengths != {self.dimension}:
            raise self._odd(f"vectors of {', '.join(map(str, sorted(lengths)))} numbers, not of {self.dimension}")
        rows: Vectors = np.asarray(given, dtype=np.float32)
        if not np.isfinite(rows).all() or not np.linalg.norm(rows, axis=1).all():
            raise self._odd("vectors with numbers that are none, or with nothing but zeros")
        return _units(rows)

    def _odd(self, what: str) -> EmbeddingError:
        return self._host.explain(ServerError("unreadable", what))


def _units(rows: Vectors) -> Vectors:
    units: Vectors = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return units


def _plain(text: str) -> str:
    """The text as JSON can carry it to a server, and not blank."""
    return whole(text) if text.strip() else BLANK


def _is_passing(error: BaseException) -> bool:
    return isinstance(error, ServerError) and error.is_passing


def _say_again(error: BaseException | None) -> None:
    log.info("embedding: %s; trying again", error)
