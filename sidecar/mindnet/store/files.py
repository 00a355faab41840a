"""Which files of a data folder are the index. All of them can be deleted, and are built again from the vault."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from pathlib import Path

STORE = "store"
MANIFEST = "index.sqlite"
STAMP = "index.json"
VECTORS = "vectors.sqlite"
RELEVANCE = "relevance.json"


def _database(name: str) -> tuple[str, ...]:
    """An SQLite file and those that stand beside it while it is open, or after a kill."""
    return name, f"{name}-wal", f"{name}-shm"


INDEX_FILES = (STORE, *_database(MANIFEST))
"""The collections and the manifest: neither is of use without the other."""
ALL_FILES = (*INDEX_FILES, STAMP, *_database(VECTORS), RELEVANCE)
"""And what they were built with, the vectors of all windows, and what scores mean in this vault."""


def present(folder: Path, names: Sequence[str]) -> list[Path]:
    """Those of the files and folders that are there."""
    return [folder / name for name in names if (folder / name).exists()]


def held_prefixes(folder: Path) -> frozenset[str]:
    """The prefixes of the collections that are kept in the folder."""
    kept = (folder / STORE).glob("*_notes")
    return frozenset(path.name.removesuffix("_notes") for path in kept if path.is_dir())


def size(path: Path) -> int:
    """Bytes that a file, or all files in a folder, take on the disk: the engine's files are mostly holes."""
    if not path.is_dir():
        return _on_disk(path)
    return sum(_on_disk(Path(folder, name)) for folder, _, names in os.walk(path) for name in names)


def _on_disk(file: Path) -> int:
    try:
        status = file.stat()
    except FileNotFoundError:
        # A running sidecar renames and removes files while it is looked at.
        return 0
    return status.st_blocks * 512 if hasattr(status, "st_blocks") else status.st_size


def remove(paths: Sequence[Path]) -> None:
    for path in paths:
        if path.is_dir():
            shutil.rmtree(path)
        else:
            path.unlink(missing_ok=True)
