"""Words as the lexical index sees them."""

from __future__ import annotations

import pytest

from mindnet.store.analysis import STOP_WORDS, content_words, fold, words


def match(one: str, other: str) -> bool:
    """Whether a question would find a text."""
    asked = {term for word in content_words(one) for term in word.terms}
    return not asked.isdisjoint(term for word in words(other, stop_words=True) for term in word.terms)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Größe", "groesse"),
        ("GRÖSSE", "Größe"),
        ("Übung", "Uebungen"),
        ("Häuser", "Haus"),
        ("haus", "Häusern"),
        ("Haeuser", "Haus"),
        ("Wärmepumpe", "Wärmepumpen"),
        ("Backup", "backups"),
        ("running", "runs"),
        ("libraries", "library"),
        ("Kündigung", "Kündigungen"),
        ("Café", "cafe"),
        ("don't", "dont"),
        ("Alice's", "Alice"),
        ("u\u0308bung", "Übung"),
        ("Straße", "STRASSE"),
        ("§ 823", "823"),
        ("BGB-Gesetz", "Gesetz BGB"),
    ],
)
def test_forms_of_a_word_match(one: str, other: str) -> None:
    assert match(one, other)
    assert match(other, one)


@pytest.mark.parametrize(
    ("one", "other"), [("Haus", "Hase"), ("823", "82"), ("Recht", "Rechnung"), ("gift", "present")]
)
def test_different_words_do_not_match(one: str, other: str) -> None:
    assert not match(one, other)


def test_fold_is_the_same_for_every_spelling() -> None:
    assert fold("Ü") == fold("ü") == fold("u\u0308") == fold("ue") == "ue"
    assert fold("ß") == fold("ẞ") == "ss"
    assert fold(fold("Straßenübergänge")) == fold("Straßenübergänge")


def test_function_words_do_not_count_unless_there_are_no_others() -> None:
    assert [word.written for word in content_words("Was ist die Kündigung?")] == ["Kündigung"]
    assert [word.written for word in content_words("to be or not to be")] == ["to", "be", "or", "not"]
    assert content_words(" … ?! ") == []


def test_stop_words_are_written_folded() -> None:
    assert {word for word in STOP_WORDS if fold(word) != word} == set()
    assert {"fuer", "ueber", "the", "und"} <= STOP_WORDS


def test_a_word_asked_twice_counts_once_as_first_written() -> None:
    assert [word.written for word in content_words("Haus Häuser HAUS Garten")] == ["Haus", "Garten"]


def test_words_keep_their_order_and_spelling() -> None:
    assert [word.written for word in words("Der Käufer kauft_viel 3,5 km", stop_words=True)] == [
        "Der",
        "Käufer",
        "kauft",
        "viel",
        "3",
        "5",
        "km",
    ]


def test_other_scripts_are_words_too() -> None:
    assert match("Москва", "москва")
    assert match("東京", "東京")
