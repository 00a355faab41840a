"""The graph check sees mirrors that are missing, left over, or said twice."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from mindnet.indexing.check import Problem
from mindnet.records import Edge
from mindnet.workspace import Workspace, find_place
from workspaces import config_folder

FILES = {"A": "# A\n\nrel: depends_on [[B]]\n", "B": "# B\n\n[[A]]\n"}


@pytest.fixture
def problems(tmp_path: Path) -> Callable[[Callable[[Sequence[Edge]], Sequence[Edge]]], set[str]]:
    """Stores A with other edges than it has, and gives the codes of what the check then says of mirrors."""
    vault = tmp_path / "vault"
    vault.mkdir()
    for name, text in FILES.items():
        (vault / f"{name}.md").write_text(text, encoding="utf-8")
    place = find_place(vault, tmp_path / "data", config_folder(tmp_path / "config"), {}, {})

    def planted(change: Callable[[Sequence[Edge]], Sequence[Edge]]) -> set[str]:
        with Workspace(place, {}) as workspace:
            pipeline = workspace.pipeline
            pipeline.update(None)
            assert workspace.check() == []
            loaded = pipeline.source.load(next(file for file in pipeline.source.discover()[0] if file.path == "A.md"))
            graph = pipeline.source.graph(loaded, pipeline.catalog)  # type: ignore[arg-type]
            assert graph is not None
            whole = pipeline.stakes.settle("A.md", graph.edges)
            vectors = workspace.embedder.embed_passages([chunk.window for chunk in graph.chunks])
            workspace.store.replace_note(replace(graph, edges=tuple(change(whole))), vectors)
            found: list[Problem] = workspace.check()
            return {problem.code for problem in found if problem.code.startswith("mirror")}

    return planted


def test_a_missing_mirror(problems: Callable[..., set[str]]) -> None:
    assert problems(lambda edges: [edge for edge in edges if edge.mirror_of is None]) == {"mirror_missing"}


def test_a_mirror_without_its_original(problems: Callable[..., set[str]]) -> None:
    assert problems(lambda edges: [edge for edge in edges if edge.kind != "depends_on"]) == {"mirror_stale"}


def test_a_mirror_of_another_kind(problems: Callable[..., set[str]]) -> None:
    assert problems(lambda edges: [replace(edge, kind="uses") if edge.mirror_of else edge for edge in edges]) == {
        "mirror_missing",
        "mirror_stale",
    }


def test_nothing_planted_nothing_found(problems: Callable[..., set[str]]) -> None:
    assert problems(lambda edges: edges) == set()
