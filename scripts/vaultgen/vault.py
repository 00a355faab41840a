"""Puts a planned vault on disk: bytes, dates, and the settings folder that Obsidian makes."""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from random import Random

from vaultgen.note import note_text
from vaultgen.plan import Language, Planned, plan_vault

ENCODINGS: tuple[tuple[float, str, str], ...] = (
    (0.010, "utf-8", "\r\n"),
    (0.014, "utf-8-sig", "\n"),
    (0.016, "utf-16", "\n"),
    (1.000, "utf-8", "\n"),
)
"""Up to which chance a file has which encoding and line end; ``utf-8-sig`` is UTF-8 with a mark."""


@dataclass(frozen=True, slots=True)
class Made:
    """``links`` counts what was planned: how many in all, and how many lead nowhere."""

    notes: int
    templates: int
    links: int
    unresolved: int
    characters: int
    folders: int
    most_linked: int


def file_bytes(note: Planned, seed: int) -> bytes:
    """The file of a note."""
    chance = Random(f"bytes {seed} {note.number}").random()
    encoding, end = next((codec, end) for limit, codec, end in ENCODINGS if chance < limit)
    return note_text(note, seed).replace("\n", end).encode(encoding)


def generate(out: Path, notes: int, seed: int, language: Language = "both") -> Made:
    """Writes a vault of so many notes into ``out``, which must be empty or not there; the same for the same seed.

    Files have the dates of their notes, so that an order by time is that of a vault that grew.
    """
    out.mkdir(parents=True, exist_ok=True)
    if any(out.iterdir()):
        raise FileExistsError(f"{out} is not empty")
    planned = plan_vault(notes, seed, language)
    folders = sorted({note.folder for note in planned})
    for folder in folders:
        (out / folder).mkdir(parents=True, exist_ok=True)
    characters = 0
    for note in planned:
        content = file_bytes(note, seed)
        characters += len(content)
        file = out / note.path
        file.write_bytes(content)
        changed = note.modified.timestamp()
        os.utime(file, (changed, changed))
    settings = out / ".obsidian"
    settings.mkdir()
    (settings / "app.json").write_text('{"alwaysUpdateLinks": true}\n', encoding="utf-8")
    linked = Counter(link.path for note in planned for link in note.links if link.resolves)
    return Made(
        notes=len(planned),
        templates=sum(note.kind == "template" for note in planned),
        links=sum(len(note.links) for note in planned),
        unresolved=sum(not link.resolves for note in planned for link in note.links),
        characters=characters,
        folders=len(folders),
        most_linked=max(linked.values(), default=0),
    )
