"""What the manifest keeps of files, read back whole: what a check holds against the files themselves."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from mindnet.store.kept_words import WORDS, Row
from mindnet.store.manifest import Manifest, ManifestEntry, entry_from

TABLES = (*WORDS, "links")


@dataclass(frozen=True, slots=True)
class Kept:
    """A file's entry, the numbers of its links' keys, and the rows of its words by table, in order of writing."""

    entry: ManifestEntry
    link_numbers: frozenset[int]
    words: Mapping[str, list[Row]]


def kept(manifest: Manifest, paths: Sequence[str]) -> Iterator[Kept]:
    """What is kept of each of these files that the manifest has; an entry that cannot be read raises ``ValueError``."""
    with manifest.reading() as db:
        for path in paths:
            row = db.execute("SELECT number, entry FROM notes WHERE path = ?", (path,)).fetchone()
            if row is not None:
                number, entry = row
                words = {table: manifest.uncoded(table, rows) for table, rows in _words(db, number).items()}
                yield Kept(entry_from(path, entry), _link_numbers(db, number), words)


def strays(manifest: Manifest) -> Mapping[str, int]:
    """Table to the number of its rows that belong to no file."""
    with manifest.reading() as db:
        asked = "SELECT count(*) FROM {} WHERE note NOT IN (SELECT number FROM notes)"
        return {table: int(db.execute(asked.format(table)).fetchone()[0]) for table in TABLES}


def _link_numbers(db: sqlite3.Connection, number: int) -> frozenset[int]:
    return frozenset(key for (key,) in db.execute("SELECT key FROM links WHERE note = ?", (number,)))


def _words(db: sqlite3.Connection, number: int) -> Mapping[str, list[Row]]:
    """With the bags as they are kept."""
    return {
        table: db.execute(f"SELECT {', '.join(names)} FROM {table} WHERE note = ? ORDER BY row", (number,)).fetchall()
        for table, names in WORDS.items()
    }
