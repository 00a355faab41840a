"""Sentences end where a reader sees them end."""

from __future__ import annotations

import time

import pytest

from mindnet.knowledge.sentences import sentence_ends


def split(text: str) -> list[str]:
    ends = sentence_ends(text)
    return [text[start:end].strip() for start, end in zip([0, *ends], ends, strict=False)]


@pytest.mark.parametrize(
    "text",
    [
        "Das gilt z. B. für Äpfel.|Für Birnen nicht.",
        "Nach § 5 Abs. 2 Nr. 3 BGB gilt das.|Sonst nicht.",
        "Am 3. Mai und im 19. Jahrhundert war es so.|Heute nicht.",
        "Das war 1984.|Dann kam 1985.",
        "Apples, e.g. Boskoop, keep.|Others do not!|Why?|No one knows.",
        "Dr. Meier und Prof. J. R. Schmidt kamen.|Sie blieben bis 12 Uhr.",
        "Er sagte: „Komm!“|Sie kam.",
        "See Fig. 3 and cf. Smith et al. 2020.|It is shown there.",
        "Ein Satz… mit Pause.|*Noch* einer.|[[Link]] ist der dritte.",
        "> Ein Zitat endet.\n|> Hier geht es weiter.",
        "- Ein Punkt.\n|  Noch ein Satz darin.",
        "Version 1.2.3 bleibt ganz.|Ja.",
        "kein Ende",
    ],
)
def test_sentences(text: str) -> None:
    assert split(text.replace("|", " ")) == [part.strip() for part in text.split("|")]


def test_the_parts_make_up_the_text() -> None:
    text = "Eins.  Zwei!\n\nDrei?  "
    ends = sentence_ends(text)
    assert ends[-1] == len(text)
    assert ends == sorted(set(ends))
    assert sentence_ends("") == []


@pytest.mark.parametrize("text", ["." * 300_000, ". " * 150_000, ".\n> " * 80_000, '!"' * 150_000, "." + " " * 300_000])
def test_odd_text_costs_no_more_than_its_length(text: str) -> None:
    started = time.process_time()
    sentence_ends(text)
    assert time.process_time() - started < 5
