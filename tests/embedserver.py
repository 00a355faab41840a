"""A server of an embedding model on a real socket, by both protocols; its vectors are those of the hashing embedder."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from mindnet.embedding.choice import Choice
from mindnet.embedding.hashing import HashingEmbedder
from modelserver import Answering, Asked, ModelServer, model_server

NAME = "small"
Hook = Callable[[Asked, Answering], bool]
"""Answers a request in its own way, or leaves it: then it gives False."""


def _no_hook(asked: Asked, answering: Answering) -> bool:
    return False


@dataclass
class Model:
    """What the server has now; a test changes it while the server runs.

    ``longest`` is the number of characters that a text may have.
    """

    name: str = NAME
    digest: str = "0a109f422b47e3a30ba2b10eca18548e944e8a23073ee3f3e947efcf3c45e59f"
    dimension: int = 64
    reads: int = 2_048
    longest: int = 100_000
    hook: Hook = field(default=_no_hook)

    def vectors(self, texts: Sequence[str]) -> list[list[float]]:
        """Of any length: not every server makes unit vectors."""
        rows: list[list[float]] = (3.0 * HashingEmbedder(self.dimension).embed_passages(texts)).tolist()
        return rows

    def handle(self, asked: Asked, answering: Answering) -> None:
        if self.hook(asked, answering):
            return
        if asked.path == "/api/tags":
            whole = self.name if ":" in self.name else f"{self.name}:latest"
            answering.json({"models": [{"name": whole, "model": whole, "digest": self.digest}]})
        elif asked.path == "/api/show":
            about = {"bert.context_length": self.reads, "bert.embedding_length": self.dimension}
            answering.json({"model_info": about, "capabilities": ["embedding"]})
        elif asked.path in ("/api/embed", "/v1/embeddings"):
            self._embed(asked, answering)
        else:
            answering.json({"error": "unknown path"}, 404)

    def _embed(self, asked: Asked, answering: Answering) -> None:
        ollama = asked.path == "/api/embed"
        texts = asked.body["input"]
        if asked.body["model"].removesuffix(":latest") != self.name:
            said = f"model '{asked.body['model']}' not found"
            answering.json({"error": said} if ollama else {"error": {"message": said}}, 404)
        elif any(len(text) > self.longest for text in texts):
            said = "the input length exceeds the context length"
            answering.json({"error": said} if ollama else {"error": {"message": said}}, 400)
        elif ollama:
            answering.json(ollama_vectors(self.vectors(texts)))
        else:
            answering.json(openai_vectors(self.vectors(texts)))


def ollama_vectors(rows: object) -> dict[str, Any]:
    return {"model": NAME, "embeddings": rows}


def openai_vectors(rows: Sequence[object]) -> dict[str, Any]:
    data = [{"object": "embedding", "index": number, "embedding": row} for number, row in enumerate(rows)]
    return {
        "object": "list",
        "data": data[::-1],
        "model": NAME,
        "usage": {"prompt_tokens": 1, "total_tokens": 1},
    }


@contextmanager
def embedding_server(model: Model | None = None, port: int = 0) -> Iterator[tuple[ModelServer, Model]]:
    """``port`` is one that an earlier server had, for one that is started again."""
    there = model or Model()
    with model_server(lambda asked, answering: there.handle(asked, answering), port) as server:
        yield server, there


def choice(provider: str, server: ModelServer, *, model: str = NAME, max_tokens: int = 0) -> Choice:
    url = server.url if provider == "ollama" else f"{server.url}/v1"
    return Choice(provider, model, url, max_tokens=max_tokens)


def embedded(server: ModelServer) -> list[Asked]:
    """The requests for vectors."""
    return server.to("/api/embed") + server.to("/v1/embeddings")


def texts_of(server: ModelServer) -> list[str]:
    return [text for asked in embedded(server) for text in asked.body["input"]]
