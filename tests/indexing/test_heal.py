"""Links that lead nowhere are named with their first place, and heal; a store that fell behind is put right."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import qdrant_edge as engine  # noqa: TID251

from mindnet.indexing.heal import UnresolvedTarget, heal, outdated, unresolved_targets
from mindnet.store.embedded import EmbeddedStore
from mindnet.store.packed import pack
from mindnet.workspace import Workspace
from workspaces import SMALL, open_workspace, write_vault


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    vault = write_vault(tmp_path / "vault", SMALL)
    with open_workspace(vault, tmp_path / "data") as opened:
        opened.pipeline.update(None)
        yield opened


def healed(workspace: Workspace) -> tuple[int, int, tuple[str, ...]]:
    done = heal(workspace.pipeline, lambda: workspace.pipeline.update(None))
    return done.before, done.after, done.relinked


def unresolved(workspace: Workspace) -> int:
    return workspace.pipeline.report().totals["unresolved"]


def set_payload(workspace: Workspace, kind: str, **values: object) -> int:
    """Changes the stored edges of a kind behind the back of everybody; gives their number."""
    assert isinstance(workspace.store, EmbeddedStore)
    found = [edge for edge in workspace.store.scroll("edges") if edge["kind"] == kind]
    points = [engine.Point(edge["edge_id"], {}, pack("edges", {**edge, **values})) for edge in found]
    workspace.store._shards["edges"].update(engine.UpdateOperation.upsert_points(points))
    return len(found)


def test_targets_are_grouped_with_their_count_and_first_place(tmp_path: Path) -> None:
    files = {
        "b.md": "[[Missing]]\n\n[[missing|again]] and [[Other#Part]]\n",
        "a.md": "text\n\n[[MISSING.md]] [[b]]\n\nrel: solves [[Missing]]\n\n`[[Code]]`\n",
    }
    with open_workspace(write_vault(tmp_path / "vault", files), tmp_path / "data") as workspace:
        workspace.pipeline.update(None)
        found = unresolved_targets(workspace.pipeline)
        assert [(one.target, one.links, one.path, one.line) for one in found] == [
            ("MISSING", 4, "a.md", 3),
            ("Other", 1, "b.md", 3),
        ]
        assert sum(one.edges for one in found) == unresolved(workspace)


def test_candidates_are_not_among_them(tmp_path: Path) -> None:
    files = {"a.md": "rel: candidate:solves [[Missing]]\n"}
    with open_workspace(write_vault(tmp_path / "vault", files), tmp_path / "data") as workspace:
        report = workspace.pipeline.update(None)
        assert report.totals["candidates"] == 1
        assert unresolved_targets(workspace.pipeline) == []


def test_nothing_to_do_on_a_sound_index(workspace: Workspace) -> None:
    before = unresolved(workspace)
    assert before > 0
    assert healed(workspace) == (before, before, ())
    assert workspace.check() == []


def test_a_note_that_appeared_while_nobody_watched_is_found(workspace: Workspace, tmp_path: Path) -> None:
    before = unresolved(workspace)
    (tmp_path / "vault" / "Nowhere.md").write_text("now somewhere")
    assert healed(workspace) == (before, 0, ())
    assert unresolved_targets(workspace.pipeline) == []


def test_an_edge_that_missed_its_note_is_linked_anew(workspace: Workspace) -> None:
    before = unresolved(workspace)
    changed = set_payload(workspace, "depends_on", resolved=False, target_id="Hub")
    assert [problem.code for problem in workspace.check()].count("not_healed") == changed > 0
    assert outdated(workspace.pipeline) == {"Leaf.md"}
    assert healed(workspace)[1:] == (before, ("Leaf.md",))
    assert workspace.check() == []


def test_an_edge_to_a_note_that_is_gone_is_linked_anew(workspace: Workspace) -> None:
    before = unresolved(workspace)
    set_payload(workspace, "depends_on", resolved=True, target_id="gone")
    assert "orphan_edge" in {problem.code for problem in workspace.check()}
    assert healed(workspace) == (before - 1, before, ("Leaf.md",))
    assert workspace.check() == []


def test_what_is_linked_anew_is_not_embedded_again(workspace: Workspace) -> None:
    set_payload(workspace, "depends_on", resolved=True, target_id="gone")
    done = heal(workspace.pipeline, lambda: workspace.pipeline.update(None))
    assert (done.report.written, done.report.embedded) == (1, 0)


def test_targets_without_an_owner_in_the_vault_do_not_break_the_list(workspace: Workspace) -> None:
    set_payload(workspace, "depends_on", note_id="ghost")
    assert "Nowhere" in {one.target for one in unresolved_targets(workspace.pipeline)}
    assert isinstance(unresolved_targets(workspace.pipeline)[0], UnresolvedTarget)
