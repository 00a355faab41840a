"""A follow-up question in words of its own: what the user has quoted and when it was stay as they were written."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from datetime import date

import pytest

from chat.test_prompt import EN, SETTINGS
from mindnet.chat.followup import faithful, standalone, together
from mindnet.models.ollama_server import OllamaServer
from mindnet.models.port import Finished, Piece, Request, Token
from mindnet.models.profiles import CHAT, Chosen, read_profiles

TODAY = date(2026, 11, 30)
KOJI = [("What is koji?", "A mould.")]
BREAD = [("Was habe ich letzte Woche über Brot geschrieben?", "Viel.")]
KETTLE = [('Where is the "copper kettle"?', "In the attic.")]


class Wording(OllamaServer):
    """Puts every question into the same words."""

    def __init__(self, text: str) -> None:
        super().__init__("http://127.0.0.1:1")
        self._text = text

    async def stream(self, request: Request) -> AsyncIterator[Piece]:
        yield Token(self._text)
        yield Finished("stop")


def put_into_words(text: str, question: str) -> str:
    profile = read_profiles(SETTINGS.llm.model_dump(exclude_none=True), {})[CHAT]
    chosen = Chosen(profile, Wording(text), "small", 2048)
    return asyncio.run(standalone(chosen, EN, KOJI, question, TODAY))


@pytest.mark.parametrize(
    ("text", "searched"),
    [
        ('"How long does koji grow?"\n', "How long does koji grow?"),
        ("**How long does koji grow?**", "How long does koji grow?"),
        ("„Wie lange wächst Koji?“", "Wie lange wächst Koji?"),
        ("How long?\nIt takes days.", "What is koji? And how long?"),
        ("word " * 200, "What is koji? And how long?"),
    ],
)
def test_marks_around_the_whole_wording_go_and_what_is_no_question_is_not_used(text: str, searched: str) -> None:
    assert put_into_words(text, "And how long?") == searched


def test_a_phrase_at_the_beginning_of_the_wording_keeps_both_its_marks() -> None:
    question = 'Is "white mould" koji?'
    assert put_into_words('"White mould" on rice: is it koji?', question) == '"White mould" on rice: is it koji?'


@pytest.mark.parametrize(
    ("rewritten", "searched"),
    [
        ("Does koji make white mould on rice?", 'Does koji make "white mould" on rice?'),
        ("Does koji make anything on rice?", 'Does koji make anything on rice? "white mould"'),
        ('Does "koji" make "white mould"?', 'Does koji make "white mould"?'),
    ],
)
def test_what_the_user_quoted_is_quoted_and_nothing_else(rewritten: str, searched: str) -> None:
    assert faithful(rewritten, KOJI, 'And "white mould"?', TODAY) == searched


def test_a_phrase_of_an_earlier_question_may_be_taken_up() -> None:
    assert (
        faithful('How old is the "copper kettle"?', KETTLE, "How old is it?", TODAY)
        == 'How old is the "copper kettle"?'
    )


@pytest.mark.parametrize(
    ("rewritten", "question", "searched"),
    [
        ("Was schrieb ich über Brot?", "Und diesen Monat?", "Was schrieb ich über Brot? diesen Monat"),
        ("Was schrieb ich diesen Monat über Brot?", "Und diesen Monat?", "Was schrieb ich diesen Monat über Brot?"),
        ("What did I write this month about bread?", "Und diesen Monat?", "What did I write this month about bread?"),
        ("Was schrieb ich letzte Woche über Käse?", "Und über Käse?", "Was schrieb ich letzte Woche über Käse?"),
    ],
)
def test_a_time_that_the_model_left_out_is_put_back(rewritten: str, question: str, searched: str) -> None:
    assert faithful(rewritten, BREAD, question, TODAY) == searched


@pytest.mark.parametrize(
    ("history", "question", "searched"),
    [
        (KOJI, "How long?", "What is koji? How long?"),
        (BREAD, "Und über Käse?", "Was habe ich letzte Woche über Brot geschrieben? Und über Käse?"),
        (BREAD, "Und diesen Monat?", "Was habe ich über Brot geschrieben? Und diesen Monat?"),
        (KETTLE, "How old is it?", 'Where is the "copper kettle"? How old is it?'),
        (KETTLE, 'And the "iron pot"?', 'Where is the copper kettle? And the "iron pot"?'),
    ],
)
def test_without_a_model_both_questions_count_but_of_two_times_or_phrases_the_new_one(
    history: list[tuple[str, str]], question: str, searched: str
) -> None:
    assert together(history, question, TODAY) == searched
