"""Canvases in an index: the same again costs nothing, and one relation that several files state is one edge."""

from __future__ import annotations

import json
from pathlib import Path

from mindnet.workspace import Workspace, find_place
from workspaces import config_folder

SAME = json.dumps(
    {
        "nodes": [
            {"id": "a", "type": "file", "file": "A.md"},
            {"id": "b", "type": "file", "file": "B.md"},
            {"id": "t", "type": "text", "text": "Ein Satz.\r\nUnd noch einer."},
        ],
        "edges": [{"fromNode": "a", "toNode": "b", "label": "uses"}],
    }
)


def test_the_same_vault_again_writes_and_embeds_nothing(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    vault.mkdir()
    (vault / "A.md").write_text("---\nuses: '[[B]]'\n---\n", encoding="utf-8")
    (vault / "B.md").write_text("# B\n", encoding="utf-8")
    for name in ("Eins.canvas", "Zwei.canvas"):
        (vault / name).write_bytes(b"\xef\xbb\xbf" + SAME.replace(", ", ",\r\n").encode())
    (vault / "Skizze.excalidraw").write_text('{"elements":[{"type":"text","text":"Ein Satz."}]}', encoding="utf-8")
    place = find_place(vault, tmp_path / "data", config_folder(tmp_path / "config"), {}, {})
    with Workspace(place, {}) as workspace:
        assert workspace.pipeline.update(None).written == 5
        again = workspace.pipeline.update(None)
        assert (again.written, again.embedded) == (0, 0)
        assert workspace.check() == []

        def uses() -> list[str]:
            found = workspace.store.edges_from([workspace.pipeline.entries["A.md"].note_id])
            return sorted(edge.rule_id for edge in found if edge.kind == "uses")

        # One relation that three files state is one edge; it goes when the last of them says it no more.
        assert uses() == ["explicit:frontmatter"]
        (vault / "A.md").write_text("# A\n", encoding="utf-8")
        workspace.pipeline.update(None)
        assert uses() == ["explicit:canvas"]
        for name in ("Eins.canvas", "Zwei.canvas"):
            assert workspace.check() == []
            assert uses() == ["explicit:canvas"]
            (vault / name).unlink()
            assert workspace.pipeline.update(None).removed == 1
        assert uses() == []
        assert workspace.check() == []
