"""The unmodified Ollama client against bytes of its protocol, and what mindnet makes of its faults."""

from __future__ import annotations

import asyncio
import socket
import threading
from dataclasses import replace

import pytest

from mindnet import errors
from mindnet.models.ollama_server import OllamaServer
from models.asking import REQUEST, Heard, hear, listen
from modelserver import Answering, Asked, Handler, last, line, model_server, ollama, part


def streaming(*chunks: bytes) -> Handler:
    def chat(_: Asked, answering: Answering) -> None:
        answering.begin()
        for chunk in chunks:
            answering.chunk(chunk)
        answering.end()

    return ollama(chat)


@pytest.mark.parametrize("size", [1, 7, 64, 4096])
def test_an_answer_is_whole_however_its_bytes_are_split(size: int) -> None:
    """With pieces of one byte, every letter of more than one byte is cut within."""
    data = part("Grüße ") + part("aus der 🥖-Küche") + last(17)
    with model_server(streaming(*(data[at : at + size] for at in range(0, len(data), size)))) as server:
        heard = hear(OllamaServer(server.url))
    assert heard.text == "Grüße aus der 🥖-Küche"
    assert heard.finished is not None
    assert (heard.finished.ended, heard.finished.prompt_tokens) == ("stop", 17)


def test_the_window_is_always_sent() -> None:
    with model_server(streaming(part("Hi"), last())) as server:
        hear(OllamaServer(server.url), replace(REQUEST, num_ctx=6144, max_tokens=99, temperature=0.5))
    (asked,) = server.to("/api/chat")
    assert asked.body["options"] == {"num_ctx": 6144, "num_predict": 99, "temperature": 0.5}
    assert asked.messages == [("user", "Hello?")]


def test_an_address_that_ends_in_v1_leads_to_ollama_s_own_api() -> None:
    with model_server(streaming(part("Hi"), last())) as server:
        hear(OllamaServer(f"{server.url}/v1/"))
    assert [one.path for one in server.asked] == ["/api/chat"]


def test_tokens_come_while_the_rest_is_still_being_written() -> None:
    first_heard = threading.Event()

    def chat(_: Asked, answering: Answering) -> None:
        answering.begin()
        answering.chunk(part("first"))
        assert first_heard.wait(20)
        answering.chunk(last())
        answering.end()

    async def wait_for_first(url: str) -> None:
        async for _piece in OllamaServer(url).stream(REQUEST):
            first_heard.set()

    with model_server(ollama(chat)) as server:
        asyncio.run(wait_for_first(server.url))


def test_thoughts_are_kept_apart_in_their_own_field_and_in_tags() -> None:
    chunks = [part("", thinking="Let me see. "), part("<thi"), part("nk>hm</th"), part("ink>\n\nYes"), last()]
    with model_server(streaming(*chunks)) as server:
        heard = hear(OllamaServer(server.url))
    assert (heard.thinking, heard.text) == ("Let me see. hm", "Yes")


def test_an_answer_cut_by_its_length_says_so() -> None:
    with model_server(streaming(part("Half"), last(reason="length"))) as server:
        heard = hear(OllamaServer(server.url))
    assert heard.finished is not None
    assert heard.finished.ended == "length"


@pytest.mark.parametrize(
    ("chunks", "fault", "text"),
    [
        ([part("Half an ans")], errors.ModelStreamError, "Half an ans"),
        ([part("Half"), line(error="an internal fault")], errors.ModelRefusedError, "Half"),
        ([part("Half"), b"{not json\n"], errors.ModelStreamError, "Half"),
        ([part("Half"), b'["a list"]\n'], errors.ModelStreamError, "Half"),
        ([part("Half"), b'{"error": {"code": 7}}\n'], errors.ModelStreamError, "Half"),
        ([line(error="model requires more system memory")], errors.ModelRefusedError, ""),
    ],
    ids=["no done", "error line", "broken line", "a list", "error of another shape", "memory"],
)
def test_an_answer_that_breaks_off_is_never_taken_for_a_whole_one(
    chunks: list[bytes], fault: type[errors.ModelError], text: str
) -> None:
    heard = Heard([])
    with model_server(streaming(*chunks)) as server, pytest.raises(fault) as caught:
        hear(OllamaServer(server.url), heard=heard)
    assert heard.text == text
    assert heard.finished is None
    assert caught.value.hint


