"""What stands beside a hit whose number the question has is raised, if it was found at all, and says why."""

from __future__ import annotations

from mindnet.retrieval.search import Query
from retrieval.small_vault import SmallVault, found, hit_of, raw, reasons

QUESTION = "notice period of a tenancy, after 7"
REAL_WORDS = {"piers": 5}


def law() -> SmallVault:
    vault = SmallVault()
    vault.note("Law 7 Notice", "The notice period of a tenancy is three months.")
    vault.note("Law 8 Form", "A tenancy ends in writing.")
    vault.note("Law 40 Heating", "A tenancy ends in writing.")
    vault.note("Law 41 Water", "Pipes and taps are cared for.")
    vault.note("Law 42 Roof", "Tiles and gutters are cared for.")
    vault.note("Law 43 Cellar", "Damp and mould are cared for.")
    return vault


def test_of_two_equal_notes_the_one_beside_the_best_hit_comes_first() -> None:
    result = law().searcher(bridges=REAL_WORDS).search(Query(QUESTION, explain=True))
    assert found(result)[:2] == ["Law 7 Notice", "Law 8 Form"]
    beside, apart = hit_of(result, "Law 8 Form"), hit_of(result, "Law 40 Heating")
    assert raw(beside, "edge") > raw(apart, "edge")
    (reason,) = reasons(beside, "edge")
    assert reason.text == "stands in a series near *Law 7 Notice*, whose number your question has"
    assert (reason.edge_id, reason.path, reason.way) == (None, "Law 7 Notice.md", ())


def test_without_the_series_both_have_the_same() -> None:
    searcher = law().searcher(bridges=REAL_WORDS, expand={"series": 0.0})
    result = searcher.search(Query(QUESTION, explain=True))
    assert raw(hit_of(result, "Law 8 Form"), "edge") == raw(hit_of(result, "Law 40 Heating"), "edge") == 0


def test_a_neighbour_that_no_search_found_is_not_brought_in() -> None:
    vault = law()
    for letter in "ABCDEFGHIJKL":
        vault.note(f"Lease {letter}", f"The notice period of a tenancy, as {letter} has it.")
    vault.note("Law 6 Stamp", "Ink and paper.")
    searcher = vault.searcher(bridges={"piers": 5, "chunks": 0}, expand={"pool": 1}, link_context={"notes": 0})
    result = searcher.search(Query(QUESTION, top_k=5, why_not=("Law 6 Stamp.md",)))
    assert result.why_not[0].text.endswith("no search found it.")
