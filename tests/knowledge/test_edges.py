"""Which edges a note owns: what was written, what its type adds, and how they merge."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from knowledge.conftest import Vault
from mindnet.knowledge.counts import count_edges
from mindnet.knowledge.edges import edge_id
from mindnet.records import Edge, NoteGraph
from timing import cpu_seconds

TARGETS = {"Qdrant.md": "# Q\n", "Ollama.md": "# O\n", "Ziel.md": "## Teil\n"}


def brief(edges: Iterable[Edge], graphs: dict[str, NoteGraph]) -> set[tuple[str, str, str, str]]:
    """(kind, target, scope, provenance) of all edges but the structure's; targets by path where they exist."""
    paths = {graph.note.note_id: path for path, graph in graphs.items()}
    return {
        (edge.kind, paths.get(edge.target_id, edge.target_id), edge.scope, edge.provenance)
        for edge in edges
        if edge.provenance != "structure"
    }


def edges_of(vault: Vault, text: str, **more: str) -> tuple[NoteGraph, dict[str, NoteGraph]]:
    graphs = vault({"N.md": text, **TARGETS, **{f"{name}.md": content for name, content in more.items()}})
    return graphs["N.md"], graphs


def seen(vault: Vault, text: str, **more: str) -> set[tuple[str, str, str, str]]:
    graph, graphs = edges_of(vault, text, **more)
    return brief(graph.edges, graphs)


# ------------------------------------------------------------------ every source
@pytest.mark.parametrize(
    ("written", "kind", "rule", "confidence"),
    [
        ("[[Ziel]]", "references", "explicit:wikilink", 1.0),
        ("[x](Ziel.md)", "references", "explicit:mdlink", 1.0),
        ("![[Ziel]]", "references", "explicit:embed", 1.0),
        ("rel: uses [[Ziel]]", "uses", "inline:rel", 0.95),
        ("[[rel:uses Ziel]]", "uses", "inline:rel", 0.95),
        ("nutzt:: [[Ziel]]", "uses", "inline:field", 0.95),
        ("> [!edge] uses: [[Ziel]]", "uses", "callout:edge", 0.9),
    ],
)
def test_each_way_to_write_it(vault: Vault, written: str, kind: str, rule: str, confidence: float) -> None:
    graph, graphs = edges_of(vault, f"---\ntype: default\nedge_defaults: []\n---\n{written}\n")
    found = {edge.kind: edge for edge in graph.edges if edge.provenance == "explicit"}
    assert found.keys() == {kind, "references"}
    edge = found[kind]
    assert (edge.rule_id, edge.confidence, edge.line, edge.scope) == (rule, confidence, 5, "chunk")
    assert edge.source_id == graph.chunks[0].chunk_id
    assert edge.target_id == graphs["Ziel.md"].note.note_id
    assert edge.note_id == graph.note.note_id
    assert edge.resolved


def test_frontmatter_gives_the_relation_alone_for_the_whole_note(vault: Vault) -> None:
    head = "---\nedge_defaults: []\nteil_von: '[[Ziel]]'\nautor: '[[Qdrant]]'\n"
    head += "links:\n  solves: Ollama\n  foo: '[[Qdrant]]'\n---\n"
    assert seen(vault, head + "Text\n") == {
        ("part_of", "Ziel.md", "note", "explicit"),
        ("solves", "Ollama.md", "note", "explicit"),
        ("foo", "Qdrant.md", "note", "explicit"),
    }


def test_structure_runs_between_chunks_and_to_the_note(vault: Vault) -> None:
    graph, _ = edges_of(vault, "# A\n\n# B\n\n# C\n")
    one, two, three = (chunk.chunk_id for chunk in graph.chunks)
    structure = {(e.kind, e.source_id, e.target_id, e.rule_id) for e in graph.edges}
    assert {(kind, source, target) for kind, source, target, _ in structure} == {
        *(("belongs_to", chunk, graph.note.note_id) for chunk in (one, two, three)),
        ("next", one, two),
        ("next", two, three),
        ("prev", two, one),
        ("prev", three, two),
    }
    assert all(rule == f"structure:{kind}" for kind, _, _, rule in structure)