def test_a_connection_lost_in_the_middle_is_said() -> None:
    def chat(_: Asked, answering: Answering) -> None:
        answering.begin()
        answering.chunk(part("Half"))
        # Closed without the end of the stream.

    heard = Heard([])
    with model_server(ollama(chat)) as server, pytest.raises(errors.ModelStreamError, match="lost"):
        hear(OllamaServer(server.url), heard=heard)
    assert heard.text == "Half"


@pytest.mark.parametrize(
    ("status", "error", "fault", "passing"),
    [
        (404, "model 'small' not found", errors.ModelMissingError, False),
        (500, "llama runner process has terminated", errors.ModelRefusedError, False),
        (503, "server busy, please try again", errors.ModelLoadingError, True),
        (500, "error loading model: still loading model", errors.ModelLoadingError, True),
        (400, "input length exceeds the context length", errors.ContextOverflowError, False),
    ],
)
def test_a_refusal_is_told_by_its_kind(status: int, error: str, fault: type[errors.ModelError], passing: bool) -> None:
    handler = ollama(lambda _, answering: answering.json({"error": error}, status))
    with model_server(handler) as server, pytest.raises(fault) as caught:
        hear(OllamaServer(server.url))
    assert caught.value.passing is passing
    if fault is errors.ModelMissingError:
        assert "ollama pull small" in caught.value.hint


def test_no_server_says_what_to_start() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with pytest.raises(errors.ModelDownError, match=str(port)) as caught:
        hear(OllamaServer(f"http://127.0.0.1:{port}"))
    assert "ollama serve" in caught.value.hint


def test_silence_ends_after_the_configured_time() -> None:
    def chat(_: Asked, answering: Answering) -> None:
        answering.begin()
        answering.chunk(part("And then"))
        assert answering.gone(20)

    with model_server(ollama(chat)) as server, pytest.raises(errors.ModelTimeoutError):
        hear(OllamaServer(server.url), replace(REQUEST, timeout_s=0.3))


def test_stopping_closes_the_connection_even_while_nothing_comes() -> None:
    begun, closed = threading.Event(), threading.Event()

    def chat(_: Asked, answering: Answering) -> None:
        answering.begin()
        begun.set()
        if answering.gone(1.0):
            closed.set()

    async def stop_when_begun(url: str) -> None:
        task = asyncio.create_task(listen(OllamaServer(url)))
        await asyncio.to_thread(begun.wait, 20)
        task.cancel()
        await asyncio.wait([task])

    with model_server(ollama(chat)) as server:
        asyncio.run(stop_when_begun(server.url))
    assert closed.is_set()


def test_what_is_no_ollama_is_said_to_be_none() -> None:
    def web_page(_: Asked, answering: Answering) -> None:
        answering.raw(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\nConnection: close\r\n\r\nIt works!")

    with model_server(web_page) as server, pytest.raises(errors.ModelStreamError, match="cannot be read"):
        asyncio.run(OllamaServer(server.url).models())


def test_a_model_that_thinks_is_told_not_to_for_a_decision() -> None:
    show = {"model_info": {"qwen3.context_length": 4096}, "capabilities": ["completion", "thinking"]}

    def chat(_: Asked, answering: Answering) -> None:
        answering.begin()
        answering.chunk(part("{}") + last())
        answering.end()

    with model_server(ollama(chat, show=show)) as server:
        adapter = OllamaServer(server.url)
        hear(adapter, replace(REQUEST, schema={"type": "object"}, quiet=True))
        hear(adapter)
        size = asyncio.run(adapter.context_size("small"))
    decision, talk = server.to("/api/chat")
    assert decision.body["think"] is False
    assert decision.body["format"] == {"type": "object"}
    assert "think" not in talk.body
    assert size == 4096
