"""A vault that goes away while it is served and comes back, or that may not be written: no note is lost for it."""

from __future__ import annotations

import json
import os
import shutil
import stat
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from mounts import NEEDS_MOUNTS, plug_in, unplug
from serving import Served, mindnet, serving, started, until
from workspaces import config_folder, write_vault

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a folder in use cannot be moved there")


@pytest.fixture
def env(tmp_path: Path) -> dict[str, str]:
    config_folder(tmp_path / "config" / "mindnet")
    return {"XDG_CONFIG_HOME": str(tmp_path / "config")}


def goes_and_comes(served: Served, vault: Path, away: Callable[[], None], back: Callable[[], None]) -> None:
    """What was indexed answers all the while; what changes afterwards is seen."""

    def status() -> dict[str, object]:
        answer: dict[str, object] = served.client.get("/status").json()
        return answer

    before = status()["notes"]
    away()
    until(lambda: status()["state"] == "error")
    assert str(vault) in str(status()["error"])
    assert "drive" in str(status()["error"])
    assert status()["notes"] == before
    assert served.paths("Leaf")[0] == "Leaf.md"
    back()
    until(lambda: status()["state"] == "idle")
    assert status()["notes"] == before
    write_vault(vault, {"New.md": "# Brezelwaage\n"})
    until(lambda: served.paths("Brezelwaage")[:1] == ["New.md"])
    (vault / "New.md").unlink()
    until(lambda: "New.md" not in served.paths("Brezelwaage", top_k=50))
    assert served.client.get("/check").json()["problems"] == []
    assert status()["notes"] == before


@pytest.mark.parametrize("polling", ["false", "true"], ids=["events", "polling"])
def test_a_vault_that_is_moved_away_and_back(tmp_path: Path, env: dict[str, str], polling: str) -> None:
    vault, aside = write_vault(tmp_path / "vault"), tmp_path / "aside"
    with serving(vault, tmp_path / "data", MINDNET_POLLING=polling, **env) as served:
        goes_and_comes(served, vault, partial(os.rename, vault, aside), partial(os.rename, aside, vault))


def test_a_vault_that_comes_back_as_a_copy(tmp_path: Path, env: dict[str, str]) -> None:
    vault, aside = write_vault(tmp_path / "vault"), tmp_path / "aside"
    write_vault(vault, {".obsidian/app.json": '{"userIgnoreFilters": ["Folder/"]}'})
    with serving(vault, tmp_path / "data", **env) as served:

        def back() -> None:
            shutil.copytree(aside, vault)

        goes_and_comes(served, vault, partial(os.rename, vault, aside), back)
        assert served.client.get("/notes", params={"path": "Folder/Deep.md"}).status_code == 404


@NEEDS_MOUNTS
def test_a_vault_on_a_drive_that_is_unplugged(tmp_path: Path, env: dict[str, str]) -> None:
    """Where the drive was, an empty folder is left: that is no vault whose notes were all deleted."""
    drive, vault = write_vault(tmp_path / "drive"), tmp_path / "vault"
    vault.mkdir()
    plug_in(drive, vault)
    try:
        with serving(vault, tmp_path / "data", **env) as served:
            goes_and_comes(served, vault, lambda: unplug(vault), lambda: plug_in(drive, vault))
    finally:
        unplug(vault)


def test_the_last_note_of_a_vault_can_be_deleted(tmp_path: Path, env: dict[str, str]) -> None:
    vault = write_vault(tmp_path / "vault", {"Only.md": "# Only\n"})
    with serving(vault, tmp_path / "data", **env) as served:
        (vault / "Only.md").unlink()
        until(lambda: served.client.get("/status").json()["notes"] == 0)


def empty(vault: Path, aside: Path) -> None:
    """Every note is gone, as from a folder whose drive is away; Obsidian's own folder may be there anew."""
    aside.mkdir()
    for entry in sorted(vault.iterdir()):
        entry.rename(aside / entry.name)
    (vault / ".obsidian").mkdir()


def fill(vault: Path, aside: Path) -> None:
    for entry in sorted(aside.iterdir()):
        entry.rename(vault / entry.name)


