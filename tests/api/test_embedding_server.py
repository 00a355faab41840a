"""The served sidecar beside an embedding server that goes and comes back."""

from __future__ import annotations

from pathlib import Path

import pytest

from embedserver import Model, embedding_server
from serving import serving, started, until
from workspaces import write_vault


@pytest.mark.parametrize(("provider", "path"), [("ollama", ""), ("openai", "/v1")])
def test_a_sidecar_started_without_its_embedding_server_answers_by_words_and_catches_up(
    tmp_path: Path, provider: str, path: str
) -> None:
    vault, data = write_vault(tmp_path / "vault"), tmp_path / "data"
    config = tmp_path / "config" / "mindnet"
    config.mkdir(parents=True)
    env = {"XDG_CONFIG_HOME": str(tmp_path / "config"), "MINDNET_EMBEDDING": ""}
    with embedding_server(Model()) as (server, _):
        said = f"embedding: {{provider: {provider}, model: small, url: '{server.url}{path}'}}\n"
        (config / "mindnet.yaml").write_text(said, encoding="utf-8")
        with serving(vault, data, **env) as sidecar:
            assert sidecar.paths("Deep text", mode="semantic")[0] == "Folder/Deep.md"
    (vault / "New.md").write_text("# New\n\nWritten while nobody embeds.\n", encoding="utf-8")
    with started(vault, data, **env) as sidecar:

        def status() -> dict[str, object]:
            told: dict[str, object] = sidecar.client.get("/status").raise_for_status().json()
            return told

        until(lambda: status()["state"] == "error")
        assert status()["error_code"] == "embedder_away"
        answer = sidecar.client.post("/query", json={"query": "Deep text"}).raise_for_status().json()
        assert answer["hits"][0]["path"] == "Folder/Deep.md"
        assert str(server.port) in answer["left_out"]
        refused = sidecar.client.post("/query", json={"query": "Deep text", "mode": "semantic"})
        assert (refused.status_code, refused.json()["code"]) == (503, "embedder_away")
        with embedding_server(Model(), server.port):
            until(lambda: "New.md" in sidecar.paths("nobody embeds", mode="semantic"))
            answer = sidecar.client.post("/query", json={"query": "Deep text"}).raise_for_status().json()
            assert answer["left_out"] is None
            assert sidecar.stop() == 0