# ------------------------------------------------------------------ targets
def test_two_sections_are_two_edges_and_one_link_twice_is_one(vault: Vault) -> None:
    graph, _ = edges_of(
        vault, "---\nedge_defaults: []\n---\n[[Ziel#Teil]] [[Ziel#^b]]\n[[Ziel]]\n[[ziel|noch]] [[Ziel]]\n"
    )
    found = {edge.target_section: edge for edge in graph.edges if edge.kind == "references"}
    assert found.keys() == {"Teil", "^b", ""}
    assert [(item.line, item.label) for item in found[""].evidence] == [(5, ""), (6, "noch"), (6, "")]
    edge = found["Teil"]
    assert edge.edge_id == edge_id(edge.source_id, edge.target_id, "references", "Teil")


def test_each_place_of_a_line_is_a_piece_of_evidence_but_no_place_counts_twice(vault: Vault) -> None:
    graph, _ = edges_of(vault, "[[Ziel]] [[Ziel]]\n\nuses:: [[Ziel]] (uses:: [[Ziel]])\n")
    found = {edge.kind: [item.rule_id for item in edge.evidence] for edge in graph.edges}
    assert found["references"].count("explicit:wikilink") == 4
    assert found["uses"] == ["inline:field", "inline:field"]


def test_a_link_to_the_note_itself_has_no_type_defaults(vault: Vault) -> None:
    graph, graphs = edges_of(vault, "---\ntype: concept\n---\n# Kopf\n[[#Kopf]] und [[N]]\n")
    assert brief(graph.edges, graphs) == {("references", "N.md", "chunk", "explicit")}
    assert {edge.target_section for edge in graph.edges if edge.kind == "references"} == {"Kopf", ""}


def test_a_missing_note_keeps_its_written_title_whatever_the_form(vault: Vault) -> None:
    graph, _ = edges_of(vault, "[[Fehlt]] [a](Fehlt.md) [[Fehlt#Teil|b]]\n")
    missing = [edge for edge in graph.edges if edge.provenance == "explicit"]
    assert {(edge.target_id, edge.target_section, edge.resolved) for edge in missing} == {
        ("Fehlt", "", False),
        ("Fehlt", "Teil", False),
    }
    assert all(not edge.resolved for edge in graph.edges if edge.provenance == "rule")


def test_a_link_to_a_template_stays_unresolved(vault: Vault) -> None:
    graph, graphs = edges_of(vault, "[[Muster]]\n", Muster="---\nstatus: template\n---\n")
    assert "Muster.md" not in graphs
    assert {(e.target_id, e.resolved) for e in graph.edges if e.kind == "references"} == {("Muster", False)}


def test_doubt_about_a_target_is_information(vault: Vault) -> None:
    graphs = vault({"N.md": "[[Plan]]\n", "a/Plan.md": "a\n", "b/Plan.md": "b\n"})
    [fault] = graphs["N.md"].faults
    assert (fault.code, fault.line) == ("ambiguous_link", 1)
    assert "b/Plan.md" in fault.message
    assert ("references", "a/Plan.md", "chunk", "explicit") in brief(graphs["N.md"].edges, graphs)


# ------------------------------------------------------------------ kinds
def test_unknown_kinds_are_kept_and_reported_with_the_nearest(vault: Vault) -> None:
    graph, graphs = edges_of(vault, "rel: dependson [[Ziel]]\n\n> [!edge] Inspiriert-von: [[Ziel]]\n\nfoo:: [[Ziel]]\n")
    kinds = {kind for kind, *_ in brief(graph.edges, graphs)}
    assert kinds == {"references", "dependson", "inspiriert_von"}
    assert [(fault.code, fault.line) for fault in graph.faults] == [("unknown_kind", 1), ("unknown_kind", 3)]
    assert "`depends_on`" in graph.faults[0].message


