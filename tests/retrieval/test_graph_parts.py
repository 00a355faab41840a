"""What edges and centrality add, and what they must not."""

from __future__ import annotations

import pytest

from mindnet.records import Edge
from mindnet.retrieval.expand import Neighbourhood, Seed, centrality, edge_strength, expand, saturate
from mindnet.retrieval.search import Query
from retrieval.small_vault import SmallKinds, SmallVault, hit_of, raw, reasons, settings

QUESTION = "copper kettle"


def around(vault: SmallVault, *seeds: str, depth: int = 1, **changes: dict[str, float]) -> Neighbourhood:
    return expand(
        vault.store(),
        {seed: Seed(1.0, f"{seed}#c01") for seed in seeds},
        depth=depth,
        settings=settings(**changes),
        kinds=SmallKinds(),
        boosts={},
    )


def brought(found: Neighbourhood, note_id: str) -> float:
    return sum(arrival.value for arrival in found.arrivals.get(note_id, ()))


@pytest.fixture
def vault() -> SmallVault:
    vault = SmallVault()
    for name in ("A", "B", "C", "D"):
        vault.note(name, f"passage of {name}")
    return vault


def test_against_its_direction_an_edge_counts_less(vault: SmallVault) -> None:
    vault.link("A#c01", "B", "depends_on")
    assert brought(around(vault, "B"), "A") == pytest.approx(0.5 * brought(around(vault, "A"), "B"))


def test_a_symmetric_kind_counts_the_same_both_ways(vault: SmallVault) -> None:
    vault.link("A#c01", "B", "related_to")
    assert brought(around(vault, "B"), "A") == brought(around(vault, "A"), "B") > 0


@pytest.mark.parametrize("owner", ["A", "B"])
def test_a_mirror_does_not_count_beside_its_original(vault: SmallVault, owner: str) -> None:
    original = vault.link("A#c01", "B", "depends_on")
    alone = {(seed, other): brought(around(vault, seed), other) for seed, other in (("A", "B"), ("B", "A"))}
    mirror = "mirror:explicit:wikilink"
    vault.link("B", "A", "enforced_by", owner=owner, provenance="rule", rule_id=mirror, mirror_of=original.edge_id)
    for (seed, other), value in alone.items():
        assert brought(around(vault, seed), other) == value > 0


def test_an_arrow_of_a_canvas_counts_from_both_of_its_notes(vault: SmallVault) -> None:
    vault.link("A", "B", "depends_on", owner="C", rule_id="explicit:canvas")
    assert brought(around(vault, "A"), "B") > 0
    assert brought(around(vault, "B"), "A") == pytest.approx(0.5 * brought(around(vault, "A"), "B"))
    assert around(vault, "A", "C").arrivals.keys() == {"B"}


def test_an_arrow_of_a_private_canvas_leads_nowhere_and_is_not_shown() -> None:
    vault = SmallVault()
    vault.note("A", "copper kettle care")
    vault.note("B", "something else entirely")
    vault.note("Board", "hidden board", private=True)
    vault.link("A", "B", "depends_on", owner="Board", rule_id="explicit:canvas")
    open_hit = hit_of(vault.ask(QUESTION, include_private=True), "B")
    assert reasons(open_hit, "edge")[0].path == "Board.md"
    result = vault.ask(QUESTION)
    assert "B" not in [hit.chunk.note_id for hit in result.hits if raw(hit, "edge") > 0]
    assert all(hit.explanation is not None and hit.explanation.related_edges == () for hit in result.hits)


@pytest.mark.parametrize("provenance", ["candidate:explicit", "candidate:global_pool"])
def test_a_candidate_takes_no_part(vault: SmallVault, provenance: str) -> None:
    vault.link("A#c01", "B", provenance=provenance)
    assert brought(around(vault, "A"), "B") == 0


def test_an_unresolved_edge_leads_nowhere(vault: SmallVault) -> None:
    vault.link("A#c01", "Nowhere", resolved=False)
    assert around(vault, "A").arrivals == {}


def test_belonging_to_a_note_is_no_relation(vault: SmallVault) -> None:
    vault.link("A#c01", "A", "belongs_to", provenance="structure", rule_id="structure:belongs_to")
    assert around(vault, "A").arrivals == {}


