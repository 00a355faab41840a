"""Links of a note that are offered to its other passages, for types that ask for it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from inprocess import Running
from modelserver import Asked
from validation.judging import Judge, at, judging, smart, target_of, validate, vault_of_ten
from workspaces import write_vault

TYPES = "types:\n  meeting: {smart_edges: true}\n"
MEETING = """---
type: meeting
id: monday
---

## First

We spoke of [[Flour]]. rel: uses [[Salt]]

## Second

The dough was salty, see [[Engine]].

## Third

Nothing else.
"""
FILES = {
    "Monday.md": MEETING,
    "Tuesday.md": MEETING.replace("meeting", "journal").replace("monday", "tuesday"),
    "Flour.md": "Flour.\n",
    "Salt.md": "Salt.\n",
    "Engine.md": "Engine.\n",
}


def salty(asked: Asked) -> str:
    return json.dumps({"answer": "yes" if target_of(asked) == "Salt" and "salty" in asked.prompt else "no"})


@pytest.fixture
def judge(tmp_path: Path) -> Iterator[Judge]:
    write_vault(tmp_path / "config", {"types.yaml": TYPES})
    with judging() as one:
        one.verdict = salty
        yield one


def asked_pairs(judge: Judge) -> set[tuple[str, str, str]]:
    """Target, kind and passage of every question."""

    def passage(asked: Asked) -> str:
        return next(name for name in ("First", "Second", "Third") if f"## {name}" in asked.prompt)

    def kind(asked: Asked) -> str:
        return next(line for line in asked.prompt.splitlines() if line.startswith("Kind of link: "))[14:]

    return {(target_of(one), kind(one), passage(one)) for one in judge.questions}


def kept(app: Running) -> dict[str, object]:
    (one,) = smart(app).values()
    return one


def test_each_link_is_tried_on_the_passages_that_do_not_have_it(judge: Judge, tmp_path: Path) -> None:
    with vault_of_ten(tmp_path, judge.env, files=FILES) as app:
        before = app.get("/stats")["edges"]["total"]
        assert validate(app)["asked"] == 6
        assert asked_pairs(judge) == {
            ("Flour", "references", "Second"),
            ("Flour", "references", "Third"),
            ("Salt", "uses", "Second"),
            ("Salt", "uses", "Third"),
            ("Engine", "references", "First"),
            ("Engine", "references", "Third"),
        }
        one = kept(app)
        assert (one["kind"], one["scope"], one["provenance"], one["confidence"]) == ("uses", "chunk", "smart", 0.9)
        assert (one["rule_id"], one["source_id"]) == ("smart:allocation", "monday#c02")
        assert app.get("/stats")["edges"]["total"] == before + 1
        assert app.problems() == []
        assert validate(app, again=True)["asked"] == 0


def test_an_offer_counts_for_nothing_before_it_is_confirmed(judge: Judge, tmp_path: Path) -> None:
    with vault_of_ten(tmp_path, at("http://127.0.0.1:1"), files=FILES) as app:
        done = validate(app)["validation"]
        assert (done["waiting"], done["pending"], done["refused"]) == (6, 0, 0)
        assert smart(app) == {}
        assert app.problems() == []


def test_a_passage_that_changes_is_tried_again_and_no_other(judge: Judge, tmp_path: Path) -> None:
    with vault_of_ten(tmp_path, judge.env, files=FILES) as app:
        validate(app)
        note = app.vault / "Monday.md"
        note.write_text(note.read_text().replace("Nothing else", "It was salty"))
        app.ingest()
        assert validate(app)["asked"] == 3
        assert {one["source_id"] for one in _edges(app)} == {"monday#c02", "monday#c03"}
        # Words above move the passages, and take along what was said of them.
        note.write_text(
            note.read_text().replace("## First", "## Before\n\n[[Flour]], [[Salt]], [[Engine]]\n\n## First")
        )
        app.ingest()
        assert validate(app)["asked"] == 0
        assert {one["source_id"] for one in _edges(app)} == {"monday#c03", "monday#c04"}
        assert app.problems() == []


def _edges(app: Running) -> list[dict[str, object]]:
    return [dict(one) for one in app.workspace.store.scroll("edges") if one["provenance"] == "smart"]


def test_what_goes_with_the_link_goes_when_the_link_goes(judge: Judge, tmp_path: Path) -> None:
    with vault_of_ten(tmp_path, judge.env, files=FILES) as app:
        validate(app)
        note = app.vault / "Monday.md"
        note.write_text(note.read_text().replace("rel: uses [[Salt]]", ""))
        app.ingest()
        assert smart(app) == {}
        assert app.problems() == []


def test_what_the_user_rejects_is_gone_and_not_offered_again(judge: Judge, tmp_path: Path) -> None:
    with vault_of_ten(tmp_path, judge.env, files=FILES) as app:
        validate(app)
        app.post(f"/edges/{kept(app)['edge_id']}/decision", {"decision": "reject"})
        assert smart(app) == {}
        note = app.vault / "Monday.md"
        note.write_text(note.read_text().replace("Nothing else", "It was salty"))
        app.ingest()
        assert validate(app)["asked"] == 2
        assert smart(app) == {}
        assert app.problems() == []


def test_what_is_said_of_the_whole_note_is_not_offered_to_its_passages(judge: Judge, tmp_path: Path) -> None:
    note = "---\ntype: meeting\nuses: '[[Salt]]'\n---\n\n## One\n\nA.\n\n## Two\n\nrel: uses [[Salt]]\n"
    with vault_of_ten(tmp_path, judge.env, files={"M.md": note, "Salt.md": "Salt.\n"}) as app:
        assert validate(app)["asked"] == 0


def test_with_a_wrong_model_nothing_is_offered_until_that_changes(judge: Judge, tmp_path: Path) -> None:
    judge.judge = lambda _, answering: answering.json({"error": {"message": "model not found"}}, 404)
    files = {**FILES, "Salt.md": "Salt. [[rel:candidate:uses Flour]]\n"}
    with vault_of_ten(tmp_path, {**judge.env, "MINDNET_LLM_MODEL": "wrong"}, files=files) as app:
        done = validate(app)["validation"]
        assert (done["refused"], done["waiting"], len(judge.questions)) == (1, 6, 1)
        (app.vault / "Engine.md").write_text("[[rel:candidate:uses Flour]]\n")
        app.ingest()
        done = validate(app)["validation"]
        assert (done["refused"], done["waiting"], len(judge.questions)) == (2, 6, 2)
        judge.judge = None
        assert validate(app, again=True)["asked"] == 8
        assert app.problems() == []
