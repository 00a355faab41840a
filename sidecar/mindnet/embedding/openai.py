"""Embeddings from a server that speaks the OpenAI protocol: llama.cpp, LM Studio, vLLM, TEI, or a service elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

from mindnet.embedding.choice import Choice
from mindnet.embedding.faults import Words
from mindnet.embedding.prefixes import Prefixes, prefixes_of
from mindnet.embedding.served import BLANK, Facts, check_limit, name_of, need_key, room_of
from mindnet.errors import EmbedderAwayError, EmbeddingError
from mindnet.remote.faults import ServerError
from mindnet.remote.openai import client, telling_faults

LIMIT = 512
"""Tokens, unless the settings say otherwise: the protocol does not tell, and many models read no more."""


class OpenAIHost:
    """A model behind the protocol, which tells neither version nor limits: ``look`` embeds a sign to see a vector."""

    tells_version = False

    def __init__(self, choice: Choice) -> None:
        if not choice.model:
            raise EmbeddingError(
                "The provider openai needs the name of a model.", hint="Name it in mindnet.yaml: embedding.model."
            )
        self._url = choice.url.rstrip("/")
        self._model = choice.model
        self._choice = choice
        self._words = Words(
            who=f"the embedding server at {self._url}",
            model=self._model,
            start="Start it, or correct embedding.url, which ends in /v1 as a rule;",
            get=f"Load {self._model} there, or correct embedding.model; the address ends in /v1 as a rule.",
        )

    @property
    def place(self) -> str:
        return self._url

    @property
    def prefixes(self) -> Prefixes:
        return prefixes_of(self._model)

    def look(self, seconds: float) -> Facts:
        need_key(self._choice)
        limit = check_limit(self._words.who, self._model, self._choice.max_tokens, None, LIMIT)
        dimension = len(self.vectors([BLANK], seconds)[0])
        return Facts(name_of("openai", self._model, self.prefixes), dimension, room_of(limit, self.prefixes))

    def vectors(self, texts: Sequence[str], seconds: float) -> Sequence[Sequence[float]]:
        with telling_faults(), client(self._url, seconds, self._choice.key) as server:
            # As numbers: not every server of the protocol knows the client's packed form.
            given = server.embeddings.create(model=self._model, input=list(texts), encoding_format="float").data
            if sorted(one.index for one in given) != list(range(len(texts))):
                raise ServerError("unreadable", f"{len(given)} vectors for {len(texts)} texts")
            return [list(map(float, one.embedding)) for one in sorted(given, key=lambda one: one.index)]

    def explain(self, fault: ServerError) -> EmbedderAwayError:
        return self._words.explain(fault)
