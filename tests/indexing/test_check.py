"""Every rule of the check finds the fault it is there for, in a real store; a sound index gives none."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from indexing.changeable import FILES, Index
from indexing.planted import FAULTS, note
from mindnet.indexing.check import BATCH_RULES, FILE_RULES, RULES
from mindnet.store.payload import chunk_point, note_point
from workspaces import open_workspace, write_vault


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    folder = tmp_path_factory.mktemp("check")
    with open_workspace(write_vault(folder / "vault", FILES), folder / "data") as workspace:
        yield Index(workspace)


@pytest.fixture
def index(opened: Index) -> Index:
    """A sound index; opening a store takes longer than making one sound again."""
    opened.restore()
    return opened


# ------------------------------------------------------------------ the control
def test_a_sound_index_has_no_problem_and_something_of_each_kind(index: Index) -> None:
    assert index.found() == []
    assert index.store.count("chunks") >= 4
    kinds = {(edge["scope"], edge["provenance"], edge["resolved"]) for edge in index.store.scroll("edges")}
    assert {("chunk", "structure", True), ("chunk", "explicit", False), ("note", "explicit", True)} <= kinds


def test_planting_alone_is_no_fault(index: Index) -> None:
    """Writing the same again through the tests' own way in leaves the index clean."""
    index.change("chunks", chunk_point(index.chunk_id("Long.md", 1)))
    index.change("notes", note_point(index.note_id("Long.md")))
    edge = index.edge(kind="depends_on")
    index.drop("edges", edge["edge_id"])
    index.add_edge(edge)
    assert index.found() == []


@pytest.mark.parametrize(("rule", "fault"), [(rule, fault) for rule, faults in FAULTS.items() for fault in faults])
def test_the_fault_is_found(index: Index, rule: str, fault: str) -> None:
    plant, expected = FAULTS[rule][fault]
    plant(index)
    assert expected <= index.codes()
    if rule in {one.__name__ for one in RULES}:
        # The check after an import, which reads no file, is to find it as well.
        assert expected <= {problem.code for problem in index.workspace.examine(files=False).problems}


def test_every_rule_has_its_faults() -> None:
    tested_elsewhere = {"mirrors_complete"}
    rules = {rule.__name__ for rule in (*RULES, *FILE_RULES, *BATCH_RULES)}
    assert rules - tested_elsewhere == FAULTS.keys()


# ------------------------------------------------------------------ what a problem says
def test_a_problem_names_what_is_wrong(index: Index) -> None:
    """One thing is reported where one thing is wrong, under the name by which it can be looked up."""
    index.drop_index("chunks", "path")
    assert index.found() == [("index_missing", "chunks.path")]


def test_a_lost_edge_is_reported_for_its_note(index: Index) -> None:
    index.drop("edges", index.edge(kind="depends_on", resolved=True)["edge_id"])
    assert ("points_differ", "Long.md") in index.found()


def test_a_text_of_another_state_is_reported_for_its_file(index: Index) -> None:
    note("Long.md", fulltext="# Long\n")(index)
    assert index.found() == [("round_trip", "Long.md")]
    assert index.workspace.examine(files=False).problems == []


def test_every_missing_index_is_named(index: Index) -> None:
    for name in ("source_id", "target_id", "kind", "scope", "note_id"):
        index.drop_index("edges", name)
    assert [name for _, name in index.found()] == [
        f"edges.{name}" for name in ("kind", "note_id", "scope", "source_id", "target_id")
    ]


# ------------------------------------------------------------------ what is no fault
def test_a_file_that_changed_since_is_left_to_the_next_scan(index: Index) -> None:
    file = index.workspace.place.vault / "Long.md"
    file.write_text("changed", encoding="utf-8")
    assert index.found() == []


def test_a_file_that_is_gone_is_left_to_the_next_scan(index: Index) -> None:
    (index.workspace.place.vault / "Long.md").unlink()
    assert index.found() == []


def test_a_link_to_nothing_is_no_fault(index: Index) -> None:
    assert any(not edge["resolved"] for edge in index.store.scroll("edges"))
    assert index.found() == []


def test_an_empty_vault_is_sound(tmp_path: Path) -> None:
    with open_workspace(write_vault(tmp_path / "vault", {".obsidian/app.json": "{}"}), tmp_path / "data") as workspace:
        workspace.pipeline.update(None)
        assert workspace.check() == []
