"""The second round: what a question only circumscribes is found by the names in what it says."""

from __future__ import annotations

import pytest

from mindnet.records import Hit
from mindnet.retrieval.search import Query, SearchResult
from retrieval.small_vault import SmallVault, found, raw, reasons

QUESTION = "What is the name of the waterfall in the country where the Bubye River is found?"
ON = {"piers": 5}


@pytest.fixture
def vault() -> SmallVault:
    vault = SmallVault()
    vault.note("Bubye", "The Bubye River is a tributary of the Limpopo in Zimbabwe.")
    vault.note("Victoria", "Mosi-oa-Tunya is a mighty waterfall at the border of Zimbabwe.")
    for number in range(12):
        vault.note(f"Falls {number}", f"A waterfall by the village number {number * 7919}, in a country far away.")
    for number in range(100):
        vault.note(f"Other {number}", f"Notes of day {number} about bread, bicycles and the weather.")
    return vault


def ask(vault: SmallVault, text: str = QUESTION, **bridges: float) -> SearchResult:
    return vault.searcher(bridges={**ON, **bridges}).search(Query(text, mode="lexical", explain=True, top_k=20))


def hit(result: SearchResult, note_id: str) -> Hit:
    return next(one for one in result.hits if one.chunk.note_id == note_id)


def test_the_second_step_of_a_question_is_found_by_a_name_that_it_does_not_have(vault: SmallVault) -> None:
    assert found(ask(vault, piers=5))[:2] == ["Bubye", "Victoria"]
    assert found(ask(vault, share=0.0)).index("Victoria") > 1


def test_the_reason_names_the_shared_name_and_the_note_that_led_there(vault: SmallVault) -> None:
    result = ask(vault)
    (reason,) = [one for one in reasons(hit(result, "Victoria"), "lexical") if one.path == "Bubye.md"]
    assert "*Zimbabwe*" in reason.text
    assert "*Bubye*" in reason.text
    assert all(one.path != "Bubye.md" for one in reasons(hit(ask(vault, share=0.0), "Victoria"), "lexical"))


@pytest.mark.parametrize(("note_id", "text"), [("Bubye", "Zimbabwe"), ("Victoria", "Zimbabwe")])
def test_without_the_shared_name_on_either_side_nothing_leads_there(vault: SmallVault, note_id: str, text: str) -> None:
    before = raw(hit(ask(vault), "Victoria"), "lexical")
    passage = vault.notes[note_id][1][0].text
    vault.note(note_id, passage.replace(text, "this land"))
    after = hit(ask(vault), "Victoria")
    assert raw(after, "lexical") < before
    assert all(one.path != "Bubye.md" for one in reasons(after, "lexical"))


def test_a_name_that_many_notes_have_leads_nowhere(vault: SmallVault) -> None:
    before = raw(hit(ask(vault), "Victoria"), "lexical")
    for number in range(10):
        vault.note(f"Land {number}", f"Zimbabwe in the year {number * 6151}.")
    assert raw(hit(ask(vault), "Victoria"), "lexical") < before / 2


def test_no_bridge_leads_to_another_passage_of_the_same_note(vault: SmallVault) -> None:
    vault.note("Bubye", "The Bubye River is a tributary of the Limpopo in Zimbabwe.", "Zimbabwe has a waterfall.")
    of_bubye = vault.searcher(bridges=ON).search(
        Query(QUESTION, mode="lexical", explain=True, group_by="chunk", top_k=99)
    )
    for one in of_bubye.hits:
        if one.chunk.note_id == "Bubye":
            assert all("*Zimbabwe*" not in reason.text for reason in reasons(one, "lexical"))


def test_what_a_filter_leaves_out_is_neither_reached_nor_led_from(vault: SmallVault) -> None:
    vault.note("Bubye", "The Bubye River is a tributary of the Limpopo in Zimbabwe.", private=True)
    result = ask(vault)
    assert "Bubye" not in found(result)
    assert all("Zimbabwe" not in reason.text for one in result.hits for reason in reasons(one, "lexical"))


def test_the_search_by_meaning_alone_follows_no_names(vault: SmallVault) -> None:
    asked = Query(QUESTION, mode="semantic", top_k=20)
    with_names, without = (
        vault.searcher(bridges=changes).search(asked) for changes in (ON, {"piers": 5, "share": 0.0})
    )
    assert [(one.chunk.chunk_id, one.total_score) for one in with_names.hits] == [
        (one.chunk.chunk_id, one.total_score) for one in without.hits
    ]
