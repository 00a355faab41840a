"""What comes back for a question: which notes, in which order, by which mode."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import settings as trials
from hypothesis import strategies as st

from mindnet.errors import UsageError
from mindnet.retrieval.legs import Pool
from mindnet.retrieval.search import Query
from retrieval.small_vault import SmallVault, WordLeg, found, hit_of, raw, reasons

QUESTION = "copper kettle descaling"


@pytest.fixture
def vault() -> SmallVault:
    vault = SmallVault()
    vault.note("Kettle", "Descaling a copper kettle takes vinegar.", "Store it dry.")
    vault.note("Vinegar", "Acetic acid from cider.", "Keeps for years.")
    vault.note("Copper", "A copper pan needs polish.")
    vault.note("Bicycle", "Grease the chain.")
    return vault


def test_the_note_that_has_words_and_meaning_comes_first(vault: SmallVault) -> None:
    assert found(vault.ask(QUESTION))[:2] == ["Kettle", "Copper"]


def test_a_neighbour_that_no_search_found_enters_by_the_graph(vault: SmallVault) -> None:
    vault.link("Kettle#c01", "Vinegar", "uses", line=1)
    searcher = vault.searcher(expand={"pool": 1, "seeds": 1})
    assert "Vinegar" not in found(searcher.search(Query(QUESTION, depth=0)))
    result = searcher.search(Query(QUESTION, explain=True))
    hit = hit_of(result, "Vinegar")
    assert raw(hit, "edge") > 0
    assert "linked from *Kettle* by `uses`, written in line 1" in reasons(hit, "edge")[0].text


def test_taking_the_named_edge_away_lowers_the_score_and_takes_its_reason(vault: SmallVault) -> None:
    edge = vault.link("Kettle#c01", "Copper", "part_of", line=1)
    before = hit_of(vault.ask(QUESTION), "Copper")
    assert [reason.edge_id for reason in reasons(before, "edge")] == [edge.edge_id]
    vault.edges.remove(edge)
    after = hit_of(vault.ask(QUESTION), "Copper")
    assert reasons(after, "edge") == []
    assert after.total_score < before.total_score


def test_depth_0_leaves_the_graph_out(vault: SmallVault) -> None:
    vault.link("Kettle#c01", "Copper")
    hit = hit_of(vault.ask(QUESTION, depth=0), "Copper")
    assert hit.explanation is not None
    assert [part.part for part in hit.explanation.contributions] == ["semantic", "lexical"]


@pytest.mark.parametrize(("mode", "parts"), [("semantic", ["semantic"]), ("lexical", ["lexical"])])
def test_a_mode_of_one_leg_has_that_part_alone(vault: SmallVault, mode: str, parts: list[str]) -> None:
    vault.link("Kettle#c01", "Vinegar")
    for hit in vault.ask(QUESTION, mode=mode).hits:
        assert hit.explanation is not None
        assert [part.part for part in hit.explanation.contributions] == parts


def test_words_alone_need_no_model(vault: SmallVault, monkeypatch: pytest.MonkeyPatch) -> None:
    searcher = vault.searcher()

    def refuse(text: str) -> None:
        raise AssertionError("the model was asked")

    monkeypatch.setattr(vault.embedder, "embed_query", refuse)
    assert found(searcher.search(Query(QUESTION, mode="lexical"))) == ["Kettle", "Copper"]


def test_what_one_search_found_has_the_score_of_the_other_too() -> None:
    vault = SmallVault()
    # Near by its many equal words, and by the share of the question's words that it has.
    vault.note("near", "copper copper copper")
    vault.note("covers", "copper kettle descaling " + " ".join(f"other{number}" for number in range(60)))
    chunks = [chunk for _, chunks in vault.notes.values() for chunk in chunks]
    pool = Pool(
        vault.store(),
        WordLeg(chunks),
        text=QUESTION,
        vector=vault.embedder.embed_query(QUESTION),
        mode="hybrid",
        condition=None,
        floor=0.0,
    )
    pool.search(1, None)
    near, covers = pool.by_id["near#c01"], pool.by_id["covers#c01"]
    assert (near.found_by, covers.found_by) == ({"semantic"}, {"lexical"})
    assert near.lexical == pytest.approx(1 / 3)
    assert 0 < covers.semantic < near.semantic


def test_by_note_each_note_comes_once_and_by_chunk_its_passages(vault: SmallVault) -> None:
    by_note = found(vault.ask("store copper kettle dry vinegar"))
    assert len(by_note) == len(set(by_note))
    by_chunk = vault.ask("store copper kettle dry vinegar", group_by="chunk")
    assert found(by_chunk).count("Kettle") == 2


def test_no_more_than_top_k(vault: SmallVault) -> None:
    assert [hit.rank for hit in vault.ask(QUESTION, top_k=2).hits] == [1, 2]
    assert len(vault.ask(QUESTION, top_k=2, group_by="chunk").hits) == 2


def test_equal_scores_come_in_the_order_of_paths() -> None:
    vault = SmallVault()
    for name in ("c", "a", "b"):
        vault.note(name, "the same words here", title="Same")
    assert found(vault.ask("same words", fold_copies=False)) == ["a", "b", "c"]


@pytest.mark.parametrize("seed", range(1, 6))
def test_the_order_in_which_notes_were_stored_changes_nothing(vault: SmallVault, seed: int) -> None:
    for target in ("Vinegar", "Copper", "Bicycle"):
        vault.link("Kettle#c01", target)
        vault.link(f"{target}#c01", "Kettle", "related_to")
        vault.link(target, "Copper", "part_of")
    first, second = (vault.ask(QUESTION, seed=one, depth=2, group_by="chunk") for one in (0, seed))
    assert second.hits == first.hits


def test_a_question_without_words_is_refused() -> None:
    with pytest.raises(UsageError):
        Query("  ")


@pytest.mark.parametrize("wrong", [{"top_k": 0}, {"depth": 4}, {"depth": -1}])
def test_numbers_out_of_bounds_are_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(UsageError):
        Query("copper", **wrong)  # type: ignore[arg-type]


def test_an_empty_index_gives_no_hits() -> None:
    assert SmallVault().ask(QUESTION).hits == ()


WORDS = st.sampled_from(["copper", "kettle", "descaling", "vinegar", "bicycle", "chain", "polish"])


@trials(max_examples=40, deadline=None)
@given(st.data())
def test_the_parts_add_up_to_the_total(data: st.DataObject) -> None:
    vault = SmallVault()
    names = ["n1", "n2", "n3", "n4"]
    for name in names:
        texts = data.draw(st.lists(st.lists(WORDS, min_size=1, max_size=5).map(" ".join), min_size=1, max_size=3))
        weight = data.draw(st.floats(0.1, 1.0))
        vault.note(name, *texts, weight=weight, status=data.draw(st.sampled_from([None, "draft", "stable"])))
    for source, target in data.draw(st.sets(st.tuples(st.sampled_from(names), st.sampled_from(names)), max_size=8)):
        vault.link(f"{source}#c01", target, data.draw(st.sampled_from(["references", "related_to", "depends_on"])))
    question = " ".join(data.draw(st.lists(WORDS, min_size=1, max_size=4)))
    mode = data.draw(st.sampled_from(["hybrid", "semantic", "lexical"]))
    for hit in vault.ask(question, mode=mode, depth=data.draw(st.integers(0, 3)), group_by="chunk").hits:
        assert hit.explanation is not None
        parts = hit.explanation.contributions
        assert math.isclose(math.fsum(part.points for part in parts), hit.total_score, abs_tol=1e-9)
        assert all(0 <= part.raw <= 1 for part in parts)
        for part in parts:
            factor = math.prod(part.factors.values())
            assert math.isclose(part.points, part.weight * part.raw * factor, abs_tol=1e-9)
