"""Which times are read in a question, and how sure it is that they are meant."""

from __future__ import annotations

from datetime import date

import pytest

from mindnet.retrieval.dates import times_of, without

TODAY = date(2024, 6, 12)
"""A Wednesday."""


def read(question: str) -> list[tuple[str, str, str | None, str]]:
    return [
        (time.text, str(time.span.first), str(time.span.last) if time.span.last else None, time.strength)
        for time in times_of(question, TODAY)
    ]


@pytest.mark.parametrize(
    ("question", "text", "first", "last"),
    [
        ("bread last week", "last week", "2024-06-03", "2024-06-09"),
        ("Brot letzte Woche", "letzte Woche", "2024-06-03", "2024-06-09"),
        ("And last week?", "last week", "2024-06-03", "2024-06-09"),
        ("Was steht im Keller? Und diese Woche?", "diese Woche", "2024-06-10", "2024-06-16"),
        ("aus der vergangenen Woche", "vergangenen Woche", "2024-06-03", "2024-06-09"),
        ("this week", "this week", "2024-06-10", "2024-06-16"),
        ("in diesem Monat", "diesem Monat", "2024-06-01", "2024-06-30"),
        ("letzten Monat", "letzten Monat", "2024-05-01", "2024-05-31"),
        ("im letzten Monat", "letzten Monat", "2024-05-01", "2024-05-31"),
        ("yesterday", "yesterday", "2024-06-11", "2024-06-11"),
        ("was war vorgestern", "vorgestern", "2024-06-10", "2024-06-10"),
        ("the day before yesterday", "day before yesterday", "2024-06-10", "2024-06-10"),
        ("seit Montag", "Montag", "2024-06-10", None),
        ("since Wednesday", "Wednesday", "2024-06-05", None),
        ("since last month", "last month", "2024-05-01", None),
        ("seit gestern", "gestern", "2024-06-11", None),
        ("last Friday", "last Friday", "2024-06-07", "2024-06-07"),
        ("am letzten Mittwoch", "letzten Mittwoch", "2024-06-05", "2024-06-05"),
        ("in the last 3 days", "last 3 days", "2024-06-10", "2024-06-12"),
        ("in den letzten zwei Wochen", "letzten zwei Wochen", "2024-05-30", "2024-06-12"),
        ("die letzten Tage", "letzten Tage", "2024-06-06", "2024-06-12"),
        ("past month", "past month", "2024-05-13", "2024-06-12"),
        ("three days ago", "three days ago", "2024-06-09", "2024-06-09"),
        ("vor zwei Wochen", "vor zwei Wochen", "2024-05-27", "2024-06-02"),
        ("Brot im März 2024", "März 2024", "2024-03-01", "2024-03-31"),
        ("in March 2023", "March 2023", "2023-03-01", "2023-03-31"),
        ("im Jänner 2024", "Jänner 2024", "2024-01-01", "2024-01-31"),
    ],
)
def test_clear_times(question: str, text: str, first: str, last: str | None) -> None:
    assert read(question) == [(text, first, last, "clear")]


@pytest.mark.parametrize(
    ("question", "text", "first", "last"),
    [
        ("Brot im März", "März", "2024-03-01", "2024-03-31"),
        ("Brot im Dezember", "Dezember", "2023-12-01", "2023-12-31"),
        ("What grows in May", "May", "2024-05-01", "2024-05-31"),
        ("seit März 2023", "März 2023", "2023-03-01", None),
        ("Protokoll März 2024", "März 2024", "2024-03-01", "2024-03-31"),
        ("taxes in 2023", "2023", "2023-01-01", "2023-12-31"),
        ("im Jahr 2023", "2023", "2023-01-01", "2023-12-31"),
        ("seit 2023", "2023", "2023-01-01", None),
        ("Umsatz letztes Jahr", "letztes Jahr", "2023-01-01", "2023-12-31"),
        ("Treffen am Freitag", "Freitag", "2024-06-07", "2024-06-07"),
        ("Treffen am 12.03.2024", "12.03.2024", "2024-03-12", "2024-03-12"),
        ("Treffen am 1. März 2024", "1. März 2024", "2024-03-01", "2024-03-01"),
        ("meeting on March 12th, 2024", "March 12th, 2024", "2024-03-12", "2024-03-12"),
        ("meeting of 12 March 2024", "12 March 2024", "2024-03-12", "2024-03-12"),
        ("2024-03-12", "2024-03-12", "2024-03-12", "2024-03-12"),
    ],
)
def test_times_that_may_be_what_notes_are_about(question: str, text: str, first: str, last: str | None) -> None:
    assert read(question) == [(text, first, last, "likely")]


