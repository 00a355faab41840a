"""Which questions on the demo vault go to a model: with the real embedding, a set in both languages."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from evaluation.declining import ASKED, STRANGE, Outcome, ask_all, read_asked
from mindnet.workspace import Workspace, find_place

DEMO = Path(__file__).resolve().parents[2] / "demo-vault"


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> Sequence[Outcome]:
    folder = tmp_path_factory.mktemp("declining")
    with Workspace(find_place(DEMO, folder / "data", folder / "config", {}, {}), {}) as workspace:
        workspace.update(None)
        return ask_all(workspace, [*read_asked(ASKED / "demo-vault.jsonl"), *read_asked(STRANGE)], folder / "kept.json")


@pytest.mark.parametrize("language", ["de", "en"])
def test_no_question_that_the_notes_answer_is_declined(outcomes: Sequence[Outcome], language: str) -> None:
    answered = [one for one in outcomes if one.asked.kind == "answered" and one.asked.language == language]
    assert len(answered) >= 10
    assert [one.asked.question for one in answered if one.declined] == []
    assert [one.asked.question for one in answered if one.rank is None] == []


@pytest.mark.parametrize("language", ["de", "en"])
def test_hardly_any_question_that_is_strange_to_the_vault_reaches_a_model(
    outcomes: Sequence[Outcome], language: str
) -> None:
    strange = [one for one in outcomes if one.asked.kind == "strange" and one.asked.language == language]
    assert len(strange) >= 10
    assert len([one for one in strange if not one.declined]) <= 1
