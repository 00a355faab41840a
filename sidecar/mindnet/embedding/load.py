"""Names of embedders to embedders: one line a model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from mindnet.embedding.bundled import DIMENSION, BundledEmbedder
from mindnet.embedding.hashing import HashingEmbedder
from mindnet.embedding.port import Embedder
from mindnet.errors import EmbeddingError

EMBEDDERS: Mapping[str, Callable[[], Embedder]] = {
    "bundled": BundledEmbedder,
    "hashing": HashingEmbedder,
    "hashing-512": partial(HashingEmbedder, DIMENSION),
}


def load_embedder(name: str) -> Embedder:
    """The embedder of that name; raises ``EmbeddingError`` for one that is not there."""
    make = EMBEDDERS.get(name)
    if make is None:
        raise EmbeddingError(
            f"There is no embedding named {name!r}.", hint=f"Choose one of: {', '.join(sorted(EMBEDDERS))}."
        )
    return make()
