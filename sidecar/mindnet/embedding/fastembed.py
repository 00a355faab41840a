"""Models that fastembed runs with onnxruntime: any that it knows by name, found on the disk or fetched if allowed."""

from __future__ import annotations

import json
import logging
import os
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from mindnet.embedding.choice import Choice
from mindnet.embedding.e5.model import E5, INSTALL, NAMES, carried_model
from mindnet.embedding.local import LocalEmbedder, LocalModel, Runtime, cache_folder, mark
from mindnet.embedding.pieces import counter
from mindnet.embedding.port import Vectors
from mindnet.embedding.prefixes import base_name, prefixes_of
from mindnet.errors import EmbeddingError, folder_fault
from mindnet.nearest import OF_FEW, did_you_mean

if TYPE_CHECKING:
    from fastembed import TextEmbedding
    from fastembed.common.model_description import DenseModelDescription

log = logging.getLogger(__name__)
REVISION = 12
"""Digits of a revision that tell it from others."""
USUAL = 512
"""Tokens that a model reads which says nothing of it."""
BEYOND = 1_000_000
"""A larger limit means that there is none."""
FASTEMBED_CACHE = "FASTEMBED_CACHE_PATH"
"""fastembed's own name for the folder of what it fetched."""


class FastembedRuntime:
    """A model as fastembed runs it, on one thread."""

    def __init__(self, model: str, folder: Path) -> None:
        from fastembed import TextEmbedding

        self._model: TextEmbedding = TextEmbedding(model, threads=1, specific_model_path=str(folder), cuda=False)
        self.count = counter(self._model.model.tokenizer)  # type: ignore[attr-defined]

    def embed_passage(self, text: str) -> Vectors:
        (vector,) = self._model.passage_embed([text], batch_size=1)
        return np.asarray(vector, np.float32)

    def embed_query(self, text: str) -> Vectors:
        (vector,) = self._model.query_embed(text, batch_size=1)
        return np.asarray(vector, np.float32)


def fastembed_model(choice: Choice, *, whole: bool = False) -> LocalEmbedder:
    """The model that is chosen; raises ``EmbeddingError`` for one that is not installed, not there or not known.

    ``whole``: what its vectors say of a text's language stays in them.
    """
    local = local_model(choice.model, download=choice.download)
    return LocalEmbedder(replace(local, language=None) if whole else local)


def hub_folder() -> Path:
    given = os.environ.get(FASTEMBED_CACHE)
    return Path(given) if given else cache_folder() / "fastembed"


def local_model(name: str, *, download: bool = False) -> LocalModel:
    """The model of that name, fetched only if ``download`` says so; raises ``EmbeddingError``."""
    if name.casefold() in NAMES:
        return carried_model()
    if find_spec("fastembed") is None:
        raise EmbeddingError("The provider of embeddings `fastembed` is not installed.", hint=f"Install it: {INSTALL}.")
    return _of_the_hub(name, download=download)


def _of_the_hub(name: str, *, download: bool) -> LocalModel:
    description = _description(name)
    folder = _files(description, download=download)

    def load() -> Runtime:
        return FastembedRuntime(description.model, folder)

    return LocalModel(
        model=description.model,
        label=f"{description.model}@{folder.name[:REVISION]}+{mark(description.model)}",
        folder=folder,
        dimension=description.dim or 0,
        max_tokens=_limit(folder),
        prefixes=prefixes_of(description.model),
        open=load,
    )


def _description(name: str) -> DenseModelDescription:
    """By its full name, or the part behind the owner's where only one model has it."""
    from fastembed import TextEmbedding
    from fastembed.common.model_description import DenseModelDescription, ModelSource

    models = {one["model"]: one for one in TextEmbedding.list_supported_models()}
    found = [known for known in models if known.casefold() == name.casefold()]
    found = found or [known for known in models if base_name(known) == base_name(name)]
    if len(found) != 1:
        near = did_you_mean(name, models, OF_FEW)
        raise EmbeddingError(
            f"fastembed has no model named {name!r}.",
            hint=near or f"Choose `{E5}`, or one of https://qdrant.github.io/fastembed/examples/Supported_Models.",
        )
    entry = models[found[0]]
    return DenseModelDescription(**{**entry, "sources": ModelSource(**entry["sources"])})


def _files(description: DenseModelDescription, *, download: bool) -> Path:
    """The folder with the model's files: looked for on the disk first, where nothing waits for the net."""
    from fastembed import TextEmbedding
    from loguru import logger

    # What it would say there is said by the failure.
    logger.disable("fastembed")
    hub = hub_folder()
    try:
        return TextEmbedding.download_model(description, str(hub), local_files_only=True)
    except ValueError:
        pass
    size = f"{description.size_in_GB:.2f} GB"
    if not download:
        raise EmbeddingError(
            f"The embedding model {description.model} is not on this computer.",
            hint="Set `embedding.download: true` in mindnet.yaml, and it is fetched once from huggingface.co "
            f"({size}) into {hub}; nothing of your notes is sent.",
        )
    log.info("Fetching %s (%s) into %s", description.model, size, hub)
    try:
        return TextEmbedding.download_model(description, str(hub), retries=1)
    except Exception as error:
        raise folder_fault(hub, error) or EmbeddingError(
            f"The embedding model {description.model} could not be fetched: {error}",
            hint="Is this computer connected to the internet, and huggingface.co in reach?",
        ) from error


def _limit(folder: Path) -> int:
    """How many tokens the model reads, as its tokenizer's settings say."""
    try:
        said = json.loads((folder / "tokenizer_config.json").read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return USUAL
    limits = [said.get("model_max_length"), said.get("max_length")]
    return min((limit for limit in limits if isinstance(limit, int) and 0 < limit < BEYOND), default=USUAL)