@pytest.mark.parametrize(
    ("provenance", "rule_id", "resolved", "weight"),
    [
        ("explicit", "inline:rel", True, 1.0),
        ("smart", "smart:allocation", True, 0.9),
        ("rule", "matrix:a:b", True, 0.8),
        ("rule", "edge_defaults:concept:related_to", True, 0.6),
        ("rule", "edge_defaults:concept:related_to", False, 0.2),
        ("candidate:explicit", "inline:rel", True, 0.0),
    ],
)
def test_an_edge_counts_by_where_it_comes_from(
    vault: SmallVault, provenance: str, rule_id: str, resolved: bool, weight: float
) -> None:
    edge: Edge = vault.link("A", "B", provenance=provenance, rule_id=rule_id, resolved=resolved, confidence=0.5)
    strength = edge_strength(edge, settings(), SmallKinds(), {"references": 3.0})
    assert strength == pytest.approx(0.5 * weight * 3.0)


def test_a_note_that_links_to_everything_gives_little_to_each(vault: SmallVault) -> None:
    vault.link("A#c01", "B")
    one = brought(around(vault, "A"), "B")
    for number in range(99):
        vault.note(f"N{number}", "x")
        vault.link("A#c01", f"N{number}")
    assert brought(around(vault, "A", expand={"max_neighbours": 200}), "B") == pytest.approx(one / 10)


def test_a_hub_gains_no_unbounded_bonus() -> None:
    vault = SmallVault()
    vault.note("Hub", "nothing of interest")
    for number in range(80):
        vault.note(f"S{number:02d}", "copper kettle")
        vault.link(f"S{number:02d}#c01", "Hub", "depends_on")
    result = vault.searcher(expand={"seeds": 80}).search(Query(QUESTION, explain=True, top_k=200))
    hub = hit_of(result, "Hub")
    assert 0.5 < raw(hub, "edge") <= 1
    assert raw(hub, "centrality") <= 1


def test_no_more_neighbours_than_allowed_and_the_strongest_stay(vault: SmallVault) -> None:
    for target, confidence in (("B", 0.2), ("C", 0.9), ("D", 0.5)):
        vault.link("A#c01", target, confidence=confidence)
    assert set(around(vault, "A", expand={"max_neighbours": 2}).arrivals) == {"C", "D"}


def test_nothing_comes_back_over_the_edge_it_left_by(vault: SmallVault) -> None:
    vault.link("A#c01", "B")
    vault.link("B#c01", "C")
    vault.link("A#c01", "B", "uses")
    found = around(vault, "A", depth=2)
    assert set(found.arrivals) == {"B", "C"}
    assert 0 < brought(found, "C") < brought(found, "B")


def test_two_found_notes_strengthen_each_other_through_one_between(vault: SmallVault) -> None:
    vault.link("A#c01", "B")
    vault.link("C#c01", "B")
    found = around(vault, "A", "C", depth=2)
    assert {arrival.step for arrival in found.arrivals["C"]} == {2}


def test_a_step_further_is_needed_for_a_neighbours_neighbour(vault: SmallVault) -> None:
    vault.link("A#c01", "B")
    vault.link("B#c01", "C")
    assert set(around(vault, "A", depth=1).arrivals) == {"B"}


def test_saturation_stays_below_1_and_does_not_depend_on_order() -> None:
    values = [0.1, 0.7, 1e-9, 3.0, 0.2]
    assert saturate(values) == saturate(values[::-1])
    assert saturate([]) == 0
    assert 0.999 < saturate([1.0] * 10) < 1.0


def test_centrality_is_0_where_nothing_leads_and_at_most_1() -> None:
    ranks = centrality({"A": 1.0, "B": 0.5}, {("A", "C"): 1.0, ("B", "C"): 1.0, ("C", "D"): 0.2}).ranks
    assert "A" not in ranks
    assert 1 >= ranks["C"] > ranks["D"] > 0


