"""Providers of embeddings to embedders: one line a provider."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from mindnet.embedding.apart import ApartEmbedder
from mindnet.embedding.bundled import DIMENSION, BundledEmbedder
from mindnet.embedding.choice import Choice
from mindnet.embedding.e5.model import DIMENSION as E5_DIMENSION
from mindnet.embedding.fastembed import fastembed_model
from mindnet.embedding.hashing import HashingEmbedder
from mindnet.embedding.port import Embedder
from mindnet.embedding.served import Facts
from mindnet.embedding.servers import HOSTS, embedder_on_a_server
from mindnet.errors import EmbeddingError

INSTALLED: Mapping[str, Callable[[], Embedder]] = {
    "bundled": BundledEmbedder,
    "hashing": HashingEmbedder,
    "hashing-384": lambda: HashingEmbedder(E5_DIMENSION),
    "hashing-512": lambda: HashingEmbedder(DIMENSION),
}
"""Models of the provider ``bundled``: what is installed with mindnet."""


def _installed(choice: Choice) -> Embedder:
    make = INSTALLED.get(choice.model or choice.provider)
    if make is None:
        raise EmbeddingError(
            f"There is no embedding named {choice.model!r}.", hint=f"Choose one of: {', '.join(sorted(INSTALLED))}."
        )
    return make()


PROVIDERS: Mapping[str, Callable[[Choice], Embedder]] = {
    "bundled": _installed,
    "fastembed": fastembed_model,
    **dict.fromkeys(HOSTS, embedder_on_a_server),
}


def load_model(choice: Choice) -> Embedder:
    """The embedder itself, in this process; raises ``EmbeddingError`` for one that is not there."""
    make = PROVIDERS.get(choice.provider)
    if make is None:
        raise EmbeddingError(
            f"There is no provider of embeddings named {choice.provider!r}.",
            hint=f"Choose one of: {', '.join(sorted(PROVIDERS))}.",
        )
    return make(choice)


def load_embedder(choice: Choice, known: Facts | None = None) -> Embedder:
    """As ``load_model``; many passages are embedded in a process of their own where that pays.

    ``known`` is what a model on a server was when an index was built with it: it then need not answer yet.
    """
    if known is not None and choice.provider in HOSTS:
        return embedder_on_a_server(choice, known)
    model = load_model(choice)
    return ApartEmbedder(model, choice) if choice.is_apart else model
