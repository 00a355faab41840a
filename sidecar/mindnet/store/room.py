"""Room on the disk and leave to write, asked for before the engine needs them.

The engine writes into files that are mapped into memory: where the disk has no room for a page of
such a file, the system ends the whole process, without an error that could be caught.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable
from pathlib import Path

from mindnet.errors import disk_full, read_only

TO_OPEN = 4_000_000
"""Bytes that have to be free to open a store."""
TO_WRITE = 16_000_000
"""Bytes that have to be free for any writing, be it that of a log to its place."""
PER_CHARACTER = 12
"""Bytes that a character of text takes at most by the time that all of it is stored."""


def need_room(folder: Path, number: int) -> None:
    """Raise ``DiskFullError`` unless so many bytes are free."""
    free = shutil.disk_usage(folder).free
    if free < number:
        raise disk_full(folder, free)


def need_access(paths: Iterable[Path]) -> None:
    """Raise ``ReadOnlyError`` if one of the files and folders, or a file or folder in them, may not be written.

    It is asked before anything is opened: SQLite would leave files of its own behind that are read-only too.
    """
    for path in paths:
        inside = [Path(folder, name) for folder, folders, names in os.walk(path) for name in (*folders, *names)]
        for one in (path, *inside):
            if not os.access(one, os.W_OK) and os.path.lexists(one):
                raise read_only(one, "there is no permission, or its disk is read-only")
