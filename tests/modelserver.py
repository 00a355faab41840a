"""Model servers on a real socket that say, byte for byte, what a test tells them to."""

from __future__ import annotations

import contextlib
import json
import select
import socket
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

REASONS = {200: "OK", 400: "Bad Request", 401: "Unauthorized", 404: "Not Found", 500: "Error", 503: "Unavailable"}


@dataclass(frozen=True)
class Asked:
    """One request; ``body`` is its JSON, an empty mapping if it has none."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: Mapping[str, Any]

    @property
    def messages(self) -> list[tuple[str, str]]:
        return [(one["role"], one["content"]) for one in self.body["messages"]]

    @property
    def prompt(self) -> str:
        """The last message: the question with its sources."""
        return self.messages[-1][1]


class Answering:
    """The server's end of one request."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection

    def raw(self, data: bytes) -> None:
        self._connection.sendall(data)

    def json(self, body: object, status: int = 200) -> None:
        data = json.dumps(body).encode()
        head = f"HTTP/1.1 {status} {REASONS[status]}\r\nContent-Type: application/json\r\n"
        self.raw(f"{head}Content-Length: {len(data)}\r\nConnection: close\r\n\r\n".encode() + data)

    def begin(self, kind: str = "application/x-ndjson") -> None:
        """A stream of unknown length; each ``chunk`` then reaches the client as a piece of its own."""
        head = f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
        self.raw(head.encode())

    def chunk(self, data: bytes) -> None:
        self.raw(f"{len(data):x}\r\n".encode() + data + b"\r\n")

    def end(self) -> None:
        self.raw(b"0\r\n\r\n")

    def gone(self, seconds: float) -> bool:
        """Waits until the client has closed the connection; False when it still holds it after so long."""
        ready, _, _ = select.select([self._connection], [], [], seconds)
        if not ready:
            return False
        try:
            return self._connection.recv(1) == b""
        except OSError:
            return True


Handler = Callable[[Asked, Answering], None]


@dataclass
class ModelServer:
    """What it was asked, in order, and where it is."""

    port: int
    asked: list[Asked] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def to(self, path: str) -> list[Asked]:
        return [one for one in self.asked if one.path == path]

    @property
    def chats(self) -> list[Asked]:
        return self.to("/v1/chat/completions") + self.to("/api/chat")


@contextmanager
def model_server(handler: Handler, port: int = 0) -> Iterator[ModelServer]:
    """Answers each connection in a thread of its own; an error of the handler fails the test.

    ``port`` is one that an earlier server had, for one that is started again.
    """
    faults: list[BaseException] = []
    threads: list[threading.Thread] = []
    with socket.create_server(("127.0.0.1", port), backlog=128) as listening:
        made = ModelServer(listening.getsockname()[1])

        def serve(connection: socket.socket) -> None:
            with connection:
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                try:
                    asked = _read(connection)
                    if asked is not None:
                        made.asked.append(asked)
                        handler(asked, Answering(connection))
                except OSError:
                    # The client has gone: a test that minds asks for it.
                    pass
                except BaseException as error:
                    faults.append(error)

        def accept() -> None:
            while True:
                try:
                    connection, _ = listening.accept()
                except OSError:
                    return
                threads.append(threading.Thread(target=serve, args=(connection,)))
                threads[-1].start()

        accepting = threading.Thread(target=accept)
        accepting.start()
        try:
            yield made
        finally:
            with contextlib.suppress(OSError):
                listening.shutdown(socket.SHUT_RDWR)
            accepting.join()
            for thread in threads:
                thread.join(30)
    assert not faults, faults


def _read(connection: socket.socket) -> Asked | None:
    with connection.makefile("rb") as stream:
        first = stream.readline().decode().split()
        if len(first) < 2:
            return None
        headers = {}
        while line := stream.readline().decode().strip():
            name, _, value = line.partition(":")
            headers[name.lower()] = value.strip()
        data = stream.read(int(headers.get("content-length", 0)))
    return Asked(first[0], first[1], headers, json.loads(data) if data else {})


# ------------------------------------------------------------------ a server that speaks the OpenAI protocol
def sse(body: object) -> bytes:
    return f"data: {json.dumps(body, ensure_ascii=False)}\n\n".encode()


def delta(*, finish: str | None = None, **fields: str) -> bytes:
    choice = {"index": 0, "delta": fields, "finish_reason": finish}
    return sse({"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]})


def usage(read: int, wrote: int) -> bytes:
    tokens = {"prompt_tokens": read, "completion_tokens": wrote, "total_tokens": read + wrote}
    return sse(
        {"id": "1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [], "usage": tokens}
    )


def say(answering: Answering, pieces: Sequence[str], *, read: int = 1000, finish: str = "stop") -> None:
    """A whole answer, as servers of the protocol stream it."""
    answering.begin("text/event-stream")
    for piece in pieces:
        answering.chunk(delta(content=piece))
    answering.chunk(delta(finish=finish))
    answering.chunk(usage(read, len(pieces)))
    answering.chunk(b"data: [DONE]\n\n")
    answering.end()


def openai_protocol(chat: Handler, *, models: Sequence[str] = ("small",)) -> Handler:
    """Lists its models, leaves chats to ``chat``, and knows nothing else."""

    def handle(asked: Asked, answering: Answering) -> None:
        if asked.path == "/v1/models":
            answering.json({"object": "list", "data": [{"id": name, "object": "model"} for name in models]})
        elif asked.path == "/v1/chat/completions":
            chat(asked, answering)
        else:
            answering.json({"error": {"message": "unknown path"}}, 404)

    return handle


def saying(*pieces: str) -> Handler:
    """The same answer to everything."""
    return openai_protocol(lambda _, answering: say(answering, pieces))


# ------------------------------------------------------------------ Ollama
def line(**fields: object) -> bytes:
    return (
        json.dumps({"model": "small", "created_at": "2026-01-01T00:00:00Z", **fields}, ensure_ascii=False).encode()
        + b"\n"
    )


def part(text: str, **message: str) -> bytes:
    return line(message={"role": "assistant", "content": text, **message}, done=False)


def last(read: int | None = 1000, reason: str = "stop") -> bytes:
    counted = {} if read is None else {"prompt_eval_count": read}
    return line(message={"role": "assistant", "content": ""}, done=True, done_reason=reason, eval_count=2, **counted)


def ollama(
    chat: Handler, *, models: Sequence[str] = ("small:latest",), show: Mapping[str, object] | None = None
) -> Handler:
    """Lists its models, tells about them what ``show`` says, leaves chats to ``chat``."""

    def handle(asked: Asked, answering: Answering) -> None:
        if asked.path == "/api/tags":
            answering.json({"models": [{"name": name, "model": name} for name in models]})
        elif asked.path == "/api/show" and show is not None:
            answering.json(show)
        elif asked.path == "/api/chat":
            chat(asked, answering)
        else:
            answering.json({"error": "unknown path"}, 404)

    return handle
