"""A data folder that is read-only, full, in the wrong place or in use: one sentence, nothing lost, and it goes on."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from mindnet.cli import main
from mounts import NEEDS_MOUNTS, fill, small_disk
from running import Done, run
from serving import START, environment, mindnet, serving, until
from workspaces import config_folder, write_vault

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="permissions and signals of Unix")


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    config_folder(tmp_path / "config" / "mindnet")
    return write_vault(tmp_path / "vault")


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    return {"XDG_CONFIG_HOME": str(tmp_path / "config"), "XDG_DATA_HOME": str(tmp_path / "share")}


def here(*arguments: str | Path, **env: str) -> Done:
    """A command in this process, where neither its permissions nor its end are what is tried."""
    return run(main, ["mindnet", *arguments], env)


def refused(done: subprocess.CompletedProcess[str] | Done, *said: str, code: int) -> None:
    """It ended with one sentence and one hint, and no traceback."""
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 2, done.stderr
    for words in said:
        assert words in done.stderr


# ------------------------------------------------------------------ no permission
@pytest.fixture
def closed(tmp_path: Path) -> Iterator[Path]:
    """An empty folder that may not be written."""
    folder = tmp_path / "closed"
    folder.mkdir(mode=0o500)
    yield folder
    folder.chmod(0o700)


def test_a_data_folder_that_cannot_be_made_is_named(
    tmp_path: Path, vault: Path, env: dict[str, str], closed: Path
) -> None:
    (tmp_path / "file").touch()
    done = mindnet("import", "--apply", "--vault", vault, "--data-dir", closed / "data", **env)
    refused(done, str(closed / "data"), "--data-dir", code=2)
    for data in (tmp_path / "file", tmp_path / "file" / "data"):
        refused(here("import", "--apply", "--vault", vault, "--data-dir", data, **env), str(data), "--data-dir", code=2)
    done = mindnet("import", "--apply", "--vault", vault, **{**env, "XDG_DATA_HOME": str(closed)})
    refused(done, str(closed), "--data-dir", code=2)


@pytest.mark.parametrize("command", [("import", "--apply"), ("serve",)])
def test_a_data_folder_that_may_not_be_written_is_named(
    vault: Path, env: dict[str, str], closed: Path, command: tuple[str, ...]
) -> None:
    done = mindnet(*command, "--vault", vault, "--data-dir", closed, **env)
    refused(done, str(closed), "may not be written", "permissions", code=3)


@pytest.mark.parametrize("part", ["store", "index.sqlite", "vectors.sqlite"])
def test_a_part_that_may_not_be_written_is_not_taken_for_damaged(
    tmp_path: Path, vault: Path, env: dict[str, str], part: str
) -> None:
    data = tmp_path / "data"
    place = ("--vault", vault, "--data-dir", data)
    assert here("import", "--apply", *place, **env).returncode == 0
    before = sorted(path.name for path in data.iterdir())
    write_vault(vault, {"New.md": "# New\n"})
    (kept,) = data.rglob(part)
    kept.chmod(0o500 if part == "store" else 0o400)
    done = mindnet("import", "--apply", *place, **env)
    kept.chmod(0o700)
    refused(done, str(data), "permissions", code=3)
    assert sorted(path.name for path in data.iterdir()) == before
    report = json.loads(here("import", "--apply", "--json", *place, **env).stdout)
    assert (report["notes"], report["embedded"], report["problems"]) == (4, 1, [])


# ------------------------------------------------------------------ in the vault
def test_a_data_folder_in_the_vault_is_refused_unless_it_is_hidden(
    tmp_path: Path, vault: Path, env: dict[str, str]
) -> None:
    (tmp_path / "link").symlink_to(vault)
    for data in (vault, vault / "data", tmp_path / "link" / "deep" / "data"):
        done = here("import", "--apply", "--vault", vault, "--data-dir", data, **env)
        refused(done, "vault", "--data-dir", code=2)
    assert not (vault / "data").exists()
    with serving(vault, vault / ".mindnet", **env) as served:
        write_vault(vault, {"New.md": "# Brezelwaage\n"})
        until(lambda: served.paths("Brezelwaage")[:1] == ["New.md"])
        assert served.client.get("/check").json()["problems"] == []


# ------------------------------------------------------------------ two processes
def test_a_second_process_names_the_first_and_a_killed_one_blocks_nobody(
    tmp_path: Path, vault: Path, env: dict[str, str]
) -> None:
    data = tmp_path / "data"
    place = ("--vault", vault, "--data-dir", data)
    with serving(vault, data, **env) as served:
        for command in (("serve",), ("reset", "--yes")):
            done = here(*command, *place, **env)
            refused(done, str(data), f"process {served.pid}", served.url, "stop it", code=3)
        os.kill(served.pid, signal.SIGKILL)
        served.process.wait(timeout=20)
        assert (data / "run.json").exists()
        done = here("import", "--apply", "--json", *place, **env)
        assert done.returncode == 0, done.stderr
        assert json.loads(done.stdout)["embedded"] == 0
        assert here("query", "Leaf", *place, **env).returncode == 0


HOLDING = """
import sys
from pathlib import Path
from mindnet.settings.folders import hold
held = hold(Path(sys.argv[1]))
print(1, flush=True)
sys.stdin.read()
"""


def test_a_command_that_holds_the_folder_is_named_too(tmp_path: Path, vault: Path, env: dict[str, str]) -> None:
    data = tmp_path / "data"
    data.mkdir()
    holder = subprocess.Popen(
        [START[0], "-c", HOLDING, str(data)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=environment(PYTHONPATH=os.pathsep.join(sys.path)),
    )
    try:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"1\n"
        done = here("import", "--apply", "--vault", vault, "--data-dir", data, **env)
        refused(done, str(data), f"process {holder.pid}", "Wait for it or stop it", code=3)
    finally:
        holder.kill()
        holder.communicate()
    assert here("import", "--apply", "--vault", vault, "--data-dir", data, **env).returncode == 0
    assert not (data / "lock.pid").exists()


# ------------------------------------------------------------------ a full disk
@NEEDS_MOUNTS
@pytest.mark.parametrize("leave", [0, 2_000_000, 8_000_000], ids=["all", "but two MB", "but eight MB"])
def test_an_import_on_a_full_disk_says_so_and_the_next_one_goes_on(
    tmp_path: Path, vault: Path, env: dict[str, str], leave: int
) -> None:
    with small_disk(tmp_path / "disk", 40) as disk:
        place = ("--vault", vault, "--data-dir", disk / "data")
        filler = fill(disk, leave=leave)
        refused(mindnet("import", "--apply", *place, **env), str(disk / "data"), "no room", "Free some space", code=3)
        filler.unlink()
        report = json.loads(here("import", "--apply", "--json", *place, **env).stdout)
        assert (report["notes"], report["problems"]) == (3, [])
        write_vault(vault, {"New.md": "# New\n"})
        filler = fill(disk, leave=leave)
        refused(mindnet("import", "--apply", *place, **env), str(disk / "data"), "no room", code=3)
        filler.unlink()
        report = json.loads(here("import", "--apply", "--json", *place, **env).stdout)
        assert (report["notes"], report["problems"]) == (4, [])
        assert report["embedded"] <= 1
        assert not list((disk / "data").glob("damaged*"))


@NEEDS_MOUNTS
def test_a_disk_that_fills_up_while_it_serves_stops_the_indexing_and_not_the_answers(
    tmp_path: Path, vault: Path, env: dict[str, str]
) -> None:
    with small_disk(tmp_path / "disk", 60) as disk, serving(vault, disk / "data", **env) as served:

        def status() -> dict[str, object]:
            answer: dict[str, object] = served.client.get("/status").json()
            return answer

        filler = fill(disk)
        write_vault(vault, {"New.md": "# Brezelwaage\n"})
        until(lambda: status()["state"] == "error")
        assert "no room" in str(status()["error"])
        assert str(disk / "data") in str(status()["error"])
        assert served.paths("Leaf")[0] == "Leaf.md"
        filler.unlink()
        until(lambda: served.paths("Brezelwaage")[:1] == ["New.md"])
        until(lambda: status()["state"] == "idle")
        assert served.client.get("/check").json()["problems"] == []
        fill(disk)
        write_vault(vault, {"New.md": "# Zimtschnecke\n"})
        until(lambda: status()["state"] == "error")
        assert served.stop() == 0
        (disk / "filler").unlink()
        place = ("--vault", vault, "--data-dir", disk / "data")
        report = json.loads(here("import", "--apply", "--json", *place, **env).stdout)
        assert (report["notes"], report["problems"]) == (4, [])
        assert not list((disk / "data").glob("damaged*"))
