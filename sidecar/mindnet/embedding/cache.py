"""Vectors by model and window: what was embedded once is never embedded again."""

from __future__ import annotations

import hashlib
import logging
import sqlite3
import threading
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import numpy as np

from mindnet.aside import set_aside
from mindnet.embedding.port import Embedder, Vectors
from mindnet.errors import folder_fault, is_damage

log = logging.getLogger(__name__)
_SCHEMA = """
CREATE TABLE IF NOT EXISTS models (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE IF NOT EXISTS vectors (
    model INTEGER NOT NULL, window_hash BLOB NOT NULL, vector BLOB NOT NULL, UNIQUE (model, window_hash)
);
"""
_VERSION = 1
"""Rises with the tables above."""
_PAGE = 16_384
"""Bytes; of smaller pages a good part stays empty, as a vector is not divided between two."""
_LOG_PAGES = 200
_WHOLE = 32_767
_STEPS = (2.0**-17, 2.0**-16)
"""Numbers are kept as whole ones of 16 bits, times the first of these that reaches the vector's largest.

Powers of two, so that nothing is lost when the same is done again. Vectors with larger numbers,
which no unit vector of some hundred dimensions has, stay as they are.
"""
_ASK = 500
_AT_ONCE = 2_048
"""So many windows are looked up, or embedded, at once."""
_SOME = 5_000
"""So many vectors are forgotten in one transaction."""
_MOSTLY_FREE = 4
"""A file of which more than one part in so many is free is written anew, without what is free."""


def window_hash(window: str) -> bytes:
    """The first 16 bytes of the SHA-256 of a window."""
    return hashlib.sha256(window.encode("utf-8", "surrogatepass")).digest()[:16]


def rounded(vectors: Vectors) -> Vectors:
    """The vectors as they are kept: each number within 8e-6 of what it was.

    So a window has the same vector when it is embedded as when it is known.
    """
    steps = _steps(vectors)
    return np.where(steps > 0, np.rint(vectors / np.where(steps > 0, steps, 1)) * steps, vectors).astype(np.float32)


def _steps(vectors: Vectors) -> Vectors:
    """The step between two numbers of each vector, a power of two; 0 where the numbers are kept as they are."""
    largest = np.abs(vectors).max(axis=-1, keepdims=True, initial=0.0)
    return np.select([largest <= _WHOLE * step for step in _STEPS], list(_STEPS), 0.0).astype(np.float32)


def _to_bytes(vector: Vectors) -> bytes:
    (step,) = _steps(vector)
    if not step:
        return vector.astype("<f4").tobytes()
    whole: bytes = np.rint(vector / step).astype("<i2").tobytes()
    return bytes([_STEPS.index(step)]) + whole


def _from_bytes(blob: bytes, dimension: int) -> Vectors | None:
    """None for a vector of another length."""
    if len(blob) == 1 + 2 * dimension:
        return np.frombuffer(blob, dtype="<i2", offset=1).astype(np.float32) * np.float32(_STEPS[blob[0]])
    return np.frombuffer(blob, dtype="<f4") if len(blob) == 4 * dimension else None


