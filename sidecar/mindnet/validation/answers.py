"""What a model has said of proposed links.

Like decisions, answers stand beside the index and are no part of it: whoever builds an index anew builds it by them,
and nothing is asked twice.
"""

from __future__ import annotations

import hashlib
import sqlite3
import threading
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mindnet.errors import StoreError, folder_fault
from mindnet.records import Answer, Answers, Asked

FILE = "answers.sqlite"
_SCHEMA = """
CREATE TABLE IF NOT EXISTS answers (
    note BLOB NOT NULL, target BLOB NOT NULL, kind BLOB NOT NULL, section BLOB NOT NULL, block BLOB NOT NULL,
    verdict TEXT NOT NULL CHECK (verdict IN ('yes', 'no', 'pending', 'refused')), reason TEXT NOT NULL,
    model TEXT NOT NULL, answered_at INTEGER NOT NULL,
    PRIMARY KEY (note, target, kind, section, block)) WITHOUT ROWID;
"""
_PUT = "INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"


@dataclass(frozen=True, slots=True)
class Given:
    """One answer. ``model`` is the one that gave it, or was to; ``answered_at`` is in milliseconds since 1970."""

    asked: Asked
    answer: Answer
    model: str
    answered_at: int

    @property
    def judged(self) -> bool:
        """Whether a model has said yes or no."""
        return self.answer.verdict in ("yes", "no")


class ModelAnswers:
    """All answers of a vault, in one SQLite file that is there from the first answer on.

    May be used from several threads. Raises ``StoreError`` for a file that cannot be read or written: to go on
    without would bring back what was turned down.
    """

    def __init__(self, file: Path) -> None:
        self._file = file
        self._lock = threading.Lock()
        self._all: dict[Asked, Given] = {}
        self._answers: dict[Asked, Answer] = {}
        self._counts: Counter[str] = Counter()
        if file.exists():
            with self._use() as db:
                rows = db.execute("SELECT * FROM answers").fetchall()
            self._keep(_given(row) for row in rows)

    @property
    def answers(self) -> Answers:
        """By what was asked; always as it is now."""
        return self._answers

    def get(self, asked: Asked) -> Given | None:
        return self._all.get(asked)

    def all(self) -> list[Given]:
        return list(self._all.copy().values())

    def put(self, given: Sequence[Given]) -> None:
        """Takes the place of earlier answers to the same."""
        with self._use() as db, db:
            db.executemany(_PUT, map(_row, given))
        self._keep(given)

    def moved(self, note_ids: Mapping[str, str]) -> None:
        """Notes that have another id by now take their answers along."""
        gone = [one for one in self.all() if not note_ids.keys().isdisjoint(one.asked[:2])]
        if not gone:
            return
        come = [_moved(one, note_ids) for one in gone]
        with self._use() as db, db:
            db.executemany(
                "DELETE FROM answers WHERE note = ? AND target = ? AND kind = ? AND section = ? AND block = ?",
                [_key(one.asked) for one in gone],
            )
            db.executemany(_PUT, map(_row, come))
        for one in gone:
            del self._all[one.asked], self._answers[one.asked]
            self._counts[one.answer.verdict] -= 1
        self._keep(come)

    def counts(self) -> Counter[str]:
        """How many answers there are of each verdict."""
        return self._counts.copy()

    def since(self, moment: int) -> list[int]:
        """When a model has judged since then, the earliest first."""
        return sorted(one.answered_at for one in self.all() if one.judged and one.answered_at > moment)

    def digests(self) -> dict[str, str]:
        """By note a digest of what was said of its links: two states differ for those notes that are concerned."""
        lines: dict[str, list[str]] = {}
        for one in self.all():
            lines.setdefault(one.asked[0], []).append(repr((one.asked, one.answer)))
        return {
            note: hashlib.sha256("\n".join(sorted(own)).encode("utf-8", "surrogatepass")).hexdigest()[:16]
            for note, own in lines.items()
        }

    def _keep(self, given: Iterable[Given]) -> None:
        for one in given:
            before = self._all.get(one.asked)
            if before is not None:
                self._counts[before.answer.verdict] -= 1
            self._counts[one.answer.verdict] += 1
            self._all[one.asked] = one
            self._answers[one.asked] = one.answer

    @contextmanager
    def _use(self) -> Iterator[sqlite3.Connection]:
        """The file is opened for each use: there is one in seconds, and nothing is held that others could miss."""
        with self._lock:
            db: sqlite3.Connection | None = None
            try:
                db = sqlite3.connect(self._file, isolation_level=None)
                db.executescript(_SCHEMA)
                db.isolation_level = "DEFERRED"
                yield db
            except sqlite3.Error as error:
                raise folder_fault(self._file, error) or StoreError(
                    f"{self._file} cannot be read or written: {error}.",
                    hint="Move it away if it is damaged: then the model is asked anew.",
                ) from error
            finally:
                if db is not None:
                    db.close()


def _key(asked: Asked) -> tuple[bytes, ...]:
    """As bytes: a title may hold half of a surrogate pair, which SQLite takes for no text."""
    return tuple(part.encode("utf-8", "surrogatepass") for part in asked)


def _given(row: tuple[Any, ...]) -> Given:
    note, target, kind, section, block = (part.decode("utf-8", "surrogatepass") for part in row[:5])
    return Given((note, target, kind, section, block), Answer(row[5], row[6]), row[7], row[8])


def _row(one: Given) -> tuple[bytes | str | int, ...]:
    return (*_key(one.asked), one.answer.verdict, one.answer.reason, one.model, one.answered_at)


def _moved(one: Given, note_ids: Mapping[str, str]) -> Given:
    note, target, kind, section, block = one.asked
    asked = note_ids.get(note, note), note_ids.get(target, target), kind, section, block
    return Given(asked, one.answer, one.model, one.answered_at)
