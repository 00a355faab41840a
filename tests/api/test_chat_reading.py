"""Phrases, times and copies in a chat: read as in a search, shown with the sources, kept in a follow-up."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from chat.asking import Told, events
from inprocess import Running, running
from modelserver import Answering, Asked, ModelServer, model_server, openai_protocol, say
from workspaces import write_vault

LAST_WEEK = date.today() - timedelta(days=7)
BREAD = "Dough of rye and water rests for an hour before the salt comes in, and then again for half a day in a basket."
NOTES = {
    "Kettle.md": "# Kettle\n\nThe copper kettle is for vinegar and hangs in the attic.\n",
    "Pot.md": "# Pot\n\nA kettle of iron; vinegar eats copper.\n",
    "Rye.md": f"# Rye\n\n{BREAD}\n",
    "Copy.md": f"# Basket\n\n{BREAD}\n",
    "Brot.md": f"---\ncreated: {LAST_WEEK}\n---\n# Brot\n\nDas Brot vom Markt war zu dunkel gebacken.\n",
    "Käse.md": f"---\ncreated: {LAST_WEEK}\n---\n# Käse\n\nDer Käse reift im Keller neben dem Wein.\n",
    "Altes Brot.md": "---\ncreated: 2021-05-05\n---\n# Altes Brot\n\nDas Brot vom Markt war trocken.\n",
}
NOTHING = {"de": "Dazu habe ich in deinen Notizen nichts gefunden.", "en": "I found nothing about that in your notes."}


@dataclass
class Talk:
    app: Running
    server: ModelServer
    wording: str = ""
    """What the model makes of a follow-up question."""

    def answer(self, asked: Asked, answering: Answering) -> None:
        rewriting = len(asked.messages) == 1
        say(answering, [self.wording if rewriting else "Fine [1]."])

    def ask(self, message: str, **more: Any) -> Told:
        response = self.app.client.post("/chat", json={"message": message, **more})
        assert response.status_code == 200, response.text
        return Told(list(events(response)))


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Talk]:
    folder = tmp_path_factory.mktemp("reading")
    vault = write_vault(folder / "vault", NOTES)
    for file in vault.iterdir():
        then = datetime(2020, 6, 1, 12).timestamp()
        os.utime(file, (then, then))
    talks: list[Talk] = []
    with model_server(openai_protocol(lambda asked, end: talks[0].answer(asked, end))) as server:
        env = {"MINDNET_LLM_BACKEND": "openai", "MINDNET_OPENAI_URL": f"{server.url}/v1"}
        with running(vault, folder / "data", env=env) as app:
            talks.append(Talk(app, server))
            yield talks[0]


@pytest.fixture
def talk(made: Talk) -> Talk:
    made.server.asked.clear()
    made.wording = ""
    return made


def paths(told: Told) -> list[str]:
    return [one["path"] for one in told.only("sources")["sources"]]


@pytest.mark.parametrize(
    ("question", "language", "said"),
    [
        ('"copper kettle" vinegar', "en", "Only notes that hold *copper kettle* word for word: 1."),
        ("Was steht über „copper kettle“?", "de", "Nur Notizen, in denen *copper kettle* wörtlich steht: 1."),
    ],
)
def test_what_is_in_quotation_marks_has_to_stand_in_a_source(
    talk: Talk, question: str, language: str, said: str
) -> None:
    told = talk.ask(question, language=language)
    assert paths(told) == ["Kettle.md"]
    assert told.only("sources")["phrases"] == [{"text": "copper kettle", "notes": 1, "said": said}]
    assert "A kettle of iron" not in talk.server.chats[-1].prompt
    assert "Pot.md" in paths(talk.ask(question, language=language, phrases="ignore"))


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("Was habe ich letzte Woche über das Brot vom Markt geschrieben?", "letzte Woche"),
        ("What did I write about Brot vom Markt last week?", "last week"),
    ],
)
def test_a_time_in_the_question_keeps_older_notes_out(talk: Talk, question: str, words: str) -> None:
    told = talk.ask(question)
    assert "Brot.md" in paths(told)
    assert "Altes Brot.md" not in paths(told)
    (read,) = told.only("sources")["dates"]
    assert (read["text"], read["outcome"]) == (words, "applied")
    assert read["from"] <= str(LAST_WEEK) <= read["to"]
    assert read["said"]
    assert "Altes Brot.md" in paths(talk.ask(question, dates="ignore"))


@pytest.mark.parametrize(
    "question",
    ["Was habe ich letzte Woche geschrieben?", "Summarise my notes from last week", "Was war letzte Woche los?"],
)
def test_of_a_time_alone_everything_is_a_source_however_little_it_scores(talk: Talk, question: str) -> None:
    told = talk.ask(question)
    assert sorted(paths(told)) == ["Brot.md", "Käse.md"]
    assert told.done["ended"] == "stop"


@pytest.mark.parametrize("question", ["Was habe ich gestern geschrieben?", "What did I write yesterday?"])
def test_of_a_time_from_which_there_is_nothing_no_other_notes_are_an_answer(talk: Talk, question: str) -> None:
    told = talk.ask(question)
    assert (paths(told), told.done["ended"]) == ([], "nothing_found")
    assert [one["outcome"] for one in told.only("sources")["dates"]] == ["empty"]
    assert talk.server.asked == []


def test_what_was_not_written_of_at_that_time_is_declined_without_a_model(talk: Talk) -> None:
    told = talk.ask("Was habe ich letzte Woche über Vulkane in Island geschrieben?")
    assert (told.done["answer"], paths(told)) == (NOTHING["de"], [])
    assert talk.server.asked == []


@pytest.mark.parametrize(("question", "language"), [('"wooden spoon"', "en"), ("Wo steht „Holzlöffel“?", "de")])
def test_a_phrase_that_no_note_holds_is_declined_and_said(talk: Talk, question: str, language: str) -> None:
    told = talk.ask(question, language=language)
    assert (told.done["answer"], paths(told)) == (NOTHING[language], [])
    (read,) = told.only("sources")["phrases"]
    assert read["notes"] == 0
    assert talk.server.asked == []


def test_the_model_is_not_given_the_same_text_twice(talk: Talk) -> None:
    told = talk.ask("How long does the rye dough rest before the salt?")
    (first, *others) = told.only("sources")["sources"]
    (copy,) = first["also_in"]
    assert {first["path"], copy["path"]} == {"Rye.md", "Copy.md"}
    assert not {"Rye.md", "Copy.md"} & {one["path"] for one in others}
    assert talk.server.chats[-1].prompt.count("rests for an hour") == 1
    assert {"Rye.md", "Copy.md"} <= set(
        paths(talk.ask("How long does the rye dough rest before the salt?", fold_copies=False))
    )


@pytest.mark.parametrize("wording", ["Does the iron pot or the copper kettle hang there?", "What hangs in the attic?"])
def test_a_follow_up_in_other_words_still_has_to_hold_its_phrase(talk: Talk, wording: str) -> None:
    first = talk.ask("What eats the iron kettle?")
    talk.wording = wording
    told = talk.ask('And the "copper kettle"?', session_id=first.done["session_id"])
    assert paths(told) == ["Kettle.md"]
    assert '"copper kettle"' in told.only("sources")["question"]


def test_a_follow_up_about_another_time_is_answered_from_that_time(talk: Talk) -> None:
    first = talk.ask("Was habe ich 2021 über das Brot vom Markt geschrieben?")
    assert paths(first)[0] == "Altes Brot.md"
    talk.wording = "Was habe ich über das Brot vom Markt geschrieben?"
    told = talk.ask("Und letzte Woche?", session_id=first.done["session_id"])
    assert paths(told)[0] == "Brot.md"
    assert "Altes Brot.md" not in paths(told)


def test_sources_of_the_last_answer_are_no_answer_to_a_phrase_that_they_lack(talk: Talk) -> None:
    first = talk.ask("How long does the rye dough rest before the salt?")
    talk.wording = "Does the rye dough rest with a wooden spoon?"
    told = talk.ask('And "wooden spoon"?', session_id=first.done["session_id"])
    assert (paths(told), told.done["ended"]) == ([], "nothing_found")


def test_about_one_note_anything_may_be_asked(talk: Talk) -> None:
    about = {"filters": {"path": ["Käse.md"]}}
    told = talk.ask("Worum geht es hier hauptsächlich?", **about)
    assert paths(told) == ["Käse.md"]
    assert told.done["ended"] == "stop"


def test_sources_of_the_last_answer_are_not_taken_from_outside_a_filter(talk: Talk) -> None:
    first = talk.ask("How long does the rye dough rest before the salt?")
    talk.wording = "qwertz uiop"
    told = talk.ask("zxcv?", session_id=first.done["session_id"], filters={"path": ["Nowhere/"]})
    assert (paths(told), told.done["ended"]) == ([], "nothing_found")


def test_the_log_says_what_was_made_of_phrases_and_times(talk: Talk) -> None:
    query_id = talk.ask('"copper kettle"', phrases="ignore", dates="apply").done["query_id"]
    lines = (talk.app.data_dir / "logs" / "search_history.jsonl").read_text(encoding="utf-8").splitlines()
    (entry,) = [one for one in map(json.loads, lines) if one["query_id"] == query_id]
    assert (entry["phrases"], entry["dates"], entry["fold_copies"]) == ("ignore", "apply", True)


def test_the_files_stay_as_they_were(talk: Talk) -> None:
    assert {file.name for file in Path(talk.app.vault).glob("*.md")} == set(NOTES)