class VectorCache:
    """Vectors of one model in an SQLite file; may be used from several threads.

    A file of another layout is emptied, and a damaged one is set aside: what was in it is embedded
    again when it is needed.
    """

    def __init__(self, file: Path, model: str, dimension: int) -> None:
        self._dimension = dimension
        self._lock = threading.Lock()
        self._file = file
        self._name = model
        try:
            self._open(file, model)
        except sqlite3.Error as error:
            if not is_damage(error):
                raise folder_fault(file, error) or error from error
            self._renew(error)

    def _renew(self, error: sqlite3.Error) -> None:
        """Goes on with an empty file in the place of a damaged one."""
        self._db.close()
        kept = set_aside(self._file)
        log.warning("%s is damaged (%s) and kept as %s; vectors are made anew", self._file, error, kept.name)
        self._open(self._file, self._name)

    def _open(self, file: Path, model: str) -> None:
        self._db = sqlite3.connect(file, check_same_thread=False)
        if self._db.execute("PRAGMA user_version").fetchone()[0] != _VERSION:
            self._db.executescript("DROP TABLE IF EXISTS vectors; DROP TABLE IF EXISTS models")
            self._db.executescript(f"PRAGMA journal_mode=DELETE; PRAGMA page_size={_PAGE}; VACUUM")
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute("PRAGMA synchronous=NORMAL")
        self._db.execute(f"PRAGMA wal_autocheckpoint={_LOG_PAGES}")
        self._db.executescript(f"{_SCHEMA} PRAGMA user_version={_VERSION}")
        with self._db:
            self._db.execute("INSERT OR IGNORE INTO models (name) VALUES (?)", (model,))
        self._model = self._db.execute("SELECT number FROM models WHERE name = ?", (model,)).fetchone()[0]

    def is_empty(self) -> bool:
        """Whether no vector of the model is known."""
        with self._lock:
            return self._db.execute("SELECT 1 FROM vectors WHERE model = ? LIMIT 1", (self._model,)).fetchone() is None

    def get_many(self, hashes: Sequence[bytes]) -> Mapping[bytes, Vectors]:
        """The vectors that are known, each of shape (dimension,)."""
        found: dict[bytes, Vectors] = {}
        with self._lock:
            try:
                for start in range(0, len(hashes), _ASK):
                    for key, blob in self._rows(hashes[start : start + _ASK]):
                        vector = _from_bytes(blob, self._dimension)
                        if vector is not None:
                            found[key] = vector
            except sqlite3.Error as error:
                if not is_damage(error):
                    raise folder_fault(self._file, error) or error from error
                self._renew(error)
        return found

    def _rows(self, hashes: Sequence[bytes]) -> Iterable[tuple[bytes, bytes]]:
        marks = ",".join("?" * len(hashes))
        query = f"SELECT window_hash, vector FROM vectors WHERE model = ? AND window_hash IN ({marks})"
        return self._db.execute(query, (self._model, *hashes))

    def put_many(self, vectors: Mapping[bytes, Vectors]) -> None:
        """Keeps the vectors, ``rounded``."""
        rows = [(self._model, key, _to_bytes(vector)) for key, vector in vectors.items()]
        with self._lock:
            try:
                self._insert(rows)
            except sqlite3.Error as error:
                if not is_damage(error):
                    raise folder_fault(self._file, error) or error from error
                self._renew(error)
                self._insert([(self._model, *row) for _, *row in rows])

    def _insert(self, rows: Sequence[tuple[object, ...]]) -> None:
        with self._db:
            self._db.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", rows)

    def keep(self, models: Collection[str]) -> int:
        """Forgets the vectors of all other models, and gives back their room on the disk; their number.

        A kill in the midst leaves a part of them, which the next call takes away.
        """
        with self._lock:
            known = self._db.execute("SELECT name, number FROM models").fetchall()
            stale = [number for name, number in known if name not in models]
            gone = sum(self._forget(number) for number in stale)
            (free,) = self._db.execute("PRAGMA freelist_count").fetchone()
            (pages,) = self._db.execute("PRAGMA page_count").fetchone()
            if free * _MOSTLY_FREE > pages:
                self._db.execute("VACUUM")
                self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return gone

    def _forget(self, model: int) -> int:
        """Some at a time: all that is taken out at once stands in the log first."""
        gone = 0
        while True:
            with self._db:
                some = "SELECT rowid FROM vectors WHERE model = ? LIMIT ?"
                found = self._db.execute(f"DELETE FROM vectors WHERE rowid IN ({some})", (model, _SOME)).rowcount
                if not found:
                    self._db.execute("DELETE FROM models WHERE number = ?", (model,))
                    return gone
                gone += found

    def close(self) -> None:
        with self._lock:
            self._db.close()


def embed_cached(embedder: Embedder, cache: VectorCache, windows: Sequence[str]) -> tuple[Vectors, int, int]:
    """Vectors of shape (len(windows), dimension), how many were embedded, how many were known.

    The same window twice is embedded once and counts as known the second time.
    """
    places: dict[bytes, list[int]] = {}
    for place, window in enumerate(windows):
        places.setdefault(window_hash(window), []).append(place)
    vectors = np.empty((len(windows), embedder.dimension), np.float32)
    missing: list[bytes] = []
    for some in _slices(list(places)):
        known = cache.get_many(some)
        for key, vector in known.items():
            vectors[places[key]] = vector
        missing += (key for key in some if key not in known)
    # Texts of one length together: a batch costs as much as its longest.
    missing.sort(key=lambda key: len(windows[places[key][0]]))
    for some in _slices(missing):
        made = rounded(embedder.embed_passages([windows[places[key][0]] for key in some]))
        cache.put_many(dict(zip(some, made, strict=True)))
        for key, vector in zip(some, made, strict=True):
            vectors[places[key]] = vector
    return vectors, len(missing), len(windows) - len(missing)


def _slices(keys: Sequence[bytes]) -> Iterator[Sequence[bytes]]:
    """Of a note of many megabytes not all vectors are worked on at once."""
    return (keys[start : start + _AT_ONCE] for start in range(0, len(keys), _AT_ONCE))
