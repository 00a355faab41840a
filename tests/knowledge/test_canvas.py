"""What a canvas and a drawing become: chunks of their texts, edges of their cards and arrows."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import pytest

from knowledge.conftest import Vault
from mindnet.knowledge.counts import count_edges
from mindnet.records import Edge, NoteGraph

NOTES = {"A.md": "# Alpha\n", "x/B.md": "## Teil\n", "C.md": "---\ntype: experience\n---\n", "Moor.md": "x\n"}


def text(name: str, content: str, **more: Any) -> dict[str, Any]:
    return {"id": name, "type": "text", "text": content, **more}


def file(name: str, path: str, **more: Any) -> dict[str, Any]:
    return {"id": name, "type": "file", "file": path, **more}


def arrow(source: str, target: str, label: str = "", **more: Any) -> dict[str, Any]:
    return {"fromNode": source, "toNode": target, "label": label, **more}


def canvas(*entries: dict[str, Any]) -> str:
    """A canvas of cards and arrows as Obsidian writes it: each on a line of its own, from the third on."""
    lists = [[one for one in entries if ("fromNode" in one) is arrows] for arrows in (False, True)]
    nodes, edges = (",\n".join(json.dumps(one, ensure_ascii=False) for one in part) for part in lists)
    return f'{{\n"nodes":[\n{nodes}\n],\n"edges":[\n{edges}\n]}}'


def board(vault: Vault, *entries: dict[str, Any]) -> tuple[NoteGraph, dict[str, NoteGraph]]:
    graphs = vault({"Board.canvas": canvas(*entries), **NOTES})
    return graphs["Board.canvas"], graphs


def shown(edges: Iterable[Edge], graphs: dict[str, NoteGraph]) -> set[tuple[str, str, str]]:
    """(source, kind, target) of the explicit edges, notes by path, chunks by number; sections behind ``#``."""
    names = {graph.note.note_id: path for path, graph in graphs.items()}
    names |= {chunk.chunk_id: f"{path} {chunk.ord}" for path, graph in graphs.items() for chunk in graph.chunks}
    return {
        (
            names[edge.source_id],
            edge.kind,
            names.get(edge.target_id, f"?{edge.target_id}")
            + (f"#{edge.target_section}" if edge.target_section else ""),
        )
        for edge in edges
        if edge.provenance == "explicit"
    }


# ------------------------------------------------------------------ the note and its chunks
def test_each_text_card_is_a_chunk_of_its_markdown_with_its_line(vault: Vault) -> None:
    graph, _ = board(vault, text("1", "# Eins\n\nim [[Moor]] #nass"), text("2", "zwei"), file("3", "A.md"))
    assert [(chunk.text, chunk.start_line, chunk.end_line) for chunk in graph.chunks] == [
        ("# Eins\n\nim [[Moor]] #nass", 3, 3),
        ("zwei", 4, 4),
    ]
    assert graph.note.tags == ("nass",)
    assert graph.note.headings == ("Eins",)


def test_the_title_is_the_files_name_whatever_the_cards_say(vault: Vault) -> None:
    graph, _ = board(vault, text("1", "# Eins"))
    assert (graph.note.title, graph.note.type, graph.note.frontmatter) == ("Board", "default", {})
    assert graph.note.fulltext == canvas(text("1", "# Eins"))


def test_headings_end_with_their_card_and_stand_below_its_groups(vault: Vault) -> None:
    place = {"x": 10, "y": 10, "width": 5, "height": 5}
    group = {"id": "g", "type": "group", "label": "Plan", "x": 0, "y": 0, "width": 99, "height": 99}
    graph, _ = board(
        vault, group, text("1", "# Eins\n## Tief\nx", **place), text("2", "zwei"), text("3", "drei", **place)
    )
    paths = {chunk.text.split("\n")[-1]: chunk.heading_path for chunk in graph.chunks}
    assert paths["zwei"] == ()
    assert paths["drei"] == ("Plan",)
    assert all(path[0] == "Plan" and "Eins" in path for key, path in paths.items() if key not in ("zwei", "drei"))


def test_no_chunk_and_no_window_reaches_into_another_card(vault: Vault) -> None:
    graph, _ = board(vault, text("1", "Alpen " * 20), text("2", "Berge"), text("3", "Chiemsee"))
    assert [chunk.text for chunk in graph.chunks] == ["Alpen " * 20, "Berge", "Chiemsee"]
    assert [chunk.window for chunk in graph.chunks[1:]] == ["Board\nBerge", "Board\nChiemsee"]


