"""A time in a question is a filter that shows, and never empties an answer by itself."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone

import pytest

from mindnet.retrieval.filters import DateRange, Filters
from mindnet.retrieval.search import SearchResult
from retrieval.small_vault import SmallVault, found


@pytest.fixture
def vault() -> SmallVault:
    """Seen from Wednesday, 12 June 2024."""
    vault = SmallVault(real_words=True)
    vault.note("Old", "copper kettle", created=20230501000000, updated=20230501120000)
    vault.note("March", "copper kettle of tin", created=20240315000000, updated=20240315120000)
    vault.note("Edited", "copper kettle of brass", created=20230502000000, updated=20240605120000)
    vault.note("Fresh", "copper kettle of gold", created=20240611000000, updated=20240611120000)
    return vault


def outcomes(result: SearchResult) -> list[tuple[str, str]]:
    return [(time.text, time.outcome) for time in result.times]


@pytest.mark.parametrize(
    ("question", "left"),
    [
        ("copper kettle last week", {"Edited"}),
        ("Kupfer kettle letzte Woche", {"Edited"}),
        ("copper kettle seit Montag", {"Fresh"}),
        ("copper kettle yesterday", {"Fresh"}),
        ("copper kettle im März 2024", {"March"}),
        ("copper kettle im März", {"March"}),
        ("notes from 2023 about the copper kettle", {"Old", "Edited"}),
        ("copper kettle changed last week", {"Edited"}),
        ("welche Notizen zum kettle habe ich 2024 angelegt", {"March", "Fresh"}),
    ],
)
@pytest.mark.parametrize("mode", ["hybrid", "lexical", "semantic"])
def test_only_notes_of_that_time_are_found(vault: SmallVault, mode: str, question: str, left: set[str]) -> None:
    result = vault.ask(question, mode=mode)
    assert set(found(result)) == left
    assert "applied" in {outcome for _, outcome in outcomes(result)}


def test_a_neighbour_of_another_time_does_not_enter_by_the_graph(vault: SmallVault) -> None:
    vault.link("Edited#c01", "Old")
    assert found(vault.ask("copper kettle last week", depth=2)) == ["Edited"]


def test_the_answer_says_what_was_understood_in_the_language_of_the_question(vault: SmallVault) -> None:
    (time,) = vault.ask("copper kettle last week", language="en").times
    assert (str(time.first), str(time.last), time.stamp) == ("2024-06-03", "2024-06-09", "either")
    assert time.said == (
        "*last week* is read as a time: only notes that were created or changed from 2024-06-03 to 2024-06-09."
    )
    (german,) = vault.ask("kettle seit Montag geändert", language="de").times
    assert german.said == "*Montag* wird als Zeit gelesen: nur Notizen, die seit dem 10.06.2024 geändert wurden."


def test_it_can_be_left_off(vault: SmallVault) -> None:
    result = vault.ask("copper kettle last week", dates="ignore")
    assert len(found(result)) == 4
    assert result.times == ()


def test_the_words_of_the_time_are_not_searched_for(vault: SmallVault) -> None:
    vault.note("Last", "the last week of all", updated=20240604120000)
    assert found(vault.ask("copper kettle last week", mode="lexical")) == ["Edited"]


def test_a_time_of_which_there_is_no_note_is_not_applied_and_says_so(vault: SmallVault) -> None:
    result = vault.ask("copper kettle two weeks ago")
    assert len(found(result)) == 4
    assert outcomes(result) == [("two weeks ago", "empty")]
    assert "is not applied: no note was created or changed from 2024-05-27 to 2024-06-02" in result.times[0].said


def test_what_notes_are_about_is_no_filter_but_can_be_made_one(vault: SmallVault) -> None:
    vault.note("Sowing", "In May the copper kettle waters the beans.", created=20230101000000, updated=20230101000000)
    vault.note("May", "copper kettle", created=20240512000000, updated=20240512000000)
    result = vault.ask("copper kettle for beans in May")
    assert "Sowing" in found(result)
    assert outcomes(result) == [("May", "content")]
    assert found(vault.ask("copper kettle for beans in May", dates="apply")) == ["May"]


def test_a_bare_year_is_offered_where_there_are_notes_of_it(vault: SmallVault) -> None:
    assert outcomes(vault.ask("copper kettle 2023")) == [("2023", "offered")]
    assert len(found(vault.ask("copper kettle 2023"))) == 4
    assert set(found(vault.ask("copper kettle 2023", dates="apply"))) == {"Old", "Edited"}
    assert vault.ask("copper law of 1949").times == ()


def test_of_two_times_the_clearer_is_applied(vault: SmallVault) -> None:
    result = vault.ask("copper kettle of 2023 changed last week")
    assert found(result) == ["Edited"]
    assert outcomes(result) == [("last week", "applied"), ("2023", "second")]


def test_a_range_that_was_chosen_has_the_last_word(vault: SmallVault) -> None:
    chosen = Filters(created=DateRange.parse("2024-03", "2024-03"))
    result = vault.ask("copper kettle last week", filters=chosen)
    assert found(result) == ["March"]
    assert result.times == ()


def test_other_filters_hold_beside_it(vault: SmallVault) -> None:
    vault.note("Project", "copper kettle", type="project", updated=20240604120000)
    assert found(vault.ask("copper kettle last week", filters=Filters(type=("project",)))) == ["Project"]
    none = vault.ask("copper kettle yesterday", filters=Filters(type=("project",)))
    assert (found(none), outcomes(none)) == (["Project"], [("yesterday", "empty")])


def test_private_notes_do_not_show_by_a_time(vault: SmallVault) -> None:
    vault.note("Secret", "copper kettle", private=True, created=20240528000000, updated=20240528000000)
    assert outcomes(vault.ask("copper kettle two weeks ago")) == [("two weeks ago", "empty")]
    assert found(vault.ask("copper kettle two weeks ago", include_private=True)) == ["Secret"]


def test_why_not_names_the_time(vault: SmallVault) -> None:
    (answer,) = vault.ask("copper kettle last week", why_not=("Old.md",), language="en").why_not
    assert answer.cut_by == "time"
    assert answer.text.startswith("The time in your question leaves it out. *last week* is read as a time")


@pytest.mark.parametrize(
    ("hours", "inside", "outside"),
    [
        # Yesterday in Auckland, in New York: changed by their clock, created by the day that the author wrote.
        (12, 20240610130000, 20240611130000),
        (-4, 20240612033000, 20240612043000),
    ],
)
def test_days_are_those_of_the_users_clock(hours: int, inside: int, outside: int) -> None:
    vault = SmallVault(real_words=True, now=datetime(2024, 6, 12, 15, tzinfo=timezone(timedelta(hours=hours))))
    vault.note("In", "copper kettle", created=20200101000000, updated=inside)
    vault.note("Out", "copper kettle of tin", created=20240612000000, updated=outside)
    vault.note("Written", "copper kettle of brass", created=20240611000000, updated=20240620000000)
    assert set(found(vault.ask("copper kettle yesterday"))) == {"In", "Written"}


def test_a_phrase_is_not_read_as_a_time(vault: SmallVault) -> None:
    vault.note("Song", "I sing last week of copper.", updated=20200101000000)
    result = vault.ask('copper "last week"')
    assert (found(result), result.times) == (["Song"], ())


@pytest.mark.parametrize(
    "question",
    [
        "What did I write last week?",
        "Was habe ich letzte Woche geschrieben?",
        "letzte Woche",
        "Was war letzte Woche los?",
    ],
)
def test_of_a_time_alone_all_notes_are_found_whatever_they_are_about(vault: SmallVault, question: str) -> None:
    vault.note("Other", "zzz qqq", created=20240606000000, updated=20240606120000)
    for mode in ("hybrid", "semantic"):
        assert set(found(vault.ask(question, mode=mode))) == {"Edited", "Other"}
