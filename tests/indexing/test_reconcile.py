"""A store that lost notes, or has notes that nobody knows, is put right by the next start and scan."""

from __future__ import annotations

from pathlib import Path

from mindnet.workspace import Workspace, find_place
from workspaces import config_folder


def test_a_lost_note_is_indexed_again(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    vault.mkdir()
    for name in ("A", "B"):
        (vault / f"{name}.md").write_text(f"# {name}\n\nText with a [[A]].\n", encoding="utf-8")
    place = find_place(vault, tmp_path / "data", config_folder(tmp_path / "config"), {}, {})
    with Workspace(place, {}) as workspace:
        assert workspace.pipeline.update(None).written == 2
        assert workspace.check() == []
        workspace.store.remove_notes([workspace.pipeline.entries["A.md"].note_id])
        assert workspace.check() != []
    with Workspace(place, {}) as workspace:
        report = workspace.pipeline.update(None)
        assert (report.written, report.embedded) == (1, 0)
        assert workspace.check() == []
        assert workspace.pipeline.update(None).written == 0
