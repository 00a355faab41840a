"""Chats over HTTP, as a client reads them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Protocol

from serving import Served


@dataclass(frozen=True)
class Told:
    """Every event of one answer, in order."""

    events: list[tuple[str, dict[str, Any]]]

    def only(self, name: str) -> dict[str, Any]:
        (found,) = [data for event, data in self.events if event == name]
        return found

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.events]

    @property
    def text(self) -> str:
        return "".join(data["text"] for name, data in self.events if name == "token")

    @property
    def done(self) -> dict[str, Any]:
        return self.only("done")


class Streamed(Protocol):
    def iter_bytes(self) -> Iterator[bytes]: ...


def events(response: Streamed) -> Iterator[tuple[str, dict[str, Any]]]:
    name = ""
    held = b""
    for received in response.iter_bytes():
        *lines, held = (held + received).split(b"\n")
        for line in lines:
            if line.startswith(b"event: "):
                name = line[7:].decode()
            elif line.startswith(b"data: "):
                yield name, json.loads(line[6:])


def ask(served: Served, message: str, **more: Any) -> Told:
    with served.client.stream("POST", "/chat", json={"message": message, **more}) as response:
        assert response.status_code == 200, response.read()
        return Told(list(events(response)))


def session(served: Served, session_id: str) -> dict[str, Any]:
    answer = served.client.get(f"/chat/sessions/{session_id}")
    answer.raise_for_status()
    found: dict[str, Any] = answer.json()
    return found