def test_protected_kinds_become_related_to_and_are_reported(vault: Vault) -> None:
    text = "---\nnext: '[[Qdrant]]'\nedge_defaults: [belongs_to]\n---\nrel: prev [[Ziel]]\n"
    graph, graphs = edges_of(vault, text)
    written = brief(graph.edges, graphs)
    assert not {kind for kind, *_ in written} & {"next", "prev", "belongs_to"}
    assert ("related_to", "Qdrant.md", "note", "explicit") in written
    assert ("related_to", "Ziel.md", "chunk", "explicit") in written
    assert sorted((fault.code, fault.line) for fault in graph.faults) == [
        ("protected_kind", 2),
        ("protected_kind", 3),
        ("protected_kind", 5),
    ]


# ------------------------------------------------------------------ rules
def test_the_matrix_takes_the_place_of_the_defaults_but_not_of_references(vault: Vault) -> None:
    head = "---\ntype: experience\nedge_defaults: [references, uses]\nteil_von: '[[Wert]]'\n---\n"
    graph, graphs = edges_of(vault, head + "[[Ziel]]\n", Wert="---\ntype: value\n---\nx\n")
    assert brief(graph.edges, graphs) == {
        ("references", "Ziel.md", "chunk", "explicit"),
        ("uses", "Ziel.md", "chunk", "rule"),
        ("part_of", "Wert.md", "note", "explicit"),
        ("references", "Wert.md", "note", "rule"),
        ("based_on", "Wert.md", "note", "rule"),
    }
    assert "matrix:experience:value" in {edge.rule_id for edge in graph.edges}


def test_defaults_come_once_per_source_and_target_and_without_section(vault: Vault) -> None:
    graph, _ = edges_of(vault, "---\ntype: project\n---\n[[Ziel#Teil]]\n[[Ziel#^b]]\n\n# Zwei\n[[Ziel]]\n")
    depends = [edge for edge in graph.edges if edge.kind == "depends_on"]
    assert [(edge.source_id, edge.target_section, len(edge.evidence)) for edge in depends] == [
        (graph.chunks[0].chunk_id, "", 1),
        (graph.chunks[1].chunk_id, "", 1),
    ]


# ------------------------------------------------------------------ merging
def test_note_scope_takes_over_what_stands_in_chunks_too(vault: Vault) -> None:
    text = "---\nedge_defaults: []\nuses: '[[Ziel]]'\n---\nrel: uses [[Ziel]]\n\n"
    text += "# B\nrel: uses [[Ziel]]\nrel: uses [[Ziel#Teil]]\n"
    graph, _ = edges_of(vault, text)
    uses = {edge.target_section: edge for edge in graph.edges if edge.kind == "uses"}
    assert (uses[""].scope, uses["Teil"].scope) == ("note", "chunk")
    assert [item.line for item in uses[""].evidence] == [3, 5, 8]
    assert (uses[""].rule_id, uses[""].confidence) == ("explicit:frontmatter", 1.0)


def test_of_equal_confidence_explicit_beats_rule_and_of_both_the_stronger_wins(vault: Vault) -> None:
    graph, _ = edges_of(vault, "---\nedge_defaults: [uses]\n---\n> [!edge] uses: [[Ziel]]\n\nrel: uses [[Ziel]]\n")
    [edge] = [edge for edge in graph.edges if edge.kind == "uses"]
    assert (edge.rule_id, edge.provenance) == ("inline:rel", "explicit")
    assert [item.rule_id for item in edge.evidence] == ["callout:edge", "edge_defaults:default:uses", "inline:rel"]


def test_an_edge_names_the_line_where_its_own_form_stands(vault: Vault) -> None:
    head = "---\ntype: project\n---\n"
    graph, _ = edges_of(vault, head + "[[Ziel]]\n\n> [!edge] depends_on: [[Ziel]]\n\nrel: depends_on [[Ziel]]\n")
    lines = {edge.kind: edge.line for edge in graph.edges if edge.provenance == "explicit"}
    assert lines == {"references": 4, "depends_on": 8}
    graph, _ = edges_of(vault, head + "[[Ziel]]\n\n> [!edge] depends_on: [[Ziel]]\n")
    assert {edge.kind: edge.line for edge in graph.edges if edge.provenance == "explicit"}["depends_on"] == 6


