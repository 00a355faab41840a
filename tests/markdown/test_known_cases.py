"""Inputs that broke other tools, where they lie beside the project: headings and frontmatter come out right."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from mindnet.markdown.parse import parse_note
from mindnet.records import NoteText, ParsedNote
from mindnet.vault.discover import discover, load_ignore_rules
from mindnet.vault.names import nfc
from mindnet.vault.read import encode_note, read_note

SHARED = Path(os.environ.get("MINDNET_SHARED", Path(__file__).parents[3] / "shared"))
CASES = sorted(path.parent for path in (SHARED / "cases").glob("*/expected.json"))


def read_case(vault: Path) -> dict[str, ParsedNote]:
    files, faults = discover(vault, load_ignore_rules(vault, []))
    assert not faults
    notes = {}
    for file in files:
        note = read_note(vault, file)
        assert isinstance(note, NoteText)
        assert encode_note(note.text, note.encoding, note.bom) == (vault / file.disk_path).read_bytes()
        notes[file.path] = parse_note(file.path, note.text)
    return notes


@pytest.mark.skipif(not CASES, reason="the known cases are not here: set MINDNET_SHARED")
@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case.name))
def test_known_case_is_read(case: Path) -> None:
    expected = json.loads((case / "expected.json").read_text(encoding="utf-8"))
    notes = read_case(case / "input")
    assert set(expected.get("survive", [])) <= set(notes)
    for path, headings in expected.get("headings", {}).items():
        assert [heading.text for heading in notes[path].headings] == headings
    for path, values in expected.get("frontmatter", {}).items():
        found = notes[path].frontmatter
        assert {key: found.get(key) for key in values} == values
        assert values or not found
    for path, target, kind in expected.get("edges", []):
        stem = nfc(Path(target).stem).lower()
        links = [m for m in notes[nfc(path)].mentions if Path(m.target.removesuffix(".md")).name.lower() == stem]
        assert [m for m in links if kind in ("*", m.kind)], (path, target, kind)
    for path, target in expected.get("not_edges", []):
        assert not [m for m in notes[path].mentions if m.target.lower() == Path(target).stem.lower()]
