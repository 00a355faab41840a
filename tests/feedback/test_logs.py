"""What is noted of questions and of what people said of the answers, over HTTP."""

from __future__ import annotations

import contextlib
import json
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest

from inprocess import Running, running
from mounts import NEEDS_MOUNTS, small_disk
from workspaces import write_vault

FILES = {
    "Kettle.md": "---\nid: kettle\n---\n\n# Copper kettle\n\nScale goes with vinegar.\n\n## Rim\n\nSee [[Vinegar]].\n",
    "Vinegar.md": "---\nid: vinegar\n---\n\n# Vinegar\n\nIt takes scale off a kettle.\n",
    "Diary.md": "---\nid: diary\nprivate: true\ntitle: A break-up\n---\n\nHer kettle, scale and all, was hers.\n",
}
QUESTION = "How does scale go off a kettle?"


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    folder = tmp_path_factory.mktemp("logs")
    with running(write_vault(folder / "vault", FILES), folder / "data") as one:
        yield one


def lines(app: Running, name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (app.data_dir / "logs" / name).read_bytes().splitlines()]


def entry(app: Running, query_id: str) -> dict[str, Any]:
    (found,) = (one for one in lines(app, "search_history.jsonl") if one["query_id"] == query_id)
    return found


def give(app: Running, answer: dict[str, Any], **more: Any) -> Any:
    body = {"query_id": answer["query_id"], "node_id": answer["query_id"], "target": "answer", "score": 5}
    return app.client.post("/feedback", json={**body, **more})


def held(app: Running, answer: dict[str, Any]) -> list[tuple[str, str, int]]:
    found = app.get("/feedback", query_id=answer["query_id"])["feedback"]
    return [(one["target"], one["node_id"], one["score"]) for one in found]


# ------------------------------------------------------------------ questions
@pytest.mark.parametrize("explain", [True, False])
def test_a_question_is_noted_with_its_hits_and_the_parts_of_their_scores(app: Running, explain: bool) -> None:
    answer = app.ask(QUESTION, explain=explain, top_k=2, filters={"exclude": {"status": ["draft"]}})
    noted = entry(app, answer["query_id"])
    assert UUID(noted["query_id"]).version == 4
    assert (noted["kind"], noted["text"], noted["mode"], noted["language"]) == ("query", QUESTION, "hybrid", "en")
    assert noted["intent"] == answer["intent"]["name"]
    assert (noted["top_k"], noted["group_by"], noted["filters"]) == (2, "note", {"exclude_status": ["draft"]})
    assert noted["time"].startswith("20")
    assert len(noted["hits"]) == len(answer["hits"]) == 2
    for hit, shown in zip(noted["hits"], answer["hits"], strict=True):
        assert {key: hit[key] for key in ("rank", "note_id", "chunk_id", "total_score")} == {
            key: shown[key] for key in ("rank", "note_id", "chunk_id", "total_score")
        }
        assert sum(part["points"] for part in hit["contributions"]) == pytest.approx(hit["total_score"], abs=1e-9)
        if explain:
            parts = [(part["part"], part["points"]) for part in shown["explanation"]["contributions"]]
            assert parts == [(part["part"], part["points"]) for part in hit["contributions"]]


def test_other_weights_have_another_version_and_the_same_ones_the_same(app: Running) -> None:
    first, second = (entry(app, app.ask(QUESTION)["query_id"])["weights"] for _ in range(2))
    own = app.data_dir.parent / "config" / "retriever.yaml"
    own.write_text("scoring: {edge_weight: 0.123}\n", encoding="utf-8")
    try:
        other = entry(app, app.ask(QUESTION)["query_id"])["weights"]
    finally:
        own.unlink()
    assert first == second != other


def test_a_chat_is_noted_with_its_sources_though_no_model_answers(app: Running) -> None:
    with app.client.stream("POST", "/chat", json={"message": QUESTION}) as stream:
        events = [json.loads(line[6:]) for line in stream.iter_lines() if line.startswith("data: ")]
    told = events[0]
    assert told["event"] == "sources"
    noted = entry(app, told["query_id"])
    assert (noted["kind"], noted["text"], noted["session_id"]) == ("chat", QUESTION, told["session_id"])
    assert [hit["chunk_id"] for hit in noted["hits"]] == [one["chunk_id"] for one in told["sources"]]
    assert noted["hits"]
    assert all(hit["contributions"] for hit in noted["hits"])
    cited = give(app, told, target="citation", node_id=told["sources"][0]["chunk_id"], score=1)
    assert cited.status_code == 201, cited.text
    assert held(app, told) == [("citation", told["sources"][0]["chunk_id"], 1)]


