"""What a check says of one thing that is wrong, and how it names the place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mindnet.knowledge.edges import STRUCTURE
from mindnet.vault.resolve import Catalog

Payload = Mapping[str, Any]
SHOWN = 60
"""So many characters of a value are shown."""


@dataclass(frozen=True, slots=True)
class Problem:
    """``id`` names what is wrong: a file, with a line where there is one, or the id of what no file has."""

    code: str
    id: str
    message: str


def place(path: str, line: int = 0) -> str:
    return f"{path}:{line}" if line else path


def shown(value: object) -> str:
    """A value in one line, of a long one its beginning."""
    text = repr(value)
    return text if len(text) <= SHOWN else f"{text[:SHOWN]}…"


def differs(name: str, stored: object, expected: object) -> str:
    """How two values differ: of long ones from the first place on where they do, of maps the keys that do."""
    where = ""
    if isinstance(stored, str | list) and isinstance(expected, str | list):
        start = _first_difference(stored, expected)
        if start and max(len(repr(stored)), len(repr(expected))) > SHOWN:
            stored, expected = stored[start:], expected[start:]
            where = f", from number {start + 1} on,"
    elif isinstance(stored, Mapping) and isinstance(expected, Mapping):
        keys = [key for key in {**stored, **expected} if stored.get(key) != expected.get(key)]
        stored = {key: stored[key] for key in keys if key in stored}
        expected = {key: expected[key] for key in keys if key in expected}
    return f"`{name}`{where} is {shown(stored)} where {shown(expected)} is due"


def _first_difference(one: Sequence[object], other: Sequence[object]) -> int:
    pairs = enumerate(zip(one, other, strict=False))
    return next((index for index, (a, b) in pairs if a != b), min(len(one), len(other)))


def first_line(evidence: Iterable[Mapping[str, Any]]) -> int:
    """The first line of the places that support an edge; 0 where none has one."""
    return min((item["line"] for item in evidence if item["line"]), default=0)


def edge_text(edge: Payload, catalog: Catalog, own: str) -> str:
    """An edge as a person knows it; ``own`` is the id of the note whose file gives it."""
    section = f"#{edge['target_section']}" if edge["target_section"] else ""
    text = f"`{edge['kind']}` → {end_name(edge['target_id'], catalog)}{section}"
    if edge["provenance"] == STRUCTURE:
        return f"the edge {edge['source_id']} {text}"
    source = edge["source_id"].rpartition("#c")[0] or edge["source_id"]
    return f"the edge {text}" if source == own else f"the edge {end_name(source, catalog)} {text}"


def end_name(end: str, catalog: Catalog) -> str:
    """The file of a note's or chunk's id; any other text as it is."""
    path = catalog.path_of(end)
    if path is None and "#c" in end:
        note_id, _, number = end.rpartition("#c")
        path = catalog.path_of(note_id)
        return end if path is None else f"{path} (chunk {int(number)})" if number.isdecimal() else end
    return path or end
