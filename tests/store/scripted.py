"""A server on a real socket that misbehaves as it is told."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal

Step = Literal["answer", "hang up", "silence", "half", "web page"] | int
"""``half``: the answer breaks off; a number: that status, with an error as Qdrant writes it."""
REASONS = {401: "Unauthorized", 403: "Forbidden", 404: "Not Found", 413: "Too Large", 429: "Too Many", 503: "Away"}
ANSWER = {"result": {"count": 7}, "status": "ok", "time": 0.1}


@dataclass
class Scripted:
    """What it was asked, as (request line, headers in lower case)."""

    url: str
    asked: list[tuple[str, dict[str, str]]] = field(default_factory=list)


@contextmanager
def scripted(*steps: Step, port: int = 0) -> Iterator[Scripted]:
    """Takes one connection for each step; after the last step it takes no more."""
    with socket.create_server(("127.0.0.1", port)) as listening:
        made = Scripted(f"http://127.0.0.1:{listening.getsockname()[1]}")
        ended = threading.Event()
        thread = threading.Thread(target=_serve, args=(listening, steps, made, ended))
        thread.start()
        try:
            yield made
        finally:
            ended.set()
            listening.shutdown(socket.SHUT_RDWR)
            thread.join()


def _serve(listening: socket.socket, steps: tuple[Step, ...], made: Scripted, ended: threading.Event) -> None:
    for step in steps:
        try:
            connection, _ = listening.accept()
        except OSError:
            return
        with connection:
            made.asked.append(_read(connection))
            if step == "silence":
                ended.wait(30)
            elif step != "hang up":
                connection.sendall(_answer(step))


def _read(connection: socket.socket) -> tuple[str, dict[str, str]]:
    with connection.makefile("rb") as stream:
        request = stream.readline().decode().strip()
        headers = {}
        while line := stream.readline().decode().strip():
            name, _, value = line.partition(":")
            headers[name.lower()] = value.strip()
        stream.read(int(headers.get("content-length", 0)))
    return request, headers


def _answer(step: Step) -> bytes:
    if step == "web page":
        status, kind, body = "200 OK", "text/html", b"<html>It works!</html>"
    elif isinstance(step, int):
        error = {"status": {"error": f"the fault of {step}"}, "time": 0.1}
        status, kind, body = f"{step} {REASONS.get(step, 'Error')}", "application/json", json.dumps(error).encode()
    else:
        status, kind, body = "200 OK", "application/json", json.dumps(ANSWER).encode()
    head = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    return head.encode() + (body[: len(body) // 2] if step == "half" else body)
