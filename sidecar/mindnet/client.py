"""Talks to the daemon that holds a data folder, with the shapes of the API."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Mapping
from pathlib import Path
from typing import Any, TypeVar

import httpx

from mindnet.api import chat_wire, wire
from mindnet.errors import MindnetError, MissingError, UsageError
from mindnet.settings.folders import RunFile, read_run_file

Answer = TypeVar("Answer", bound=wire.Wire)


class Daemon:
    """A running sidecar, called over loopback."""

    def __init__(self, run: RunFile) -> None:
        self.run = run
        self._client = httpx.Client(
            base_url=run.url,
            headers={"Authorization": f"Bearer {run.token}"},
            timeout=httpx.Timeout(600.0, connect=5.0),
            trust_env=False,
        )

    @classmethod
    def find(cls, data_dir: Path) -> Daemon | None:
        """The daemon of this data folder if one answers."""
        run = read_run_file(data_dir)
        if run is None:
            return None
        daemon = cls(run)
        try:
            daemon._client.get("/health", timeout=5.0).raise_for_status()
        except httpx.HTTPError:
            daemon.close()
            return None
        return daemon

    def close(self) -> None:
        self._client.close()

    def get(self, path: str, shape: type[Answer], params: Mapping[str, str] | None = None) -> Answer:
        return self._call("GET", path, shape, params=dict(params or {}))

    def post(self, path: str, body: wire.Wire | None, shape: type[Answer]) -> Answer:
        return self._call("POST", path, shape, json=body.model_dump(by_alias=True) if body else None)

    async def chat(self, request: chat_wire.ChatRequest) -> AsyncGenerator[chat_wire.AnyChatEvent, None]:
        """The events of one answer; whoever stops iterating closes the connection, which stops the model."""
        headers = {"Authorization": f"Bearer {self.run.token}"}
        # The sidecar sends a sign of life while a model is silent.
        patience = httpx.Timeout(60.0, connect=5.0)
        try:
            async with (
                httpx.AsyncClient(base_url=self.run.url, headers=headers, timeout=patience, trust_env=False) as client,
                client.stream("POST", "/chat", json=request.model_dump(by_alias=True)) as response,
            ):
                if response.is_error:
                    await response.aread()
                    raise _refusal(response)
                async for event in _events(response):
                    yield event
        except httpx.HTTPError as error:
            raise self._silent(error) from error

    def _silent(self, error: httpx.HTTPError) -> MissingError:
        return MissingError(
            f"The sidecar at {self.run.url} does not answer: {error}.", hint="Start it again with `mindnet serve`."
        )

    def _call(self, method: str, path: str, shape: type[Answer], **options: Any) -> Answer:
        try:
            response = self._client.request(method, path, **options)
        except httpx.HTTPError as error:
            raise self._silent(error) from error
        if response.is_error:
            raise _refusal(response)
        return shape.model_validate(response.json())


def _refusal(response: httpx.Response) -> MindnetError:
    found = wire.Problem.model_validate(response.json())
    kind = UsageError if response.status_code < 500 else MissingError
    return kind(found.detail, hint=found.hint)


async def _events(response: httpx.Response) -> AsyncIterator[chat_wire.AnyChatEvent]:
    """Server-sent events as the sidecar writes them: one line of data each, which may hold any other line end."""
    held = b""
    async for received in response.aiter_bytes():
        *lines, held = (held + received).split(b"\n")
        for line in lines:
            if line.startswith(b"data: "):
                yield chat_wire.ChatEvent.model_validate_json(line.removeprefix(b"data: ")).root