def test_of_notes_only_ids_are_noted_and_of_private_questions_not_even_the_words(app: Running) -> None:
    public = app.ask(QUESTION, explain=True)
    private = app.ask("What of her kettle in the diary?", include_private=True, explain=True)
    assert "Diary.md" in [hit["path"] for hit in private["hits"]]
    text = json.dumps([{**entry(app, public["query_id"]), "text": ""}, entry(app, private["query_id"])])
    for said in ("Copper", "Vinegar", "break-up", "hers", ".md", "Rim", "diary?"):
        assert said not in text
    noted = entry(app, private["query_id"])
    assert (noted["text"], noted["include_private"]) == (None, True)
    # It can be judged all the same.
    assert give(app, private, target="hit", node_id=private["hits"][0]["chunk_id"]).status_code == 201


def test_the_logs_are_for_the_user_alone_and_the_status_says_where_they_are(app: Running) -> None:
    give(app, app.ask(QUESTION))
    for name in ("search_history.jsonl", "feedback.jsonl"):
        assert stat.S_IMODE((app.data_dir / "logs" / name).stat().st_mode) == 0o600
    assert app.get("/status")["logs"] == {
        "enabled": True,
        "folder": str(app.data_dir / "logs"),
        "fault": None,
        "skipped": 0,
    }


# ------------------------------------------------------------------ feedback
def test_feedback_is_kept_for_each_thing_and_the_last_word_counts(app: Running) -> None:
    answer = app.ask(QUESTION)
    first, second = answer["hits"][:2]
    assert give(app, answer).status_code == 201
    assert give(app, answer, target="hit", node_id=first["chunk_id"], score=1, comment="no").status_code == 201
    assert give(app, answer, target="hit", node_id=second["note_id"], score=4).status_code == 201
    changed = give(app, answer, target="hit", node_id=first["chunk_id"], score=5)
    expected = [("answer", answer["query_id"], 5), ("hit", second["note_id"], 4), ("hit", first["chunk_id"], 5)]
    assert held(app, answer) == expected
    own = [one for one in lines(app, "feedback.jsonl") if one["query_id"] == answer["query_id"]]
    assert [(one["node_id"], one["target"], one["score"], one["comment"]) for one in own] == [
        (answer["query_id"], "answer", 5, None),
        (first["chunk_id"], "hit", 1, "no"),
        (second["note_id"], "hit", 4, None),
        (first["chunk_id"], "hit", 5, None),
    ]
    # What an earlier word was is not heard again when the last one is taken back.
    assert app.client.delete(f"/feedback/{changed.json()['feedback_id']}").json() == {"deleted": 1}
    assert held(app, answer) == expected[:2]
    last = lines(app, "feedback.jsonl")[-1]
    assert (last["feedback_id"], last["deleted"]) == (changed.json()["feedback_id"], True)
    again = app.client.delete(f"/feedback/{changed.json()['feedback_id']}")
    assert (again.status_code, again.json()["code"]) == (404, "not_found")


def test_an_edge_can_be_judged_too(app: Running) -> None:
    answer = app.ask(QUESTION)
    (edge,) = (one for one in app.get("/notes/edges", path="Kettle.md")["edges"] if one["kind"] == "references")
    assert give(app, answer, target="edge", node_id=edge["edge_id"], score=1).status_code == 201
    assert held(app, answer) == [("edge", edge["edge_id"], 1)]


def test_feedback_survives_a_restart_and_a_torn_line(tmp_path: Path) -> None:
    vault = write_vault(tmp_path / "vault", FILES)
    with running(vault, tmp_path / "data") as app:
        answer = app.ask(QUESTION)
        gone = give(app, answer, target="hit", node_id=answer["hits"][0]["chunk_id"]).json()["feedback_id"]
        give(app, answer, score=2)
        app.client.delete(f"/feedback/{gone}")
    for name in ("search_history.jsonl", "feedback.jsonl"):
        with (tmp_path / "data" / "logs" / name).open("ab") as file:
            file.write(b'{"time":"2026-03-14T09:26:53.589Z","query_id":"torn')
    with running(vault, tmp_path / "data") as app:
        assert app.get("/status")["logs"]["skipped"] == 2
        assert held(app, answer) == [("answer", answer["query_id"], 2)]
        assert app.client.delete(f"/feedback/{gone}").status_code == 404
        newer = app.ask(QUESTION)
        assert give(app, newer).status_code == 201
        assert give(app, answer, target="hit", node_id=answer["hits"][1]["chunk_id"]).status_code == 201
        assert held(app, newer) == [("answer", newer["query_id"], 5)]
        assert len(held(app, answer)) == 2
        assert app.get("/status")["logs"]["skipped"] == 2


