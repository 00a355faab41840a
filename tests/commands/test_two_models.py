"""`mindnet serve` where a quick and a better embedding are installed: what a person sees of both."""

from __future__ import annotations

from pathlib import Path

import pytest

from carriedmodels import e5_is_carried, model_caches
from mindnet.embedding.local import CACHE
from serving import mindnet, started, until
from workspaces import write_vault

BETTER = "multilingual-e5-small"


@e5_is_carried
def test_serve_answers_with_the_quick_one_and_says_when_the_better_one_has_taken_over(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    vault, data = write_vault(tmp_path / "vault"), tmp_path / "data"
    with model_caches(tmp_path_factory) as cache:
        env = {"MINDNET_EMBEDDING": "auto", CACHE: str(cache)}
        with started(vault, data, **env) as sidecar:
            until(lambda: sidecar.client.get("/status").json()["state"] == "idle")
            assert sidecar.client.get("/status").json()["embedding"]["model"].startswith(BETTER)
            assert sidecar.paths("Deep text")[0] == "Folder/Deep.md"
            assert sidecar.stop() == 0
            assert sidecar.process.stderr is not None
            told = sidecar.process.stderr.read()
        assert "Meanwhile a better model's index is built" in told
        assert "Answers come from the better index now." in told
        found = mindnet("status", "--vault", vault, "--data-dir", data, **env)
        assert BETTER in found.stdout
        found = mindnet("query", "Deep text", "--vault", vault, "--data-dir", data, **env)
        assert "Deep" in found.stdout
        assert found.stderr == ""
