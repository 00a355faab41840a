"""While the windows of one batch are embedded, the batch before is stored, and nothing is lost between the two."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from mindnet.embedding.port import Vectors
from mindnet.indexing import pipeline as pipeline_module
from mindnet.store.port import Replacement
from workspaces import open_workspace, write_vault

FILES = {"A.md": "rel: depends_on [[B]]\n", "B.md": "rel: enforced_by [[A]]\n"}
PATIENCE = 60.0


@pytest.fixture(autouse=True)
def batches_of_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline_module, "BATCH_NOTES", 1)


def vault_of(folder: Path, *newest_first: str) -> Path:
    vault = write_vault(folder, FILES)
    for age, path in enumerate(newest_first):
        os.utime(vault / path, (1_700_000_000 - age, 1_700_000_000 - age))
    return vault


def test_one_batch_is_stored_while_the_next_is_embedded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_workspace(vault_of(tmp_path / "vault", "A.md", "B.md"), tmp_path / "data") as workspace:
        pipeline = workspace.pipeline
        second = threading.Event()
        met: list[bool] = []
        calls: list[int] = []
        embed, store = pipeline.embedder.embed_passages, pipeline.store.replace_notes

        def embedding(texts: Sequence[str]) -> Vectors:
            calls.append(len(texts))
            if len(calls) == 2:
                second.set()
            return embed(texts)

        def storing(replacements: Sequence[Replacement], then: Callable[[], None]) -> None:
            met.append(second.wait(PATIENCE))
            store(replacements, then)

        monkeypatch.setattr(pipeline.embedder, "embed_passages", embedding)
        monkeypatch.setattr(pipeline.store, "replace_notes", storing)
        pipeline.update(None)
        assert met[0], "the first batch was to be stored before the second was embedded"
        assert workspace.check() == []


@pytest.mark.parametrize("order", [("A.md", "B.md"), ("B.md", "A.md")])
def test_a_note_that_the_next_batch_changes_is_built_once_more(tmp_path: Path, order: tuple[str, str]) -> None:
    """A's mirror is what B says itself, which shows only when A is on its way."""
    with open_workspace(vault_of(tmp_path / "vault", *order), tmp_path / "data") as workspace:
        workspace.pipeline.update(None)
        assert workspace.check() == []
        assert workspace.pipeline.waiting() == frozenset()
        back = [edge for edge in workspace.store.scroll("edges") if edge["kind"] == "enforced_by"]
        assert [edge["provenance"] for edge in back] == ["explicit"]


def test_a_stop_before_that_leaves_it_to_the_next_start(tmp_path: Path) -> None:
    vault = vault_of(tmp_path / "vault", "A.md", "B.md")
    stops = iter([False, False])
    with open_workspace(vault, tmp_path / "data") as workspace:
        workspace.pipeline.update(None, stop=lambda: next(stops, True))
        assert workspace.pipeline.waiting() == {"A.md"}
    with open_workspace(vault, tmp_path / "data") as workspace:
        assert workspace.pipeline.waiting() == {"A.md"}
        workspace.pipeline.update(None)
        assert workspace.check() == []
        assert workspace.pipeline.waiting() == frozenset()


def test_a_fault_of_the_model_leaves_what_was_stored_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_workspace(vault_of(tmp_path / "vault", "A.md", "B.md"), tmp_path / "data") as workspace:
        pipeline = workspace.pipeline
        embed = pipeline.embedder.embed_passages

        def failing(texts: Sequence[str]) -> Vectors:
            if "enforced_by" in texts[0]:
                raise RuntimeError("no memory")
            return embed(texts)

        with monkeypatch.context() as patched:
            patched.setattr(pipeline.embedder, "embed_passages", failing)
            with pytest.raises(RuntimeError, match="no memory"):
                pipeline.update(None)
        assert pipeline.entries.keys() == {"A.md"}
        pipeline.update(None)
        assert workspace.check() == []