# ------------------------------------------------------------------ zones and candidates
def test_links_in_a_note_scope_zone_are_the_whole_notes_until_it_ends(vault: Vault) -> None:
    text = "---\nedge_defaults: []\n---\n## smart  EDGES\n[[Ziel]]\n"
    text += "### Tiefer\nrel: uses [[Qdrant]]\n## Danach\n[[Ollama]]\n"
    assert seen(vault, text) == {
        ("references", "Ziel.md", "note", "explicit"),
        ("references", "Qdrant.md", "note", "explicit"),
        ("uses", "Qdrant.md", "note", "explicit"),
        ("references", "Ollama.md", "chunk", "explicit"),
    }


@pytest.mark.parametrize("heading", ["Unzugeordnete Kanten", "Unassigned Edges"])
def test_links_in_a_candidate_zone_are_no_edges_yet(vault: Vault, heading: str) -> None:
    text = f"---\ntype: project\n---\nText\n\n## {heading}\n- [[Ziel]]\n- rel: uses [[Qdrant]]\n"
    graph, graphs = edges_of(vault, text)
    assert brief(graph.edges, graphs) == {
        ("related_to", "Ziel.md", "note", "candidate:smart"),
        ("uses", "Qdrant.md", "note", "candidate:smart"),
    }
    assert {edge.rule_id for edge in graph.edges if edge.kind in ("related_to", "uses")} == {"smart:global_pool"}
    totals = count_edges(graph.edges)["totals"]
    assert (totals["candidates"], totals["smart_total"], totals["defaults_total"]) == (2, 0, 0)


@pytest.mark.parametrize("written", ["rel: candidate:uses [[Ziel]]", "[[rel:candidate:uses|Ziel]]"])
def test_a_written_candidate_is_no_reference_either(vault: Vault, written: str) -> None:
    graph, graphs = edges_of(vault, f"---\ntype: project\n---\n{written}\n")
    assert brief(graph.edges, graphs) == {("uses", "Ziel.md", "chunk", "candidate:smart")}
    assert "smart:candidate" in {edge.rule_id for edge in graph.edges}


def test_a_candidate_that_is_written_as_a_relation_anyway_is_not_asked_about(vault: Vault) -> None:
    text = "---\nedge_defaults: []\n---\nrel: related_to [[Ziel]]\n\n## Unassigned Edges\n[[Ziel]]\n"
    assert seen(vault, text) == {
        ("references", "Ziel.md", "chunk", "explicit"),
        ("related_to", "Ziel.md", "chunk", "explicit"),
    }


def test_a_candidate_does_not_swallow_what_a_rule_says_of_a_chunk(vault: Vault) -> None:
    text = "---\ntype: concept\n---\n[[Ziel]]\n\n## Unassigned Edges\n[[Ziel]]\n"
    assert seen(vault, text) == {
        ("references", "Ziel.md", "chunk", "explicit"),
        ("related_to", "Ziel.md", "chunk", "rule"),
        ("related_to", "Ziel.md", "note", "candidate:smart"),
    }


# ------------------------------------------------------------------ lines that several chunks share
LONG = "Satz mit mehr Worten darin. " * 60


@pytest.mark.parametrize("prefix", ["", "- ", "> ", "Davor steht etwas.\n"])
def test_a_link_in_a_long_line_belongs_to_the_chunk_that_shows_it(vault: Vault, prefix: str) -> None:
    text = f"{prefix}Heute Qdrant gestartet. {LONG}Siehe [[Qdrant]]. {LONG}Dazu [a](Ollama.md), rel: uses [[Qdrant]].\n"
    graph, graphs = edges_of(vault, f"---\nchunk_profile: short\nedge_defaults: []\n---\n{text}")
    by_id = {chunk.chunk_id: chunk.text for chunk in graph.chunks}
    assert len(by_id) > 3
    qdrant = graphs["Qdrant.md"].note.note_id
    holding = {
        (edge.kind, edge.target_id == qdrant): by_id[edge.source_id]
        for edge in graph.edges
        if edge.provenance == "explicit" and (edge.kind, edge.target_id) != ("references", qdrant)
    }
    assert "[a](Ollama.md)" in holding["references", False]
    assert "rel: uses [[Qdrant]]" in holding["uses", True]
    first, second = (
        by_id[edge.source_id]
        for edge in graph.edges
        if edge.provenance == "explicit" and (edge.kind, edge.target_id) == ("references", qdrant)
    )
    assert "Siehe [[Qdrant]]" in first
    assert "rel: uses [[Qdrant]]" in second


