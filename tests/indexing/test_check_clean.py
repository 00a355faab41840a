"""A good index stays clean, whatever its vault has been through and whatever the sidecar is doing."""

from __future__ import annotations

import os
import threading
from collections.abc import Mapping
from pathlib import Path

import pytest

from mindnet.indexing import pipeline as pipeline_module
from mindnet.indexing.check import Problem
from mindnet.indexing.heal import heal, outdated
from workspaces import open_workspace, write_vault

CARD = '{"id": "a", "type": "file", "file": "Hub.md", "x": 0, "y": 0, "width": 1, "height": 1}'
TEXT = '{"id": "b", "type": "text", "text": "rel: uses [[Leaf 1]]", "x": 0, "y": 0, "width": 1, "height": 1}'
FILE = '{"id": "c", "type": "file", "file": "Leaf 2.md", "x": 0, "y": 0, "width": 1, "height": 1}'
ARROW = '{"id": "e", "fromNode": "a", "toNode": "c", "label": "depends on"}'
LEAVES = {
    f"Leaf {number}.md": f"# L{number}\n\nrel: depends_on [[Hub]]\n\nSee [[Leaf {number + 1}]], [[Gone {number}|it]].\n"
    for number in range(12)
}
FILES: Mapping[str, str] = {
    **LEAVES,
    "Hub.md": "---\nid: hub\naliases: [Center]\n---\n\n# Hub\n\nrel: enforced_by [[Leaf 3]]\n\n![[Leaf 1#L1]] [[Twin]]",
    "Board.canvas": f'{{"nodes": [{CARD}, {TEXT}, {FILE}], "edges": [{ARROW}]}}',
    "Secret.md": "---\nprivate: true\ncreated: 2024-01-02\n---\n\nrel: uses [[Hub]] secretly.\n",
    "a/Twin.md": "---\nid: twin\n---\n\nOne of [[Hub]].\n",
    "b/Twin.md": "---\nid: twin\n---\n\nThe other of [[a/Twin]].\n",
    "Template.md": "---\nstatus: template\n---\n\n[[Hub]]\n",
    "Odd.md": "\ufeff# Odd\r\n\r\n[[Plan.md.md]] [x](Hub.md) $x$\r\n",
    "Plan.md": "Planned.\n",
    "Empty.md": "",
}


@pytest.fixture
def vault(tmp_path: Path) -> Path:
    return write_vault(tmp_path / "vault", FILES)


@pytest.fixture
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pipeline_module, "BATCH_NOTES", 2)


def rearrange(vault: Path) -> None:
    """Renames, a name that comes, an id that moves, relations that come and go."""
    (vault / "Leaf 1.md").rename(vault / "Renamed.md")
    (vault / "a/Twin.md").unlink()
    (vault / "Gone 4.md").write_text("rel: enforced_by [[Leaf 5]]\n")
    (vault / "Leaf 3.md").write_text("# Other\n\n[[Hub]]\n")
    (vault / "Leaf 7.md").write_text("---\nstatus: template\n---\n")
    (vault / "Hub.md").write_text("---\naliases: [Gone 6]\n---\n\nrel: uses [[Secret]] [[Leaf 2]]\n")
    (vault / "Board.canvas").write_text(f'{{"nodes": [{CARD}, {FILE}], "edges": []}}')


def test_links_twins_canvases_and_private_notes_are_clean(vault: Path, tmp_path: Path) -> None:
    with open_workspace(vault, tmp_path / "data") as workspace:
        workspace.pipeline.update(None)
        assert workspace.examine().problems == []
        assert workspace.examine().stale.files == {}
    with open_workspace(vault, tmp_path / "data") as again:
        assert again.check() == []


def test_an_index_that_followed_its_vault_is_clean(vault: Path, tmp_path: Path) -> None:
    with open_workspace(vault, tmp_path / "data") as workspace:
        workspace.pipeline.update(None)
        rearrange(vault)
        assert workspace.check() == []
        workspace.pipeline.update(None)
        assert workspace.check() == []
        assert workspace.examine().stale.files == {}