def test_a_note_that_the_search_hardly_found_can_be_a_bridge() -> None:
    vault = SmallVault()
    vault.note("Seed", "copper kettle")
    vault.note("Bridge", "wooden copper of many other things that nobody asked about in any way")
    vault.note("Far", "iron fork")
    vault.link("Seed#c01", "Bridge")
    vault.link("Bridge#c01", "Far")
    assert raw(hit_of(vault.ask(QUESTION, depth=2), "Far"), "edge") > 0


def test_an_edge_to_a_section_lifts_the_passages_of_that_section() -> None:
    vault = SmallVault()
    vault.note("Seed", "copper kettle")
    vault.note("Book", "first words", "other words", headings=[("Start",), ("Part", "Care: daily")])
    vault.link("Seed#c01", "Book", section="Part#Care daily")
    hits = {hit.chunk.chunk_id: hit for hit in vault.ask(QUESTION, group_by="chunk").hits}
    assert raw(hits["Book#c02"], "edge") > 0
    assert "Book#c01" not in hits or raw(hits["Book#c01"], "edge") == 0


def test_the_section_is_reached_although_the_search_found_another_passage() -> None:
    vault = SmallVault()
    vault.note("Seed", "copper kettle")
    vault.note("Book", "copper pots", "nothing alike ^b1", headings=[("Start",), ("End",)])
    for number in range(2):
        vault.note(f"Faint{number}", "copper kettle of tin", weight=0.1)
    vault.link("Seed#c01", "Book", section="^b1")
    searcher = vault.searcher(expand={"pool": 4, "edge_scale": 1.0})
    without, with_graph = (
        {hit.chunk.chunk_id: hit for hit in searcher.search(query).hits}
        for query in (
            Query(QUESTION, explain=True, group_by="chunk", top_k=4, depth=0),
            Query(QUESTION, explain=True, group_by="chunk", top_k=4),
        )
    )
    assert "Book#c01" in without
    assert "Book#c02" not in without
    assert raw(with_graph["Book#c02"], "edge") > 0


def test_followed_backwards_an_edge_lifts_the_passage_it_stands_in() -> None:
    vault = SmallVault()
    vault.note("Seed", "copper kettle")
    vault.note("Diary", "copper day", "some evening")
    vault.link("Diary#c02", "Seed", line=3)
    hits = {hit.chunk.chunk_id: hit for hit in vault.ask(QUESTION, group_by="chunk").hits}
    assert raw(hits["Diary#c01"], "edge") == 0
    assert reasons(hits["Diary#c02"], "edge")[0].text == "links to *Seed* by `references`, written in line 3"


def test_the_passage_a_link_stands_in_is_reached_although_the_search_found_another() -> None:
    vault = SmallVault()
    vault.note("Seed", "copper kettle")
    vault.note("Diary", "copper day", "some evening")
    for number in range(2):
        vault.note(f"Faint{number}", "copper kettle of tin", weight=0.1)
    vault.link("Diary#c02", "Seed", line=3)
    searcher = vault.searcher(expand={"pool": 4, "edge_scale": 1.0})
    result = searcher.search(Query(QUESTION, explain=True, group_by="chunk", top_k=4))
    assert raw({hit.chunk.chunk_id: hit for hit in result.hits}["Diary#c02"], "edge") > 0


def test_the_passage_behind_a_found_one_gains_a_little() -> None:
    vault = SmallVault()
    vault.note("Seed", "copper kettle", "and then dry", "last words")
    hits = {hit.chunk.chunk_id: hit for hit in vault.ask(QUESTION, group_by="chunk").hits}
    assert 0 < raw(hits["Seed#c02"], "edge") < 0.05
    assert "Seed#c03" not in hits or raw(hits["Seed#c03"], "edge") == 0


def test_the_intent_of_the_question_strengthens_its_kinds() -> None:
    vault = SmallVault()
    vault.note("Seed", "copper kettle")
    vault.note("Cause", "hard water")
    vault.link("Seed#c01", "Cause", "caused_by", line=4)
    plain, why = (hit_of(vault.ask(text), "Cause") for text in ("copper kettle", "why copper kettle"))
    assert raw(why, "edge") > raw(plain, "edge")
    assert "WHY" in reasons(why, "edge")[0].text
    assert "×2" in reasons(why, "edge")[0].text
