"""Has the system read the files of an index before they are opened, all at once and in the background.

The engine lets go of the pages of its files when it closes them, so that every start reads them
from the disk again, and by itself it does so page by page while all else waits: while it opens, and then
a page for each record that a question reads.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from threading import Thread

from mindnet.store import files

PIECE = 128 * 1024
"""Bytes asked for at once: of a longer stretch Linux reads no more than it would read ahead by itself."""


def read_ahead(data_dir: Path) -> Thread | None:
    """Asks for the files of every index in the data folder, on a thread that may be waited for.

    It costs little where they are in memory. On systems without ``posix_fadvise`` (macOS, Windows) nothing
    is asked for. What is not there, or may not be read, is left to who opens it.
    """
    if not hasattr(os, "posix_fadvise"):
        return None
    found = [file for index in files.index_folders(data_dir).values() for file in files.inside(index)]
    # A disk that is asked for more than it can queue lets wait who asks.
    thread = Thread(target=_ask_all, args=(found,), name="read ahead", daemon=True)
    thread.start()
    return thread


def _ask_all(found: Sequence[Path]) -> None:
    for file in found:
        with suppress(OSError):
            _ask(file)


def _ask(file: Path) -> None:
    # Not blocking, should it be a pipe that somebody has put there.
    descriptor = os.open(file, os.O_RDONLY | os.O_NONBLOCK)
    try:
        for start in range(0, os.fstat(descriptor).st_size, PIECE):
            os.posix_fadvise(descriptor, start, PIECE, os.POSIX_FADV_WILLNEED)
    finally:
        os.close(descriptor)
