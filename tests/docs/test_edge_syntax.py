"""The page for users on links and relations says what happens: every example in it is built as a real note."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from docs.reader import Example, code, read_examples, read_table
from mindnet.embedding.hashing import HashingEmbedder
from mindnet.knowledge import edges as rules
from mindnet.records import Edge, Fault, NoteGraph
from mindnet.settings import Settings, load_settings
from mindnet.workspace import make_source, registries

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "edge-syntax.md").read_text(encoding="utf-8")
EXAMPLES = list(read_examples(PAGE))
SHIPPED = load_settings(env={})
LEFT_OUT = ("structure", "mirror")
"""Rules whose edges a table lists only where the page says so."""


def build(folder: Path, example: Example) -> dict[str, NoteGraph]:
    """The small vault of the page with the example in it, read from disk; graphs by path."""
    vault, config = folder / "vault", folder / "config"
    config.mkdir()
    for name, text in example.config.items():
        (config / name).write_text(text, encoding="utf-8")
    notes = {code(file)[0]: "\n".join(code(keys)) for file, keys in read_table(PAGE, "file")}
    for path, keys in notes.items():
        write(vault / path, f"---\n{keys}\n---\nText\n")
    write(vault / example.path, example.text)
    source = make_source(vault, load_settings(config, env={}), HashingEmbedder())
    graphs: dict[str, NoteGraph] = {}
    for graph in source.graphs():
        assert not isinstance(graph, Fault), graph
        graphs[graph.note.path] = graph
    return graphs


def write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, encoding="utf-8")


def shown(edge: Edge, note: NoteGraph, paths: Mapping[str, str]) -> tuple[str, ...]:
    """An edge as the page's tables show it."""
    chunks = {chunk.chunk_id: f"passage {chunk.ord}" for chunk in note.chunks}
    names = {**paths, note.note.note_id: "this note", **chunks}
    target = names[edge.target_id] if edge.resolved else f"{edge.target_id} (unresolved)"
    if edge.source_id not in (note.note.note_id, *chunks):
        target += f", from {names[edge.source_id]}"
    numbers = (str(edge.line), str(round(edge.confidence, 4)))
    return numbers[0], edge.kind, target, edge.target_section, edge.scope, edge.provenance, edge.rule_id, numbers[1]


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: f"{example.heading} (line {example.line})")
def test_the_example_gives_exactly_the_edges_and_reports_beside_it(tmp_path: Path, example: Example) -> None:
    graphs = build(tmp_path, example)
    note = graphs[example.path]
    paths = {graph.note.note_id: path.removesuffix(".md") for path, graph in graphs.items()}
    left_out = tuple(f"{rule}:" for rule in LEFT_OUT if rule not in example.also)
    found = [shown(edge, note, paths) for edge in note.edges if not edge.rule_id.startswith(left_out)]
    assert sorted(found) == sorted(example.edges)
    assert sorted((fault.code, fault.line) for fault in note.faults) == sorted(example.reported)


def test_the_page_has_an_example_for_every_rule_that_reads_notes() -> None:
    shown = {row[6] for example in EXAMPLES for row in example.edges}
    # A canvas is no note: what it gives is shown on a page of its own.
    written = {rule for rule, _ in rules.WRITTEN.values()} - {"explicit:canvas"}
    assert written | {"smart:candidate", "smart:global_pool"} <= shown
    for family in ("edge_defaults:", "matrix:", "structure:"):
        assert any(rule.startswith(family) for rule in shown)


def test_the_overview_gives_each_form_its_rule_and_confidence() -> None:
    overview = {code(row[2])[0]: float(row[3]) for row in read_table(PAGE, "form") if re.fullmatch(r"[\d.]+", row[3])}
    for rule, confidence in rules.WRITTEN.values():
        assert overview[rule] == confidence
    assert overview["edge_defaults:{type}:{kind}"] == overview["matrix:{source}:{target}"] == rules.DEFAULT_CONFIDENCE
    assert overview["smart:allocation"] == rules.SMART_CONFIDENCE


def test_the_table_of_kinds_is_the_registry() -> None:
    registry = registries(SHIPPED)[1]
    expected = [
        (name, tuple(section.aliases), _other_end(SHIPPED, name)) for name, section in SHIPPED.edges.kinds.items()
    ]
    found = [(code(row[0])[0], tuple(code(row[1])), row[2].replace("`", "")) for row in read_table(PAGE, "kind")]
    assert found == expected
    assert {name for name, _, end in found if "protected" in end} == registry.protected


def _other_end(settings: Settings, name: str) -> str:
    kind = settings.edges.kinds[name]
    marks = [kind.inverse or "", "symmetric" if kind.symmetric else "", "protected" if kind.protected else ""]
    return ", ".join(mark for mark in marks if mark)


def test_the_table_of_types_gives_their_default_kinds_as_shipped() -> None:
    types = registries(SHIPPED)[0].types
    found = {tuple(code(row[0])): tuple(code(row[1])) for row in read_table(PAGE, "type")}
    assert {name: kinds for names, kinds in found.items() for name in names} == {
        name: one.edge_defaults for name, one in types.items()
    }


def test_the_table_of_the_matrix_is_the_shipped_one() -> None:
    matrix = registries(SHIPPED)[1].matrix
    found = {(code(row[0])[0], code(row[1])[0]): code(row[2])[0] for row in read_table(PAGE, "from")}
    assert found == dict(matrix)
