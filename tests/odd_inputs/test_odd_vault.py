"""Every odd file in one vault: each is named with what is wrong with it, and all else is found."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest

from serving import mindnet, serving
from vaultgen.odd import Odd, make_odd_vault
from workspaces import config_folder, open_workspace, write_vault

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only there can files have all these names")


@dataclass(frozen=True)
class Imported:
    """What was said of the vault, and where each word was found."""

    made: tuple[Odd, ...]
    report: dict[str, Any]
    checked: dict[str, Any]
    found: dict[str, list[str]]
    before: dict[str, str]
    after: dict[str, str]


def contents(vault: Path) -> dict[str, str]:
    """Hash of every file that is one, by its path."""
    files = [path for path in sorted(vault.rglob("*")) if path.is_file() and path.name != "Zu.md"]
    return {str(path): sha256(path.read_bytes()).hexdigest() for path in files}


@pytest.fixture(scope="module")
def imported(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Imported]:
    folder = tmp_path_factory.mktemp("odd")
    vault, data = folder / "vault", folder / "data"
    made = make_odd_vault(vault)
    before = contents(vault)
    env = {"XDG_CONFIG_HOME": str(folder / "config")}
    config_folder(folder / "config" / "mindnet")
    try:
        done = mindnet("import", "--apply", "--json", "--vault", vault, "--data-dir", data, **env)
        assert done.returncode == 0, done.stdout + done.stderr
        with serving(vault, data, **env) as served:
            found = {odd.path: served.paths(odd.word, mode="lexical", fold_copies=False) for odd in made if odd.word}
            checked = served.client.get("/check").json()
        yield Imported(made, json.loads(done.stdout), checked, found, before, contents(vault))
    finally:
        (vault / "Zu").chmod(0o700)
        (vault / "Zu.md").chmod(0o600)


def test_each_odd_file_is_named_with_what_is_wrong_with_it(imported: Imported) -> None:
    said: dict[str, set[str]] = {}
    for fault in imported.report["faults"]:
        said.setdefault(fault["path"], set()).add(fault["code"])
    assert said == {odd.path: set(odd.codes) for odd in imported.made if odd.codes}


def test_every_remark_is_a_sentence(imported: Imported) -> None:
    for fault in imported.report["faults"]:
        assert len(fault["message"].split()) > 4, fault
        assert "Errno" not in fault["message"], fault


def test_all_else_is_found_by_its_words(imported: Imported) -> None:
    missing = {path: found for path, found in imported.found.items() if path not in found[:3]}
    assert missing == {}
    assert len(imported.found) > 30


def test_the_index_is_clean_and_no_file_was_changed(imported: Imported) -> None:
    assert imported.checked["problems"] == []
    assert imported.before == imported.after


def test_a_file_that_vanishes_between_finding_and_reading_is_named_and_the_rest_indexed(tmp_path: Path) -> None:
    vault = write_vault(tmp_path / "vault", {"Bleibt.md": "# Bleibt\n", "Geht.md": "# Geht\n"})
    with open_workspace(vault, tmp_path / "data") as workspace:
        source = workspace.pipeline.source
        found = source.discover()
        (vault / "Geht.md").unlink()
        source.discover = lambda: found  # type: ignore[method-assign]
        report = workspace.pipeline.update(None)
        assert [(fault.path, fault.code) for fault in report.faults] == [("Geht.md", "vanished")]
        assert list(workspace.pipeline.entries) == ["Bleibt.md"]
        assert workspace.pipeline.update(frozenset(("Geht.md",))).faults == ()
        assert workspace.check() == []


@pytest.mark.parametrize("kind", ["link", "circle", "outside", "pipe", "placeholder", "folder"])
def test_what_becomes_odd_while_it_is_watched_is_named_until_it_is_mended(tmp_path: Path, kind: str) -> None:
    """By a single look as by a scan; a note whose content is only elsewhere stays in the index meanwhile."""
    vault = write_vault(tmp_path / "vault", {"Notiz.md": "# Notiz\n", "Andere.md": "# Andere\n"})
    (tmp_path / "Fremd.md").write_text("fremd")
    note = vault / "Notiz.md"
    with open_workspace(vault, tmp_path / "data") as workspace:
        workspace.pipeline.update(None)
        note.unlink()
        if kind == "link":
            note.symlink_to("Nirgends.md")
        elif kind == "circle":
            note.symlink_to(note)
        elif kind == "outside":
            note.symlink_to(tmp_path / "Fremd.md")
        elif kind == "pipe":
            os.mkfifo(note)
        elif kind == "placeholder":
            (vault / ".Notiz.md.icloud").write_bytes(b"bplist00")
        else:
            note.mkdir()
            (note / "Darin.md").write_text("darin")
        one = frozenset(("Notiz.md",))
        looked, scanned = workspace.pipeline.update(one), workspace.pipeline.update(None)
        assert looked.faults == scanned.faults
        assert [fault.code for fault in looked.faults] == {
            "link": ["broken_link"],
            "circle": ["circular_link"],
            "outside": ["link_outside"],
            "pipe": ["not_a_file"],
            "placeholder": ["placeholder"],
            "folder": [],
        }[kind]
        assert ("Notiz.md" in workspace.pipeline.entries) == (kind == "placeholder")
        assert ("Notiz.md/Darin.md" in workspace.pipeline.entries) == (kind == "folder")
        if kind == "placeholder":
            (vault / ".Notiz.md.icloud").unlink()
        elif kind == "folder":
            (note / "Darin.md").unlink()
            note.rmdir()
        else:
            note.unlink()
        assert workspace.pipeline.update(one).faults == ()
        note.write_text("# Wieder da\n")
        assert workspace.pipeline.update(one).faults == ()
        assert workspace.pipeline.entries.keys() == {"Notiz.md", "Andere.md"}
        assert workspace.check() == []