@pytest.mark.parametrize(
    ("wrong", "status", "code"),
    [
        ({"query_id": "1c0ffee0-0000-4000-8000-000000000000"}, 404, "not_found"),
        ({"score": 0}, 422, "invalid"),
        ({"score": 6}, 422, "invalid"),
        ({"score": "up"}, 422, "invalid"),
        ({"score": True}, 422, "invalid"),
        ({"target": "note"}, 422, "invalid"),
        ({"more": 1}, 422, "invalid"),
        ({"node_id": "vinegar"}, 422, "not_shown"),
        ({"target": "hit", "node_id": "diary"}, 422, "not_shown"),
        ({"target": "edge"}, 422, "not_shown"),
        ({"target": "citation", "node_id": ""}, 422, "invalid"),
    ],
)
def test_feedback_that_makes_no_sense_is_refused_with_what_to_do(
    app: Running, wrong: dict[str, Any], status: int, code: str
) -> None:
    answer = app.ask(QUESTION)
    before = lines(app, "feedback.jsonl")
    refused = give(app, answer, **wrong)
    assert (refused.status_code, refused.json()["code"]) == (status, code)
    assert refused.headers["content-type"] == "application/problem+json"
    assert refused.json()["hint"]
    assert lines(app, "feedback.jsonl") == before


# ------------------------------------------------------------------ off, erased, full
def test_switched_off_nothing_is_noted_and_feedback_says_why_it_is_not_taken(tmp_path: Path) -> None:
    vault = write_vault(tmp_path / "vault", FILES)
    with running(vault, tmp_path / "data") as app:
        answer = app.ask(QUESTION)
        given = give(app, answer).json()["feedback_id"]
    before = (tmp_path / "data" / "logs" / "search_history.jsonl").read_bytes()
    with running(vault, tmp_path / "data", env={"MINDNET_LOGS": "off"}) as app:
        other = app.ask(QUESTION)
        assert app.get("/status")["logs"]["enabled"] is False
        refused = give(app, other)
        assert (refused.status_code, refused.json()["code"]) == (409, "conflict")
        assert "logs.enabled" in refused.json()["hint"]
        # What was given stays, and can be taken back.
        assert held(app, answer) == [("answer", answer["query_id"], 5)]
        assert app.client.delete(f"/feedback/{given}").status_code == 200
    assert (tmp_path / "data" / "logs" / "search_history.jsonl").read_bytes() == before


def test_a_log_that_cannot_be_written_costs_no_answer_but_feedback_says_so(app: Running) -> None:
    known = app.ask(QUESTION)
    give(app, known, score=3)
    logs = app.data_dir / "logs"
    logs.rename(app.data_dir / "kept")
    logs.write_text("in the way")
    assert app.ask(QUESTION)["hits"]
    assert "search_history.jsonl" in app.get("/status")["logs"]["fault"]
    logs.unlink()
    (app.data_dir / "kept").rename(logs)
    (logs / "feedback.jsonl").rename(logs / "kept.jsonl")
    (logs / "feedback.jsonl").mkdir()
    refused = give(app, known)
    assert refused.status_code == 503
    assert "feedback.jsonl" in refused.json()["detail"]
    (logs / "feedback.jsonl").rmdir()
    (logs / "kept.jsonl").rename(logs / "feedback.jsonl")
    assert held(app, known) == [("answer", known["query_id"], 3)]
    assert app.ask(QUESTION)["hits"]
    assert app.get("/status")["logs"]["fault"] is None
    assert give(app, known, score=2).status_code == 201
    assert held(app, known) == [("answer", known["query_id"], 2)]


@NEEDS_MOUNTS
def test_a_full_disk_breaks_no_answer_and_is_reported(tmp_path: Path) -> None:
    vault = write_vault(tmp_path / "vault", FILES)
    with small_disk(tmp_path / "disk", 2) as disk:
        (disk / "logs").mkdir()
        (tmp_path / "data").mkdir()
        (tmp_path / "data" / "logs").symlink_to(disk / "logs")
        _while_it_is_full(vault, tmp_path / "data", disk)


def _while_it_is_full(vault: Path, data_dir: Path, disk: Path) -> None:
    with running(vault, data_dir) as app:
        known = app.ask(QUESTION)
        assert give(app, known).status_code == 201
        fill(disk / "filler")
        for _ in range(8):  # as much as the last block of the file still holds
            assert app.ask(QUESTION)["hits"]
        assert "no room" in app.get("/status")["logs"]["fault"]
        assert {give(app, known).status_code for _ in range(40)} == {201, 507}
        (disk / "filler").unlink()
        fresh = app.ask(QUESTION)
        assert app.get("/status")["logs"]["fault"] is None
        assert give(app, fresh).status_code == 201
        assert all(one["query_id"] for one in lines(app, "search_history.jsonl"))


def fill(file: Path) -> None:
    """Takes all the room that its disk has."""
    with file.open("wb", buffering=0) as filler, contextlib.suppress(OSError):
        while filler.write(bytes(1024)):
            pass
