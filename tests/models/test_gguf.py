"""A model file that cannot be served."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from mindnet import errors
from mindnet.models.gguf import GgufModel
from models.asking import hear


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    model = GgufModel(tmp_path / "none.gguf", num_ctx=512)
    with pytest.raises(errors.ModelMissingError, match=r"none\.gguf"):
        asyncio.run(model.models())


def test_where_no_file_is_named_that_is_said() -> None:
    with pytest.raises(errors.ModelMissingError, match="No model file is named"):
        asyncio.run(GgufModel(Path(), num_ctx=512).models())


def test_a_file_that_is_no_model_is_named_and_leaves_no_process(tmp_path: Path) -> None:
    file = tmp_path / "broken.gguf"
    file.write_bytes(b"GGUF and then nothing of it")
    model = GgufModel(file, num_ctx=512)
    with pytest.raises((errors.ModelRefusedError, errors.ModelDownError), match=r"broken\.gguf"):
        hear(model)
    assert model.pid is None