def test_a_long_card_becomes_several_chunks_of_one_line(vault: Vault) -> None:
    graph, _ = board(vault, text("1", "\n\n".join(f"Absatz {number} steht hier." for number in range(200))))
    assert len(graph.chunks) > 2
    assert {(chunk.start_line, chunk.end_line) for chunk in graph.chunks} == {(3, 3)}


def test_a_canvas_of_files_alone_can_be_found_by_its_name(vault: Vault) -> None:
    graph, _ = board(vault, file("1", "A.md"), {"id": "g", "type": "group", "label": "Einkauf"})
    assert [chunk.text for chunk in graph.chunks] == ["Board\nEinkauf"]


@pytest.mark.parametrize(
    "content", ["", "{}", '{"nodes":[],"edges":[]}', '{"nodes":[{"id":"1","type":"text","text":" "}]}']
)
def test_an_empty_canvas_is_a_note_without_faults(vault: Vault, content: str) -> None:
    graph = vault({"Leer.canvas": content})["Leer.canvas"]
    assert graph.faults == ()
    assert graph.note.title == "Leer"


def test_a_zone_ends_with_its_card(vault: Vault) -> None:
    graph, graphs = board(vault, text("1", "# Smart Edges\n[[A]]"), text("2", "[[Moor]]"))
    assert shown(graph.edges, graphs) == {
        ("Board.canvas", "references", "A.md"),
        ("Board.canvas 2", "references", "Moor.md"),
    }


# ------------------------------------------------------------------ edges
def test_file_cards_are_references_of_the_whole_canvas(vault: Vault) -> None:
    graph, graphs = board(vault, file("1", "A.md"), file("2", "x/B.md", subpath="#Teil"), file("3", "bild.png"))
    assert shown(graph.edges, graphs) == {
        ("Board.canvas", "references", "A.md"),
        ("Board.canvas", "references", "x/B.md#Teil"),
    }
    edge = next(edge for edge in graph.edges if edge.target_section == "Teil")
    assert (edge.scope, edge.rule_id, edge.confidence, edge.line) == ("note", "explicit:canvas", 1.0, 4)


def test_an_arrow_between_two_notes_is_theirs_and_the_canvas_owns_it(vault: Vault) -> None:
    graph, graphs = board(vault, file("a", "A.md"), file("b", "x/B.md"), arrow("a", "b", "braucht"))
    assert ("A.md", "depends_on", "x/B.md") in shown(graph.edges, graphs)
    edge = next(edge for edge in graph.edges if edge.kind == "depends_on")
    assert (edge.scope, edge.provenance, edge.note_id) == ("note", "explicit", graph.note.note_id)
    assert [(item.rule_id, item.line, item.label) for item in edge.evidence] == [("explicit:canvas", 7, "braucht")]
    assert all(edge.kind != "depends_on" for edge in graphs["A.md"].edges)


@pytest.mark.parametrize(
    ("ends", "expected"),
    [
        ({}, {("A.md", "uses", "x/B.md")}),
        ({"fromEnd": "arrow", "toEnd": "none"}, {("x/B.md", "uses", "A.md")}),
        ({"fromEnd": "arrow", "toEnd": "arrow"}, {("A.md", "uses", "x/B.md"), ("x/B.md", "uses", "A.md")}),
        ({"fromEnd": "none", "toEnd": "none"}, {("A.md", "uses", "x/B.md")}),
    ],
)
def test_arrows_point_where_their_heads_are(
    vault: Vault, ends: dict[str, str], expected: set[tuple[str, str, str]]
) -> None:
    graph, graphs = board(vault, file("a", "A.md"), file("b", "x/B.md"), arrow("a", "b", "uses", **ends))
    assert {one for one in shown(graph.edges, graphs) if one[1] == "uses"} == expected


@pytest.mark.parametrize(
    ("label", "kind", "codes"),
    [
        ("", "references", []),
        ("irgendwie verwandt", "references", []),
        ("Fundament", "based_on", []),
        ("Based-On", "based_on", []),
        ("belongs_to", "related_to", ["protected_kind"]),
    ],
)
def test_the_label_of_an_arrow_is_its_kind_where_it_is_one(
    vault: Vault, label: str, kind: str, codes: list[str]
) -> None:
    graph, graphs = board(vault, file("a", "A.md"), file("b", "x/B.md"), arrow("a", "b", label))
    assert {one[1] for one in shown(graph.edges, graphs) if one[0] == "A.md"} == {kind}
    edge = next(edge for edge in graph.edges if edge.source_id == graphs["A.md"].note.note_id)
    assert [item.label for item in edge.evidence] == [label]
    assert [(fault.code, fault.line) for fault in graph.faults] == [(code, 7) for code in codes]


