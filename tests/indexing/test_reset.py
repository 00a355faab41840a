"""Emptied collections are empty, stay usable, and cost no embedding when they are filled again."""

from __future__ import annotations

from pathlib import Path

from mindnet.indexing.reset import truncate
from mindnet.store.schema import INDEXES
from workspaces import open_workspace, write_vault


def test_truncate_empties_all_and_keeps_vectors_and_indexes(tmp_path: Path) -> None:
    vault = write_vault(tmp_path / "vault")
    with open_workspace(vault, tmp_path / "data") as workspace:
        first = workspace.pipeline.update(None)
        assert truncate(workspace.pipeline) == first.notes
        assert [workspace.store.count(collection) for collection in INDEXES] == [0, 0, 0]
        assert list(workspace.lexical.chunk_ids()) == []
    with open_workspace(vault, tmp_path / "data") as workspace:
        assert workspace.rebuilt is None
        assert workspace.pipeline.entries == {}
        assert all(workspace.store.indexes(name) == frozenset(fields) for name, fields in INDEXES.items())
        again = workspace.pipeline.update(None)
        assert (again.notes, again.written, again.embedded, again.reused) == (
            first.notes,
            first.written,
            0,
            first.chunks,
        )
        assert workspace.check() == []
