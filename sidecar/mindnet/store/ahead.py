"""Has the system read the files of an index before they are opened, all at once and in the background.

The engine lets go of the pages of its files when it has opened or written them, so that every
start reads them from the disk again, and by itself it does so page by page while all else waits.
"""

from __future__ import annotations

import os
from pathlib import Path

from mindnet.store import files


def read_ahead(data_dir: Path) -> int:
    """Asks for the files of every index in the data folder; gives how many.

    It returns at once, and costs nothing where they are in memory. On systems without ``posix_fadvise`` (macOS,
    Windows) nothing is asked for. What is not there, or may not be read, is left to who opens it.
    """
    if not hasattr(os, "posix_fadvise"):
        return 0
    return sum(_ask(file) for index in files.index_folders(data_dir).values() for file in files.inside(index))


def _ask(file: Path) -> bool:
    try:
        # Not blocking, should it be a pipe that somebody has put there.
        descriptor = os.open(file, os.O_RDONLY | os.O_NONBLOCK)
    except OSError:
        return False
    try:
        os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_WILLNEED)
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return True
