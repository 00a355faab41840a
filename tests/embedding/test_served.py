"""Embedding through real HTTP: what is asked of a server, and what becomes of its faults."""

from __future__ import annotations

import logging
import socket

import numpy as np
import pytest

from embedserver import Hook, Model, choice, embedded, embedding_server, ollama_vectors, openai_vectors, texts_of
from mindnet.embedding import served
from mindnet.embedding.choice import Choice
from mindnet.embedding.load import load_embedder
from mindnet.embedding.served import Facts, Manner, ServedEmbedder
from mindnet.embedding.servers import embedder_on_a_server
from mindnet.errors import EmbedderAwayError, EmbeddingError
from mindnet.remote.patience import Patience
from modelserver import Answering, Asked

PROVIDERS = ("ollama", "openai")
every = pytest.mark.parametrize("provider", PROVIDERS)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Faults are tried again at once."""
    manner = Manner(0.5, Patience(attempts=3, seconds=5.0, first_wait=0.001, longest_wait=0.001))
    for name in ("PASSAGES", "QUESTION", "LOOK"):
        monkeypatch.setattr(served, name, manner)


def only_vectors(hook: Hook) -> Hook:
    return lambda asked, answering: asked.path in ("/api/embed", "/v1/embeddings") and hook(asked, answering)


def answering_with(rows: object) -> Hook:
    def answer(asked: Asked, answering: Answering) -> bool:
        answering.json(ollama_vectors(rows) if asked.path == "/api/embed" else openai_vectors(rows))  # type: ignore[arg-type]
        return True

    return only_vectors(answer)


def closed_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port: int = taken.getsockname()[1]
    return port


def test_ollama_is_told_to_refuse_what_is_too_long_and_given_the_window_it_reads() -> None:
    with embedding_server(Model(reads=512)) as (server, _):
        embedder = load_embedder(choice("ollama", server))
        embedder.embed_query("Frage")
    (asked,) = embedded(server)
    assert asked.body["truncate"] is False
    assert asked.body["options"]["num_ctx"] == 512
    assert embedder.max_tokens < 512


def test_the_name_tells_the_digest_so_that_a_pulled_model_is_another() -> None:
    with embedding_server() as (server, model):
        first = load_embedder(choice("ollama", server)).name
        model.digest = "f" * 64
        second = load_embedder(choice("ollama", server)).name
    assert first == "ollama/small:latest@0a109f422b47"
    assert second != first


@every
def test_questions_and_passages_get_the_prefixes_of_the_model(provider: str) -> None:
    with embedding_server(Model(name="nomic-embed-text")) as (server, _):
        embedder = load_embedder(choice(provider, server, model="nomic-embed-text"))
        embedder.embed_query("Frage")
        embedder.embed_passages(["Text"])
    assert texts_of(server)[-2:] == ["search_query: Frage", "search_document: Text"]
    assert embedder.name.endswith("[search_document:]")


@every
def test_many_texts_go_in_batches_and_come_back_in_order(provider: str) -> None:
    texts = [f"wort{number}" for number in range(2 * served.BATCH + 1)]
    with embedding_server() as (server, _):
        embedder = load_embedder(choice(provider, server))
        made = embedder.embed_passages(texts)
        alone = np.stack([embedder.embed_passages([text])[0] for text in texts])
    assert made == pytest.approx(alone, abs=1e-6)
    assert max(len(asked.body["input"]) for asked in embedded(server)) == served.BATCH


@every
def test_a_text_that_is_refused_as_too_long_is_embedded_in_parts_and_said(
    provider: str, caplog: pytest.LogCaptureFixture
) -> None:
    begin, end = "anfang " * 40, "schluss " * 40
    with embedding_server(Model(longest=300)) as (server, _):
        embedder = load_embedder(choice(provider, server, max_tokens=2_048))
        short, whole = embedder.embed_passages(["kurz", begin + end])
        first, last = embedder.embed_passages(["anfang", "schluss"])
    assert "too long" in caplog.text
    assert float(np.linalg.norm(whole)) == pytest.approx(1.0, abs=1e-5)
    # Nothing was left out: both halves have their share in it.
    assert min(float(whole @ first), float(whole @ last)) > 0.5
    assert float(short @ whole) < 0.5


@every
def test_a_question_above_the_limit_is_not_cut_off(provider: str) -> None:
    with embedding_server() as (server, _):
        embedder = load_embedder(choice(provider, server, max_tokens=128))
        question = embedder.embed_query("anfang " * 200 + "schluss " * 200)
        (last,) = embedder.embed_passages(["schluss"])
    assert float(question @ last) > 0.5


@every
def test_a_server_that_is_away_is_named_with_what_to_do(provider: str) -> None:
    port = closed_port()
    with pytest.raises(EmbedderAwayError, match=str(port)) as caught:
        load_embedder(Choice(provider, "small", f"http://127.0.0.1:{port}"))
    assert "Start it" in caught.value.hint


def test_a_model_that_ollama_does_not_have_is_to_be_pulled() -> None:
    with embedding_server() as (server, _), pytest.raises(EmbedderAwayError, match="mxbai") as caught:
        load_embedder(choice("ollama", server, model="mxbai-embed-large"))
    assert caught.value.hint == "Run `ollama pull mxbai-embed-large`."


def test_a_model_that_another_server_does_not_have_is_named() -> None:
    with embedding_server() as (server, _), pytest.raises(EmbedderAwayError, match="does not have the model other"):
        load_embedder(choice("openai", server, model="other"))


def test_the_openai_protocol_needs_the_name_of_a_model() -> None:
    with pytest.raises(EmbeddingError, match="name of a model"):
        load_embedder(Choice("openai"))


@every
def test_a_key_is_sent_and_one_that_is_missing_is_said_before_anything_is_sent(provider: str) -> None:
    with embedding_server() as (server, _):
        wanted = choice(provider, server)
        with pytest.raises(EmbedderAwayError, match="MY_KEY is empty"):
            load_embedder(Choice(provider, wanted.model, wanted.url, "MY_KEY"))
        assert server.asked == []
        load_embedder(Choice(provider, wanted.model, wanted.url, "MY_KEY", key="secret")).embed_query("x")
        assert {one.headers["authorization"] for one in server.asked} == {"Bearer secret"}


@every
@pytest.mark.parametrize(
    ("rows", "said"),
    [
        ([[1.0] * 64, [1.0] * 64], "2 vectors for 1 texts"),
        ([], "vectors for 1 texts"),
        ([[1.0] * 32], "vectors of 32 numbers, not of 64"),
        ([[float("nan")] * 64], "numbers that are none"),
        ([[0.0] * 64], "nothing but zeros"),
        ([None], "cannot be used"),
        ([["a"] * 64], "cannot be used"),
    ],
)
def test_what_cannot_be_the_vectors_of_the_texts_is_refused(provider: str, rows: object, said: str) -> None:
    with embedding_server() as (server, model):
        embedder = load_embedder(choice(provider, server))
        model.hook = answering_with(rows)
        with pytest.raises(EmbeddingError, match=said):
            embedder.embed_passages(["Text"])


@every
def test_half_an_answer_is_tried_again_and_then_said(provider: str) -> None:
    def half(_: Asked, answering: Answering) -> bool:
        answering.raw(b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 999\r\n\r\n{"emb')
        return True

    with embedding_server() as (server, model):
        embedder = load_embedder(choice(provider, server))
        before = len(embedded(server))
        model.hook = only_vectors(half)
        with pytest.raises(EmbedderAwayError, match="lost"):
            embedder.embed_passages(["Text"])
        assert len(embedded(server)) == before + 3
        model.hook = Model().hook
        assert embedder.embed_passages(["Text"]).shape == (1, 64)


@every
def test_a_passing_fault_is_got_over(provider: str) -> None:
    left = [503, 503]

    def busy(_: Asked, answering: Answering) -> bool:
        if not left:
            return False
        answering.json({"error": "loading model"}, left.pop())
        return True

    with embedding_server() as (server, model):
        embedder = load_embedder(choice(provider, server))
        model.hook = only_vectors(busy)
        assert embedder.embed_passages(["Text"]).shape == (1, 64)


@every
def test_a_server_that_is_silent_is_not_waited_for_without_end(provider: str) -> None:
    def silent(_: Asked, answering: Answering) -> bool:
        assert answering.gone(20)
        return True

    with embedding_server() as (server, model):
        embedder = load_embedder(choice(provider, server))
        model.hook = only_vectors(silent)
        with pytest.raises(EmbedderAwayError, match="in time"):
            embedder.embed_query("Frage")


def test_a_model_that_is_replaced_while_mindnet_runs_gives_no_vectors_for_the_old_index() -> None:
    now = [0.0]
    with embedding_server() as (server, model):
        wanted = choice("ollama", server)
        host = embedder_on_a_server(wanted)._host
        embedder = ServedEmbedder(host, clock=lambda: now[0])
        embedder.embed_query("Frage")
        model.digest = "f" * 64
        now[0] = served.CHECK_SECONDS + 1
        before = len(embedded(server))
        with pytest.raises(EmbeddingError, match="another one by now"):
            embedder.embed_passages(["Text"])
        assert len(embedded(server)) == before


@every
def test_what_is_known_of_a_model_serves_until_its_server_answers(provider: str) -> None:
    with embedding_server() as (server, _):
        made = load_embedder(choice(provider, server))
        facts = Facts(made.name, made.dimension, made.max_tokens)
    away = load_embedder(choice(provider, server), facts)
    assert (away.name, away.dimension, away.max_tokens) == (made.name, made.dimension, made.max_tokens)
    with pytest.raises(EmbedderAwayError):
        away.embed_query("Frage")
    with embedding_server(port=server.port):
        assert away.embed_query("Frage").shape == (64,)


@every
def test_a_server_that_comes_back_with_other_vectors_is_refused(provider: str) -> None:
    with embedding_server() as (server, _):
        made = load_embedder(choice(provider, server))
        facts = Facts(made.name, made.dimension, made.max_tokens)
    away = load_embedder(choice(provider, server), facts)
    with embedding_server(Model(dimension=32), server.port), pytest.raises(EmbeddingError, match="another one by now"):
        away.embed_query("Frage")


def test_more_tokens_than_the_model_reads_cannot_be_set() -> None:
    with embedding_server(Model(reads=512)) as (server, _), pytest.raises(EmbeddingError, match="reads 512 tokens"):
        load_embedder(choice("ollama", server, max_tokens=1_024))


def test_an_address_elsewhere_is_said_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        embedder_on_a_server(Choice("openai", "small", "http://192.0.2.1/v1"), Facts("openai/small", 64, 500))
    assert "not this machine" in caplog.text
    assert "not encrypted" in caplog.text


@every
def test_a_proxy_gets_nothing_that_is_for_this_machine(provider: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, f"http://127.0.0.1:{closed_port()}")
    with embedding_server() as (server, _):
        assert load_embedder(choice(provider, server)).embed_query("Frage").shape == (64,)
