"""What counts as a change of a note, and that either way the index equals the vault."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindnet.indexing.report import Report
from mindnet.workspace import Workspace, find_place
from workspaces import config_folder

BEFORE = "---\ntitle: Brot\nmood: gut\n---\n# Brot\n\nSauerteig und [[Mehl]].\n"


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    folder = tmp_path / "vault"
    folder.mkdir()
    (folder / "Brot.md").write_text(BEFORE, encoding="utf-8")
    (folder / "Mehl.md").write_text("# Mehl\n", encoding="utf-8")
    return folder


def indexed(vault: Path, mode: str) -> Report:
    """One start of mindnet in this mode, after which the index is whole and gives the files back."""
    env = {"MINDNET_HASH_COMPARE": mode}
    place = find_place(vault, vault.parent / "data", config_folder(vault.parent / "config"), env, {})
    with Workspace(place, env) as workspace:
        report = workspace.pipeline.update(None)
        assert workspace.check() == []
        return report


@pytest.mark.parametrize(
    ("old", "new", "by_body"),
    [
        ("mood: gut", "mood: müde", 0),  # a key that nobody reads
        ("Sauerteig", "Hefeteig", 1),  # the text
        ("mood: gut", "mood: gut\nweather: rain", 1),  # every line below is another now
        ("mood: gut", "status: draft", 1),  # a key that is read
        ("title: Brot", "title: Teig", 1),
    ],
)
def test_by_body_a_key_that_nobody_reads_is_no_change(vault: Path, old: str, new: str, by_body: int) -> None:
    assert indexed(vault, "body").written == 2
    (vault / "Brot.md").write_text(BEFORE.replace(old, new), encoding="utf-8")
    assert indexed(vault, "body").written == by_body


def test_in_full_every_change_is_one_and_embeds_nothing_that_is_known(vault: Path) -> None:
    indexed(vault, "full")
    (vault / "Brot.md").write_text(BEFORE.replace("gut", "müde"), encoding="utf-8")
    report = indexed(vault, "full")
    assert (report.written, report.embedded) == (1, 0)


def test_switching_the_mode_imports_nothing_again(vault: Path) -> None:
    indexed(vault, "body")
    for mode in ("full", "body", "full"):
        report = indexed(vault, mode)
        assert (report.written, report.embedded, report.removed) == (0, 0, 0)
