"""A question in one language to notes in the other: it is searched for in both, if the model can put it so."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from chat.asking import Told, events
from inprocess import Running, running
from modelserver import Answering, Asked, ModelServer, model_server, openai_protocol, say
from workspaces import write_vault

NOTES = {
    "Bottles.md": "# Bottles\n\nKombucha that is closed tight builds pressure: open it over the sink with a cloth.\n",
    "Tea.md": "# Tea\n\nFor the Kombucha the tea has to be sweet and black, and it has to be cold.\n",
    "Jar.md": "# Jar\n\nThe jar of the Kombucha is wide and covered with the cloth of an old shirt.\n",
    "Kraut.md": "# Kraut\n\nDas Kraut wird mit dem Stampfer und mit Salz in den Topf gedrückt.\n",
    "Zug.md": "# Zug\n\nDer Zug nach Ulm fährt am Morgen von Gleis vier.\n",
    "Rad.md": "# Rad\n\nDie Bremse am Rad quietscht, und das Licht ist kaputt.\n",
    "Garten.md": "# Garten\n\nIm Garten blühen Dahlien, und die Hecke ist zu hoch.\n",
    "Buch.md": "# Buch\n\nVon dem Buch fehlen noch zwei Kapitel über das Mittelalter.\n",
    "Miete.md": "# Miete\n\nDie Miete steigt im Herbst um vierzig Euro.\n",
    "Chor.md": "# Chor\n\nDer Chor singt donnerstags in der alten Schule.\n",
}
QUESTION = "Wo öffnet man den Kombucha?"
ENGLISH = "Where is the kombucha under pressure to be opened over a sink?"


@dataclass
class Talk:
    app: Running = field(init=False)
    server: ModelServer = field(init=False)
    translation: str = ENGLISH
    silent: bool = False

    def answer(self, asked: Asked, answering: Answering) -> None:
        if len(asked.messages) > 1:
            say(answering, ["Über dem Becken [1]."])
        elif self.silent:
            assert answering.gone(30), "nobody waits for a translation for ever"
        else:
            say(answering, [self.translation])

    def ask(self, message: str, **more: Any) -> Told:
        response = self.app.client.post("/chat", json={"message": message, **more})
        assert response.status_code == 200, response.text
        return Told(list(events(response)))

    @property
    def translating(self) -> list[Asked]:
        return [one for one in self.server.chats if len(one.messages) == 1]


REAL = {"embedding.model": ""}
"""The model that is installed: what two languages share, no other knows."""


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Talk]:
    made, folder = Talk(), tmp_path_factory.mktemp("languages")
    vault = write_vault(folder / "vault", NOTES)
    with model_server(openai_protocol(made.answer)) as made.server:
        env = {"MINDNET_LLM_BACKEND": "openai", "MINDNET_OPENAI_URL": f"{made.server.url}/v1"}
        with running(vault, folder / "data", env=env, flags=REAL) as made.app:
            yield made


@pytest.fixture
def talk(made: Talk) -> Talk:
    made.server.asked.clear()
    made.translation, made.silent = ENGLISH, False
    return made


def first(told: Told) -> str:
    path: str = told.only("sources")["sources"][0]["path"]
    return path


def test_a_german_question_to_english_notes_is_searched_for_in_english_too(talk: Talk) -> None:
    told = talk.ask(QUESTION)
    assert first(told) == "Bottles.md"
    assert told.only("sources")["question"] == f"{QUESTION} {ENGLISH}"
    (translating,) = talk.translating
    assert QUESTION in translating.prompt
    assert translating.body["temperature"] == 0
    answering = talk.server.chats[-1]
    assert answering.prompt.rstrip().endswith(f"Frage: {QUESTION}")
    assert "Answer in English" not in answering.messages[0][1]
    assert told.done["answer"] == "Über dem Becken [1]."


def test_a_translation_brings_neither_a_time_nor_a_phrase_into_the_question(talk: Talk) -> None:
    talk.translation = 'Where was "kombucha" under pressure opened last week?'
    told = talk.ask(QUESTION)
    assert told.only("sources")["question"] == f"{QUESTION} Where was kombucha under pressure opened ?"
    assert (told.only("sources")["phrases"], told.only("sources")["dates"]) == ([], [])


@pytest.mark.parametrize("said", ["Sure!\nWhere is it opened?", "Wo soll man den Kombucha denn öffnen?", "word " * 200])
def test_what_is_no_translation_is_not_searched_for(talk: Talk, said: str) -> None:
    talk.translation = said
    told = talk.ask(QUESTION)
    assert told.only("sources")["question"] == QUESTION
    assert told.only("sources")["sources"]
    assert told.done["ended"] == "stop"


def test_a_question_in_the_language_of_the_notes_is_asked_about_once(talk: Talk) -> None:
    told = talk.ask("Womit wird das Kraut in den Topf gedrückt?")
    assert first(told) == "Kraut.md"
    assert talk.translating == []


def test_a_phrase_names_its_passages_in_any_language(talk: Talk) -> None:
    assert first(talk.ask("Wo steht „builds pressure“ über den Kombucha?", phrases="require")) == "Bottles.md"
    assert talk.translating == []


def test_what_is_declined_is_not_translated(talk: Talk) -> None:
    assert talk.ask("Wann wurde die Berliner Mauer gebaut?").done["ended"] == "nothing_found"
    assert talk.server.asked == []


def test_a_model_that_is_slow_to_translate_is_not_waited_for(talk: Talk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mindnet.chat.languages.SECONDS", 0.2)
    talk.silent = True
    told = talk.ask(QUESTION)
    assert told.only("sources")["question"] == QUESTION
    assert told.done["answer"] == "Über dem Becken [1]."


def test_without_a_model_the_sources_come_all_the_same(tmp_path: Path) -> None:
    vault = write_vault(tmp_path / "vault", NOTES)
    env = {"MINDNET_LLM_BACKEND": "openai", "MINDNET_OPENAI_URL": "http://127.0.0.1:1/v1"}
    with running(vault, tmp_path / "data", env=env, flags=REAL) as app:
        told = Told(list(events(app.client.post("/chat", json={"message": QUESTION}))))
    assert told.only("sources")["sources"]
    assert told.only("failed")["code"] == "model_down"
