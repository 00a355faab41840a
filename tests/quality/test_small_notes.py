"""Notes of lists, tables, code and titles alone, and questions of one word, with a slip, of a whole paragraph.

A small vault of everyday notes, indexed by the program as it is shipped, with the model that it brings along.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from mindnet.retrieval.search import Query, SearchResult
from mindnet.workspace import Workspace, find_place

VAULT = Path(__file__).parent / "vault"

ONE_WORD = {
    "Glühbirnen": "Einkaufsliste",
    "Gluehbirne": "Einkaufsliste",
    "Roggenmehl": "Einkaufsliste",
    "Linsensuppe": "Wochenplan",
    "Fluchtweg": "Recht/Vorschrift",
    "Bremse": "Fahrrad",
    "shoe": "Reading/Running shoes",
    "plant": "Reading/House plants",
}
TITLE_ALONE = {
    "Lindqvist": "Leute/Zahnarzt Dr. Lindqvist",
    "zahnarzt": "Leute/Zahnarzt Dr. Lindqvist",
    "Hausmeister": "Leute/Hausmeister Okafor",
    "Geschenke für Oma": "Ideen/Geschenkideen für Oma",
    "Hochbeet": "Ideen/Hochbeet aus Paletten",
}
TABLES_AND_CODE = {
    "8443": "Tech/Server",
    "backup host": "Tech/Server",
    "Abendessen am Dienstag": "Wochenplan",
    "rebase": "Tech/Git cheat sheet",
    "parse_frontmatter": "Tech/Snippets",
    "getUserById": "Tech/Snippets",
    "user by id": "Tech/Snippets",
    "client_max_body_size": "Tech/Reverse proxy",
    "127.0.0.1:8080": "Tech/Reverse proxy",
}
SLIPS = {
    "Vorschus": "Recht/Vorschuss",
    "Vorshuss": "Recht/Vorschuss",
    "Kündigungschutz": "Recht/Kündigungsschutz",
    "Zahnartz": "Leute/Zahnarzt Dr. Lindqvist",
    "Autolise": "Autolyse",
    "Linsnsuppe": "Wochenplan",
    "Norwgen": "Packliste Norwegen",
    "Fahrad": "Fahrrad",
    "refactorng": "Tech/Refactoring",
    "lighthose keeper": "Reading/Lighthouse keepers",
    "montsera": "Reading/House plants",
}
COMPOUNDS = {
    "Autolysieren": "Autolyse",
    "Kündigungsschutzgesetz": "Recht/Kündigungsschutz",
    "Kündigungsfristen": "Recht/Kündigungsfrist",
    "Frist der Kündigung": "Recht/Kündigungsfrist",
    "Brandschutzvorschrift": "Recht/Vorschrift",
    "Vorschusszahlung": "Recht/Vorschuss",
    "Zahnarzttermin": "Leute/Zahnarzt Dr. Lindqvist",
    "Gartenpumpe": "Pumpe",
    "houseplant": "Reading/House plants",
}
PARAGRAPHS = {
    "Ein Korb aus Rohr hält den weichen Teigling in der letzten Ruhe. Man bestäubt ihn mit Stärke, damit er nicht "
    "klebt, und bürstet ihn nach dem Backen aus, gewaschen wird er nie. Das hat mir der Bäcker so gezeigt, und ich "
    "habe es seitdem immer so gemacht, auch wenn die Bücher teils anderes sagen.": "Gärkorb",
    "When dusk came, keepers used to light the lamp and wind up the clockwork, which had to be done every four hours "
    "through the night, and the log had to be written with the weather of the day. It was lonely work on a rock in "
    "the sea.": "Reading/Lighthouse keepers",
}
EVERYTHING = ONE_WORD | TITLE_ALONE | TABLES_AND_CODE | SLIPS | COMPOUNDS | PARAGRAPHS


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    folder = tmp_path_factory.mktemp("quality")
    (folder / "config").mkdir()
    with Workspace(find_place(VAULT, folder / "data", folder / "config", {}, {}), {}) as one:
        one.update(None)
        yield one


def first(result: SearchResult) -> str:
    return result.hits[0].chunk.path.removesuffix(".md") if result.hits else ""


@pytest.mark.parametrize("mode", ["hybrid", "lexical"])
@pytest.mark.parametrize("question", EVERYTHING, ids=lambda question: question[:24])
def test_the_note_that_is_meant_comes_first(workspace: Workspace, question: str, mode: str) -> None:
    assert first(workspace.search(Query(question, mode=mode))) == EVERYTHING[question]  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("question", "language", "says", "line"),
    [
        ("Vorshuss", "de", "enthält *Vorschuss*, dem dein Wort *Vorshuss* nahe ist", 1),
        ("Linsnsuppe", "en", "contains *Linsensuppe*, which your word *Linsnsuppe* is near to", 3),
        ("Gartenpumpe", "de", "enthält *Pumpe*, dem dein Wort *Gartenpumpe* nahe ist", 1),
    ],
)
def test_the_reason_names_the_word_that_stands_there(
    workspace: Workspace, question: str, language: str, says: str, line: int
) -> None:
    hit = workspace.search(Query(question, explain=True, language=language)).hits[0]  # type: ignore[arg-type]
    assert hit.explanation is not None
    assert (says, line) in [(reason.text, reason.line) for reason in hit.explanation.reasons]
    (lexical,) = [part for part in hit.explanation.contributions if part.part == "lexical"]
    assert lexical.points > 0
    assert question in lexical.evidence


def test_a_near_word_is_worth_less_than_the_word_itself(workspace: Workspace) -> None:
    right, near = (workspace.search(Query(text, mode="lexical")).hits[0] for text in ("Linsensuppe", "Linsnsuppe"))
    assert near.chunk.chunk_id == right.chunk.chunk_id
    assert 0 < near.total_score < right.total_score
