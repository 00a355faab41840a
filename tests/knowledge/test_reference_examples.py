"""The examples that the product's concept papers give, note by note, with every edge that they promise.

Where a paper and the later rules differ, the rules hold: one identity is one edge with several pieces of
evidence, of which the most certain gives the rule, and the kind that a type adds is evidence for a written one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import pytest

from knowledge.conftest import Vault
from mindnet.knowledge.counts import count_edges
from mindnet.records import Chunk, Note, NoteGraph

Row = tuple[str, str, str, str, str, str, float, tuple[int, ...]]


def rows(graphs: Mapping[str, NoteGraph], path: str = "Note.md") -> set[Row]:
    """(kind, target, section, scope, provenance, rule, confidence, lines of the evidence) but for the structure."""
    titles = {graph.note.note_id: graph.note.title for graph in graphs.values()}
    return {
        (
            edge.kind,
            titles.get(edge.target_id, edge.target_id),
            edge.target_section,
            edge.scope,
            edge.provenance,
            edge.rule_id,
            edge.confidence,
            tuple(item.line for item in edge.evidence),
        )
        for edge in graphs[path].edges
        if edge.provenance != "structure"
    }


@dataclass(frozen=True)
class Example:
    name: str
    text: str
    edges: set[Row]


PROJECT = """---
id: 20251110-ki-trainerassistent
title: KI Trainerassistent (Projekt)
type: project
retriever_weight: 1.0   # optional, beats the type
chunk_profile: default  # optional, the type's own
---

# KI Trainerassistent (Projekt)

Wir nutzen [[Qdrant Vektordatenbank]] und [[Ollama LLM]] …

rel: depends_on [[Qdrant Vektordatenbank]]
rel: related_to [[Ollama LLM]]

> [!edge] depends_on: [[Qdrant Vektordatenbank]]
> [!edge] related_to: [[Ollama LLM]]
"""
QDRANT, OLLAMA = "Qdrant Vektordatenbank", "Ollama LLM"

SHOWCASE = """---
type: concept
---
# Relations Showcase
…
rel: similar_to [[Vector DB Basics]]
…
[[Embeddings 101]]

