"""What is known of each file, the words of each chunk, and what links say: one SQLite file, one transaction a batch.

The store holds what is searched; this holds what says whether the store is up to date. It is
written after the store, so that a kill between the two makes the next scan do the note again.
"""

from __future__ import annotations

import json
import sqlite3
import threading
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, dataclass, fields, replace
from hashlib import blake2b
from pathlib import Path
from types import MappingProxyType
from typing import Any

from pydantic_core import from_json

from mindnet.errors import DamagedError, StoreError, folder_fault, is_damage
from mindnet.records import Fault, LinkContext
from mindnet.store.bags import ordered
from mindnet.store.kept_words import WORDS, Row, Words, bags_in, with_bags
from mindnet.store.term_codes import SCHEMA as TERMS
from mindnet.store.term_codes import TermCodes
from mindnet.store.word_tables import Losses, chunk_table, context_table, name_table

Counts = Mapping[str, Mapping[str, int]]
Lost = dict[str, list[int]]
"""Table to the numbers of the rows that it has lost."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS notes (number INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE, entry BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS links (key INTEGER NOT NULL, note INTEGER NOT NULL, PRIMARY KEY (key, note)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS links_by_note ON links (note);
CREATE TABLE IF NOT EXISTS pending (path TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS chunks (
    row INTEGER PRIMARY KEY AUTOINCREMENT, chunk_id TEXT NOT NULL UNIQUE, note_id TEXT NOT NULL, note INTEGER NOT NULL,
    length INTEGER NOT NULL, bag BLOB NOT NULL
);
CREATE INDEX IF NOT EXISTS chunks_by_note ON chunks (note);
CREATE TABLE IF NOT EXISTS contexts (
    row INTEGER PRIMARY KEY AUTOINCREMENT, note INTEGER NOT NULL, source_id TEXT NOT NULL, target_id TEXT NOT NULL,
    line INTEGER NOT NULL, private INTEGER NOT NULL, label TEXT NOT NULL, sentence TEXT NOT NULL,
    length INTEGER NOT NULL, bag BLOB NOT NULL, names INTEGER NOT NULL, name_bag BLOB NOT NULL
);
CREATE INDEX IF NOT EXISTS contexts_by_note ON contexts (note);
CREATE TABLE IF NOT EXISTS names (
    row INTEGER PRIMARY KEY AUTOINCREMENT, note INTEGER NOT NULL, note_id TEXT NOT NULL,
    length INTEGER NOT NULL, bag BLOB NOT NULL
);
CREATE INDEX IF NOT EXISTS names_by_note ON names (note);
"""
_VERSION = 7
_PAGE = 16_384
"""Bytes; applies to a new file. Of smaller pages more stays empty, as an entry or a bag takes a good part of one."""
_LOG_PAGES = 250
"""Rises with the tables above."""
_ASK = 500
_ANEW = "The index has to be built anew."
_RESET = "`mindnet reset --yes` removes the index, and an import builds it anew from the vault."
_REBUILT = "The next start builds the index anew from the vault; start mindnet again."


@dataclass(frozen=True, slots=True)
class ManifestEntry:
    """One file: what it was when it was indexed, and what became of it.

    ``indexed`` is False for a file that is known but not searched (a template). ``fm_id`` is
    the frontmatter's id. ``front_hash`` covers the frontmatter keys that are read, ``payload_hash`` what
    depends on other notes. ``stake`` is what the file says of edges that others could own or mirror, as JSON.
    """

    path: str
    note_id: str
    size: int
    mtime_ns: int
    file_hash: str
    body_hash: str
    front_hash: str
    body_line: int
    payload_hash: str
    chunks: int
    edges: int
    fm_id: str | None
    title: str
    aliases: tuple[str, ...]
    type: str
    faults: tuple[Fault, ...]
    indexed: bool
    counts: Counts
    stake: Mapping[str, Any]
    link_keys: frozenset[str] | None
    """Keys under which its links are looked up; None on entries read back, where the table has them."""

    def with_stat(self, size: int, mtime_ns: int) -> ManifestEntry:
        return replace(self, size=size, mtime_ns=mtime_ns)