def test_a_line_with_thousands_of_links_takes_time_in_proportion(vault: Vault) -> None:
    def seconds(size: int) -> float:
        text = "wort [[Qdrant]] (x) *b* " * size
        return min(cpu_seconds(lambda: edges_of(vault, text)) for _ in range(2))

    # Eight times the text; what is quadratic would need 64 times as long.
    assert seconds(8_000) < 30 * max(seconds(1_000), 0.01)


# ------------------------------------------------------------------ names that look like attachments
def test_a_link_that_looks_like_an_attachment_is_one_unless_a_note_has_that_name(vault: Vault) -> None:
    text = "[[Paper.pdf]] ![[bild.png]] uses:: [[song.mp3]]\n"
    names = {"Paper.pdf.md": "", "Anders.md": "---\naliases: [bild.png]\n---\n"}
    graphs = vault({"N.md": f"---\nedge_defaults: []\n---\n{text}", **names})
    assert brief(graphs["N.md"].edges, graphs) == {("references", "Paper.pdf.md", "chunk", "explicit")}
    assert [context.label for context in graphs["N.md"].contexts] == ["Paper.pdf"]


# ------------------------------------------------------------------ properties
LINK = st.builds(
    lambda form, target, section: form.replace("X", target + section),
    st.sampled_from(
        [
            "[[X]]", "[[X|l]]", "![[X]]", "rel: uses [[X]]", "rel: candidate:uses [[X]]", "[[rel:next X]]",
            "uses:: [[X]]",
            "> [!edge] related_to: [[X]]", "# Smart Edges", "# Unassigned Edges", "## Sonst", "wort " * 60,
        ]
    ),
    st.sampled_from(["Ziel", "Qdrant", "N", "Fehlt", "fehlt.md"]),
    st.sampled_from(["", "#Teil", "#^b"]),
)  # fmt: skip
HEADS = st.sampled_from(
    ["", "---\ntype: concept\nuses: '[[Ziel]]'\n---\n", "---\ntype: project\nchunk_profile: short\n---\n"]
)


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(head=HEADS, lines=st.lists(LINK, max_size=15))
def test_every_identity_is_one_edge_and_every_edge_has_a_source_and_a_reason(
    vault: Vault, head: str, lines: list[str]
) -> None:
    graph, graphs = edges_of(vault, head + "\n\n".join(lines))
    chunk_ids = {chunk.chunk_id for chunk in graph.chunks}
    note_ids = {one.note.note_id for one in graphs.values()}
    assert len({edge.edge_id for edge in graph.edges}) == len(graph.edges)
    wide = {
        (e.target_id, e.kind, e.target_section) for e in graph.edges if e.scope == "note" and ":" not in e.provenance
    }
    for edge in graph.edges:
        assert edge.edge_id == edge_id(edge.source_id, edge.target_id, edge.kind, edge.target_section)
        assert edge.source_id in (chunk_ids if edge.scope == "chunk" else {graph.note.note_id})
        assert edge.evidence
        assert edge.resolved == (edge.target_id in (note_ids | chunk_ids))
        assert (edge.kind in ("next", "prev", "belongs_to")) == (edge.provenance == "structure")
        if edge.scope == "chunk" and ":" not in edge.provenance and edge.provenance != "structure":
            assert (edge.target_id, edge.kind, edge.target_section) not in wide
    again, _ = edges_of(vault, head + "\n\n".join(lines))
    assert again == graph
