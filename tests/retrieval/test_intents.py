"""What a question is after, and in which language it is asked, with the shipped configuration."""

from __future__ import annotations

from pathlib import Path

import pytest

from mindnet.errors import ConfigError
from mindnet.retrieval.intents import Intents
from mindnet.retrieval.language import language_of
from mindnet.settings.load import load_settings

CONFIG = Path(__file__).resolve().parents[2] / "config"


@pytest.fixture(scope="module")
def intents() -> Intents:
    return Intents.from_mapping(load_settings(env={}).intents.model_dump())


@pytest.mark.parametrize(
    ("question", "intent"),
    [
        ("Why did we drop the cache?", "WHY"),
        ("Warum haben wir den Cache verworfen?", "WHY"),
        ("Was ist der Grund für den Ausfall?", "WHY"),
        ("Should I take the job?", "DECISION"),
        ("Welche Entscheidungen haben wir getroffen?", "DECISION"),
        ("I feel overwhelmed", "EMPATHY"),
        ("Ich fühle mich überfordert", "EMPATHY"),
        ("How do I descale a kettle?", "HOW"),
        ("WIE KANN ich den Kessel entkalken?", "HOW"),
        ("Capital of France", "FACT"),
        ("Hauptstadt von Frankreich", "FACT"),
        ("feelers of insects", "FACT"),
    ],
)
def test_a_question_has_its_intent(intents: Intents, question: str, intent: str) -> None:
    assert intents.classify(question).name == intent


def test_why_favours_causes_and_empathy_foundations(intents: Intents) -> None:
    assert intents.classify("why?").boosts["caused_by"] > 1
    assert intents.classify("I am sad").boosts["based_on"] > 1
    assert intents.classify("the sea").boosts == {}


def test_boosts_are_kept_within_bounds() -> None:
    made = Intents.from_mapping({"X": {"patterns": ["x"], "boosts": {"a": 99, "b": 0}}})
    assert made.classify("x").boosts == {"a": 3.0, "b": 0.1}


def test_a_pattern_that_is_none_is_named() -> None:
    with pytest.raises(ConfigError, match=r"X\.patterns"):
        Intents.from_mapping({"X": {"patterns": ["("]}})


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Wie entkalke ich einen Kessel?", "de"),
        ("Entscheidung Übung", "de"),
        ("How do I descale a kettle?", "en"),
        ("was the meeting in May", "en"),
        ("kubernetes", "en"),
        ("", "en"),
    ],
)
def test_the_language_of_a_question(text: str, language: str) -> None:
    assert language_of(text) == language
