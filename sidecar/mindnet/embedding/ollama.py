"""Embeddings from Ollama: its own API, which tells a model's digest and limits, and refuses what is too long."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mindnet.embedding.choice import Choice
from mindnet.embedding.faults import Words
from mindnet.embedding.prefixes import Prefixes, prefixes_of
from mindnet.embedding.served import BLANK, Facts, check_limit, name_of, need_key, room_of
from mindnet.errors import EmbedderAwayError
from mindnet.remote.faults import ServerError
from mindnet.remote.ollama import Client, base_url, client, telling_faults

MODEL = "embeddinggemma"
"""Where none is named: of those in Ollama's library, one that is small and knows a hundred languages. Not measured."""
LIMIT = 2_048
"""Tokens, unless the model reads fewer or the settings say otherwise: passages are seldom longer than 512, and a wider
window takes memory."""
DIGEST_DIGITS = 12


class OllamaHost:
    """A model that Ollama has; ``look`` asks for its digest, its limits, and the length of its vectors."""

    tells_version = True

    def __init__(self, choice: Choice) -> None:
        self._url = base_url(choice.url)
        self._model = choice.model or MODEL
        self._choice = choice
        self._limit = choice.max_tokens or LIMIT
        self._words = Words(
            who=f"Ollama at {self._url}",
            model=self._model,
            start="Start it with `ollama serve`, or correct embedding.url;",
            get=f"Run `ollama pull {self._model}`.",
        )

    @property
    def place(self) -> str:
        return self._url

    @property
    def prefixes(self) -> Prefixes:
        return prefixes_of(self._model)

    def look(self, seconds: float) -> Facts:
        need_key(self._choice)
        with telling_faults(), client(self._url, seconds, self._choice.key) as server:
            name, digest = self._listed(server)
            told: Mapping[str, Any] = server.show(name).modelinfo or {}
            reads = _number(told, ".context_length")
            self._limit = check_limit(
                self._words.who, self._model, self._choice.max_tokens, reads, min(reads or LIMIT, LIMIT)
            )
            dimension = _number(told, ".embedding_length") or len(self._embed(server, [BLANK])[0])
        return Facts(
            name_of("ollama", f"{name}@{digest[:DIGEST_DIGITS]}", self.prefixes),
            dimension,
            room_of(self._limit, self.prefixes),
        )

    def vectors(self, texts: Sequence[str], seconds: float) -> Sequence[Sequence[float]]:
        with telling_faults(), client(self._url, seconds, self._choice.key) as server:
            return self._embed(server, texts)

    def explain(self, fault: ServerError) -> EmbedderAwayError:
        return self._words.explain(fault)

    def _embed(self, server: Client, texts: Sequence[str]) -> Sequence[Sequence[float]]:
        return server.embed(self._model, list(texts), truncate=False, options={"num_ctx": self._limit}).embeddings

    def _listed(self, server: Client) -> tuple[str, str]:
        """The model's whole name and its digest."""
        wanted = (self._model, f"{self._model}:latest")
        for one in server.list().models:
            if one.model in wanted and one.model is not None:
                return one.model, (one.digest or "").removeprefix("sha256:")
        raise ServerError("missing")


def _number(told: Mapping[str, Any], ending: str) -> int | None:
    found = (value for key, value in told.items() if key.endswith(ending))
    return next((value for value in found if isinstance(value, int) and value > 0), None)
