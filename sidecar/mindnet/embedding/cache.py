"""Vectors by model and window: what was embedded once is never embedded again."""

from __future__ import annotations

import hashlib
import sqlite3
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from mindnet.embedding.port import Embedder, Vectors

_SCHEMA = """
CREATE TABLE IF NOT EXISTS vectors (
    model TEXT NOT NULL, window_hash BLOB NOT NULL, vector BLOB NOT NULL, PRIMARY KEY (model, window_hash)
) WITHOUT ROWID
"""
_ASK = 500


def window_hash(window: str) -> bytes:
    """The first 16 bytes of the SHA-256 of a window."""
    return hashlib.sha256(window.encode("utf-8", "surrogatepass")).digest()[:16]


class VectorCache:
    """Vectors of one model in an SQLite file; may be used from several threads."""

    def __init__(self, file: Path, model: str, dimension: int) -> None:
        self._model = model
        self._dimension = dimension
        self._lock = threading.Lock()
        self._db = sqlite3.connect(file, check_same_thread=False)
        self._db.execute("PRAGMA journal_mode=WAL")
        self._db.execute("PRAGMA synchronous=NORMAL")
        self._db.execute(_SCHEMA)

    def get_many(self, hashes: Sequence[bytes]) -> Mapping[bytes, Vectors]:
        """The vectors that are known, each of shape (dimension,)."""
        found: dict[bytes, Vectors] = {}
        with self._lock:
            for start in range(0, len(hashes), _ASK):
                some = hashes[start : start + _ASK]
                marks = ",".join("?" * len(some))
                rows = self._db.execute(
                    f"SELECT window_hash, vector FROM vectors WHERE model = ? AND window_hash IN ({marks})",
                    (self._model, *some),
                )
                for key, blob in rows:
                    vector = np.frombuffer(blob, dtype=np.float32)
                    if vector.shape == (self._dimension,):
                        found[key] = vector
        return found

    def put_many(self, vectors: Mapping[bytes, Vectors]) -> None:
        rows = [(self._model, key, vector.astype(np.float32).tobytes()) for key, vector in vectors.items()]
        with self._lock, self._db:
            self._db.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", rows)

    def close(self) -> None:
        with self._lock:
            self._db.close()


def embed_cached(embedder: Embedder, cache: VectorCache, windows: Sequence[str]) -> tuple[Vectors, int, int]:
    """Vectors of shape (len(windows), dimension), how many were embedded, how many were known.

    The same window twice is embedded once and counts as known the second time.
    """
    hashes = [window_hash(window) for window in windows]
    known = dict(cache.get_many(list(dict.fromkeys(hashes))))
    missing = {key: window for key, window in zip(hashes, windows, strict=True) if key not in known}
    if missing:
        # Texts of one length together: a batch costs as much as its longest.
        order = sorted(missing, key=lambda key: len(missing[key]))
        made = embedder.embed_passages([missing[key] for key in order])
        fresh = dict(zip(order, made, strict=True))
        cache.put_many(fresh)
        known.update(fresh)
    vectors = np.stack([known[key] for key in hashes]) if hashes else np.empty((0, embedder.dimension), np.float32)
    return vectors, len(missing), len(windows) - len(missing)