def test_every_moment_of_an_update_is_clean(vault: Path, tmp_path: Path, small_batches: None) -> None:
    with open_workspace(vault, tmp_path / "data") as workspace:
        found: list[list[Problem]] = []

        def look(_: object) -> None:
            found.append(workspace.check())

        workspace.pipeline.update(None, between=look, on_indexed=look, on_removed=look)
        rearrange(vault)
        workspace.pipeline.update(None, between=look, on_indexed=look, on_removed=look)
        assert len(found) > 20
        assert [problems for problems in found if problems] == []


def test_a_check_beside_an_update_is_clean(vault: Path, tmp_path: Path, small_batches: None) -> None:
    """The two on threads of their own, as in the sidecar."""
    with open_workspace(vault, tmp_path / "data") as workspace:
        done = threading.Event()
        failed: list[BaseException] = []

        def work() -> None:
            try:
                workspace.pipeline.update(None)
                rearrange(vault)
                workspace.pipeline.update(None)
            except BaseException as error:
                failed.append(error)
            finally:
                done.set()

        thread = threading.Thread(target=work)
        thread.start()
        found: list[Problem] = []
        while not done.is_set():
            found += workspace.check()
        thread.join()
        assert failed == []
        assert found == []
        assert workspace.check() == []


def test_a_stopped_import_leaves_a_clean_index_and_says_what_waits(
    vault: Path, tmp_path: Path, small_batches: None
) -> None:
    with open_workspace(vault, tmp_path / "data") as workspace:
        workspace.pipeline.update(None)
        rearrange(vault)
        batches = iter([False, False, True])
        workspace.pipeline.update(None, stop=lambda: next(batches, True))
    with open_workspace(vault, tmp_path / "data") as workspace:
        found = workspace.examine()
        assert found.problems == []
        assert {"file_new", "file_changed", "file_waiting"} <= set(found.stale.files.values())
        workspace.pipeline.update(None)
        assert (workspace.check(), workspace.examine().stale.files) == ([], {})


def test_a_file_that_got_another_time_alone_is_clean(vault: Path, tmp_path: Path) -> None:
    with open_workspace(vault, tmp_path / "data") as workspace:
        workspace.pipeline.update(None)
        for path in ("Hub.md", "Secret.md"):
            os.utime(vault / path, ns=(10**18, 10**18))
        assert workspace.examine().stale.files == {}
        assert workspace.check() == []
        workspace.pipeline.update(None)
        assert workspace.check() == []


def test_what_moved_on_since_is_named_with_why(vault: Path, tmp_path: Path) -> None:
    with open_workspace(vault, tmp_path / "data") as workspace:
        workspace.pipeline.update(None)
        (vault / "New.md").write_text("new")
        (vault / "Hub.md").write_text("changed")
        (vault / "Plan.md").unlink()
        found = workspace.examine()
        assert found.problems == []
        assert [(one.id, one.code) for one in found.stale.remarks()] == [
            ("Hub.md", "file_changed"),
            ("New.md", "file_new"),
            ("Plan.md", "file_gone"),
        ]


@pytest.mark.skipif(hasattr(os, "geteuid") and os.geteuid() == 0, reason="root may read anything")
def test_a_file_that_cannot_be_read_is_not_new_each_time(vault: Path, tmp_path: Path) -> None:
    (vault / "Locked.md").write_text("locked")
    (vault / "Locked.md").chmod(0)
    with open_workspace(vault, tmp_path / "data") as workspace:
        workspace.pipeline.update(None)
        assert workspace.examine().stale.files == {}


def test_a_link_whose_shorter_name_exists_is_not_taken_for_one_to_heal(tmp_path: Path) -> None:
    files = {"A.md": "[[Plan.md.md]] and [[Plan.md]]\n", "Plan.md": "Planned.\n"}
    with open_workspace(write_vault(tmp_path / "vault", files), tmp_path / "data") as workspace:
        workspace.pipeline.update(None)
        assert any(not edge["resolved"] for edge in workspace.store.scroll("edges"))
        assert workspace.check() == []
        assert outdated(workspace.pipeline) == frozenset()
        assert heal(workspace.pipeline, lambda: workspace.pipeline.update(None)).relinked == ()
