"""Talks to the daemon that holds a data folder, with the shapes of the API."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

import httpx

from mindnet.api import wire
from mindnet.errors import MissingError, UsageError
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

    def _call(self, method: str, path: str, shape: type[Answer], **options: Any) -> Answer:
        try:
            response = self._client.request(method, path, **options)
        except httpx.HTTPError as error:
            raise MissingError(
                f"The sidecar at {self.run.url} does not answer: {error}.", hint="Start it again with `mindnet serve`."
            ) from error
        if response.is_error:
            found = wire.Problem.model_validate(response.json())
            kind = UsageError if response.status_code < 500 else MissingError
            raise kind(found.detail, hint=found.hint)
        return shape.model_validate(response.json())
