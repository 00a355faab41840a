"""The real application over a real index of a small vault, in this process: no start of a program to wait for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from fastapi.testclient import TestClient

from mindnet.api.app import create_app
from mindnet.api.service import Service
from mindnet.workspace import Workspace, find_place
from workspaces import config_folder

TOKEN = "a token of at least thirty-two letters"


@dataclass
class Running:
    """``files`` are what the vault's owner sees; ``ingest`` brings the index up to date with them."""

    vault: Path
    data_dir: Path
    workspace: Workspace
    client: TestClient

    def get(self, route: str, /, **params: Any) -> Any:
        return ok(self.client.get(route, params=params))

    def post(self, path: str, body: Mapping[str, Any]) -> Any:
        return ok(self.client.post(path, json=body))

    def ask(self, question: str, **more: Any) -> dict[str, Any]:
        answer: dict[str, Any] = self.post("/query", {"query": question, **more})
        return answer

    def ingest(self) -> None:
        self.post("/ingest", {})

    def problems(self) -> Any:
        return self.get("/check")["problems"]


def ok(answer: Any) -> Any:
    """The body of an answer, which must be no error."""
    assert answer.is_success, answer.text
    return answer.json()


@contextmanager
def running(
    vault: Path, data_dir: Path, *, flags: Mapping[str, Any] | None = None, env: Mapping[str, str] | None = None
) -> Iterator[Running]:
    """Opens the index, brings it up to date and answers; all is closed after the block, as at the end of a sidecar.

    A language model is asked about candidates only if the flags say so.
    """
    given = {"validation.enabled": False, **(flags or {})}
    place = find_place(vault, data_dir, config_folder(data_dir.parent / "config"), env or {}, given)
    with Workspace(place, env or {}) as workspace:
        service = Service(workspace)
        service.worker.start()
        try:
            app = create_app(service, token=TOKEN)
            headers = {"Authorization": f"Bearer {TOKEN}"}
            with TestClient(app, base_url="http://127.0.0.1", headers=headers) as client:
                one = Running(vault, data_dir, workspace, client)
                one.ingest()
                yield one
        finally:
            service.worker.stop()
