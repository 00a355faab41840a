"""What a note says of another: the text of the link and the sentence around it, as they are read."""

from __future__ import annotations

import time

import pytest

from knowledge.conftest import Vault
from mindnet.knowledge.contexts import LONGEST, shown


def said(vault: Vault, text: str) -> list[tuple[int, str, str]]:
    """Line, link text and sentence of each context of a note beside *Essig* and *Kessel*."""
    graphs = vault({"A.md": text, "Essig.md": "sauer", "Kessel.md": "rund"})
    return [(one.line, one.label, one.sentence) for one in graphs["A.md"].contexts]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Das ist gut. Man nimmt [[Essig]] dafür. Ende.", (1, "Essig", "Man nimmt Essig dafür.")),
        ("Eins.\n\n- Man nimmt **etwas** [[Essig|Saures]].", (3, "Saures", "Man nimmt etwas Saures.")),
        (
            "Der Kessel\nwird mit [[Essig#Wie|ihm]]\nsauber. Danach Wasser.",
            (2, "ihm", "Der Kessel wird mit ihm sauber."),
        ),
        ("> [!note] Hinweis\n> Nimm [Säure](Essig.md) dazu.", (2, "Säure", "Hinweis Nimm Säure dazu.")),
        ("| a | b |\n| - | - |\n| rund | [[Essig\\|sauer]] |", (3, "sauer", "| rund | sauer |")),
        ("rel: uses [[Essig]]", (1, "Essig", "Essig")),
        ("uses:: [[Essig]]", (1, "Essig", "Essig")),
        ("Dazu [[rel:uses Essig|Essig]] und Wasser.", (1, "Essig", "Dazu Essig und Wasser.")),
        ("Siehe z. B. [[Essig]] in Abs. 3 dazu.", (1, "Essig", "Siehe z. B. Essig in Abs. 3 dazu.")),
        ("---\nuses: '[[Essig]]'\n---\nText", (2, "Essig", "")),
    ],
)
def test_the_sentence_around_a_link_is_what_it_says(vault: Vault, text: str, expected: tuple[int, str, str]) -> None:
    assert said(vault, text) == [expected]


def test_two_links_of_one_sentence_share_it_and_two_sentences_of_one_line_do_not(vault: Vault) -> None:
    text = "Erst [[Essig]] und [[Kessel]]. Dann [[Essig]] allein."
    assert said(vault, text) == [
        (1, "Essig", "Erst Essig und Kessel."),
        (1, "Kessel", "Erst Essig und Kessel."),
        (1, "Essig", "Dann Essig allein."),
    ]


@pytest.mark.parametrize(
    "text",
    [
        "Nichts als [[Unbekannt]].",
        "Siehe [[A]] und [[#Oben]].",
        "`[[Essig]]` im Code",
        "rel: candidate:uses [[Essig]]",
        "# Unassigned Edges\n\n- [[Essig]]",
    ],
)
def test_what_is_no_link_to_another_note_says_nothing(vault: Vault, text: str) -> None:
    assert said(vault, text) == []


def test_of_an_endless_sentence_the_part_around_the_link_is_kept(vault: Vault) -> None:
    started = time.perf_counter()
    ((_, _, sentence),) = said(vault, "wort " * 100_000 + "vorher [[Essig]] nachher " + "wort " * 100_000)
    assert "vorher Essig nachher" in sentence
    assert len(sentence) <= LONGEST
    assert time.perf_counter() - started < 20


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("> - ## **Fett**", "Fett"),
        ("1. `Code` ist", "Code ist"),
        ("![[Bild.md|100]] [[a/B#C]]", "100 B"),
        ("3 * 4", "3 4"),
    ],
)
def test_signs_are_not_read(text: str, read: str) -> None:
    assert shown(text) == read