def test_arrows_from_and_to_texts(vault: Vault) -> None:
    graph, graphs = board(
        vault,
        text("t", "erst"),
        text("u", "dann"),
        file("a", "A.md"),
        arrow("u", "a", "wegen"),
        arrow("a", "t", "siehe"),
        arrow("t", "u", "uses"),
    )
    assert shown(graph.edges, graphs) == {
        ("Board.canvas", "references", "A.md"),
        ("Board.canvas 2", "caused_by", "A.md"),
        ("A.md", "references", "Board.canvas"),
    }
    caused = next(edge for edge in graph.edges if edge.kind == "caused_by")
    assert (caused.scope, caused.line) == ("chunk", 8)


def test_what_the_canvas_refers_to_takes_over_what_its_chunks_say_of_it_but_not_what_other_notes_do(
    vault: Vault,
) -> None:
    graph, graphs = board(
        vault, text("t", "[[A]]"), file("a", "A.md"), file("c", "C.md"), arrow("t", "a"), arrow("c", "a")
    )
    assert shown(graph.edges, graphs) == {
        ("Board.canvas", "references", "A.md"),
        ("Board.canvas", "references", "C.md"),
        ("C.md", "references", "A.md"),
    }
    whole = next(edge for edge in graph.edges if edge.source_id == graph.note.note_id and edge.evidence[0].line == 3)
    rules = [item.rule_id for item in whole.evidence if not item.rule_id.startswith("edge_defaults")]
    assert rules == ["explicit:wikilink", "explicit:canvas", "explicit:canvas"]


def test_the_types_of_notes_add_nothing_to_arrows_between_them(vault: Vault) -> None:
    graph, graphs = board(vault, file("c", "C.md"), file("a", "A.md"), arrow("c", "a"))
    leaving = [edge for edge in graph.edges if edge.source_id == graphs["C.md"].note.note_id]
    assert [(edge.kind, edge.provenance) for edge in leaving] == [("references", "explicit")]


def test_what_two_files_say_of_two_notes_has_one_identity_and_each_states_it_as_its_own(vault: Vault) -> None:
    same = canvas(file("a", "A.md"), file("b", "x/B.md"), arrow("a", "b", "uses"))
    graphs = vault({"Eins.canvas": same, "Zwei.canvas": same, **NOTES, "A.md": "---\nuses: '[[B]]'\n---\n"})
    uses = [edge for graph in graphs.values() for edge in graph.edges if edge.kind == "uses"]
    assert len({edge.edge_id for edge in uses}) == 1
    assert {edge.note_id for edge in uses} == {
        graphs[path].note.note_id for path in ("Eins.canvas", "Zwei.canvas", "A.md")
    }


def test_missing_notes_are_unresolved_and_say_nothing_of_their_own(vault: Vault) -> None:
    graph, graphs = board(vault, file("a", "A.md"), file("n", "y/Neu.md"), arrow("a", "n", "uses"), arrow("n", "a"))
    assert shown(graph.edges, graphs) == {
        ("Board.canvas", "references", "A.md"),
        ("Board.canvas", "references", "?y/Neu"),
        ("A.md", "uses", "?y/Neu"),
    }
    assert count_edges(graph.edges)["totals"]["unresolved"] == 2
    assert {edge.resolved for edge in graph.edges if edge.target_id == "y/Neu"} == {False}


def test_a_canvas_is_linked_by_its_file_name_and_by_its_title_only_where_no_note_has_that_name(vault: Vault) -> None:
    links = "[[Plan.canvas]]\n\n![[Wald.canvas]]\n\n[x](Wald.canvas)\n\n[[Plan]]\n\n[[Wald]]\n"
    graphs = vault({"N.md": links, "Plan.canvas": "{}", "Wald.canvas": "{}", "y/Plan.md": "x"})
    assert shown(graphs["N.md"].edges, graphs) == {
        ("N.md 1", "references", target) for target in ("Plan.canvas", "Wald.canvas", "y/Plan.md")
    }


