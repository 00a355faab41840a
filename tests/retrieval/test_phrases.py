"""What stands between quotation marks has to stand in a hit, word for word."""

from __future__ import annotations

from typing import Any

import pytest

from mindnet.retrieval.phrases import phrases_of
from mindnet.retrieval.search import Query
from retrieval.small_vault import SmallVault, found, hit_of, reasons


@pytest.fixture
def vault() -> SmallVault:
    vault = SmallVault(real_words=True)
    vault.note("Exact", "Line one.\nThe copper kettle needs vinegar.", head="---\nid: Exact\n---\n")
    vault.note("Apart", "A kettle of copper needs vinegar, and vinegar again.")
    vault.note("Forms", "Copper kettles need vinegar.")
    vault.note("Other", "Grease the chain of the bicycle.")
    return vault


@pytest.mark.parametrize(
    ("question", "texts"),
    [
        ('"copper kettle" vinegar', ["copper kettle"]),
        ("„über den Zaun“", ["über den Zaun"]),
        ('„über den Zaun"', ["über den Zaun"]),
        ("“smart” «guillemets» »umgekehrt« ‹klein›", ["smart", "guillemets", "umgekehrt", "klein"]),
        ("« avec espaces »", ["avec espaces"]),
        ('("in brackets"), and "two".', ["in brackets", "two"]),
        ('a 5" pipe and a 3" pipe', []),
        ('an "open end', []),
        ('"" and "?!"', []),
        ("it's the dogs' bone", []),
    ],
)
def test_quotation_marks_of_both_languages_make_phrases(question: str, texts: list[str]) -> None:
    assert [phrase.text for phrase in phrases_of(question)] == texts


@pytest.mark.parametrize("mode", ["hybrid", "lexical"])
@pytest.mark.parametrize("depth", [0, 1])
def test_every_hit_holds_the_phrase(vault: SmallVault, mode: str, depth: int) -> None:
    vault.link("Exact#c01", "Other")
    assert found(vault.ask('"copper kettle" vinegar', mode=mode, depth=depth)) == ["Exact"]
    assert "Apart" in found(vault.ask("copper kettle vinegar", mode=mode, depth=depth))


def test_a_search_by_meaning_alone_has_no_phrases(vault: SmallVault) -> None:
    result = vault.ask('"copper kettle" vinegar', mode="semantic")
    assert {"Exact", "Apart"} <= set(found(result))
    assert result.phrases == ()


@pytest.mark.parametrize(
    "text",
    [
        "Über den Zaun",
        "ueber DEN zaun",
        "erst **über** den\nZaun, dann",
        "über [[Garten|den]] Zaun",
        "über [den](Garten.md) Zaun",
        "über-den-Zaun",
    ],
)
def test_case_umlauts_markup_and_line_breaks_do_not_matter(text: str) -> None:
    vault = SmallVault(real_words=True)
    vault.note("A", text)
    vault.note("B", "Den Zaun über Nacht streichen")
    assert found(vault.ask("„über den Zaun“")) == ["A"]


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"title": "The copper kettle"}, "its title holds your phrase *copper kettle*"),
        ({"aliases": ["Copper Kettle"]}, "one of its aliases holds your phrase *copper kettle*"),
        ({"headings": [("Copper kettle care",)]}, "a heading above holds your phrase *copper kettle*"),
        ({"tags": ["copper-kettle"]}, "one of its tags holds your phrase *copper kettle*"),
        ({"path": "Copper kettle.md"}, "its file name holds your phrase *copper kettle*"),
    ],
)
def test_names_and_headings_can_hold_it_too(values: dict[str, Any], says: str) -> None:
    vault = SmallVault(real_words=True)
    vault.note("A", "Use vinegar.", **values)
    vault.note("B", "A kettle, and copper.")
    result = vault.ask('"copper kettle"')
    assert found(result) == ["A"]
    assert reasons(hit_of(result, "A"), "lexical")[0].text == says


def test_the_reason_names_the_phrase_and_its_line_and_not_its_words_again(vault: SmallVault) -> None:
    first, *rest = reasons(hit_of(vault.ask('"copper kettle" vinegar'), "Exact"), "lexical")
    assert first.text == "holds your phrase *copper kettle*"
    assert (first.path, first.line) == ("Exact.md", 5)
    assert [reason.text for reason in rest] == ["contains your word *vinegar*"]
    (german,) = reasons(hit_of(vault.ask('"copper kettle"', language="de"), "Exact"), "lexical")
    assert german.text == "enthält deine Wortfolge *copper kettle*"


