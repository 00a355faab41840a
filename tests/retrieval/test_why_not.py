"""Why a note is missing from an answer."""

from __future__ import annotations

from typing import Any

import pytest

from mindnet.retrieval.filters import Filters
from mindnet.retrieval.search import Query
from mindnet.retrieval.why_not import WhyNot
from retrieval.small_vault import SmallVault

QUESTION = "copper kettle descaling"


@pytest.fixture
def vault() -> SmallVault:
    vault = SmallVault()
    vault.note("first", "copper kettle descaling", path="first.md")
    vault.note("second", "copper kettle", path="second.md", type="journal")
    vault.note("third", "kettle", path="third.md")
    vault.note("nothing", "zzz", path="nothing.md", title="zzz")
    vault.note("empty", path="empty.md")
    return vault


def ask(vault: SmallVault, name: str, **query: Any) -> WhyNot:
    (answer,) = vault.ask(QUESTION, why_not=(name,), **query).why_not
    return answer


@pytest.mark.parametrize("name", ["second", "second.md"])
def test_a_note_behind_the_last_hit_says_its_place(vault: SmallVault, name: str) -> None:
    answer = ask(vault, name, top_k=1)
    assert answer.ranks["total"] == answer.ranks["semantic"] == answer.ranks["lexical"] == 2
    assert answer.text.startswith("It is in place 2 with ")
    assert answer.cut_by is None


def test_a_note_that_is_a_hit_says_so(vault: SmallVault) -> None:
    assert ask(vault, "second.md").text == "It is among the hits, in place 2."


def test_the_filter_that_cut_it_is_named(vault: SmallVault) -> None:
    answer = ask(vault, "second.md", filters=Filters(exclude_type=("journal",), path=("s", "f")))
    assert answer.cut_by == "exclude.type"
    assert answer.found
    assert ask(vault, "third.md", filters=Filters(path=("s", "f"))).cut_by == "path"


def test_what_is_not_in_the_index_says_so_in_the_language_of_the_question(vault: SmallVault) -> None:
    answer = ask(vault, "nowhere.md", language="de")
    assert (answer.found, answer.title, answer.ranks) == (False, None, {})
    assert answer.text == "Eine solche Notiz gibt es im Index nicht."


def test_a_note_without_text_says_so(vault: SmallVault) -> None:
    assert ask(vault, "empty.md").text == "It has no text that could be found."


def test_a_note_that_no_search_found_says_so(vault: SmallVault) -> None:
    answer = ask(vault, "nothing.md", mode="lexical")
    assert answer.ranks == {"lexical": None, "total": None}
    assert answer.text.startswith("Neither its words nor its meaning")


def test_a_note_too_far_behind_has_its_place_in_each_search(vault: SmallVault) -> None:
    searcher = vault.searcher(expand={"pool": 1})
    (answer,) = searcher.search(Query(QUESTION, top_k=1, why_not=("third.md",))).why_not
    assert answer.ranks["total"] is None
    assert (answer.ranks["semantic"], answer.ranks["lexical"]) == (3, 3)
    assert "place 3" in answer.text


def test_a_weight_of_0_is_the_reason(vault: SmallVault) -> None:
    vault.note("muted", "copper kettle descaling", weight=0.0)
    assert ask(vault, "muted.md").text.startswith("Its weight is 0")


def test_asking_changes_no_hit(vault: SmallVault) -> None:
    assert vault.ask(QUESTION, why_not=("third.md", "nothing.md")).hits == vault.ask(QUESTION).hits
