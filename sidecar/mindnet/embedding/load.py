"""Names of embedders to embedders: one line a model."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial

from mindnet.embedding.apart import ApartEmbedder
from mindnet.embedding.bundled import DIMENSION, BundledEmbedder
from mindnet.embedding.hashing import HashingEmbedder
from mindnet.embedding.port import Embedder
from mindnet.errors import EmbeddingError


def _apart(name: str) -> Embedder:
    return ApartEmbedder(MODELS[name](), name)


MODELS: Mapping[str, Callable[[], Embedder]] = {"bundled": BundledEmbedder}
"""Models whose work is worth a process of its own."""
EMBEDDERS: Mapping[str, Callable[[], Embedder]] = {
    **{name: partial(_apart, name) for name in MODELS},
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
