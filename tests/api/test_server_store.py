"""A real sidecar whose index is on a Qdrant server that comes and goes."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

import pytest

from contract.rest import answering
from contract.stores import LocalClient
from mindnet.cli import main
from mindnet.store.files import index_folders
from running import Done, run
from serving import environment, serving, until
from workspaces import without_a_model

NOTES = {
    "Sauerkraut.md": "Cabbage and salt ferment in a crock. See [[Salt]].\n",
    "Salt.md": "Two percent of salt keeps the jar safe.\n",
}


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    folder = tmp_path / "vault"
    folder.mkdir()
    for name, text in NOTES.items():
        (folder / name).write_text(text)
    return folder


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    return without_a_model(tmp_path)


def mindnet(*arguments: str | Path, **env: str) -> Done:
    """A command in this process, which has imported Qdrant's client already: that takes seconds."""
    return run(main, ["mindnet", *arguments], environment(**env))


def test_questions_are_answered_from_the_server_and_again_after_it_was_away(
    vault: Path, tmp_path: Path, env: dict[str, str]
) -> None:
    client = LocalClient()
    with contextlib.ExitStack() as first:
        url = first.enter_context(answering(client))
        port = int(url.rpartition(":")[2])
        with serving(vault, tmp_path / "data", QDRANT_URL=url, COLLECTION_PREFIX="mine", **env) as served:
            assert served.paths("How much salt keeps a jar safe?")[0] == "Salt.md"
            assert client.count("mine_notes").count == 2
            status = served.client.get("/status").json()
            assert status["store"] == {"engine": "qdrant", "folder": None, "url": url, "answers": True, "fault": None}
            assert served.client.get("/check").json()["problems"] == []

            first.close()
            answer = served.client.post("/query", json={"query": "salt"})
            assert answer.status_code == 503
            assert answer.json()["code"] == "store"
            assert "goes on by itself" in answer.json()["hint"]
            (vault / "Miso.md").write_text("Koji turns beans into miso.\n")
            until(lambda: served.client.get("/status").json()["state"] == "error")
            assert served.client.get("/status").json()["store"]["answers"] is False

            with answering(client, port):
                assert served.paths("How much salt keeps a jar safe?")[0] == "Salt.md"
                until(lambda: served.paths("What does koji do with beans?")[:1] == ["Miso.md"])
                assert served.client.get("/status").json()["store"]["answers"] is True
                assert served.client.get("/check").json()["problems"] == []
    (built,) = index_folders(tmp_path / "data").values()
    assert not (built / "store").exists()


def test_an_index_on_a_server_is_kept_over_restarts_and_absences(
    vault: Path, tmp_path: Path, env: dict[str, str]
) -> None:
    data = tmp_path / "data"
    options: list[str | Path] = ["--vault", vault, "--data-dir", data, "--json"]
    with answering(LocalClient()) as url:
        first = json.loads(mindnet("import", "--apply", *options, QDRANT_URL=url, **env).stdout)
        assert (first["written"], first["embedded"]) == (2, 2)
        again = json.loads(mindnet("import", "--apply", *options, QDRANT_URL=url, **env).stdout)
        assert again["written"] == 0
    (built,) = index_folders(data).values()
    size = (built / "index.sqlite").stat().st_size
    away = mindnet("query", "salt", *options, QDRANT_URL=url, **env)
    assert away.returncode == 3
    assert f"{url} does not answer" in " ".join(away.stderr.split())
    assert (built / "index.sqlite").stat().st_size == size
    assert not list(data.glob("damaged-*"))
    # Without the server's address it is another index, in the data folder, built from known vectors.
    here = json.loads(mindnet("import", "--apply", *options, **env).stdout)
    assert (here["written"], here["embedded"]) == (2, 0)


def test_an_address_that_cannot_be_one_is_refused(vault: Path, tmp_path: Path) -> None:
    done = mindnet("import", "--vault", vault, "--data-dir", tmp_path / "data", QDRANT_URL="ftp://user:secret@host")
    assert done.returncode == 2
    assert "store.url" in done.stderr
