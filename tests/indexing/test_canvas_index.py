"""A canvas in an index: the same again costs nothing, and its arrows go with it."""

from __future__ import annotations

import json
from pathlib import Path

from mindnet.workspace import Workspace, find_place

PLAN = json.dumps(
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
    (vault / "A.md").write_text("# A\n", encoding="utf-8")
    (vault / "B.md").write_text("# B\n", encoding="utf-8")
    (vault / "Plan.canvas").write_bytes(b"\xef\xbb\xbf" + PLAN.replace(", ", ",\r\n").encode())
    (vault / "Skizze.excalidraw").write_text('{"elements":[{"type":"text","text":"Ein Satz."}]}', encoding="utf-8")
    place = find_place(vault, tmp_path / "data", tmp_path / "config", {}, {})
    with Workspace(place, {}) as workspace:
        assert workspace.pipeline.update(None).written == 4
        again = workspace.pipeline.update(None)
        assert (again.written, again.embedded) == (0, 0)
        assert workspace.check() == []

        def uses() -> list[str]:
            found = workspace.store.edges_from([workspace.pipeline.entries["A.md"].note_id])
            return [edge.rule_id for edge in found if edge.kind == "uses"]

        assert uses() == ["explicit:canvas"]
        (vault / "Plan.canvas").unlink()
        assert workspace.pipeline.update(None).removed == 1
        assert uses() == []
        assert workspace.check() == []
