"""The threshold below which nothing counts as found."""

from __future__ import annotations

from pathlib import Path

from chat.test_prompt import source
from mindnet.chat.relevance import QUANTILE, STRANGE, Relevance, size_class
from mindnet.records import Hit, Language
from mindnet.retrieval.intents import Intent
from mindnet.retrieval.search import Query, SearchResult


class Vault:
    """A search in which each strange question reaches another score, from 0.01 upwards."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.factor = 1.0

    def search(self, query: Query) -> SearchResult:
        self.asked.append(query.text)
        language: Language = query.language or "en"
        score = (STRANGE[language].index(query.text) + 1) / 100 * self.factor
        hits = (Hit(1, source(1, "Text").chunk, score, (), None),)
        return SearchResult("hybrid", Intent("FACT", {}), language, 0.0, hits, (), "")


def test_most_strange_questions_lie_below_the_threshold_but_a_few_do_not_move_it(tmp_path: Path) -> None:
    found = Relevance(Vault().search, lambda: "same", tmp_path / "kept.json").threshold("en")
    below = [n for n in range(1, len(STRANGE["en"]) + 1) if n / 100 <= found]
    assert QUANTILE <= len(below) / len(STRANGE["en"]) < 1


def test_it_is_measured_once_a_language_and_again_when_the_vault_is_another(tmp_path: Path) -> None:
    vault, notes = Vault(), [100]
    relevance = Relevance(vault.search, lambda: str(size_class(notes[0])), tmp_path / "kept.json")
    before = relevance.threshold("de")
    notes[0] += 1
    assert relevance.threshold("de") == before
    assert len(vault.asked) == len(STRANGE["de"])
    notes[0], vault.factor = 1000, 2.0
    assert relevance.threshold("de") == 2 * before
    relevance.threshold("en")
    assert len(vault.asked) == 2 * len(STRANGE["de"]) + len(STRANGE["en"])


def test_a_restart_measures_nothing_anew_and_a_damaged_file_is_measured_over(tmp_path: Path) -> None:
    vault, file = Vault(), tmp_path / "kept.json"
    before = Relevance(vault.search, lambda: "same", file).threshold("de")
    assert Relevance(vault.search, lambda: "same", file).threshold("de") == before
    assert len(vault.asked) == len(STRANGE["de"])
    file.write_text('{"de": 7}', encoding="utf-8")
    assert Relevance(vault.search, lambda: "same", file).threshold("de") == before
    assert len(vault.asked) == 2 * len(STRANGE["de"])
