"""Each fixture file holds cases as markdown-it's do: title, ``.``, input, ``.``, expected, ``.``.

In an input, ``→`` stands for a tab, ``⏎`` for a carriage return and ``␤`` for a line separator (U+2028).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from mindnet.markdown.parse import parse_note
from mindnet.records import Mention, ParsedNote

FIXTURES = Path(__file__).parent / "fixtures"


def show_mention(mention: Mention) -> str:
    kind = f"({'candidate ' if mention.candidate else ''}{mention.kind})" if mention.kind is not None else ""
    section = f"#{mention.section}" if mention.section else ""
    label = f" | {mention.label}" if mention.label else ""
    return f"{mention.line}:{mention.column} {mention.source}{kind} <{mention.target}{section}>{label}"


def mentions(note: ParsedNote) -> Iterator[str]:
    yield from (show_mention(mention) for mention in note.mentions if not mention.attachment)
    yield from (f"fault {fault.code} in line {fault.line}" for fault in note.faults)


def blocks(note: ParsedNote) -> Iterator[str]:
    for block in note.blocks:
        yield f"{block.start_line}-{block.end_line} {block.kind}{f' {block.level}' if block.level else ''}"


def headings(note: ParsedNote) -> Iterator[str]:
    return (f"{heading.line} {'#' * heading.level} {heading.text}" for heading in note.headings)


def properties(note: ParsedNote) -> Iterator[str]:
    for key, value in note.frontmatter.items():
        yield f"{note.frontmatter_lines[key]} {key} = {value!r}"
    yield f"body {note.body_line}"
    yield from mentions(note)


def canvas(note: ParsedNote) -> Iterator[str]:
    """Text as it is read, blocks with the line of the file; relations as ``source → target``; tags; faults."""
    reading = note.reading
    assert reading is not None
    opening = {stretch.start_line: " › ".join(stretch.path) for stretch in reading.stretches}
    for block in note.blocks:
        if block.start_line in opening:
            yield f"[{opening[block.start_line]}]"
        text = " / ".join(reading.lines[block.start_line - 1 : block.end_line])
        yield f"{reading.numbers[block.start_line - 1]} {block.kind}: {text}"
    for mention in note.mentions:
        source = mention.from_note or (
            f"card in line {reading.numbers[mention.from_line - 1]}" if mention.from_line else ""
        )
        line = reading.numbers[mention.line - 1]
        yield f"{source and source + ' → '}{show_mention(replace(mention, line=line))}"
    if note.tags:
        yield f"tags {', '.join(note.tags)}"
    yield from (f"fault {fault.code} in line {fault.line}" for fault in note.faults)


def tags(note: ParsedNote) -> Iterator[str]:
    yield f"tags {', '.join(note.tags)}".rstrip()
    yield f"aliases {', '.join(note.aliases)}".rstrip()


SHOWS: dict[str, Callable[[ParsedNote], Iterator[str]]] = {
    "links": mentions,
    "relations": mentions,
    "hidden": mentions,
    "frontmatter": properties,
    "blocks": blocks,
    "headings": headings,
    "tags": tags,
    "canvas": canvas,
    "drawings": canvas,
    "scenes": canvas,
}
PATHS = {"canvas": "Pläne/Board.canvas", "drawings": "Skizze.excalidraw.md", "scenes": "Skizze.excalidraw"}


def read_cases(path: Path) -> Iterator[tuple[str, str, str]]:
    parts = path.read_text(encoding="utf-8").split("\n.\n")
    for index in range(0, len(parts) - 2, 3):
        title, source, expected = parts[index : index + 3]
        source = source.replace("→", "\t").replace("⏎", "\r").replace("␤", "\u2028")
        yield title.strip().splitlines()[-1], source, expected


CASES = [(name, *case) for name in SHOWS for case in read_cases(FIXTURES / f"{name}.md")]


@pytest.mark.parametrize(
    ("name", "title", "source", "expected"), CASES, ids=[f"{case[0]}: {case[1]}" for case in CASES]
)
def test_note_is_read_as_written(name: str, title: str, source: str, expected: str) -> None:
    shown = "\n".join(SHOWS[name](parse_note(PATHS.get(name, "Note.md"), source)))
    assert shown == expected.strip("\n")


def test_every_fixture_file_is_run() -> None:
    assert {path.stem for path in FIXTURES.glob("*.md")} == set(SHOWS)
    assert all(any(case[0] == name for case in CASES) for name in SHOWS)
