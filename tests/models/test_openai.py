"""The unmodified OpenAI client against servers on a real socket."""

from __future__ import annotations

import asyncio
import socket
import threading
from dataclasses import replace
from enum import StrEnum

import pytest
from pydantic import BaseModel, ConfigDict

from mindnet import errors
from mindnet.models.openai_server import OpenAIServer
from mindnet.models.port import LEAST_TOKENS, ask_for
from models.asking import REQUEST, Heard, hear, listen
from modelserver import Answering, Asked, Handler, delta, model_server, openai_protocol, say, saying, sse, usage


class Fits(StrEnum):
    yes = "yes"
    no = "no"


class Verdict(BaseModel):
    model_config = ConfigDict(extra="forbid")
    fits: Fits


def streaming(*chunks: bytes, end: bool = True) -> Handler:
    def chat(_: Asked, answering: Answering) -> None:
        answering.begin("text/event-stream")
        for chunk in chunks:
            answering.chunk(chunk)
        if end:
            answering.end()

    return openai_protocol(chat)


@pytest.mark.parametrize("size", [1, 50, 10_000])
def test_an_answer_is_whole_however_its_bytes_are_split(size: int) -> None:
    data = delta(content="Grüße ") + delta(content="🥖") + delta(finish="stop") + usage(12, 2) + b"data: [DONE]\n\n"
    with model_server(streaming(*(data[at : at + size] for at in range(0, len(data), size)))) as server:
        heard = hear(OpenAIServer(f"{server.url}/v1"))
    assert heard.text == "Grüße 🥖"
    assert heard.finished is not None
    assert (heard.finished.ended, heard.finished.prompt_tokens) == ("stop", 12)


@pytest.mark.parametrize("field", ["reasoning_content", "reasoning"])
def test_thoughts_are_kept_apart_whatever_field_they_come_in(field: str) -> None:
    with model_server(streaming(delta(**{field: "Hm."}), delta(content="Yes"), delta(finish="stop"))) as server:
        heard = hear(OpenAIServer(f"{server.url}/v1"))
    assert (heard.thinking, heard.text) == ("Hm.", "Yes")


@pytest.mark.parametrize(
    ("chunks", "fault"),
    [
        ([delta(content="Half")], errors.ModelStreamError),
        ([delta(content="Half"), b"data: [DONE]\n\n"], errors.ModelStreamError),
        ([delta(content="Half"), sse({"error": {"message": "out of memory", "code": 500}})], errors.ModelRefusedError),
        ([delta(content="Half"), b"data: {broken\n\n"], errors.ModelStreamError),
    ],
    ids=["ends", "done without a reason", "error in the middle", "broken"],
)
def test_an_answer_that_breaks_off_is_never_taken_for_a_whole_one(
    chunks: list[bytes], fault: type[errors.ModelError]
) -> None:
    heard = Heard([])
    with model_server(streaming(*chunks)) as server, pytest.raises(fault):
        hear(OpenAIServer(f"{server.url}/v1"), heard=heard)
    assert (heard.text, heard.finished) == ("Half", None)


def test_a_connection_lost_in_the_middle_is_said() -> None:
    handler = streaming(delta(content="Half"), end=False)
    with model_server(handler) as server, pytest.raises(errors.ModelStreamError, match="lost"):
        hear(OpenAIServer(f"{server.url}/v1"))


@pytest.mark.parametrize(
    ("status", "error", "fault"),
    [
        (404, {"message": "The model `small` does not exist"}, errors.ModelMissingError),
        (401, {"message": "bad key"}, errors.ModelRefusedError),
        (503, {"message": "Loading model", "type": "unavailable_error"}, errors.ModelLoadingError),
        (500, {"message": "crashed"}, errors.ModelRefusedError),
        (
            400,
            {
                "message": "request (3031 tokens) exceeds the available context size",
                "type": "exceed_context_size_error",
            },
            errors.ContextOverflowError,
        ),
        (400, {"message": "This model's maximum context length is 2048 tokens"}, errors.ContextOverflowError),
    ],
)
def test_a_refusal_is_told_by_its_kind(status: int, error: dict[str, str], fault: type[errors.ModelError]) -> None:
    handler = openai_protocol(lambda _, answering: answering.json({"error": error}, status))
    with model_server(handler) as server, pytest.raises(fault) as caught:
        hear(OpenAIServer(f"{server.url}/v1"))
    assert caught.value.hint
    assert len(server.chats) == 1, "nothing is tried again behind the caller's back"


def test_no_server_is_said() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(errors.ModelDownError, match=str(port)):
        hear(OpenAIServer(f"http://127.0.0.1:{port}/v1"))


def test_silence_ends_after_the_configured_time() -> None:
    def chat(_: Asked, answering: Answering) -> None:
        assert answering.gone(20)

    with model_server(openai_protocol(chat)) as server, pytest.raises(errors.ModelTimeoutError):
        hear(OpenAIServer(f"{server.url}/v1"), replace(REQUEST, timeout_s=0.3))


def test_stopping_closes_the_connection_even_while_nothing_comes() -> None:
    begun, closed = threading.Event(), threading.Event()

    def chat(_: Asked, answering: Answering) -> None:
        answering.begin("text/event-stream")
        begun.set()
        if answering.gone(1.0):
            closed.set()

    async def stop_when_begun(url: str) -> None:
        task = asyncio.create_task(listen(OpenAIServer(url)))
        await asyncio.to_thread(begun.wait, 20)
        task.cancel()
        await asyncio.wait([task])

    with model_server(openai_protocol(chat)) as server:
        asyncio.run(stop_when_begun(f"{server.url}/v1"))
    assert closed.is_set()


def test_a_decision_goes_with_its_schema_and_is_read_strictly() -> None:
    with model_server(saying('{"fits":', ' "no"}')) as server:
        verdict = asyncio.run(ask_for(OpenAIServer(f"{server.url}/v1"), replace(REQUEST, max_tokens=3), Verdict))
    assert verdict.fits is Fits.no
    (asked,) = server.chats
    assert asked.body["response_format"]["json_schema"]["schema"]["$defs"]["Fits"]["enum"] == ["yes", "no"]
    assert (asked.body["temperature"], asked.body["max_tokens"]) == (0.0, LEAST_TOKENS)


@pytest.mark.parametrize(
    ("pieces", "finish"),
    [(['{"fits": "no"}'], "length"), (['{"fits": "maybe"}'], "stop"), (["no"], "stop"), ([], "stop")],
    ids=["cut off", "no value of the enum", "no JSON", "nothing"],
)
def test_a_decision_of_another_form_counts_as_none(pieces: list[str], finish: str) -> None:
    handler = openai_protocol(lambda _, answering: say(answering, pieces, finish=finish))
    with model_server(handler) as server, pytest.raises(errors.ModelAnswerError):
        asyncio.run(ask_for(OpenAIServer(f"{server.url}/v1"), REQUEST, Verdict))


def test_a_key_goes_to_the_server_and_the_environment_s_own_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret of another service")
    with model_server(saying("Hi")) as server:
        hear(OpenAIServer(f"{server.url}/v1"))
        hear(OpenAIServer(f"{server.url}/v1", api_key="given"))
    assert [one.headers["authorization"] for one in server.chats] == ["Bearer none", "Bearer given"]
