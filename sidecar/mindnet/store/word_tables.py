"""The tables of words as segments follow them: what was written behind a row, and which rows are gone since."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager
from functools import partial
from typing import Generic, TypeVar, cast

from mindnet.store.kept_words import WORDS
from mindnet.store.postings import StoredBag, StoredContext
from mindnet.store.term_codes import TermCodes

REMEMBERED = 100_000
"""So many lost rows of a table are remembered; who lags further behind reads which rows there are."""

R = TypeVar("R", bound=tuple[object, ...])
Reading = Callable[[], AbstractContextManager[sqlite3.Connection]]


class Losses:
    """The rows that each table has lost, in order, as far as they were taken out under its eyes.

    To be used with the connection held.
    """

    def __init__(self) -> None:
        self._lost: dict[str, list[int]] = {table: [] for table in WORDS}
        self._start = dict.fromkeys(WORDS, 0)
        self._changes = 0

    def look(self, db: sqlite3.Connection) -> None:
        """Before a transaction, and before ``since``: what changed without being told of can be anything."""
        if db.total_changes != self._changes:
            self._changes = db.total_changes
            for table, rows in self._lost.items():
                self._start[table] += len(rows) + 1
                rows.clear()

    def add(self, db: sqlite3.Connection, lost: Mapping[str, Sequence[int]]) -> None:
        """After a transaction: all that it took out."""
        self._changes = db.total_changes
        for table, rows in lost.items():
            own = self._lost[table]
            own += rows
            if len(own) > REMEMBERED:
                forgotten = len(own) - REMEMBERED // 2
                del own[:forgotten]
                self._start[table] += forgotten

    def since(self, table: str, after: int) -> tuple[int, Sequence[int] | None]:
        start, rows = self._start[table], self._lost[table]
        return start + len(rows), None if after < start else rows[after - start :]


class WordTable(Generic[R]):
    """One table, read through the manifest's connection; the number of a row is never used again.

    ``columns`` are those of the record that is made of a row, behind the row's number.
    """

    def __init__(
        self, name: str, columns: str, row: type[R], reading: Reading, losses: Losses, codes: TermCodes
    ) -> None:
        self._name = name
        self._columns = columns
        self._bags = [place for place, column in enumerate(columns.split(", ")) if column in ("bag", "name_bag")]
        # The constructor of a named tuple takes longer than reading what is in it.
        self._make = cast(Callable[[Sequence[object]], R], partial(tuple.__new__, row))
        self._reading = reading
        self._losses = losses
        self._codes = codes

    def lost(self, after: int) -> tuple[int, Sequence[int] | None]:
        with self._reading() as db:
            self._losses.look(db)
            return self._losses.since(self._name, after)

    def living(self) -> Sequence[int]:
        with self._reading() as db:
            return [row for (row,) in db.execute(f"SELECT row FROM {self._name}")]

    def written(self, after: int) -> Sequence[R]:
        with self._reading() as db:
            asked = f"SELECT row, {self._columns} FROM {self._name} WHERE row > ? ORDER BY row"
            rows = list(map(list, db.execute(asked, (after,))))
            for place in self._bags:
                bags = self._codes.bags(db, [row[place + 1] for row in rows])
                for row, bag in zip(rows, bags, strict=True):
                    row[place + 1] = bag
            return list(map(self._make, rows))


def chunk_table(reading: Reading, losses: Losses, codes: TermCodes) -> WordTable[StoredBag]:
    """The words of every chunk."""
    return WordTable("chunks", "chunk_id, note_id, length, bag", StoredBag, reading, losses, codes)


def name_table(reading: Reading, losses: Losses, codes: TermCodes) -> WordTable[StoredBag]:
    """What notes are called; a bag has each word once."""
    return WordTable("names", "note_id, note_id, length, bag", StoredBag, reading, losses, codes)


def context_table(reading: Reading, losses: Losses, codes: TermCodes) -> WordTable[StoredContext]:
    """What notes say of others."""
    columns = "source_id, target_id, private, length, bag, names, name_bag"
    return WordTable("contexts", columns, StoredContext, reading, losses, codes)
