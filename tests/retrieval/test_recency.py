"""How lately a note was changed is a part of its score where the settings give it a weight."""

from __future__ import annotations

import math
from typing import Any

import pytest

from mindnet.records import Hit
from mindnet.retrieval.search import Query, SearchResult
from retrieval.small_vault import SmallVault, found, hit_of, raw, reasons


@pytest.fixture
def vault() -> SmallVault:
    """Seen from 12 June 2024."""
    vault = SmallVault()
    vault.note("Old", "copper kettle", updated=20230618000000)
    vault.note("Season", "copper kettle", updated=20240314090000)
    vault.note("Today", "copper kettle", updated=20240612090000)
    vault.note("Muted", "copper kettle", updated=20240612090000, weight=0.0)
    return vault


def ask(vault: SmallVault, weight: float = 0.5, **query: Any) -> SearchResult:
    searcher = vault.searcher(scoring={"recency_weight": weight})
    return searcher.search(Query("copper kettle", explain=True, **query))


def parts(hit: Hit) -> list[str]:
    assert hit.explanation is not None
    return [part.part for part in hit.explanation.contributions]


def test_it_is_off_until_it_has_a_weight(vault: SmallVault) -> None:
    for hit in vault.ask("copper kettle").hits:
        assert "recency" not in parts(hit)


def test_of_equal_notes_the_one_changed_last_comes_first(vault: SmallVault) -> None:
    assert found(ask(vault, fold_copies=False)) == ["Today", "Season", "Old"]
    assert found(ask(vault, weight=0.0, fold_copies=False)) == ["Old", "Season", "Today"]


def test_a_half_life_halves_it_and_the_parts_still_add_up(vault: SmallVault) -> None:
    result = ask(vault)
    assert raw(hit_of(result, "Today"), "recency") == 1
    assert raw(hit_of(result, "Season"), "recency") == pytest.approx(0.5)
    assert raw(hit_of(result, "Old"), "recency") == pytest.approx(1 / 16)
    for hit in result.hits:
        assert math.isclose(math.fsum(part.points for part in hit.contributions), hit.total_score, abs_tol=1e-9)


def test_the_reason_says_when_it_was_changed(vault: SmallVault) -> None:
    english, german = ask(vault, language="en"), ask(vault, language="de")
    assert [one.text for one in reasons(hit_of(english, "Today"), "recency")] == ["changed today"]
    assert [one.text for one in reasons(hit_of(english, "Season"), "recency")] == ["changed 90 days ago, on 2024-03-14"]
    assert [one.text for one in reasons(hit_of(german, "Season"), "recency")] == [
        "vor 90 Tagen geändert, am 14.03.2024"
    ]


def test_it_raises_no_note_whose_weight_is_0(vault: SmallVault) -> None:
    assert "Muted" not in found(ask(vault))


@pytest.mark.parametrize("mode", ["semantic", "lexical"])
def test_a_mode_of_one_leg_stays_that_leg(vault: SmallVault, mode: str) -> None:
    for hit in ask(vault, mode=mode).hits:
        assert parts(hit) == [mode]


def test_without_the_graph_it_counts_too(vault: SmallVault) -> None:
    assert parts(ask(vault, depth=0).hits[0]) == ["semantic", "lexical", "recency"]
