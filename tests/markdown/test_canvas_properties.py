"""What holds for any canvas and drawing whatever, and that neither costs more than its length."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mindnet.markdown.json_items import read_items
from mindnet.markdown.lines import split_lines
from mindnet.markdown.parse import OTHERS, parse_note
from mindnet.records import ParsedNote
from mindnet.vault.names import NOTE_SUFFIXES
from timing import cpu_seconds

JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=5) | st.just("a"),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)
WORDS = st.sampled_from(
    ["[[X]]", "# K", "```", "%%", "> [!edge] uses: [[Y]]", "#tag", "\n", "\r\n", "\u2028", "\x00", "\ud800", "ä", ""]
)
TEXTS = st.lists(WORDS, max_size=5).map(" ".join)
IDS = st.sampled_from(["a", "b", "c", 1])


def any_of(**known: st.SearchStrategy[Any]) -> st.SearchStrategy[dict[str, Any]]:
    """An object whose keys may be missing, hold what belongs there or anything else."""
    return st.fixed_dictionaries({}, optional={key: value | JSON for key, value in known.items()})


NODES = any_of(
    id=IDS,
    type=st.sampled_from(["text", "file", "group", "link"]),
    text=TEXTS,
    file=st.sampled_from(["A.md", "b/C.canvas", "x.png", "", "ohne"]),
    subpath=st.sampled_from(["#K", "#^b", "#"]),
    label=TEXTS,
    x=st.integers(-9, 9),
    y=st.integers(-9, 9),
    width=st.integers(0, 9),
    height=st.integers(0, 9),
)
HEADS = st.sampled_from(["arrow", "none"])
ARROWS = any_of(fromNode=IDS, toNode=IDS, fromEnd=HEADS, toEnd=HEADS, label=st.sampled_from(["uses", "was anderes"]))
CANVASES = any_of(nodes=st.lists(NODES | JSON, max_size=6), edges=st.lists(ARROWS | JSON, max_size=6))
ELEMENTS = any_of(type=st.just("text"), text=TEXTS, rawText=TEXTS, link=TEXTS, isDeleted=st.booleans())
SCENES = any_of(elements=st.lists(ELEMENTS | JSON, max_size=6))
LAYOUT = st.sampled_from([None, 1, "\t"])


def check(note: ParsedNote) -> None:
    """Every place exists, and the text of every part of it is one that can be stored."""
    count = len(split_lines(note.text))
    reading = note.reading
    assert reading is not None
    assert len(reading.lines) == len(reading.numbers)
    assert all(1 <= number <= count for number in reading.numbers)
    assert all(1 <= fault.line <= count for fault in note.faults)
    starts = [stretch.start_line for stretch in reading.stretches]
    assert starts == sorted(set(starts))
    assert {one for one in starts if reading.lines[one - 1].strip()} <= {block.start_line for block in note.blocks}
    covered = 0
    for block in note.blocks:
        assert covered < block.start_line <= block.end_line <= len(reading.lines)
        covered = block.end_line
    for mention in note.mentions:
        assert 1 <= mention.line <= len(reading.lines)
        assert mention.from_line in (0, *starts)
    for text in (
        *reading.lines,
        *note.tags,
        *(one for mention in note.mentions for one in (mention.target, mention.label)),
    ):
        text.encode("utf-8")


@settings(max_examples=300, deadline=None)
@given(CANVASES | JSON, LAYOUT)
def test_any_canvas_is_read(data: Any, indent: int | str | None) -> None:
    note = parse_note("Board.canvas", json.dumps(data, indent=indent))
    check(note)
    if isinstance(data, dict):
        assert "json_syntax" not in [fault.code for fault in note.faults]


@settings(max_examples=150, deadline=None)
@given(SCENES | JSON, LAYOUT)
def test_any_old_drawing_is_read(data: Any, indent: int | str | None) -> None:
    check(parse_note("Skizze.excalidraw", json.dumps(data, indent=indent)))


@settings(max_examples=300, deadline=None)
@given(CANVASES | SCENES, LAYOUT, st.data())
def test_a_broken_file_is_read_as_far_as_it_goes(data: Any, indent: int | str | None, draw: st.DataObject) -> None:
    """Something is cut out of it and something put in."""
    text = json.dumps(data, indent=indent)
    start = draw.draw(st.integers(0, len(text)))
    end = draw.draw(st.integers(start, min(len(text), start + 9)))
    put = draw.draw(
        st.sampled_from(["", "{", "}", "[", "]", ",", '"', ":", "\\", "<<<<<<< HEAD\n", "\r", "\x00", "NaN"])
    )
    broken = text[:start] + put + text[end:]
    for path in ("Board.canvas", "Skizze.excalidraw"):
        check(parse_note(path, broken))


@settings(max_examples=200, deadline=None)
@given(st.text())
def test_any_text_at_all_is_read(text: str) -> None:
    for path in ("Board.canvas", "Skizze.excalidraw"):
        check(parse_note(path, text))


SECTIONS = ["# Excalidraw Data", "## Text Elements", "# Text Elements", "## Element Links", "## Embedded Files"]
LINES = [
    "%%",
    "#",
    "## Drawing",
    "```json",
    "```",
    "text ^abc123",
    "a1: [[X]]",
    "[[Y]]",
    "---",
    "",
    "> [!edge] uses: [[Z]]",
]
PIECES = st.sampled_from([*SECTIONS, *LINES, "==⚠ EXCALIDRAW ⚠=="])


@settings(max_examples=300, deadline=None)
@given(st.lists(PIECES, max_size=20), st.sampled_from(["\n", "\r\n"]))
def test_any_drawing_is_read_in_the_files_own_lines(pieces: list[str], end: str) -> None:
    text = end.join(["---", "excalidraw-plugin: parsed", "---", *pieces])
    note = parse_note("Skizze.md", text)
    check(note)
    lines = split_lines(text)
    assert note.reading is not None
    for shown, line in zip(note.reading.lines, lines, strict=True):
        assert line.startswith(shown)


def test_the_list_of_suffixes_is_that_of_the_parsers() -> None:
    assert set(NOTE_SUFFIXES) == {".md", *(f".{suffix}" for suffix in OTHERS)}


# ------------------------------------------------------------------ time
HOSTILE = ['{"a":', "{", '{"', "[", '{"a":[', '{"nodes":[', '{"nodes":[{"a":"', "{} x ", '{"a":{},', '"\\', '{"\\"']
HOSTILE += ['{"nodes":[]}', '{"nodes":[{"type":"text","text":"a"},', '{"type":"text","text":"a"', '{"a":1']


@pytest.mark.parametrize("unit", HOSTILE)
def test_broken_json_takes_time_in_proportion_to_its_length(unit: str) -> None:
    short, long = (unit * (size // len(unit)) for size in (20_000, 160_000))
    base = max(cpu_seconds(lambda: parse_note("Board.canvas", short)), 0.01)
    # Eight times the text; a quadratic reader would need 64 times as long.
    assert cpu_seconds(lambda: parse_note("Board.canvas", long)) < 30 * base


def many_cards(number: int) -> str:
    place = {"x": 0, "y": 0, "width": 9, "height": 9}
    nodes = [{"id": f"g{at}", "type": "group", "label": f"G{at}", **place} for at in range(number // 4)]
    nodes += [{"id": f"t{at}", "type": "text", "text": f"Karte {at}", **place} for at in range(number)]
    nodes += [{"id": f"f{at}", "type": "file", "file": f"N{at}.md", **place} for at in range(number)]
    edges = [{"fromNode": f"t{at}", "toNode": f"f{at}"} for at in range(number)]
    return json.dumps({"nodes": nodes, "edges": edges})


def test_a_canvas_of_thousands_of_cards_takes_time_in_proportion_to_their_number() -> None:
    few, many = many_cards(1_000), many_cards(8_000)

    def seconds(text: str) -> float:
        return cpu_seconds(lambda: parse_note("Board.canvas", text))

    # Eight times the cards, and more than the processor's cache holds; a quadratic reader would need 64 times as long,
    # at every attempt.
    assert any(seconds(many) < 45 * max(seconds(few), 0.01) for _ in range(4))
    codes = [fault.code for fault in parse_note("Board.canvas", many).faults]
    assert codes == ["canvas_groups"]


def test_what_is_read_behind_an_error_knows_its_place() -> None:
    text = '{"nodes":[{"a":1}, {"b":"x"y"}, {"c":3}], "edges":[{"d":4}]}'
    found = read_items(text, ("nodes", "edges"))
    assert [(item.name, text[item.offset : item.offset + 4]) for item in found.items] == [
        ("nodes", '{"a"'),
        ("", '{"c"'),
        ("", '{"d"'),
    ]
    assert found.error is not None
    assert text[found.error[0]] == "y"
