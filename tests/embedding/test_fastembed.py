"""Models that fastembed knows: found, fetched only when allowed, and never cut without a word."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from carriedmodels import MINILM, model_caches, put_minilm
from mindnet.embedding import fastembed
from mindnet.embedding.apart import LEAST, ApartEmbedder
from mindnet.embedding.choice import Choice
from mindnet.embedding.fastembed import FASTEMBED_CACHE, fastembed_model, local_model
from mindnet.embedding.load import load_embedder
from mindnet.embedding.local import CACHE
from mindnet.errors import EmbeddingError
from mindnet.retrieval.search import Query
from mindnet.workspace import Workspace, find_place
from workspaces import write_vault


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with model_caches(tmp_path_factory) as folder:
        yield folder


# ------------------------------------------------------------------ what is there, and what is not
def test_a_model_that_was_fetched_before_is_used_by_its_short_name_too() -> None:
    assert local_model("all-minilm-l6-v2").label == local_model(MINILM).label
    assert local_model(MINILM).model == MINILM


def test_a_model_that_is_not_here_is_not_fetched_but_named_with_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*args: object) -> None:
        raise AssertionError(f"asked the net: {args}")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    started = time.monotonic()
    with pytest.raises(EmbeddingError, match=r"bge-small-en-v1\.5 is not on this computer") as caught:
        fastembed_model(Choice("fastembed", "BAAI/bge-small-en-v1.5"))
    assert "embedding.download: true" in caught.value.hint
    assert time.monotonic() - started < 10


def test_a_fetch_that_cannot_reach_the_hub_says_so(tmp_path: Path) -> None:
    """In a process of its own: where the hub is, its client reads when it is imported."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        nobody = f"http://127.0.0.1:{taken.getsockname()[1]}"
        env = {**os.environ, "HF_ENDPOINT": nobody, CACHE: str(tmp_path), "NO_PROXY": "127.0.0.1"}
        program = (
            "from mindnet.embedding.choice import Choice\n"
            "from mindnet.embedding.load import load_embedder\n"
            "from mindnet.errors import EmbeddingError\n"
            "try:\n"
            "    load_embedder(Choice('fastembed', 'BAAI/bge-small-en-v1.5', download=True))\n"
            "except EmbeddingError as error:\n"
            "    print(error.message, error.hint)\n"
        )
        done = subprocess.run(
            [sys.executable, "-c", program], env=env, capture_output=True, text=True, check=True, timeout=120
        )
    assert "could not be fetched" in done.stdout
    assert "huggingface.co" in done.stdout


def test_an_unknown_model_brings_the_nearest_name() -> None:
    with pytest.raises(EmbeddingError, match="nothing") as caught:
        local_model("nothing")
    assert "multilingual-e5-small" in caught.value.hint
    with pytest.raises(EmbeddingError) as caught:
        local_model("BAAI/bge-smal-en")
    assert "BAAI/bge-small-en" in caught.value.hint


def test_without_fastembed_the_failure_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fastembed, "find_spec", lambda name: None)
    with pytest.raises(EmbeddingError, match="not installed") as caught:
        local_model(MINILM)
    assert "mindnet[fastembed]" in caught.value.hint


def test_a_damaged_file_is_reported_with_the_folder_to_remove(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    snapshot = put_minilm(tmp_path)
    (snapshot / "model.onnx").write_bytes(b"half")
    monkeypatch.setenv(FASTEMBED_CACHE, str(tmp_path))
    with pytest.raises(EmbeddingError, match="cannot be loaded") as caught:
        fastembed_model(Choice("fastembed", MINILM)).embed_query("x")
    assert str(snapshot) in caught.value.hint


def test_many_passages_have_the_same_vectors_from_a_process_of_their_own() -> None:
    apart = load_embedder(Choice("fastembed", MINILM))
    assert isinstance(apart, ApartEmbedder)
    texts = [f"Notiz {number}: Wärmepumpen heizen mit Luft." for number in range(LEAST)]
    with apart.many(len(texts)):
        deadline = time.monotonic() + 60
        while apart.process_id is None:
            assert time.monotonic() < deadline
        made = apart.embed_passages(texts)
    assert np.array_equal(made, fastembed_model(Choice("fastembed", MINILM)).embed_passages(texts))


def test_a_vault_is_indexed_and_searched_with_the_model_that_the_settings_name(tmp_path: Path) -> None:
    notes = {"Ice.md": "Glaciers carve valleys.\n", "Loaf.md": "Flour, water and salt rise in the oven.\n"}
    vault = write_vault(tmp_path / "vault", {path: text.encode() for path, text in notes.items()})
    config = tmp_path / "config"
    config.mkdir()
    (config / "mindnet.yaml").write_text(f"embedding:\n  provider: fastembed\n  model: {MINILM}\n", encoding="utf-8")
    with Workspace(find_place(vault, tmp_path / "data", config, {}, {}), {}) as workspace:
        workspace.update(None)
        found = workspace.searcher.search(Query("How do I bake bread?", mode="semantic"))
    assert found.hits[0].chunk.path == "Loaf.md"


# ------------------------------------------------------------------ nothing is cut without a word
def test_a_window_of_the_full_length_reaches_the_model_whole() -> None:
    model = fastembed_model(Choice("fastembed", MINILM))
    text = model.tokenizer.truncate("Die Wärmepumpe heizt 17 Häuser; " * 400, model.max_tokens)
    assert model.max_tokens - 5 <= model.tokenizer.count(text) <= model.max_tokens
    pieces = model._load()._model.model.tokenizer  # type: ignore[attr-defined]
    assert not pieces.encode(model._local.prefixes.passage + text).overflowing
