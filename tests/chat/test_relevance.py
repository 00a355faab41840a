"""The threshold below which nothing counts as found."""

from __future__ import annotations

from pathlib import Path

import pytest

from chat.test_prompt import source
from mindnet.chat.relevance import FAR_MORE, QUANTILE, STRANGE, Chance, Relevance, size_class
from mindnet.records import Contribution, Hit, Language
from mindnet.retrieval.intents import Intent
from mindnet.retrieval.search import Query, SearchResult

LEXICAL = 0.1


def hit(total: float, semantic: float, lexical: float) -> Hit:
    parts = (
        Contribution("semantic", 1.0, semantic, semantic),
        Contribution("lexical", 1.0, lexical, lexical),
    )
    return Hit(1, source(1, "Text").chunk, total, parts, None)


class Vault:
    """A search in which each strange question reaches another score, from 0.01 upwards; a tenth of it by meaning."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.factor = 1.0

    def search(self, query: Query) -> SearchResult:
        self.asked.append(query.text)
        language: Language = query.language or "en"
        score = (STRANGE[language].index(query.text) + 1) / 100 * self.factor
        return SearchResult("hybrid", Intent("FACT", {}), language, 0.0, (hit(score, score / 10, LEXICAL),), (), "")


def test_most_strange_questions_lie_below_the_threshold_but_a_few_do_not_move_it(tmp_path: Path) -> None:
    chance = Relevance(Vault().search, lambda: "same", tmp_path / "kept.json").chance("en")
    below = [n for n in range(1, len(STRANGE["en"]) + 1) if n / 100 <= chance.total]
    assert QUANTILE - 1 / len(STRANGE["en"]) <= len(below) / len(STRANGE["en"]) < 1
    assert chance.semantic == pytest.approx(chance.total / 10)
    assert chance.lexical == pytest.approx(FAR_MORE * LEXICAL)


def test_a_score_that_is_neither_near_in_meaning_nor_in_words_is_chance() -> None:
    chance = Chance(total=0.3, semantic=0.2, lexical=0.15)
    by_meaning, by_words, by_links = hit(0.4, 0.25, 0.0), hit(0.4, 0.1, 0.2), hit(0.9, 0.1, 0.1)
    assert chance.relevant([by_meaning]) == [by_meaning]
    assert chance.relevant([by_words]) == [by_words]
    assert chance.relevant([by_links]) == []
    assert chance.relevant([hit(0.3, 0.9, 0.9)]) == []
    assert chance.relevant([]) == []


def test_where_one_hit_is_relevant_the_next_best_are_sources_too_but_not_all() -> None:
    chance = Chance(total=0.3, semantic=0.2, lexical=0.15)
    low = [hit(0.1, 0.1, 0.1)] * 5
    assert chance.relevant([hit(0.9, 0.5, 0.1), *low]) == [hit(0.9, 0.5, 0.1), *low[:2]]
    high = [hit(0.9, 0.5, 0.1)] * 5
    assert chance.relevant([*high, *low]) == high


def test_it_is_measured_once_a_language_and_again_when_the_vault_is_another(tmp_path: Path) -> None:
    vault, notes = Vault(), [100]
    relevance = Relevance(vault.search, lambda: str(size_class(notes[0])), tmp_path / "kept.json")
    before = relevance.chance("de")
    notes[0] += 1
    assert relevance.chance("de") == before
    assert len(vault.asked) == len(STRANGE["de"])
    notes[0], vault.factor = 1000, 2.0
    assert relevance.chance("de").total == 2 * before.total
    relevance.chance("en")
    assert len(vault.asked) == 2 * len(STRANGE["de"]) + len(STRANGE["en"])


@pytest.mark.parametrize("damage", ['{"de": 7}', '{"de": ["same", 0.3]}', "no JSON"])
def test_a_restart_measures_nothing_anew_and_a_damaged_file_is_measured_over(tmp_path: Path, damage: str) -> None:
    vault, file = Vault(), tmp_path / "kept.json"
    before = Relevance(vault.search, lambda: "same", file).chance("de")
    assert Relevance(vault.search, lambda: "same", file).chance("de") == before
    assert len(vault.asked) == len(STRANGE["de"])
    file.write_text(damage, encoding="utf-8")
    assert Relevance(vault.search, lambda: "same", file).chance("de") == before
    assert len(vault.asked) == 2 * len(STRANGE["de"])
