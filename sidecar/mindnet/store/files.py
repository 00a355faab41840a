"""Which files of a data folder are the index. All of them can be deleted, and are built again from the vault.

::

    index.json            names the index that is whole and serves
    index-<12 digits>/    an index; the digits are those of what it was built with
        recipe.json       what it was built with
        decided.json      what the user had decided of edges when it was last brought up to date
        answered.json     a digest of what a model had said of proposed links by then, for each note
        store/            the collections, unless they are on a server
        index.sqlite      the manifest and the words
    vectors.sqlite        the vectors of all windows, by model: shared, so that no index embeds what another did
    damaged-<time>-…/     an index that did not open
    removed-…/            an index that is being deleted
"""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

STORE = "store"
MANIFEST = "index.sqlite"
RECIPE = "recipe.json"
POINTER = "index.json"
VECTORS = "vectors.sqlite"
DECIDED = "decided.json"
ANSWERED = "answered.json"
RELEVANCE = "relevance.json"
DAMAGED = "damaged-"
REMOVED = "removed-"
_INDEX = re.compile(r"index-([0-9a-f]{12})")


def _database(name: str) -> tuple[str, ...]:
    """An SQLite file and those that stand beside it while it is open, or after a kill."""
    return name, f"{name}-wal", f"{name}-shm"


MANIFEST_FILES = _database(MANIFEST)[:2]
"""What is written at each import: the manifest, and its log."""
OLD_LAYOUT = (STORE, *_database(MANIFEST))
"""Where the only index once was: directly in the data folder."""
_VECTOR_FILES = _database(VECTORS)


def index_folder(folder: Path, build: str) -> Path:
    return folder / f"index-{build}"


def index_folders(folder: Path) -> dict[str, Path]:
    """The folders with an index, by the digits in their names; none in a data folder that is not there."""
    if not folder.is_dir():
        return {}
    found = ((_INDEX.fullmatch(path.name), path) for path in sorted(folder.iterdir()))
    return {match.group(1): path for match, path in found if match and path.is_dir()}


def needed(*, remote: bool) -> tuple[str, ...]:
    """What stands in the folder of an index: neither is of use without the other."""
    return (MANIFEST,) if remote else (MANIFEST, STORE)


def index_parts(folder: Path) -> list[Path]:
    """Every index of a data folder, whole, begun or damaged, and the pointer; without the vectors."""
    return [
        *present(folder, (POINTER, *OLD_LAYOUT)),
        *index_folders(folder).values(),
        *sorted(folder.glob(f"{DAMAGED}*")),
        *sorted(folder.glob(f"{REMOVED}*")),
    ]


def everything(folder: Path) -> list[Path]:
    """What can be deleted and is built again from the vault: every index, the vectors, and what scores mean."""
    return [*index_parts(folder), *present(folder, (*_VECTOR_FILES, RELEVANCE))]


def present(folder: Path, names: Sequence[str]) -> list[Path]:
    """Those of the files and folders that are there."""
    return [folder / name for name in names if (folder / name).exists()]


def has_index(folder: Path) -> bool:
    """Whether an import has ever begun to write an index in the folder."""
    return folder.exists() and any((path / MANIFEST).exists() for path in index_folders(folder).values())


def size(path: Path) -> int:
    """Bytes that a file, or all files in a folder, take on the disk: the engine's files are mostly holes."""
    if not path.is_dir():
        return _on_disk(path)
    return sum(map(_on_disk, inside(path)))


def inside(folder: Path) -> Iterator[Path]:
    """All files in a folder and in those below it."""
    return (Path(place, name) for place, _, names in os.walk(folder) for name in names)


def _on_disk(file: Path) -> int:
    try:
        status = file.stat()
    except FileNotFoundError:
        # A running sidecar renames and removes files while it is looked at.
        return 0
    return status.st_blocks * 512 if hasattr(status, "st_blocks") else status.st_size


def remove(paths: Sequence[Path]) -> None:
    """Deletes files and folders. Of a folder, a kill in the midst leaves nothing that could be taken for an index."""
    for path in paths:
        if not path.is_dir():
            path.unlink(missing_ok=True)
            continue
        leaving = path if path.name.startswith(REMOVED) else path.with_name(f"{REMOVED}{path.name}")
        if leaving != path:
            if leaving.exists():
                shutil.rmtree(leaving)
            path.rename(leaving)
        shutil.rmtree(leaving)
