"""A file becomes a note, chunks and edges, the same every time."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import pytest

from knowledge.conftest import Vault, note_text
from mindnet.embedding.port import Tokenizer
from mindnet.knowledge.build import build_note, is_private, name_of, title_of
from mindnet.knowledge.kinds import KindRegistry
from mindnet.knowledge.types import TypeRegistry
from mindnet.markdown.parse import parse_note
from mindnet.records import NoteGraph
from mindnet.vault.keys import path_id
from mindnet.vault.resolve import Catalog


def one(vault: Vault, text: str, path: str = "a/Note.md") -> NoteGraph:
    return vault({path: text})[path]


# ------------------------------------------------------------------ names
@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("---\ntitle: Oben\n---\n# Kopf\n", "Oben"),
        ("---\ntitle: 42\n---\n", "42"),
        ("---\ntitle:\n---\n## Zwei\n# Kopf\n", "Kopf"),
        ("---\ntitle: [Eins, Zwei]\n---\n", "Eins"),
        ("---\ntitle: {a: b}\n---\n", "Note"),
        ("## Nur zwei\n", "Note"),
        ("", "Note"),
    ],
)
def test_title(text: str, title: str) -> None:
    assert title_of(parse_note("a/Note.md", text)) == title


def test_all_names_of_a_note(types: TypeRegistry) -> None:
    name = name_of(parse_note("a/N.md", "---\nid: 7\ntype: project\naliases: [X, Y]\n---\n# Kopf\n"), types)
    assert (name.path, name.note_id_hint, name.title, name.aliases, name.type) == (
        "a/N.md", "7", "Kopf", ("X", "Y"), "project"
    )  # fmt: skip


# ------------------------------------------------------------------ payloads
def test_note_and_chunks_carry_the_same_effective_values(vault: Vault) -> None:
    text = "---\nid: n1\ntype: project\nstatus: draft\ntags: [t]\naliases: A\nretriever_weight: 0.5\n"
    graph = one(vault, text + "created: 2024-06-01\n---\n# K\n\n## L\nx\n")
    note = graph.note
    assert (note.note_id, note.created, note.updated) == ("n1", 20240601000000, 20231114221320)
    assert [chunk.chunk_id for chunk in graph.chunks] == ["n1#c01", "n1#c02"]
    assert [chunk.ord for chunk in graph.chunks] == [1, 2]
    assert [(c.neighbors_prev, c.neighbors_next) for c in graph.chunks] == [(None, "n1#c02"), ("n1#c01", None)]
    shared = ("note_id", "title", "path", "type", "status", "tags", "aliases", "created", "updated", "private",
              "retriever_weight", "chunk_profile", "edge_defaults")  # fmt: skip
    for chunk in graph.chunks:
        assert {key: asdict(chunk)[key] for key in shared} == {key: asdict(note)[key] for key in shared}
    assert note.headings == ("K", "L")
    assert note.fulltext.startswith("---\nid: n1")


def test_a_plain_note_has_the_id_of_its_path_and_the_files_times(vault: Vault) -> None:
    graph = one(vault, "Nur Text\n")
    assert graph.note.note_id == path_id("a/Note.md")
    assert (graph.note.created, graph.note.type, graph.note.status) == (20200913122640, "default", None)
    assert graph.faults == ()


@pytest.mark.parametrize("status", ["system", "Template"])
def test_templates_are_not_indexed(vault: Vault, status: str) -> None:
    assert vault({"N.md": f"---\nstatus: {status}\n---\nText\n"}) == {}


@pytest.mark.parametrize(
    ("value", "private"),
    [(True, True), ("yes", True), ("Ja", True), (1, True), ("vielleicht", True), (["x"], True),
     (False, False), (None, False), ("", False), ("no", False), ("Nein", False), (0, False)],
)  # fmt: skip
def test_what_is_not_clearly_public_is_private(value: Any, private: bool) -> None:
    assert is_private({"Private": value}) is private
    assert is_private({}) is False


def test_odd_values_are_reported_with_their_lines(vault: Vault) -> None:
    graph = one(vault, "---\nid: [a]\ntitle: {b: c}\ncreated: bald\nedge_defaults: [foo]\n---\nx\n")
    assert sorted((fault.line, fault.code) for fault in graph.faults) == [
        (2, "frontmatter_value"),
        (3, "frontmatter_value"),
        (4, "frontmatter_value"),
        (5, "unknown_kind"),
    ]
    assert all(fault.path == "a/Note.md" for fault in graph.faults)


def test_hashes_tell_body_from_frontmatter_and_read_keys_from_others(vault: Vault) -> None:
    def hashes(head: str, body: str = "Text\n") -> tuple[str, str]:
        found = one(vault, f"---\n{head}\n---\n{body}").note.hashes
        return found["body"], found["frontmatter"]

    body, front = hashes("type: concept\ncolor: red")
    assert hashes("color: blue\ntype: concept") == (body, front)
    assert hashes("type: concept", "Text\r\n") == (body, front)
    assert hashes("type: concept", "Anders\n")[0] != body
    for other in (
        "type: project",
        "type: concept\nnutzt: '[[X]]'",
        "type: concept\nbaum: {nutzt: '[[X]]'}",
        "type: concept\nbaum: '[[rel:wurzelt_in X]]'",
        "type: concept\nCreated: 2024-01-01",
    ):
        same_body, new_front = hashes(other)
        assert same_body == body
        assert new_front != front


def test_a_doubled_id_leaves_both_notes_whole(vault: Vault) -> None:
    graphs = vault({"b.md": "---\nid: x\n---\n[[a]]\n", "a.md": "---\nid: x\n---\n[[b]]\n"})
    assert graphs["a.md"].note.note_id == "x"
    assert graphs["b.md"].note.note_id == path_id("b.md")
    assert "x" in {edge.target_id for edge in graphs["b.md"].edges if edge.kind == "references"}
    assert path_id("b.md") in {edge.target_id for edge in graphs["a.md"].edges if edge.kind == "references"}


def test_the_order_of_files_changes_nothing(vault: Vault) -> None:
    files = {
        "a.md": "[[b]] [[c]] [[x/c]]\n",
        "b.md": "---\nid: 1\n---\n[[a]]\n",
        "c.md": "[[C]]\n",
        "x/c.md": "---\nid: 1\n---\n[[c]]\n",
    }
    assert vault(files) == vault(files, list(reversed(files)))


def test_a_note_that_the_catalog_does_not_hold_is_refused(
    types: TypeRegistry, kinds: KindRegistry, tokenizer: Tokenizer
) -> None:
    with pytest.raises(KeyError):
        build_note(
            note_text("n.md", "x"), parse_note("n.md", "x"), catalog=Catalog(), types=types, kinds=kinds,
            tokenizer=tokenizer, max_tokens=512,
        )  # fmt: skip


def test_frontmatter_without_a_single_key_is_reported_and_loses_nothing(vault: Vault) -> None:
    graph = one(vault, "---\n\n| a |\n| --- |\n\n---\n[[X]]\n")
    assert [fault.code for fault in graph.faults] == ["frontmatter"]
    assert "X" in {edge.target_id for edge in graph.edges}


def test_a_frontmatter_only_note_keeps_its_relation_and_its_name(vault: Vault) -> None:
    text = '---\naliases: [Humus]\nrelated_to:\n  - "[[Kompost]]"\n---\n\n\n'
    graphs = vault({"Begriff.md": text, "Kompost.md": "# Kompost\n", "Leer.md": "", "Leerzeichen.md": " \n\t\n"})
    [chunk] = graphs["Begriff.md"].chunks
    assert chunk.text == "Begriff\nHumus"
    [edge] = [edge for edge in graphs["Begriff.md"].edges if edge.kind == "related_to"]
    assert (edge.scope, edge.target_id) == ("note", graphs["Kompost.md"].note.note_id)
    assert [chunk.text for chunk in graphs["Leer.md"].chunks] == ["Leer"]
    assert [chunk.text for chunk in graphs["Leerzeichen.md"].chunks] == ["Leerzeichen"]
