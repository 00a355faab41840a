"""The playbook's scripts: each is thin, starts, does what its command does, and stands in the table."""

from __future__ import annotations

import json
import os
import re
import runpy
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from mindnet.cli import COMMANDS
from mindnet.store.files import index_folders, index_parts
from running import Done, run
from serving import environment
from workspaces import config_folder, write_vault

ROOT = Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "scripts"
GUIDE = (ROOT / "docs" / "operations.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| `(\w+)` \| `mindnet (\w+)[^`]*` \| (.*) \|$", GUIDE, re.MULTILINE)
DOORS = [name for name, _, _ in ROWS]
DEVELOPERS = re.search(r"^For developers there are (.*)$", GUIDE, re.MULTILINE)


# ------------------------------------------------------------------ the table
def test_the_table_names_every_script_and_no_other() -> None:
    assert DEVELOPERS is not None
    others = set(re.findall(r"`(\w+)`", DEVELOPERS[1]))
    assert len(DOORS) == len(set(DOORS)) > 5
    assert {*DOORS, *others} == {file.stem for file in SCRIPTS.glob("*.py")}


def test_every_command_of_the_table_exists() -> None:
    assert {command for _, command, _ in ROWS} <= COMMANDS.keys()


@pytest.mark.parametrize("name", DOORS)
def test_a_door_is_thin(name: str) -> None:
    text = (SCRIPTS / f"{name}.py").read_text(encoding="utf-8")
    assert len(text.splitlines()) < 60
    assert set(re.findall(r"^from (mindnet[\w.]*) import", text, re.MULTILINE)) <= {
        f"mindnet.commands.{module}" for module in ("asking", "call", "checking", "files", "importing", "resetting")
    }


@pytest.mark.parametrize("name", DOORS)
def test_help_names_every_flag_of_the_table(name: str) -> None:
    done = door(name, "--help")
    assert done.returncode == 0, done.stderr
    (own,) = (text for door_name, _, text in ROWS if door_name == name)
    shown = set(re.findall(r"--[a-z-]+", done.stdout))
    flags = set(re.findall(r"`(--[a-z-]+)`", own)) - {"--prune", "--depth"}
    assert flags <= shown
    assert ("--prefix" in shown) == (name != "compare_vaults")


