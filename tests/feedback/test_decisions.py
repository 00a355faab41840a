"""Decisions on edges: what is rejected stays gone, what is confirmed counts, what is written is beyond them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from inprocess import Running, running
from mindnet.cli import main
from running import run
from workspaces import config_folder, write_vault

FILES = {
    "Oven.md": "---\ntype: project\n---\n\nrel: depends_on [[Flour]]\n\n# Later\n\n[[Salt|the salt]], [[Nowhere]].\n",
    "Flour.md": "# Flour\n\nMilled from [[Rye]].\n",
    "Salt.md": "# Salt\n\nFrom the sea.\n",
    "Rye.md": "# Rye\n\nrel: candidate:uses [[Salt]]\n\n## Unassigned Edges\n\n- [[Flour]]\n",
}


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("decisions")
    with running(write_vault(folder / "vault", FILES), folder / "data") as one:
        yield one


@pytest.fixture
def app(shared: Running) -> Iterator[Running]:
    """Each test begins with the vault as it is above, and nothing decided."""
    yield shared
    for one in shared.get("/edges/decisions")["decisions"]:
        undo(shared, one["edge_ids"][0])
    shutil.rmtree(shared.vault)
    write_vault(shared.vault, FILES)
    shared.ingest()
    assert shared.problems() == []


def edges(app: Running, path: str, **wanted: Any) -> list[dict[str, Any]]:
    found = app.get("/notes/edges", path=path)["edges"]
    return [one for one in found if all(one[key] == value for key, value in wanted.items())]


def edge(app: Running, path: str, **wanted: Any) -> dict[str, Any]:
    (found,) = edges(app, path, **wanted)
    return found


def titles(found: list[dict[str, Any]]) -> list[tuple[str, str]]:
    return [(one["kind"], one["target"]["title"]) for one in found]


def decide(app: Running, one: dict[str, Any], decision: str) -> dict[str, Any]:
    answer: dict[str, Any] = app.post(f"/edges/{one['edge_id']}/decision", {"decision": decision})
    return answer


def undo(app: Running, edge_id: str) -> Any:
    return app.client.delete(f"/edges/{edge_id}/decision").json()


def everything(app: Running) -> list[dict[str, Any]]:
    """Every stored edge, as the index has it."""
    return sorted(map(dict, app.workspace.store.scroll("edges")), key=lambda one: str(one["edge_id"]))


def default(app: Running) -> dict[str, Any]:
    """What the type of Oven adds to its link to Salt."""
    return edge(app, "Oven.md", rule_id="edge_defaults:project:depends_on", label="the salt")


# ------------------------------------------------------------------ rejected
def test_a_rejected_edge_is_gone_at_once_from_notes_and_from_searches(app: Running) -> None:
    found = default(app)
    before = app.get("/stats")["edges"]["total"]
    question = {"query": "Salt", "explain": True, "filters": {"path": ["Salt.md"]}}

    def told() -> list[str]:
        hits = app.post("/query", question)["hits"]
        return [one["edge_id"] for hit in hits for one in hit["explanation"]["related_edges"]]

    assert found["edge_id"] in told()
    done = decide(app, found, "reject")
    assert done == {"decision": "reject", "edge_ids": [found["edge_id"]], "edges": []}
    assert ("depends_on", "Salt") not in titles(edges(app, "Oven.md"))
    assert ("references", "Salt") in titles(edges(app, "Oven.md"))
    assert edges(app, "Salt.md", edge_id=found["edge_id"]) == []
    assert found["edge_id"] not in told()
    assert app.get("/stats")["edges"]["total"] == before - 1
    assert app.problems() == []


def test_it_can_be_seen_and_taken_back_from_both_notes(app: Running) -> None:
    found, stored = default(app), everything(app)
    decide(app, found, "reject")
    for path in ("Oven.md", "Salt.md"):
        (one,) = app.get("/notes/edges", path=path)["rejected"]
        assert (one["edge_ids"], one["decision"], one["kind"]) == ([found["edge_id"]], "reject", "depends_on")
        assert (one["rule_id"], one["provenance"]) == (found["rule_id"], "rule")
        assert (one["source"]["path"], one["target"]["path"]) == ("Oven.md", "Salt.md")
    done = app.post(f"/edges/{found['edge_id']}/decision", {"decision": "undo"})
    assert [one["edge_id"] for one in done["edges"]] == [found["edge_id"]]
    assert default(app) == found
    assert everything(app) == stored
    assert app.get("/edges/decisions") == {"decisions": []}
    again = app.client.delete(f"/edges/{found['edge_id']}/decision")
    assert (again.status_code, again.json()["code"]) == (404, "not_found")


def test_it_stays_gone_when_the_note_is_edited_and_its_passages_move(app: Running) -> None:
    decide(app, default(app), "reject")
    note = app.vault / "Oven.md"
    note.write_text(note.read_text().replace("rel:", "# New first part\n\nWords. [[Rye]]\n\n# Then\n\nrel:"))
    app.ingest()
    assert ("depends_on", "Salt") not in titles(edges(app, "Oven.md"))
    assert ("references", "Salt") in titles(edges(app, "Oven.md"))
    assert app.problems() == []


def test_a_note_that_is_moved_takes_along_what_was_decided_of_it(app: Running) -> None:
    decide(app, default(app), "reject")
    decide(app, edge(app, "Rye.md", rule_id="smart:candidate"), "confirm")
    (app.vault / "Kitchen").mkdir()
    (app.vault / "Oven.md").rename(app.vault / "Kitchen" / "Stove.md")
    (app.vault / "Salt.md").rename(app.vault / "Kitchen" / "Salt.md")
    app.ingest()
    moved = edges(app, "Kitchen/Stove.md")
    assert ("references", "Salt") in titles(moved)
    assert ("depends_on", "Salt") not in titles(moved)
    assert edge(app, "Rye.md", kind="uses")["confirmed"] is True
    assert app.problems() == []
    (one,) = app.get("/notes/edges", path="Kitchen/Stove.md")["rejected"]
    assert undo(app, one["edge_ids"][0])["decision"] == "undo"
    assert ("depends_on", "Salt") in titles(edges(app, "Kitchen/Stove.md"))


def test_what_the_author_writes_beats_what_was_rejected(app: Running) -> None:
    found = default(app)
    decide(app, found, "reject")
    note = app.vault / "Oven.md"
    note.write_text(note.read_text() + "\nrel: depends_on [[Salt]]\n")
    app.ingest()
    written = edge(app, "Oven.md", kind="depends_on", direction="out", target=found["target"])
    assert (written["provenance"], written["rule_id"]) == ("explicit", "inline:rel")
    assert app.problems() == []


def test_a_rejected_mirror_goes_and_its_original_stays(app: Running) -> None:
    stored = everything(app)
    mirror = edge(app, "Flour.md", rule_id="mirror:inline:rel")
    assert decide(app, mirror, "reject")["edges"] == []
    assert edges(app, "Flour.md", kind="enforced_by") == []
    assert edge(app, "Oven.md", rule_id="inline:rel")["edge_id"] == mirror["mirror_of"]
    assert app.problems() == []
    app.client.post("/heal", json={})
    assert edges(app, "Flour.md", kind="enforced_by") == []
    undo(app, mirror["edge_id"])
    assert everything(app) == stored


# ------------------------------------------------------------------ candidates
def test_what_a_confirmed_candidate_says_of_its_target_is_heard(app: Running) -> None:
    note = app.vault / "Rye.md"
    note.write_text("Perhaps the zymurgical grain wants [[rel:candidate:uses Salt]] on Sundays.\n")
    app.ingest()
    question = {"query": "zymurgical Sundays", "explain": True, "filters": {"path": ["Salt.md"]}}

    def said() -> list[str]:
        hits = app.post("/query", question)["hits"]
        return [one["text"] for hit in hits for one in hit["explanation"]["reasons"] if one["part"] == "links"]

    candidate = edge(app, "Rye.md", rule_id="smart:candidate")
    assert said() == []
    decide(app, candidate, "confirm")
    (text,) = said()
    assert "zymurgical" in text
    assert app.problems() == []
    undo(app, candidate["edge_id"])
    assert said() == []
    assert app.problems() == []


@pytest.mark.parametrize("rule", ["smart:candidate", "smart:global_pool"])
def test_a_confirmed_candidate_becomes_an_edge_and_a_rejected_one_goes(app: Running, rule: str) -> None:
    candidate = edge(app, "Rye.md", rule_id=rule)
    assert (candidate["candidate"], candidate["confirmed"]) == (True, False)
    assert candidate["provenance"] == "candidate:smart"
    waiting = app.get("/stats")["edges"]["candidates"]
    (confirmed,) = decide(app, candidate, "confirm")["edges"]
    assert confirmed == {**candidate, "provenance": "smart", "candidate": False, "confirmed": True}
    assert edge(app, "Rye.md", rule_id=rule) == confirmed
    assert app.get("/stats")["edges"]["candidates"] == waiting - 1
    assert app.problems() == []
    related = {one["path"]: one for one in app.get("/notes/related", path="Rye.md")["related"]}
    assert candidate["edge_id"] in related[candidate["target"]["path"]]["edges"]
    assert decide(app, candidate, "reject")["edges"] == []
    assert edges(app, "Rye.md", rule_id=rule) == []
    assert app.problems() == []
    assert undo(app, candidate["edge_id"])["edges"] == [candidate]


def test_a_confirmed_candidate_joins_what_else_the_note_says(app: Running) -> None:
    """As if it had been an edge from the start: in note scope it takes over the evidence of its passages."""
    note = app.vault / "Rye.md"
    note.write_text("---\ntype: concept\n---\n\nOf [[Flour]].\n\n## Unassigned Edges\n\n- [[Flour]]\n")
    app.ingest()
    decide(app, edge(app, "Rye.md", rule_id="smart:global_pool"), "confirm")
    joined = edge(app, "Rye.md", kind="related_to")
    assert joined["scope"] == "note"
    assert {one["rule_id"] for one in joined["evidence"]} == {"smart:global_pool", "edge_defaults:concept:related_to"}
    assert app.problems() == []


# ------------------------------------------------------------------ not for deciding
def test_what_is_written_or_built_in_cannot_be_decided(app: Running) -> None:
    written = edge(app, "Oven.md", rule_id="inline:rel")
    built_in = next(one for one in everything(app) if one["kind"] == "belongs_to")
    stored = everything(app)
    for one in (written, built_in):
        for decision in ("reject", "confirm"):
            refused = app.client.post(f"/edges/{one['edge_id']}/decision", json={"decision": decision})
            assert (refused.status_code, refused.json()["code"]) == (409, "conflict")
            assert refused.headers["content-type"] == "application/problem+json"
            assert refused.json()["hint"]
    assert "Change the note" in app.client.post(
        f"/edges/{written['edge_id']}/decision", json={"decision": "reject"}
    ).json()["hint"]  # fmt: skip
    assert everything(app) == stored
    assert app.get("/edges/decisions") == {"decisions": []}


@pytest.mark.parametrize("unknown", ["nonsense", "00000000-0000-5000-8000-000000000000", "%20", "a%2Fb"])
def test_an_edge_that_is_not_there_is_said_to_be_missing(app: Running, unknown: str) -> None:
    for decision in ("reject", "confirm", "undo"):
        assert app.client.post(f"/edges/{unknown}/decision", json={"decision": decision}).status_code == 404
    assert app.client.post(f"/edges/{unknown}/decision", json={"decision": "perhaps"}).status_code in (404, 422)


# ------------------------------------------------------------------ numbers
def test_the_acceptance_of_each_rule_is_counted_by_relation(app: Running) -> None:
    assert app.get("/stats")["acceptance"] == {}
    of_rule = edges(app, "Oven.md", rule_id="edge_defaults:project:depends_on")
    assert len(of_rule) > 1
    decide(app, of_rule[0], "reject")
    decide(app, of_rule[1], "confirm")
    decide(app, edge(app, "Rye.md", rule_id="smart:candidate"), "confirm")
    assert edge(app, "Oven.md", edge_id=of_rule[1]["edge_id"])["confirmed"] is True
    assert app.get("/stats")["acceptance"] == {
        "edge_defaults:project:depends_on": {"confirmed": 1, "rejected": 1, "rate": 0.5},
        "smart:candidate": {"confirmed": 1, "rejected": 0, "rate": 1.0},
    }
    assert app.problems() == []


# ------------------------------------------------------------------ what a decision outlives
def test_decisions_outlive_restarts_resets_and_rebuilds_and_give_the_same_index(tmp_path: Path) -> None:
    vault, data_dir = write_vault(tmp_path / "vault", FILES), tmp_path / "data"
    with running(vault, data_dir) as app:
        untouched = everything(app)
        found, mirror = default(app), edge(app, "Flour.md", rule_id="mirror:inline:rel")
        decide(app, found, "reject")
        decide(app, mirror, "reject")
        decide(app, edge(app, "Rye.md", rule_id="smart:global_pool"), "confirm")
        decided = everything(app)
        assert app.problems() == []
    gone = {found["edge_id"], mirror["edge_id"]}
    assert {one["edge_id"] for one in untouched} - {one["edge_id"] for one in decided} == gone
    place = ("--vault", vault, "--data-dir", data_dir, "--config-dir", config_folder(tmp_path / "config"))
    shown = run(main, ["mindnet", "stats", *place], {}).stdout.split("what you decided, by rule")[1]
    assert [line.split() for line in shown.splitlines() if "mirror:" in line] == [
        ["mirror:inline:rel", "0", "of", "1", "confirmed", "(0%)"]
    ]
    assert run(main, ["mindnet", "reset", "--yes", "--mode", "wipe", *place], {}).returncode == 0
    dry = json.loads(run(main, ["mindnet", "import", "--json", *place], {}).stdout)
    assert dry["edges"]["total"] == len(decided)
    with running(vault, data_dir) as app:
        assert everything(app) == decided
        assert app.problems() == []
    assert run(main, ["mindnet", "reset", "--yes", "--mode", "truncate", *place], {}).returncode == 0
    with running(vault, data_dir) as app:
        assert everything(app) == decided
    # Without the file nothing is decided any more, and the index learns of it by itself.
    (data_dir / "decisions.json").rename(tmp_path / "kept.json")
    with running(vault, data_dir) as app:
        assert everything(app) == untouched
        assert app.problems() == []
    # Put back, as a kill right after it was written would leave it: the next start does the rest.
    (tmp_path / "kept.json").rename(data_dir / "decisions.json")
    with running(vault, data_dir) as app:
        assert everything(app) == decided
    (data_dir / "decisions.json").write_text('{"decisions": [')
    broken = run(main, ["mindnet", "check", *place], {})
    assert broken.returncode == 3
    assert "decisions.json is damaged" in broken.stderr