@pytest.mark.parametrize("question", ["Grundgesetz 1949", "Steuererklärung 2023", "noch heute", "known today"])
def test_bare_years_and_today_are_words_first(question: str) -> None:
    assert [strength for *_, strength in read(question)] == ["possible"]


@pytest.mark.parametrize(
    "question",
    [
        "May I use this?",
        "what may change in may",
        "march of progress",
        "August Borsig",
        "between March and May 2024",
        "zwischen 2020 und 2022",
        "von 2020 bis 2022",
        "from 2020 to 2022",
        "März-April 2024",
        "vor März 2024",
        "before 2020",
        "nach dem 12.03.2024",
        "next week",
        "nächste Woche",
        "in December 2024",
        "am 31.02.2024",
        "Paragraf 2024-A",
        "Monday",
        "a week has seven days",
        "im Monat",
        "the last supper",
    ],
)
def test_what_is_no_time_of_notes_is_not_read(question: str) -> None:
    assert read(question) == []


@pytest.mark.parametrize(
    ("question", "stamp"),
    [
        ("notes from 2023", "either"),
        ("Notizen aus dem März über Brot", "either"),
        ("notes created in 2023", "created"),
        ("Notizen, die seit März geändert wurden", "updated"),
        ("Was habe ich heute notiert?", "either"),
        ("Welche Notizen habe ich im März angelegt?", "created"),
        ("what did I change that was edited in May", "updated"),
        ("journal entries from today", "either"),
    ],
)
def test_where_the_question_speaks_of_notes_every_time_is_clear(question: str, stamp: str) -> None:
    (time,) = times_of(question, TODAY)
    assert (time.strength, time.stamp) == ("clear", stamp)


def test_notes_about_something_are_not_notes_from_then() -> None:
    assert [time.strength for time in times_of("notes about bread 2023", TODAY)] == ["possible"]
    assert [time.strength for time in times_of("Notizen zur Steuer 2023", TODAY)] == ["possible"]


def test_a_verb_beside_the_time_says_which_date_counts() -> None:
    assert [time.stamp for time in times_of("geändert seit Montag", TODAY)] == ["updated"]
    assert [time.stamp for time in times_of("recipes created last week", TODAY)] == ["created"]


def test_the_clearest_comes_first() -> None:
    assert [text for text, *_ in read("plan for 2023 from last week")] == ["last week", "2023"]


def test_what_is_quoted_is_no_time() -> None:
    question = 'the song "last week" of bread'
    assert times_of(question, TODAY, quoted=[(9, 20)]) == ()


@pytest.mark.parametrize(
    ("question", "left"),
    [
        ("Was habe ich letzte Woche über Brot geschrieben?", "Was habe ich über Brot geschrieben?"),
        ("notes from yesterday about bread", "about bread"),
        ("Brot im März 2024", "Brot"),
        ("last week", "last week"),
        ("Was war letzte Woche?", "Was war letzte Woche?"),
    ],
)
def test_the_time_is_taken_out_of_what_is_searched_for_if_anything_is_left(question: str, left: str) -> None:
    assert without(question, times_of(question, TODAY)[0]) == left
