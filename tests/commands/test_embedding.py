"""`mindnet doctor` on the embedding model."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from embedserver import embedding_server
from serving import mindnet
from workspaces import write_vault


def doctor(folder: Path, said: str) -> tuple[int, dict[str, object]]:
    config = folder / "config"
    config.mkdir(exist_ok=True)
    (config / "mindnet.yaml").write_text(said, encoding="utf-8")
    vault = write_vault(folder / "vault")
    done = mindnet(
        "doctor",
        "--vault",
        vault,
        "--data-dir",
        folder / "data",
        "--config-dir",
        config,
        "--json",
        MINDNET_EMBEDDING="",
    )
    return done.returncode, json.loads(done.stdout)["embedding"]


def test_the_installed_model_is_there(tmp_path: Path) -> None:
    _, found = doctor(tmp_path, "embedding: {provider: bundled}\n")
    assert found["ok"] is True
    assert found["leaves_machine"] is False


@pytest.mark.parametrize(("provider", "path"), [("ollama", ""), ("openai", "/v1")])
def test_a_server_is_asked_for_its_model(tmp_path: Path, provider: str, path: str) -> None:
    with embedding_server() as (server, _):
        said = f"embedding: {{provider: {provider}, model: small, url: '{server.url}{path}'}}\n"
        _, found = doctor(tmp_path, said)
        assert found["ok"] is True
        assert str(found["model"]).startswith(f"{provider}/small")
    code, found = doctor(tmp_path, said)
    assert code == 1
    assert found["code"] == "embedder_away"
    assert str(server.port) in str(found["message"])
    assert found["hint"]
