"""What links say: a part of the score whose named cause is the true one."""

from __future__ import annotations

from typing import Any

import pytest

from mindnet.records import Explanation
from mindnet.retrieval.filters import Filters
from mindnet.retrieval.search import Query, SearchResult
from retrieval.small_vault import SmallVault, found, hit_of, raw, reasons

QUESTION = "How is the copper kettle descaled?"
SENTENCE = "The copper kettle is descaled with this."


def vault(**said: Any) -> SmallVault:
    made = SmallVault()
    made.note("Vinegar", "An acid for copper.")
    made.note("Index", "Things of the kitchen.")
    made.note("Other", "Rain is expected.")
    if said is not None:
        made.link("Index#c01", "Vinegar", line=7, **{"label": "vinegar", "sentence": SENTENCE, **said})
    return made


def ask(made: SmallVault, **query: Any) -> SearchResult:
    return made.searcher(expand={"edge_scale": 0.0}).search(Query(QUESTION, explain=True, **query))


def test_a_note_is_a_hit_by_what_another_says_of_it_and_the_place_is_named() -> None:
    result = ask(vault())
    assert found(result)[0] == "Vinegar"
    hit = hit_of(result, "Vinegar")
    (reason,) = reasons(hit, "links")
    assert reason.text == (
        "*Index* links to it as *vinegar*, written in line 7, with your words *copper*, *kettle*, *descaled*"
    )
    assert (reason.path, reason.line) == ("Index.md", 7)
    assert isinstance(hit.explanation, Explanation)
    (edge,) = [edge for edge in hit.explanation.related_edges if edge.kind == "references"]
    assert reason.edge_id == edge.edge_id
    (part,) = [part for part in hit.explanation.contributions if part.part == "links"]
    assert part.evidence == (edge.edge_id,)
    assert part.points == pytest.approx(part.raw * part.weight)


def test_without_the_named_sentence_the_score_is_lower() -> None:
    told = hit_of(ask(vault()), "Vinegar")
    untold = hit_of(ask(vault(sentence="See this.")), "Vinegar")
    assert raw(told, "links") > 0 == raw(untold, "links")
    assert told.total_score > untold.total_score
    assert reasons(untold, "links") == []


def test_in_german_the_reason_is_german() -> None:
    hit = hit_of(ask(vault(), language="de"), "Vinegar")
    assert reasons(hit, "links")[0].text == (
        "*Index* verlinkt darauf als *vinegar*, geschrieben in Zeile 7, "
        "mit deinen Wörtern *copper*, *kettle*, *descaled*"
    )


def test_a_private_note_describes_nothing_unless_private_notes_are_asked_for() -> None:
    made = vault()
    made.note("Index", "Things of the kitchen.", private=True)
    assert raw(hit_of(ask(made), "Vinegar"), "links") == 0
    open_ = ask(made, include_private=True)
    assert reasons(hit_of(open_, "Vinegar"), "links")[0].path == "Index.md"


@pytest.mark.parametrize("query", [{"depth": 0}, {"mode": "semantic"}, {"mode": "lexical"}])
def test_without_the_graph_nobody_listens_to_links(query: dict[str, Any]) -> None:
    for hit in ask(vault(), **query).hits:
        assert hit.explanation is not None
        assert "links" not in [part.part for part in hit.explanation.contributions]


def test_with_a_weight_of_0_links_find_nothing() -> None:
    made = vault()
    quiet = made.searcher(scoring={"links_weight": 0.0}).search(Query(QUESTION, explain=True))
    assert raw(hit_of(quiet, "Vinegar"), "links") == 0


def test_a_filter_keeps_out_what_links_found() -> None:
    assert "Vinegar" not in found(ask(vault(), filters=Filters(exclude_path=("Vinegar",))))


def test_why_not_tells_the_place_by_what_links_say() -> None:
    (answer,) = ask(vault(), why_not=("Vinegar.md",)).why_not
    assert answer.ranks["links"] == 1
