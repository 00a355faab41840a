"""What the plugin writes into notes is what the sidecar reads there; the plugin's tests write the same cases."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from mindnet.records import Edge
from reading import Reading, read_vault

NOTES = {f"{name}.md": f"# {name}\n" for name in ("A", "B", "C", "X", "Y")}
BY_HAND = ("inline:", "callout:", "explicit:frontmatter")


@dataclass(frozen=True)
class Case:
    """``after`` is the note when ``edge`` has become ``kind``, None where the plugin leaves the note to its writer."""

    text: str
    rule_id: str
    old: str
    kind: str
    after: str | None


def cases() -> list[Case]:
    read = json.loads((Path(__file__).parent / "written_relations.json").read_text(encoding="utf-8"))
    return [Case(one["text"], one["edge"]["rule_id"], one["edge"]["kind"], one["kind"], one["after"]) for one in read]


CASES = cases()


def note(folder: Path, text: str) -> Reading:
    return read_vault(folder, {"Note.md": text, **NOTES})


def written(found: Reading) -> set[tuple[str, str, str]]:
    """(kind, target, scope) of each relation that stands there; what a model is asked about has a name of its own."""
    return {
        (edge.kind, found.target(edge), _standing(edge))
        for edge in found.graphs["Note.md"].edges
        if edge.kind != "references" and edge.provenance not in ("rule", "structure")
    }


def _standing(edge: Edge) -> str:
    return edge.scope if edge.provenance == "explicit" else edge.provenance


@pytest.mark.parametrize("case", [one for one in CASES if one.after is not None], ids=lambda one: one.text)
def test_a_relation_that_the_plugin_writes_is_read_as_that_and_all_others_stay(case: Case, tmp_path: Path) -> None:
    assert case.after is not None
    before, found = written(note(tmp_path / "before", case.text)), note(tmp_path / "after", case.after)
    after = written(found)
    (new,) = {one for one in after if one[:2] == (case.kind, "X.md")}
    assert new[2] in ("chunk", "note")
    gone = before - after
    if case.rule_id.startswith((*BY_HAND, "smart:candidate", "smart:global_pool")):
        assert {one[:2] for one in gone} == {(case.old, "X.md")}
    else:
        assert gone == set()
    assert after - before == {new}
    assert not found.codes("Note.md")


@pytest.mark.parametrize("case", [one for one in CASES if one.after is None], ids=lambda one: one.text)
def test_what_the_plugin_leaves_to_its_writer_is_a_relation_all_the_same(case: Case, tmp_path: Path) -> None:
    assert (case.old, "X.md") in note(tmp_path, case.text).relations("Note.md")
