"""When a question is put into the language of the notes: by what it found, and not by what is of no language."""

from __future__ import annotations

from dataclasses import replace

import pytest

from chat.test_prompt import source
from mindnet.chat.languages import other_language
from mindnet.records import Hit, Language
from mindnet.retrieval.intents import Intent
from mindnet.retrieval.search import SearchResult
from mindnet.retrieval.understanding import ReadPhrase

ENGLISH = "The date is written at the end of the line."
GERMAN = "Das Datum steht am Ende der Zeile."
CODE = "`task.due`"
QUESTION: dict[Language, str] = {"de": "Wo steht das Datum?", "en": "Where is the date written?"}


def finding(*passages: tuple[float, str]) -> SearchResult:
    hits = tuple(Hit(rank, source(rank, text).chunk, score, (), None) for rank, (score, text) in enumerate(passages, 1))
    return SearchResult("hybrid", Intent("FACT", {}), "de", 0.0, hits, (), "")


def is_other(language: Language, found: SearchResult) -> bool:
    sources = [replace(source(hit.rank, ""), chunk=hit.chunk, score=hit.total_score) for hit in found.hits]
    return other_language(QUESTION[language], language, found, sources)


@pytest.mark.parametrize(
    ("found", "german", "english"),
    [
        (finding((1.0, ENGLISH), (0.9, ENGLISH)), True, False),
        (finding((1.0, GERMAN), (0.9, GERMAN)), False, True),
        (finding((1.0, CODE), (0.9, ENGLISH), (0.8, CODE)), True, False),
        (finding((1.0, GERMAN), (0.9, ENGLISH)), False, False),
        (finding((1.0, GERMAN), (0.1, ENGLISH), (0.1, ENGLISH)), False, True),
        (finding((1.0, CODE)), False, False),
        (finding(), False, False),
    ],
)
def test_what_was_found_decides_and_the_best_of_it_most(found: SearchResult, german: bool, english: bool) -> None:
    assert (is_other("de", found), is_other("en", found)) == (german, english)


def test_passages_that_were_named_otherwise_than_by_what_they_are_about_are_found_already() -> None:
    found = finding((1.0, ENGLISH))
    assert not is_other("de", replace(found, everything=True))
    assert not is_other("de", replace(found, phrases=(ReadPhrase("the end", 1, ""),)))
    assert is_other("de", replace(found, phrases=(ReadPhrase("the end", None, ""),)))


def test_a_question_that_is_not_in_the_language_of_the_answer_is_left_as_it_is() -> None:
    assert not other_language(QUESTION["en"], "de", finding((1.0, ENGLISH)), [source(1, ENGLISH)])