> [!edge] related_to: [[Vector DB Basics]] [[Embeddings 101]]
"""
BASICS, EMBEDDINGS = "Vector DB Basics", "Embeddings 101"

EXAMPLES = [
    Example(
        "a short project note",
        PROJECT,
        {
            ("references", QDRANT, "", "chunk", "explicit", "explicit:wikilink", 1.0, (11, 11, 13, 16)),
            ("references", OLLAMA, "", "chunk", "explicit", "explicit:wikilink", 1.0, (11, 11, 14, 17)),
            ("depends_on", QDRANT, "", "chunk", "explicit", "inline:rel", 0.95, (11, 13, 16)),
            ("related_to", OLLAMA, "", "chunk", "explicit", "inline:rel", 0.95, (14, 17)),
            ("depends_on", OLLAMA, "", "chunk", "rule", "edge_defaults:project:depends_on", 0.7, (11,)),
        },
    ),
    Example(
        "a showcase of relations",
        SHOWCASE,
        {
            ("references", BASICS, "", "chunk", "explicit", "explicit:wikilink", 1.0, (6, 6, 10)),
            ("references", EMBEDDINGS, "", "chunk", "explicit", "explicit:wikilink", 1.0, (8, 8, 10)),
            ("similar_to", BASICS, "", "chunk", "explicit", "inline:rel", 0.95, (6,)),
            ("related_to", BASICS, "", "chunk", "explicit", "callout:edge", 0.9, (6, 10)),
            ("related_to", EMBEDDINGS, "", "chunk", "explicit", "callout:edge", 0.9, (8, 10)),
        },
    ),
    Example(
        "a project that links to a tool depends on it",
        "---\ntype: project\n---\nWir setzen [[Tool A]] ein.\n",
        {
            ("references", "Tool A", "", "chunk", "explicit", "explicit:wikilink", 1.0, (4, 4)),
            ("depends_on", "Tool A", "", "chunk", "rule", "edge_defaults:project:depends_on", 0.7, (4,)),
        },
    ),
    Example(
        "a relation in a passage",
        "In diesem Abschnitt nutzen wir [[rel:uses|Tool A]].\n",
        {
            ("references", "Tool A", "", "chunk", "explicit", "explicit:wikilink", 1.0, (1, 1)),
            ("uses", "Tool A", "", "chunk", "explicit", "inline:rel", 0.95, (1,)),
        },
    ),
    Example(
        "relations of the whole note",
        "Text\n\n## Smart Edges\n\n[[rel:depends_on|Projekt-Übersicht]]\n[[rel:part_of|Größeres System]]\n",
        {
            ("references", "Projekt-Übersicht", "", "note", "explicit", "explicit:wikilink", 1.0, (5, 5)),
            ("references", "Größeres System", "", "note", "explicit", "explicit:wikilink", 1.0, (6, 6)),
            ("depends_on", "Projekt-Übersicht", "", "note", "explicit", "inline:rel", 0.95, (5,)),
            ("part_of", "Größeres System", "", "note", "explicit", "inline:rel", 0.95, (6,)),
        },
    ),
    Example(
        "several targets in one relation, and one relation a link",
        "rel: similar_to [[Tool A]] [[Embeddings 101]]\n\n[[rel:uses Ollama LLM]] [[rel:solves Fehlt]]\n",
        {
            ("references", "Tool A", "", "chunk", "explicit", "explicit:wikilink", 1.0, (1, 1)),
            ("references", EMBEDDINGS, "", "chunk", "explicit", "explicit:wikilink", 1.0, (1, 1)),
            ("references", OLLAMA, "", "chunk", "explicit", "explicit:wikilink", 1.0, (3, 3)),
            ("references", "Fehlt", "", "chunk", "explicit", "explicit:wikilink", 1.0, (3, 3)),
            ("similar_to", "Tool A", "", "chunk", "explicit", "inline:rel", 0.95, (1,)),
            ("similar_to", EMBEDDINGS, "", "chunk", "explicit", "inline:rel", 0.95, (1,)),
            ("uses", OLLAMA, "", "chunk", "explicit", "inline:rel", 0.95, (3,)),
            ("solves", "Fehlt", "", "chunk", "explicit", "inline:rel", 0.95, (3,)),
        },
    ),
    Example(
        "a section of another note and one of its own",
        "# Werte\n\n[[Mein Leitbild#P3 – Disziplin]] und [[#Werte]]\n",
        {
            ("references", "Mein Leitbild", "P3 – Disziplin", "chunk", "explicit", "explicit:wikilink", 1.0, (3,)),
            ("references", "Mein Leitbild", "", "chunk", "rule", "edge_defaults:default:references", 0.7, (3,)),
            ("references", "Werte", "Werte", "chunk", "explicit", "explicit:wikilink", 1.0, (3,)),
        },
    ),
    Example(
        "an experience rests on a value, with links as properties",
        "---\ntype: experience\nlinks:\n  depends_on: Tool A\n---\nDas folgt aus [[Ehrlichkeit]].\n",
        {
            ("references", "Ehrlichkeit", "", "chunk", "explicit", "explicit:wikilink", 1.0, (6, 6)),
            ("based_on", "Ehrlichkeit", "", "chunk", "rule", "matrix:experience:value", 0.7, (6,)),
            ("depends_on", "Tool A", "", "note", "explicit", "explicit:frontmatter", 1.0, (4,)),
            ("references", "Tool A", "", "note", "rule", "edge_defaults:experience:references", 0.7, (4,)),
        },
    ),
]
OTHERS = {
    **{f"{name}.md": f"# {name}\n" for name in (QDRANT, OLLAMA, BASICS, EMBEDDINGS, "Tool A", "Mein Leitbild")},
    **{f"{name}.md": f"# {name}\n" for name in ("Projekt-Übersicht", "Größeres System")},
    "Ehrlichkeit.md": "---\ntype: value\n---\n# Ehrlichkeit\n",
}


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.name)
def test_the_edges_are_those_that_the_paper_promises(vault: Vault, example: Example) -> None:
    graphs = vault({"Note.md": example.text, **OTHERS})
    assert rows(graphs) == example.edges
    assert graphs["Note.md"].faults == ()


def test_the_project_note_has_its_own_weight_and_its_types_chunks(vault: Vault) -> None:
    graph = vault({"Note.md": PROJECT, **OTHERS})["Note.md"]
    note = graph.note
    assert (note.note_id, note.title) == ("20251110-ki-trainerassistent", "KI Trainerassistent (Projekt)")
    parts: list[Note | Chunk] = [note, *graph.chunks]
    for part in parts:
        assert (part.type, part.retriever_weight, part.chunk_profile) == ("project", 1.0, "long")
        assert part.edge_defaults == ("references", "depends_on")


def test_reports_count_what_was_written_in_each_form(vault: Vault) -> None:
    totals = count_edges(vault({"Note.md": PROJECT, **OTHERS})["Note.md"].edges)["totals"]
    assert (totals["explicit_total"], totals["inline_total"], totals["callout_total"]) == (6, 2, 2)
    assert (totals["defaults_total"], totals["unresolved"]) == (4, 0)
