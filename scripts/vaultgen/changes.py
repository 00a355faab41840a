"""What can happen to a vault's files, as data; how it is done on a disk, and what the disk then holds."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, MutableMapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

Tree = MutableMapping[str, str]
"""Path of each file, relative and with ``/``, to the SHA-256 of its bytes."""
Saving = Literal["in place", "by rename", "with backup"]
"""How an editor saves: over the file; into a new file that takes its name; after it moved the old one aside."""


@dataclass(frozen=True, slots=True)
class Write:
    path: str
    content: bytes
    saving: Saving = "in place"


@dataclass(frozen=True, slots=True)
class Move:
    """A file or a folder with all that is in it."""

    old: str
    new: str


@dataclass(frozen=True, slots=True)
class Delete:
    path: str


@dataclass(frozen=True, slots=True)
class Touch:
    """The file gets a new date and nothing else."""

    path: str


@dataclass(frozen=True, slots=True)
class Burst:
    """Many changes without a pause, as a checkout or a synchronisation makes them."""

    changes: tuple[Write | Move | Delete | Touch, ...]


Change = Write | Move | Delete | Touch
Edit = Change | Burst


def single(edit: Edit) -> Iterator[Change]:
    """The changes that an edit is made of."""
    if isinstance(edit, Burst):
        yield from edit.changes
    else:
        yield edit


def apply(vault: Path, edit: Edit) -> None:
    """Makes the change on disk."""
    for change in single(edit):
        match change:
            case Write(path, content, saving):
                _write(vault / path, content, saving)
            case Move(old, new):
                (vault / new).parent.mkdir(parents=True, exist_ok=True)
                (vault / old).rename(vault / new)
            case Delete(path):
                (vault / path).unlink()
            case Touch(path):
                os.utime(vault / path)


def _write(file: Path, content: bytes, saving: Saving) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    if saving == "by rename":
        fresh = file.with_name(f".{file.name}.tmp")
        fresh.write_bytes(content)
        fresh.replace(file)
    elif saving == "with backup" and file.exists():
        backup = file.with_name(f"{file.name}~")
        file.rename(backup)
        file.write_bytes(content)
        backup.unlink()
    else:
        file.write_bytes(content)


def read_tree(vault: Path) -> Tree:
    """What the disk holds, hidden files too."""
    files = (path for path in vault.rglob("*") if path.is_file())
    return {path.relative_to(vault).as_posix(): _digest(path.read_bytes()) for path in files}


def follow(tree: Tree, edit: Edit) -> None:
    """Changes ``tree`` as the disk is changed by ``apply``."""
    for change in single(edit):
        match change:
            case Write(path, content):
                tree[path] = _digest(content)
            case Move(old, new):
                for path in [path for path in tree if path == old or path.startswith(f"{old}/")]:
                    tree[new + path[len(old) :]] = tree.pop(path)
            case Delete(path):
                del tree[path]
            case Touch():
                pass


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