def test_an_import_keeps_the_index_of_a_vault_without_any_note_unless_it_is_told_not_to(
    tmp_path: Path, env: dict[str, str]
) -> None:
    vault, aside = write_vault(tmp_path / "vault"), tmp_path / "aside"
    place = ("--vault", vault, "--data-dir", tmp_path / "data", "--json")

    def notes() -> int:
        number: int = json.loads(mindnet("stats", *place, **env).stdout)["notes"]
        return number

    assert mindnet("import", "--apply", *place, **env).returncode == 0
    before = notes()
    empty(vault, aside)
    refused = mindnet("import", "--apply", *place, **env)
    assert refused.returncode == 2
    assert str(vault) in refused.stderr
    assert "--prune-all" in refused.stderr
    assert notes() == before
    assert mindnet("import", "--apply", "--no-prune", *place, **env).returncode == 0
    assert notes() == before
    fill(vault, aside)
    again = json.loads(mindnet("import", "--apply", *place, **env).stdout)
    assert (again["notes"], again["embedded"], again["removed"]) == (before, 0, 0)
    aside.rmdir()
    (vault / ".obsidian").rmdir()
    empty(vault, aside)
    done = json.loads(mindnet("import", "--apply", "--prune-all", *place, **env).stdout)
    assert (done["notes"], done["removed"]) == (0, before + 1), "the template, too, is a file that was known"


def test_a_vault_that_loses_all_notes_while_it_is_served_and_gets_them_back(
    tmp_path: Path, env: dict[str, str]
) -> None:
    vault, aside = write_vault(tmp_path / "vault"), tmp_path / "aside"
    with serving(vault, tmp_path / "data", **env) as served:
        goes_and_comes(served, vault, partial(empty, vault, aside), partial(fill, vault, aside))


def test_a_vault_without_any_note_is_served_from_the_index_until_it_is_told_not_to(
    tmp_path: Path, env: dict[str, str]
) -> None:
    vault, aside = write_vault(tmp_path / "vault"), tmp_path / "aside"
    place = ("--vault", vault, "--data-dir", tmp_path / "data")
    assert mindnet("import", "--apply", *place, **env).returncode == 0
    empty(vault, aside)
    with started(vault, tmp_path / "data", **env) as served:
        until(lambda: served.client.get("/status").json()["state"] == "error")
        assert "--prune-all" in served.client.get("/status").json()["error"]
        assert served.paths("Leaf")[0] == "Leaf.md"
        refused = served.client.post("/ingest", json={})
        assert (refused.status_code, refused.json()["code"]) == (400, "vault")
        assert mindnet("import", "--apply", "--prune-all", *place, **env).returncode == 0
        until(lambda: served.client.get("/status").json()["state"] == "idle")
        assert served.client.get("/status").json()["notes"] == 0


def works_without_writing(vault: Path, data: Path, env: dict[str, str]) -> None:
    with serving(vault, data, **env) as served:
        assert served.paths("Leaf")[0] == "Leaf.md"
        assert served.client.get("/check").json()["problems"] == []
    assert mindnet("check", "--vault", vault, "--data-dir", data, **env).returncode == 0


def test_a_vault_without_leave_to_write_is_served_like_any_other(tmp_path: Path, env: dict[str, str]) -> None:
    vault = write_vault(tmp_path / "vault")
    places = [vault, *vault.rglob("*")]
    for place in places:
        place.chmod(place.stat().st_mode & ~(stat.S_IWUSR | stat.S_IWGRP | stat.S_IWOTH))
    try:
        works_without_writing(vault, tmp_path / "data", env)
    finally:
        for place in places:
            place.chmod(0o700)


@NEEDS_MOUNTS
def test_a_vault_on_a_disk_that_is_read_only_is_served_like_any_other(tmp_path: Path, env: dict[str, str]) -> None:
    folder, vault = write_vault(tmp_path / "folder"), tmp_path / "vault"
    vault.mkdir()
    plug_in(folder, vault, "-o", "ro")
    try:
        with pytest.raises(OSError, match="Read-only"):
            (vault / "New.md").write_text("x")
        works_without_writing(vault, tmp_path / "data", env)
    finally:
        unplug(vault)
