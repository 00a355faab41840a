"""Ten candidates in the demo vault, from the first question to a text that is changed, and a chat beside them."""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from inprocess import Running
from modelserver import Answering, Asked, say
from serving import until
from validation.judging import Judge, at, judging, provenances, smart, target_of, validate, vault_of_ten

DEMO = Path(__file__).resolve().parents[2] / "demo-vault"
SLIP = "Zettel.md"
OWN = ("Salt", "Koji", "Miso", "Kimchi", "Gluten", "Hydration", "Vinegar")
"""The demo vault has three candidates; a slip of paper brings seven more."""
UNFIT = ("Gluten", "Hydration", "Vinegar")
BACKGROUND = {"validation.enabled": True, "validation.per_minute": 100_000}


@pytest.fixture
def judge() -> Iterator[Judge]:
    with judging() as one:
        one.verdict = lambda asked: f'{{"answer": "{"no" if target_of(asked) in UNFIT else "yes"}"}}'
        yield one


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    vault = tmp_path / "vault"
    shutil.copytree(DEMO, vault)
    lines = [f"Ferment {target}.\n\nrel: candidate:uses [[{target}]]\n" for target in OWN]
    (vault / SLIP).write_text("# Zettel\n\n" + "\n".join(lines), encoding="utf-8")
    return tmp_path


def of_the_slip(app: Running) -> set[str]:
    return {target for note, _, target in smart(app) if note == "Zettel"}


def test_ten_candidates_are_decided_once_and_again_only_when_their_text_changes(judge: Judge, folder: Path) -> None:
    with vault_of_ten(folder, judge.env) as app:
        done = validate(app)
        assert done["asked"] == 10
        verdicts = (done["validation"]["confirmed"], done["validation"]["rejected"], done["validation"]["waiting"])
        rejected = sum(target_of(one) in UNFIT for one in judge.questions)
        assert verdicts == (10 - rejected, rejected, 0)
        assert rejected >= len(UNFIT)
        assert of_the_slip(app) == set(OWN) - set(UNFIT)
        assert app.problems() == []
    with vault_of_ten(folder, judge.env) as app:
        assert validate(app, again=True)["asked"] == 0
        assert len(judge.questions) == 10
        slip = folder / "vault" / SLIP
        slip.write_text(
            slip.read_text(encoding="utf-8").replace("candidate:uses [[Salt]]", "candidate:part_of [[Salt]]")
        )
        app.ingest()
        assert validate(app)["asked"] == 1
        assert ("Zettel", "part_of", "Salt") in smart(app)
        assert app.problems() == []


def test_with_the_model_off_all_ten_stand_and_are_asked_when_it_is_back(judge: Judge, folder: Path) -> None:
    with vault_of_ten(folder, at("http://127.0.0.1:1")) as app:
        done = validate(app)["validation"]
        assert (done["waiting"], done["pending"], done["fault_code"]) == (10, 10, "model_down")
        assert provenances(app) == {"smart"}
        assert of_the_slip(app) == set(OWN)
    with vault_of_ten(folder, judge.env) as app:
        assert validate(app)["asked"] == 10
        assert of_the_slip(app) == set(OWN) - set(UNFIT)


def test_with_a_wrong_model_name_all_ten_are_rejected_and_reported(judge: Judge, folder: Path) -> None:
    judge.judge = lambda _, answering: answering.json({"error": {"message": "model not found"}}, 404)
    with vault_of_ten(folder, {**judge.env, "MINDNET_LLM_MODEL": "wrong"}) as app:
        done = validate(app)["validation"]
        assert (done["refused"], done["fault_code"]) == (10, "model_missing")
        assert smart(app) == {}
        faults = [one for one in app.get("/status")["faults"] if one["code"] == "candidate_refused"]
        assert len(faults) == 10
        assert all("wrong" in one["message"] for one in faults)


def test_a_chat_has_the_model_within_two_seconds_while_links_are_judged(judge: Judge, folder: Path) -> None:
    judging_now, chats = threading.Event(), []

    def hold(_: Asked, answering: Answering) -> None:
        judging_now.set()
        assert answering.gone(30), "the question was not taken back for the chat"

    def chat(_: Asked, answering: Answering) -> None:
        chats.append(time.monotonic())
        say(answering, ["Fine [1]."])

    question = {"message": "How long does koji need?"}
    with vault_of_ten(folder, judge.env) as app:
        # The first chat of a vault measures what is relevant in it; then the model judges, and never comes to an end.
        assert "event: done" in app.client.post("/chat", json=question).text
    judge.judge, judge.chat = hold, chat
    with vault_of_ten(folder, judge.env, flags=BACKGROUND) as app:
        waited = []
        for number in range(4):
            until(judging_now.is_set)
            judging_now.clear()
            asked = time.monotonic()
            assert "event: done" in app.client.post("/chat", json=question).text
            waited.append(chats[number] - asked)
        # A busy machine may hold up one; what held up a chat for the sake of a link would hold up all.
        assert min(waited) < 2.0, waited
        judge.judge = None
        until(lambda: app.get("/status")["llm"]["validation"]["decided"] == 10)
