"""Parsing stays linear on hostile text. How fast it is on a vault, ``scripts/bench/parse.py`` measures."""

from __future__ import annotations

import pytest

from mindnet.markdown.parse import parse_note
from timing import cpu_seconds

HOSTILE = (
    *(
        "[",
        "[[",
        "]",
        "]]",
        "](",
        '[a](b "',
        "(a:: ",
        "(a:: [[X]]) ",
        "rel: a [[X]] ",
        "a:: ",
        "$a ",
        "`",
        "`a``b",
        "%%a",
    ),
    *("<!--", '<a b="', "<a b=c ", "<code>", "**a ", "# **a ", "> [!edge] a: ", "![[", "[[a", "[[rel:a ", "#a ", "\\["),
    *("| a ", "- - ", "> > ", "- $$\n", "> $$\n", "%%\n", "x %%\n%%\n", "x $$\n$$ a\n", "x %%\n%% a %% b\n"),
)
IN_A_CALLOUT = ("(a:: [[X]]) ", "a: [[X]] ", "[[X]] ", "rel: a [[X]] ")


@pytest.mark.parametrize(
    ("before", "unit"), [("", unit) for unit in HOSTILE] + [("> [!edge] a: ", unit) for unit in IN_A_CALLOUT]
)
def test_hostile_text_takes_time_in_proportion_to_its_length(before: str, unit: str) -> None:
    def seconds(size: int) -> float:
        text = before + unit * (size // len(unit))
        return cpu_seconds(lambda: parse_note("Note.md", text))

    # Sixteen times the text; a quadratic reader would need 256 times as long, at every attempt.
    assert any(seconds(160_000) < 120 * max(seconds(10_000), 0.005) for _ in range(3))


def test_a_line_of_a_megabyte_is_read_to_its_end() -> None:
    note = parse_note("Note.md", "wort " * 200_000 + "[[Ende]]")
    assert [(mention.target, mention.column) for mention in note.mentions] == [("Ende", 1_000_000)]
