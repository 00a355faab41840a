"""Edges between whole notes, for who wants to analyse the graph: off unless asked for, and never in the way."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from knowledge.conftest import Vault
from mindnet.knowledge.counts import count_edges
from mindnet.knowledge.edges import edge_id
from mindnet.knowledge.kinds import KindRegistry
from mindnet.knowledge.note_scope import BACKLINK_RULE, REFERENCES_RULE, note_references
from mindnet.records import Edge, NoteGraph

OTHERS = {"Ziel.md": "## Teil\n", "Qdrant.md": "# Q\n"}
DERIVED = {REFERENCES_RULE, BACKLINK_RULE}


@pytest.fixture(scope="session")
def kinds(shipped_edges: Mapping[str, Any]) -> KindRegistry:
    return KindRegistry.from_mapping({**shipped_edges, "note_scope_references": True})


def rows(graph: NoteGraph, graphs: dict[str, NoteGraph]) -> set[tuple[str, str, str, str, tuple[int, ...]]]:
    """(kind, source, target, section, lines) of what was derived, notes by path."""
    paths = {one.note.note_id: path for path, one in graphs.items()}
    return {
        (
            edge.kind,
            paths[edge.source_id],
            paths[edge.target_id],
            edge.target_section,
            tuple(e.line for e in edge.evidence),
        )
        for edge in graph.edges
        if edge.rule_id in DERIVED
    }


def test_they_are_off_as_shipped(shipped_edges: Mapping[str, Any]) -> None:
    assert not KindRegistry.from_mapping(shipped_edges).note_scope_references


def test_a_note_refers_to_what_its_passages_link_to_and_is_linked_back(vault: Vault) -> None:
    text = "# A\n[[Ziel]]\n\n# B\n[[Ziel]] und [[Ziel#Teil]]\nrel: uses [[Qdrant]]\n"
    graphs = vault({"N.md": text, **OTHERS})
    assert rows(graphs["N.md"], graphs) == {
        ("references", "N.md", "Ziel.md", "", (2, 5)),
        ("references", "N.md", "Ziel.md", "Teil", (5,)),
        ("references", "N.md", "Qdrant.md", "", (6,)),
        ("backlink", "Ziel.md", "N.md", "", (2, 5)),
        ("backlink", "Qdrant.md", "N.md", "", (6,)),
    }
    assert not any(edge.rule_id in DERIVED for path in OTHERS for edge in graphs[path].edges)


def test_the_passages_keep_their_own_references(vault: Vault) -> None:
    graph = vault({"N.md": "[[Ziel]] [[Ziel#Teil]]\n\n# B\n[[Ziel]]\n", **OTHERS})["N.md"]
    chunks = [edge for edge in graph.edges if edge.kind == "references" and edge.scope == "chunk"]
    assert [(edge.target_section, edge.provenance) for edge in chunks] == [
        ("", "explicit"),
        ("Teil", "explicit"),
        ("", "explicit"),
    ]


def test_nobody_wrote_them_and_they_are_counted_nowhere_twice(vault: Vault) -> None:
    graph = vault({"N.md": "[[Ziel]]\n", **OTHERS})["N.md"]
    derived = [edge for edge in graph.edges if edge.rule_id in DERIVED]
    assert {(edge.provenance, edge.scope, edge.note_id, edge.mirror_of) for edge in derived} == {
        ("structure", "note", graph.note.note_id, None)
    }
    assert len(derived) == 2
    totals = count_edges(graph.edges)["totals"]
    assert totals == count_edges([edge for edge in graph.edges if edge not in derived])["totals"]


@pytest.mark.parametrize(
    "text",
    [
        "[[Fehlt]]\n",
        "[[#Kopf]] [[N]]\n# Kopf\n",
        "---\nuses: '[[Ziel]]'\n---\nText\n",
        "rel: candidate:uses [[Ziel]]\n",
        "# Unassigned Edges\n[[Ziel]]\n",
    ],
    ids=["no such note", "the note itself", "no passage links to it", "a candidate", "a pool"],
)
def test_what_is_no_link_of_a_passage_to_another_note_derives_nothing(vault: Vault, text: str) -> None:
    graphs = vault({"N.md": text, **OTHERS})
    assert rows(graphs["N.md"], graphs) == set()


def test_what_the_whole_note_links_to_anyway_is_not_said_again(vault: Vault) -> None:
    graphs = vault({"N.md": "[[Ziel]]\n\n# Smart Edges\n[[Ziel]]\n", **OTHERS})
    assert rows(graphs["N.md"], graphs) == {("backlink", "Ziel.md", "N.md", "", (1, 4))}
    [edge] = [edge for edge in graphs["N.md"].edges if edge.kind == "references"]
    assert (edge.scope, edge.rule_id) == ("note", "explicit:wikilink")


LINES = st.sampled_from(
    [
        "[[Ziel]]", "[[Ziel#Teil]]", "[[Qdrant]]", "[[Fehlt]]", "[[N]]", "rel: references [[Ziel]]",
        "rel: candidate:references [[Ziel]]", "# Smart Edges", "# Unassigned Edges", "# Sonst", "references:: [[Ziel]]",
    ]
)  # fmt: skip
HEADS = st.sampled_from(["", "---\nreferences: '[[Ziel]]'\n---\n", "---\ntype: concept\nuses: '[[Ziel#Teil]]'\n---\n"])


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(head=HEADS, lines=st.lists(LINES, max_size=10))
def test_derived_edges_are_an_addition_each_with_an_identity_of_its_own(
    vault: Vault, head: str, lines: list[str]
) -> None:
    graph = vault({"N.md": head + "\n\n".join(lines), **OTHERS})["N.md"]
    derived = [edge for edge in graph.edges if edge.rule_id in DERIVED]
    assert len({edge.edge_id for edge in graph.edges}) == len(graph.edges)
    for edge in derived:
        assert edge.edge_id == edge_id(edge.source_id, edge.target_id, edge.kind, edge.target_section)
        assert edge.line > 0
    linked = {edge.target_id for edge in graph.edges if _links_out(edge, graph)}
    said = {edge.target_id for edge in graph.edges if edge.kind == "references" and edge.scope == "note"}
    assert linked <= said
    assert {edge.source_id for edge in derived if edge.kind == "backlink"} == linked
    alone = replace(graph, edges=tuple(edge for edge in graph.edges if edge.rule_id not in DERIVED))
    assert note_references(alone.edges, graph.note.note_id) == tuple(derived)


def _links_out(edge: Edge, graph: NoteGraph) -> bool:
    own = edge.target_id == graph.note.note_id
    return edge.kind == "references" and edge.provenance == "explicit" and edge.resolved and not own
