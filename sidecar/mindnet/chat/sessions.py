"""Conversations on disk: each turn is there from the moment it is asked, however it ends."""

from __future__ import annotations

import json
import logging
import sqlite3
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from uuid import uuid4

from mindnet.aside import set_aside
from mindnet.chat.events import Citation, State
from mindnet.errors import NotFoundError, StoreError
from mindnet.records import Language

log = logging.getLogger(__name__)
MAX_TITLE = 80
_SCHEMA = """
CREATE TABLE IF NOT EXISTS sessions (
    session_id TEXT PRIMARY KEY, title TEXT NOT NULL, created INTEGER NOT NULL, updated INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS turns (
    query_id TEXT PRIMARY KEY,
    session_id TEXT NOT NULL REFERENCES sessions ON DELETE CASCADE,
    asked_at INTEGER NOT NULL, message TEXT NOT NULL, question TEXT NOT NULL, language TEXT NOT NULL,
    state TEXT NOT NULL, answer TEXT NOT NULL, model TEXT, citations TEXT NOT NULL, sources TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS turns_of ON turns (session_id);
"""


@dataclass(frozen=True, slots=True)
class Turn:
    """A question and what became of it. ``asked_at`` is in milliseconds since 1970.

    ``question`` is what was searched for, ``sources`` are the ids of the passages that were found. A turn that is
    still ``asked`` after a start of the sidecar was cut off with it.
    """

    query_id: str
    asked_at: int
    message: str
    question: str
    language: Language
    state: State
    answer: str
    model: str | None
    citations: tuple[Citation, ...]
    sources: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Session:
    """``title`` is the beginning of its first question; times in milliseconds since 1970."""

    session_id: str
    title: str
    created: int
    updated: int
    turns: int


class Sessions:
    """The conversations of one vault, in one SQLite file; every method may raise ``StoreError``."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._lock = threading.Lock()
        self._opened: sqlite3.Connection | None = None

    @contextmanager
    def _use(self) -> Iterator[sqlite3.Connection]:
        """The database, opened when it is first needed: who never chats has no such file."""
        with self._lock:
            try:
                if self._opened is None:
                    self._opened = _open_or_begin(self._file)
                yield self._opened
            except sqlite3.Error as error:
                raise StoreError(
                    f"The chats in {self._file} cannot be read or written: {error}.",
                    hint="Check that the disk has room and the file is yours to write.",
                ) from error

    def close(self) -> None:
        with self._lock:
            if self._opened is not None:
                self._opened.close()
                self._opened = None

    def begin(self, session_id: str | None, message: str, language: Language) -> tuple[str, str]:
        """Writes down that ``message`` was asked; gives the ids of session and turn.

        Raises ``NotFoundError`` for a session that does not exist.
        """
        now, query_id = _now(), str(uuid4())
        with self._use() as db, db:
            db.execute("BEGIN")
            if session_id is None:
                session_id = str(uuid4())
                title = " ".join(message.split())
                title = title if len(title) <= MAX_TITLE else f"{title[: MAX_TITLE - 1]}…"
                db.execute("INSERT INTO sessions VALUES (?, ?, ?, ?)", (session_id, title, now, now))
            elif not db.execute("UPDATE sessions SET updated = ? WHERE session_id = ?", (now, session_id)).rowcount:
                raise _unknown(session_id)
            db.execute(
                "INSERT INTO turns VALUES (?, ?, ?, ?, ?, ?, 'asked', '', NULL, '[]', '[]')",
                (query_id, session_id, now, message, message, language),
            )
        return session_id, query_id

    def searched(self, query_id: str, question: str, sources: Sequence[str]) -> None:
        with self._use() as db:
            db.execute(
                "UPDATE turns SET question = ?, sources = ? WHERE query_id = ?",
                (question, json.dumps(list(sources)), query_id),
            )

    def end(
        self, query_id: str, state: State, answer: str, model: str | None, citations: Sequence[Citation] = ()
    ) -> None:
        """Writes down how a turn ended; one whose session is gone by now is forgotten with it."""
        cited = json.dumps([asdict(one) for one in citations], ensure_ascii=False)
        with self._use() as db:
            db.execute(
                "UPDATE turns SET state = ?, answer = ?, model = ?, citations = ? WHERE query_id = ?",
                (state, answer, model, cited, query_id),
            )

    def all(self) -> list[Session]:
        """All of them, the last used first."""
        with self._use() as db:
            rows = db.execute(
                "SELECT s.session_id, title, created, updated, count(query_id) FROM sessions s LEFT JOIN turns t"
                " ON t.session_id = s.session_id GROUP BY s.session_id ORDER BY updated DESC, s.rowid DESC"
            ).fetchall()
        return [Session(*row) for row in rows]

    def get(self, session_id: str) -> tuple[Session, list[Turn]]:
        """A session with its turns, the oldest first; raises ``NotFoundError``."""
        with self._use() as db:
            row = db.execute(
                "SELECT session_id, title, created, updated FROM sessions WHERE session_id = ?", (session_id,)
            ).fetchone()
            rows = db.execute(
                "SELECT query_id, asked_at, message, question, language, state, answer, model, citations, sources"
                " FROM turns WHERE session_id = ? ORDER BY rowid",
                (session_id,),
            ).fetchall()
        if row is None:
            raise _unknown(session_id)
        return Session(row[0], row[1], row[2], row[3], len(rows)), [_turn(one) for one in rows]

    def turns(self, session_id: str) -> list[Turn]:
        return self.get(session_id)[1]

    def delete(self, session_id: str) -> None:
        """Raises ``NotFoundError`` for one that does not exist."""
        with self._use() as db:
            if not db.execute("DELETE FROM sessions WHERE session_id = ?", (session_id,)).rowcount:
                raise _unknown(session_id)

    def delete_all(self) -> int:
        with self._use() as db:
            return db.execute("DELETE FROM sessions").rowcount


def _open_or_begin(file: Path) -> sqlite3.Connection:
    try:
        return _open(file)
    except sqlite3.DatabaseError as error:
        if isinstance(error, sqlite3.OperationalError):
            # Locked, or a disk that is full: nothing is wrong with the file itself.
            raise
        kept = set_aside(file)
        log.warning("%s cannot be read (%s): chats begin anew, the old ones are kept as %s", file, error, kept)
        return _open(file)


def _open(file: Path) -> sqlite3.Connection:
    db = sqlite3.connect(file, check_same_thread=False, isolation_level=None)
    try:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("PRAGMA foreign_keys = ON")
        db.execute("PRAGMA secure_delete = ON")
        db.executescript(_SCHEMA)
        db.execute("UPDATE turns SET state = 'stopped' WHERE state = 'asked'")
    except sqlite3.DatabaseError:
        db.close()
        raise
    return db


def _turn(row: tuple[str, int, str, str, Language, State, str, str | None, str, str]) -> Turn:
    cited = [
        Citation(**{**one, "heading_path": tuple(one["heading_path"])})  # a list in JSON
        for one in json.loads(row[8])
    ]
    return Turn(*row[:8], citations=tuple(cited), sources=tuple(json.loads(row[9])))


def _unknown(session_id: str) -> NotFoundError:
    return NotFoundError(f"There is no chat session {session_id}.", hint="Begin a new one without session_id.")


def _now() -> int:
    return time.time_ns() // 1_000_000