def test_broken_cards_are_reported_and_the_others_stay(vault: Vault) -> None:
    broken = canvas(text("1", "eins"), text("2", "zwei"), file("a", "A.md")).replace('"zwei"', '"zw"ei"')
    graphs = vault({"Board.canvas": broken, **NOTES})
    graph = graphs["Board.canvas"]
    assert [(fault.code, fault.line) for fault in graph.faults] == [("json_syntax", 4)]
    assert [chunk.text for chunk in graph.chunks] == ["eins"]
    assert shown(graph.edges, graphs) == {("Board.canvas", "references", "A.md")}


# ------------------------------------------------------------------ drawings
DRAWING = """---
excalidraw-plugin: parsed
tags: [excalidraw]
---
==⚠  Switch to EXCALIDRAW VIEW in the MORE OPTIONS menu of this document. ⚠==

# Netzplan

Für das [[Moor]].

# Excalidraw Data

## Text Elements
Server in [[A]] #netz ^abc12345

Klient ^abc12346

## Element Links
abc12347: [[B#Teil]]

## Embedded Files
0123456789abcdef: [[C]]

%%
## Drawing
```compressed-json
N4KAkARALgngDgUwgLgAQQQDwMYEMA2AlgCYBOuA7hADTgQBuCpAzoQPYB2KqATLZMzYBXUtiRoIACyhQ4zZAHoFAc0
```
%%
"""


def test_a_drawing_has_its_texts_and_what_stands_above_it(vault: Vault) -> None:
    graphs = vault({"Netz.excalidraw.md": DRAWING, **NOTES})
    graph = graphs["Netz.excalidraw.md"]
    assert [(chunk.text, chunk.start_line, chunk.end_line, chunk.heading_path) for chunk in graph.chunks] == [
        ("# Netzplan\n\nFür das [[Moor]].", 7, 9, ("Netzplan",)),
        ("Server in [[A]] #netz\n\nKlient", 14, 16, ()),
    ]
    assert (graph.note.title, graph.note.tags) == ("Netzplan", ("excalidraw", "netz"))
    assert shown(graph.edges, graphs) == {
        ("Netz.excalidraw.md 1", "references", "Moor.md"),
        ("Netz.excalidraw.md 2", "references", "A.md"),
        ("Netz.excalidraw.md", "references", "x/B.md#Teil"),
    }
    assert graph.note.headings == ("Netzplan",)
    assert graph.note.fulltext == DRAWING


def test_a_drawing_without_a_heading_of_its_own_is_called_by_its_file(vault: Vault) -> None:
    graphs = vault(
        {
            "Netz.excalidraw.md": DRAWING.replace("# Netzplan", "Netzplan"),
            "Alt.excalidraw": json.dumps({"elements": [{"type": "text", "text": "siehe [[Netz]]"}]}),
            "N.md": "[[Netz.excalidraw]] ![[Alt.excalidraw]]",
        }
    )
    assert {path: graph.note.title for path, graph in graphs.items()} == {
        "Netz.excalidraw.md": "Netz",
        "Alt.excalidraw": "Alt",
        "N.md": "N",
    }
    assert shown(graphs["N.md"].edges, graphs) == {
        ("N.md 1", "references", "Netz.excalidraw.md"),
        ("N.md 1", "references", "Alt.excalidraw"),
    }
    assert [chunk.text for chunk in graphs["Alt.excalidraw"].chunks] == ["siehe [[Netz]]"]
    assert shown(graphs["Alt.excalidraw"].edges, graphs) == {("Alt.excalidraw 1", "references", "Netz.excalidraw.md")}


def test_a_drawing_is_known_by_its_frontmatter_too(vault: Vault) -> None:
    graph = vault({"Netz.md": DRAWING})["Netz.md"]
    assert [chunk.start_line for chunk in graph.chunks] == [7, 14]


def test_the_links_of_a_drawing_are_in_no_zone_of_the_text_above(vault: Vault) -> None:
    links = "# Excalidraw Data\n## Element Links\nabc12345: [[A]]\n"
    graph = vault({"Netz.excalidraw.md": f"# Unassigned Edges\n[[B]]\n{links}", **NOTES})["Netz.excalidraw.md"]
    assert {(edge.kind, edge.provenance) for edge in graph.edges if edge.line == 5} == {
        ("references", "explicit"),
    }
    assert {edge.provenance for edge in graph.edges if edge.line == 2} == {"candidate:smart"}
