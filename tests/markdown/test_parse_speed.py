"""Parsing stays cheap on a real vault and linear on hostile text."""

from __future__ import annotations

from pathlib import Path

import pytest
from markdown_it import MarkdownIt  # noqa: TID251 - the yardstick

from mindnet.markdown.parse import parse_note
from mindnet.records import NoteText
from mindnet.vault.discover import discover, load_ignore_rules
from mindnet.vault.read import read_note
from timing import cpu_seconds, least

VAULT = Path(__file__).parents[2] / "demo-vault"


def test_a_vault_is_parsed_in_less_than_three_renderings() -> None:
    files, _ = discover(VAULT, load_ignore_rules(VAULT, []))
    notes = [note for file in files if isinstance(note := read_note(VAULT, file), NoteText)]
    assert len(notes) > 30
    render = MarkdownIt().render
    rendering = least(lambda: [render(note.text) for note in notes], 10)
    parsing = least(lambda: [parse_note(note.path, note.text) for note in notes], 10)
    assert parsing < 3 * rendering


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
        return min(cpu_seconds(lambda: parse_note("Note.md", text)) for _ in range(2))

    # Sixteen times the text; a quadratic reader would need 256 times as long.
    assert seconds(160_000) < 80 * max(seconds(10_000), 0.005)


def test_a_line_of_a_megabyte_is_read_to_its_end() -> None:
    note = parse_note("Note.md", "wort " * 200_000 + "[[Ende]]")
    assert [(mention.target, mention.column) for mention in note.mentions] == [("Ende", 1_000_000)]