def test_without_the_phrase_in_it_the_hit_is_gone(vault: SmallVault) -> None:
    vault.note("Exact", "The copper is a kettle that needs vinegar.")
    assert found(vault.ask('"copper kettle" vinegar')) == []


def test_why_not_says_that_the_phrase_is_missing(vault: SmallVault) -> None:
    (answer,) = vault.ask('"copper kettle" "vinegar"', why_not=("Apart.md",)).why_not
    assert (answer.cut_by, answer.text) == ("phrase", "It does not hold the phrase *copper kettle*.")
    (german,) = vault.ask('"copper kettle"', why_not=("Apart.md",), language="de").why_not
    assert german.text == "Sie enthält die Wortfolge *copper kettle* nicht."


def test_a_note_has_to_hold_all_phrases_a_passage_one() -> None:
    vault = SmallVault(real_words=True)
    vault.note("Both", "The copper kettle.", "Use white vinegar.", "Nothing of it.")
    vault.note("One", "A copper kettle and vinegar that is white.")
    result = vault.ask('"copper kettle" "white vinegar"', group_by="chunk")
    assert sorted(hit.chunk.chunk_id for hit in result.hits) == ["Both#c01", "Both#c02"]
    assert [(phrase.text, phrase.notes) for phrase in result.phrases] == [("copper kettle", 2), ("white vinegar", 1)]


def test_what_is_private_is_not_even_counted(vault: SmallVault) -> None:
    vault.note("Secret", "my copper kettle", private=True)
    assert [phrase.notes for phrase in vault.ask('"copper kettle"').phrases] == [1]
    assert [phrase.notes for phrase in vault.ask('"copper kettle"', include_private=True).phrases] == [2]


def test_a_phrase_that_nobody_holds_empties_the_answer_and_says_so(vault: SmallVault) -> None:
    result = vault.ask('"silver spoon" vinegar')
    assert result.hits == ()
    assert [phrase.said for phrase in result.phrases] == ["Only notes that hold *silver spoon* word for word: 0."]


@pytest.mark.parametrize(
    "question",
    [
        "Which vinegar did the author of “Boring Spoon” recommend for a kettle?",
        "Wer hat im Buch „Boring Spoon“ über Vinegar und Copper geschrieben?",
    ],
)
def test_the_title_in_a_long_sentence_is_no_demand(vault: SmallVault, question: str) -> None:
    result = vault.ask(question)
    assert result.hits
    (phrase,) = result.phrases
    assert phrase.notes is None
    assert vault.ask(question, phrases="require").hits == ()


def test_a_short_question_requires_its_phrase_if_there_is_a_note_that_holds_it(vault: SmallVault) -> None:
    assert found(vault.ask('Where is the "copper kettle" cleaned?')) == ["Exact"]
    assert len(found(vault.ask('Where is the "kettle copper" cleaned?'))) > 1
    assert found(vault.ask('Where did I write "kettle copper"?')) == []


def test_phrases_can_be_left_off(vault: SmallVault) -> None:
    result = vault.ask('"copper kettle" vinegar', phrases="ignore")
    assert "Apart" in found(result)
    assert result.phrases == ()


def test_a_phrase_far_behind_in_words_and_meaning_is_found() -> None:
    vault = SmallVault(real_words=True)
    for number in range(30):
        vault.note(f"n{number:02}", "copper kettle " * 3 + f"copper kettle vinegar item {number}")
    vault.note("Deep", "Of many things that stand in this long note one is that vinegar of copper is blue. " * 3)
    searcher = vault.searcher(expand={"pool": 2})
    assert found(searcher.search(Query('copper kettle "vinegar of copper"'))) == ["Deep"]


def test_of_words_that_stand_everywhere_the_best_passages_are_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mindnet.retrieval.phrases.MOST_READ", 3)
    vault = SmallVault(real_words=True)
    for number in range(9):
        vault.note(f"n{number}", f"out of the blue came item {number}", weight=0.5)
    vault.note("Best", "Out of the blue came a kettle")
    vault.note("Apart", "The blue of it is out")
    result = vault.ask('"out of the blue" kettle', why_not=("n8.md", "Apart.md"))
    assert found(result)[0] == "Best"
    assert len(found(result)) <= 3
    assert result.phrases[0].said == "Only notes that hold *out of the blue* word for word: at least 2."
    unread, apart = result.why_not
    assert (unread.cut_by, apart.cut_by) == (None, "phrase")