def _mark(file: Path) -> Path:
    """Is there beside a manifest that was found damaged, so that the next start builds the index anew."""
    return file.with_name(f"{file.name}-damaged")


class Manifest:
    """The open file; its methods may be called from several threads."""

    def __init__(self, connection: sqlite3.Connection, file: Path, *, peeks: bool = False) -> None:
        self._db = connection
        self._file = file
        self._peeks = peeks
        self._lock = threading.RLock()
        self._losses = Losses()
        self._codes = TermCodes()
        self.chunk_table = chunk_table(self.reading, self._losses, self._codes)
        self.name_table = name_table(self.reading, self._losses, self._codes)
        self.context_table = context_table(self.reading, self._losses, self._codes)

    @classmethod
    def open(cls, file: Path) -> Manifest:
        """The file, made if it is not there; ``DamagedError`` where it cannot be read, now or at its last use."""
        if _mark(file).exists():
            raise DamagedError(f"{file} is damaged.", hint=_REBUILT)
        try:
            connection = sqlite3.connect(file, check_same_thread=False, isolation_level=None)
            connection.execute(f"PRAGMA page_size={_PAGE}")
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=NORMAL")
            connection.execute(f"PRAGMA wal_autocheckpoint={_LOG_PAGES}")
            (version,) = connection.execute("PRAGMA user_version").fetchone()
            (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
            if tables and version != _VERSION:
                connection.close()
                raise StoreError(f"{file} was written by another version of mindnet.", hint=_ANEW)
            connection.executescript(_SCHEMA + TERMS)
            if version != _VERSION:
                connection.execute(f"PRAGMA user_version = {_VERSION}")
        except sqlite3.Error as error:
            if is_damage(error):
                raise DamagedError(f"{file} is damaged: {error}.", hint=_REBUILT) from error
            raise folder_fault(file, error) or StoreError(f"{file} does not open: {error}.", hint=_RESET) from error
        return cls(connection, file)

    @classmethod
    @contextmanager
    def peek(cls, file: Path) -> Iterator[Manifest]:
        """The file as it is now, to be read only; neither it nor anything beside it is written.

        Another process may have it open and write it. Raises ``StoreError`` where it cannot be read.
        """
        is_open = file.with_name(f"{file.name}-wal").exists()
        try:
            # Beside a file that nobody has open SQLite would make others, even for reading.
            connection = sqlite3.connect(f"{file.as_uri()}?{'mode=ro' if is_open else 'immutable=1'}", uri=True)
        except sqlite3.Error as error:
            raise folder_fault(file, error) or StoreError(f"{file} does not open: {error}.", hint=_RESET) from error
        with closing(connection):
            manifest = cls(connection, file, peeks=True)
            with manifest.reading() as db:
                (version,) = db.execute("PRAGMA user_version").fetchone()
            if version != _VERSION:
                raise StoreError(f"{file} was written by another version of mindnet.", hint=_ANEW)
            yield manifest

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """The connection, for this thread alone."""
        with self._lock:
            try:
                yield self._db
            except sqlite3.Error as error:
                if is_damage(error):
                    if not self._peeks:
                        # Most damage shows only when the page is read, and then the index is in use.
                        with suppress(OSError):
                            _mark(self._file).touch()
                    raise DamagedError(f"{self._file} is damaged: {error}.", hint=_REBUILT) from error
                raise folder_fault(self._file, error) or StoreError(
                    f"{self._file} failed: {error}.", hint=_RESET
                ) from error

    @contextmanager
    def _writing(self) -> Iterator[tuple[sqlite3.Connection, Lost]]:
        """The connection in a transaction, and where to say which rows of words it takes out."""
        lost: Lost = {table: [] for table in WORDS}
        with self.reading() as db:
            self._losses.look(db)
            db.execute("BEGIN IMMEDIATE")
            try:
                yield db, lost
                db.execute("COMMIT")
                self._losses.add(db, lost)
            except BaseException:
                # On some failures SQLite has rolled back by itself.
                if db.in_transaction:
                    db.execute("ROLLBACK")
                self._codes.forget()
                raise

    def entries(self) -> dict[str, ManifestEntry]:
        with self.reading() as db:
            rows = db.execute("SELECT path, entry FROM notes ORDER BY path").fetchall()
        return {path: entry_from(path, blob) for path, blob in rows}

    def paths_linking(self, keys: Sequence[str] | frozenset[str]) -> set[str]:
        """Paths of the notes that hold a link with one of these keys."""
        found: set[str] = set()
        ordered = sorted(map(link_number, keys))
        with self.reading() as db:
            for start in range(0, len(ordered), _ASK):
                some = ordered[start : start + _ASK]
                marks = ",".join("?" * len(some))
                asked = f"SELECT path FROM links JOIN notes ON number = note WHERE key IN ({marks})"
                found.update(path for (path,) in db.execute(asked, some))
        return found

    def pending(self) -> frozenset[str]:
        """Paths whose points may not be what they should be: announced, and not committed since."""
        with self.reading() as db:
            return frozenset(path for (path,) in db.execute("SELECT path FROM pending"))

    def announce(self, paths: Iterable[str]) -> None:
        """Says before the store is touched which paths will be done: after a kill they are done again."""
        rows = [(path,) for path in paths]
        if rows:
            with self._writing() as (db, _):
                db.executemany("INSERT OR IGNORE INTO pending VALUES (?)", rows)

    def commit(
        self,
        entries: Sequence[ManifestEntry],
        removed: Sequence[str],
        *,
        words: Mapping[str, Words] = MappingProxyType({}),
        settled: Iterable[str] = (),
        waiting: Set[str] = frozenset(),
    ) -> None:
        """Writes the entries with their notes' words by path, and forgets the removed paths, in one transaction.

        An entry that is indexed and has no words here keeps its own (only its stat changed), also those
        of a table that is not named here. The
        paths of entries, the removed and the ``settled`` ones are no longer pending, but for those
        that are ``waiting`` for something else.
        """
        with self._writing() as (db, lost):
            words = self._coded(db, words)
            paths = {*(entry.path for entry in entries), *removed, *settled}
            done = [(path,) for path in paths - waiting]
            db.executemany("DELETE FROM pending WHERE path = ?", done)
            for path in removed:
                note = _number(db, path)
                _forget_words(db, note, lost)
                db.execute("DELETE FROM links WHERE note = ?", (note,))
                db.execute("DELETE FROM notes WHERE number = ?", (note,))
            for entry in entries:
                note, known = _put(db, entry)
                own = words.get(entry.path)
                if known and (own is not None or not entry.indexed):
                    _forget_words(db, note, lost, own if entry.indexed and own is not None else WORDS)
                if own is not None:
                    _learn_words(db, note, own, lost)
                if entry.link_keys is not None:
                    if known:
                        db.execute("DELETE FROM links WHERE note = ?", (note,))
                    numbers = sorted(set(map(link_number, entry.link_keys)))
                    db.executemany("INSERT INTO links VALUES (?, ?)", [(number, note) for number in numbers])

    def _coded(self, db: sqlite3.Connection, words: Mapping[str, Words]) -> Mapping[str, Words]:
        """With the bags as they are kept, all made at once."""
        tables = [(path, table, rows) for path, own in words.items() for table, rows in own.items()]
        bags = iter(self._codes.coded(db, [bag for _, table, rows in tables for bag in bags_in(table, rows)]))
        coded: dict[str, dict[str, list[Row]]] = {path: {} for path in words}
        for path, table, rows in tables:
            coded[path][table] = with_bags(table, rows, bags)
        return coded

    def uncoded(self, table: str, rows: Sequence[Row]) -> list[Row]:
        """Rows as they are kept, with their bags as they were given; to be called within ``reading()``."""
        bags = map(ordered, self._codes.bags(self._db, bags_in(table, rows)))
        return with_bags(table, rows, bags)

    def note_paths(self) -> list[tuple[str, str]]:
        """The id and the path of every note that is searched."""
        asked = "SELECT DISTINCT names.note_id, notes.path FROM names JOIN notes ON notes.number = names.note"
        with self.reading() as db:
            return db.execute(asked).fetchall()

    def contexts(self, rows: Sequence[int]) -> dict[int, tuple[str, LinkContext]]:
        """The contexts of these rows, each with the id of the note that it stands in."""
        marks = ",".join("?" * len(rows))
        with self.reading() as db:
            found = db.execute(
                f"SELECT row, source_id, target_id, line, label, sentence FROM contexts WHERE row IN ({marks})",
                tuple(rows),
            )
            return {row: (source, LinkContext(*rest)) for row, source, *rest in found}

    def chunk_ids(self) -> list[str]:
        """The chunks whose words are kept."""
        with self.reading() as db:
            return [chunk_id for (chunk_id,) in db.execute("SELECT chunk_id FROM chunks")]

    @property
    def generation(self) -> int:
        """A number that rises with every write."""
        return self._db.total_changes

    def close(self) -> None:
        with self._lock:
            self._db.close()


_dumps = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_KEPT = tuple(field.name for field in fields(ManifestEntry) if field.name not in ("path", "link_keys"))


def _learn_words(db: sqlite3.Connection, note: int, words: Words, lost: Lost) -> None:
    # A chunk id can have moved here from another path (a note with an id that was renamed):
    # its row is replaced, and gets a new number like every row that is written.
    for table, rows in words.items():
        names, marks = ", ".join(WORDS[table]), ", ".join("?" * len(WORDS[table]))
        given = [(note, *row) for row in rows]
        if table == "chunks":
            for row in rows:
                lost[table] += (old for (old,) in db.execute("SELECT row FROM chunks WHERE chunk_id = ?", row[:1]))
        db.executemany(f"INSERT OR REPLACE INTO {table} (note, {names}) VALUES (?, {marks})", given)


def _forget_words(db: sqlite3.Connection, note: int, lost: Lost, tables: Iterable[str] = WORDS) -> None:
    for table in tables:
        lost[table] += (row for (row,) in db.execute(f"SELECT row FROM {table} WHERE note = ?", (note,)))
        db.execute(f"DELETE FROM {table} WHERE note = ?", (note,))


def _put(db: sqlite3.Connection, entry: ManifestEntry) -> tuple[int, bool]:
    """Writes an entry; returns the number under which its words and links are kept, and whether it was there before."""
    data = [[asdict(fault) for fault in entry.faults] if name == "faults" else getattr(entry, name) for name in _KEPT]
    text = _dumps(data)
    kept = zlib.compress(text.encode("utf-8", "surrogatepass"))
    number = _number(db, entry.path)
    if number:
        db.execute("UPDATE notes SET entry = ? WHERE number = ?", (kept, number))
        return number, True
    added = db.execute("INSERT INTO notes (path, entry) VALUES (?, ?)", (entry.path, kept)).lastrowid
    assert added is not None
    return added, False


def _number(db: sqlite3.Connection, path: str) -> int:
    """The number under which a path is known; 0, which is no note's, for any other."""
    row = db.execute("SELECT number FROM notes WHERE path = ?", (path,)).fetchone()
    return int(row[0]) if row else 0


def link_number(key: str) -> int:
    """What a key of links is kept as: the first 64 bits of its BLAKE2b hash, signed.

    Should two keys have one number, a note is built once more than it has to be.
    """
    return int.from_bytes(blake2b(key.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little", signed=True)


def _loads(text: bytes) -> list[Any]:
    try:
        found: list[Any] = from_json(text)
    except ValueError:
        # Half of a surrogate pair, as in the name of a file, is no UTF-8.
        found = json.loads(text.decode("utf-8", "surrogatepass"))
    return found


def entry_from(path: str, blob: bytes) -> ManifestEntry:
    data = dict(zip(_KEPT, _loads(zlib.decompress(blob)), strict=True))
    data["aliases"] = tuple(data["aliases"])
    data["faults"] = tuple(Fault(**fault) for fault in data["faults"])
    return ManifestEntry(path=path, link_keys=None, **data)
