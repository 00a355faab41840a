"""What holds for any text whatever."""

from __future__ import annotations

import json
import math
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from mindnet.markdown.frontmatter import parse_yaml
from mindnet.markdown.lines import split_lines, text_from
from mindnet.markdown.parse import parse_note
from mindnet.markdown.properties import read_properties
from mindnet.markdown.scalars import plain_scalar

SYNTAX = r"""
[[ ]] [[X]] ![[ | \| # #^ ]( <X.md> ) ( [ ] rel: uses: candidate: key:: :: > - * + 1. [!edge] [!note]-
$ $$ %% ` ``` ~~~ <!-- --> <a href=" </a> <br> <code> </code> \ --- === *** ** __ == " ' { } , & ! ? @ :
tags: links: a b ä 😀
"""
PIECES = st.sampled_from(SYNTAX.split())
SPACES = st.sampled_from(
    ["\n", "\n\n", " ", "    ", "\t", "\r", "\r\n", "\x00", "\u2028", "\x0c", "\x85", "\xa0", "", "\n> ", "\n- "]
)
MARKDOWN = st.lists(st.one_of(PIECES, SPACES, st.text(max_size=3)), max_size=60).map("".join)
NOTES = st.one_of(
    st.text(),
    MARKDOWN,
    MARKDOWN.map("---\n{}".format),
    st.tuples(MARKDOWN, MARKDOWN).map("---\n{0[0]}\n---\n{0[1]}".format),
)


def json_safe(value: Any) -> bool:
    return bool(json.loads(json.dumps(value, allow_nan=False)) == value)


@settings(max_examples=400, deadline=None)
@given(NOTES)
def test_any_text_is_parsed_and_its_places_exist(text: str) -> None:
    note = parse_note("Note.md", text)
    lines = split_lines(text)
    assert not [fault for fault in note.faults if fault.code == "structure"]
    assert json_safe(note.frontmatter)
    assert 1 <= note.body_line <= len(lines) + 1
    for mention in note.mentions:
        assert 1 <= mention.line <= len(lines)
        if mention.source in ("wikilink", "embed", "mdlink"):
            assert lines[mention.line - 1][mention.column] in "[!"
    for heading in note.headings:
        assert note.body_line <= heading.line <= len(lines)


@settings(max_examples=400, deadline=None)
@given(NOTES)
def test_blocks_are_disjoint_and_cover_every_line_that_is_not_blank(text: str) -> None:
    note = parse_note("Note.md", text)
    lines = split_lines(text)
    covered: list[int] = []
    for block in note.blocks:
        assert note.body_line <= block.start_line <= block.end_line <= len(lines)
        covered += range(block.start_line, block.end_line + 1)
    assert covered == sorted(set(covered))
    filled = {number for number, line in enumerate(lines, 1) if number >= note.body_line and line.strip()}
    assert filled <= set(covered)


@settings(max_examples=200, deadline=None)
@given(NOTES)
def test_every_relation_in_the_body_has_its_plain_mention(text: str) -> None:
    note = parse_note("Note.md", text)
    plain = {(m.line, m.column, m.target, m.section) for m in note.mentions if m.kind is None}
    for mention in note.mentions:
        if mention.source in ("rel", "field", "callout"):
            assert (mention.line, mention.column, mention.target, mention.section) in plain


SCALAR = st.one_of(
    st.sampled_from(
        [
            "yes",
            "12:30",
            "2024-06-01",
            "a: b",
            "x #y",
            "-",
            "- a",
            "null",
            "'q'",
            '"q"',
            "[a, b]",
            "[[X]]",
            "{a}",
            "a:b",
        ]
    ),
    st.text(alphabet="ab1:#-[]{}',\"|> .ä\\&*!%@?\t", max_size=8),
)
ROW = st.one_of(
    st.tuples(st.sampled_from(["a", "b c", "ä-1", "x.y", "tags"]), SCALAR).map("{0[0]}: {0[1]}".format),
    st.sampled_from(["k:", "k: ", "", "# c", "  # c", "  more"]),
    SCALAR.map("- {}".format),
    SCALAR.map("  - {}".format),
)


@settings(max_examples=600, deadline=None)
@given(st.lists(ROW, max_size=6))
def test_quick_reading_of_properties_agrees_with_the_yaml_parser(rows: list[str]) -> None:
    quick = read_properties(rows, 2)
    if quick is not None:
        assert quick == parse_yaml("\n".join(rows) + "\n", 2)


def test_quick_reading_takes_the_common_forms() -> None:
    rows = ["title: A b", 'part_of: "[[X]]"', "tags: [a, 'b']", "list:", "  - [[X]]", '  - "y"', "empty:", "n: 12"]
    assert read_properties(rows, 2) == parse_yaml("\n".join(rows), 2)
    assert read_properties(["a: &x 1"], 2) is None


@given(st.one_of(st.integers().map(str), st.floats().map(str), st.text(), st.dates().map(str), st.datetimes().map(str)))
def test_scalars_are_json(text: str) -> None:
    value = plain_scalar(text)
    assert json_safe(value)
    assert not isinstance(value, float) or math.isfinite(value)


@given(st.lists(st.text(alphabet="ab \u2028\x85\x0b\x0c\x1c"), min_size=1), st.sampled_from(["\n", "\r\n", "\r"]))
def test_lines_end_at_line_ends_and_nowhere_else(rows: list[str], end: str) -> None:
    text = end.join(rows)
    assert split_lines(text) == rows
    for line in range(1, len(rows) + 2):
        assert text_from(text, line) == "\n".join(rows[line - 1 :])
