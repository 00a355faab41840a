"""Of passages with nearly the same text one is a hit, which names the others."""

from __future__ import annotations

import pytest

from mindnet.records import Hit
from retrieval.small_vault import SmallVault, found, hit_of

TEXT = (
    "To descale a copper kettle pour in one part of vinegar and two parts of water, let it boil for a while, "
    "wait until it has cooled down, pour it out and rinse the kettle with clear water until no smell is left."
)
QUESTION = "descale a copper kettle"


@pytest.fixture
def vault() -> SmallVault:
    vault = SmallVault(real_words=True)
    vault.note("Copy", TEXT.replace("clear water", "fresh water"))
    vault.note("Kettle care", TEXT, title="Descale a copper kettle")
    vault.note("Other", "A copper kettle should not be scrubbed; nobody should descale it with steel wool at all.")
    return vault


def named(hit: Hit) -> list[str]:
    return [copy.chunk.note_id for copy in hit.also_in]


def test_the_best_is_shown_and_names_the_others(vault: SmallVault) -> None:
    result = vault.ask(QUESTION)
    assert found(result) == ["Kettle care", "Other"]
    (copy,) = result.hits[0].also_in
    assert copy.chunk.note_id == "Copy"
    assert 0.8 <= copy.resemblance < 1
    assert named(result.hits[1]) == []


def test_a_folded_note_makes_room_for_another(vault: SmallVault) -> None:
    assert found(vault.ask(QUESTION, top_k=2)) == ["Kettle care", "Other"]
    assert [hit.rank for hit in vault.ask(QUESTION, top_k=2).hits] == [1, 2]


def test_nothing_is_folded_if_the_request_says_so(vault: SmallVault) -> None:
    result = vault.ask(QUESTION, fold_copies=False)
    assert sorted(found(result)) == ["Copy", "Kettle care", "Other"]
    assert all(named(hit) == [] for hit in result.hits)


def test_passages_of_one_note_are_folded_too() -> None:
    vault = SmallVault(real_words=True)
    vault.note("Twice", TEXT, TEXT)
    result = vault.ask(QUESTION, group_by="chunk", depth=0)
    assert [hit.chunk.chunk_id for hit in result.hits] == ["Twice#c01"]
    assert [copy.chunk.chunk_id for copy in result.hits[0].also_in] == ["Twice#c02"]


@pytest.mark.parametrize(
    "other",
    [
        TEXT.replace("one part", "3 parts"),
        TEXT.replace("vinegar", "lye").replace("boil", "stand").replace("clear", "warm").replace("wait", "sit"),
        TEXT + " " + TEXT.replace("kettle", "pan").replace("vinegar", "lemon juice"),
    ],
    ids=["another number", "other words", "twice as long"],
)
def test_what_says_something_else_is_a_hit_of_its_own(other: str) -> None:
    vault = SmallVault(real_words=True)
    vault.note("One", TEXT)
    vault.note("Two", other)
    assert sorted(found(vault.ask(QUESTION))) == ["One", "Two"]


def test_short_passages_are_copies_only_under_one_title() -> None:
    vault = SmallVault(real_words=True)
    vault.note("a", "copper kettle", title="Monday")
    vault.note("b", "copper kettle", title="Tuesday")
    vault.note("c", "copper kettle", title="Tuesday")
    result = vault.ask("copper kettle")
    assert found(result) == ["a", "b"]
    assert named(hit_of(result, "b")) == ["c"]


def test_why_not_says_in_whose_place_it_stands(vault: SmallVault) -> None:
    (answer,) = vault.ask(QUESTION, why_not=("Copy.md",)).why_not
    assert answer.cut_by == "copy"
    assert answer.text == "Its passage is nearly that of *Descale a copper kettle* in place 1, and named there."
    (shown,) = vault.ask(QUESTION, why_not=("Other.md",)).why_not
    assert shown.text == "It is among the hits, in place 2."


@pytest.mark.parametrize("seed", range(1, 4))
def test_which_is_shown_does_not_depend_on_the_order_of_storing(vault: SmallVault, seed: int) -> None:
    vault.note("Exact copy", TEXT)
    assert vault.ask(QUESTION, seed=seed).hits == vault.ask(QUESTION).hits