# ------------------------------------------------------------------ each for real
def door(name: str, *arguments: str | Path, env: Mapping[str, str] | None = None) -> Done:
    """Runs a script as ``python -m scripts.NAME`` does."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(ROOT))
        return run(
            lambda: runpy.run_module(f"scripts.{name}", run_name="__main__"), [name, *arguments], env or {}, columns=120
        )


@pytest.mark.parametrize("start", [("-m", "scripts.edges_full_check"), (str(SCRIPTS / "edges_full_check.py"),)])
def test_a_door_is_a_program_of_its_own(tmp_path: Path, start: tuple[str, ...]) -> None:
    """Both ways in which the playbook starts one; a vault that is not there is wrong use."""
    paths = os.pathsep.join([str(ROOT / "sidecar"), str(ROOT)])
    done = subprocess.run(
        [sys.executable, *start, "--vault", str(tmp_path / "nowhere")],
        capture_output=True, text=True, cwd=tmp_path, timeout=120, check=False, env=environment(PYTHONPATH=paths),
    )  # fmt: skip
    assert (done.returncode, done.stdout) == (2, "")
    assert "There is no folder" in done.stderr


class Bench:
    """A vault with its data folder, worked on through the scripts alone."""

    def __init__(self, folder: Path) -> None:
        self.vault = write_vault(folder / "vault")
        self.data = folder / "data"
        config_folder(folder / "config" / "mindnet")
        self.env = {"XDG_CONFIG_HOME": str(folder / "config")}

    def run(self, name: str, *arguments: str | Path, code: int = 0) -> Done:
        done = door(name, "--vault", self.vault, "--data-dir", self.data, *arguments, env=self.env)
        assert done.returncode == code, done.stderr
        return done

    def json(self, name: str, *arguments: str | Path, code: int = 0) -> Any:
        return json.loads(self.run(name, *arguments, "--json", code=code).stdout)

    def imported(self, *flags: str) -> Any:
        return self.json("import_markdown", "--apply", *flags)


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    return Bench(tmp_path_factory.mktemp("doors"))


def test_the_playbook_from_import_to_round_trip(bench: Bench, tmp_path: Path) -> None:
    """The runbook as it is written: a dry run, the standard run, the checks, the smoke test, the round trip."""
    dry = bench.json("import_markdown", "--prefix", "mindnet")
    assert dry["dry_run"]
    assert index_parts(bench.data) == []
    lines = [json.loads(line) for line in bench.run("payload_dryrun").stdout.splitlines()]
    assert sum(line["collection"] == "notes" for line in lines) == dry["notes"] == 3
    done = bench.imported("--prefix", "mindnet", "--purge-before-upsert", "--sync-deletes", "--baseline-modes")
    assert (done["dry_run"], done["notes"], done["problems"]) == (False, 3, [])
    assert bench.json("edges_full_check")["ok"]
    assert len(bench.json("edges_full_check", "--strict")["remarks"]) == 2
    flags = ("--mode", "hybrid", "--expand-depth", "1", "--top-k", "2")
    answer = bench.json("retriever_smoke", "--query", "Deep text without a heading", *flags)
    assert answer["hits"][0]["path"] == "Folder/Deep.md"
    assert len(answer["hits"]) <= 2
    assert answer["hits"][0]["explanation"]["contributions"]
    bench.run("export_markdown", "--out", tmp_path / "out", "--prefix", "mindnet")
    compared = door("compare_vaults", "--src", bench.vault, "--dst", tmp_path / "out", "--focus", "body")
    assert compared.returncode == 0, compared.stdout
    (tmp_path / "out" / "Hub.md").write_text("changed\n")
    assert door("compare_vaults", "--src", bench.vault, "--dst", tmp_path / "out").returncode == 1


def test_a_deleted_note_goes_with_sync_deletes_alone(bench: Bench) -> None:
    (bench.vault / "Gone.md").write_text("soon gone\n")
    before = bench.imported()["notes"]
    (bench.vault / "Gone.md").unlink()
    assert bench.imported()["notes"] == before
    report = bench.imported("--sync-deletes")
    assert (report["notes"], report["removed"]) == (before - 1, 1)


def test_references_are_resolved(bench: Bench) -> None:
    bench.imported()
    (bench.vault / "Nowhere.md").write_text("here\n")
    report = bench.json("resolve_unresolved_references")
    assert report["before"] > report["after"] == 0
    (bench.vault / "Nowhere.md").unlink()
    bench.imported("--sync-deletes")


def test_reset_empties_and_wipes_only_what_it_was_told_to(bench: Bench) -> None:
    bench.imported()
    assert "--yes" in bench.run("reset_qdrant", "--mode", "wipe", "--prefix", "mindnet", code=2).stderr
    assert bench.json("reset_qdrant", "--mode", "truncate", "--yes")["notes"] == 3
    assert bench.imported()["embedded"] == 0
    bench.run("reset_qdrant", "--mode", "wipe", "--prefix", "mindnet", "--yes")
    assert index_parts(bench.data) == []
    assert bench.imported()["embedded"] > 0


def test_another_prefix_touches_no_index(bench: Bench) -> None:
    bench.imported()
    for name, *more in (("edges_full_check",), ("reset_qdrant", "--yes"), ("resolve_unresolved_references",)):
        done = bench.run(name, *more, "--prefix", "other", code=2)
        assert "`mindnet`, not of `other`" in done.stderr
    assert bench.json("edges_full_check", "--prefix", "mindnet")["counts"]["notes"] == 3


def test_an_import_may_begin_an_index_under_another_prefix(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.imported("--prefix", "other")
    (built,) = index_folders(bench.data).values()
    assert sorted(path.name for path in (built / "store").iterdir()) == [
        "other_chunks",
        "other_edges",
        "other_notes",
    ]


def test_nothing_found_is_a_failed_smoke_test(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    for path in bench.vault.rglob("*.md"):
        path.write_text("---\nprivate: true\n---\n\nsecret\n")
    bench.imported()
    bench.run("retriever_smoke", "--query", "secret", code=1)
