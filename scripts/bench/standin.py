"""A stand-in for the embedding of the default configuration, for figures that are not about a model."""

from __future__ import annotations

from pathlib import Path

from mindnet.embedding.port import Embedder
from mindnet.settings import load_settings
from mindnet.workspace import embedder_of


def default_embedder() -> Embedder:
    """The one that the shipped settings come to on this computer."""
    return embedder_of(load_settings(env={}), {})


def write_configuration(config: Path) -> None:
    """Hashed words, which cost nothing, in vectors as long as the default embedding's."""
    said = f"embedding: {{provider: bundled, model: hashing-{default_embedder().dimension}}}\n"
    (config / "mindnet.yaml").write_text(said, encoding="utf-8")
