"""Opening files without ever waiting for one: a pipe that is named like a note would hold the reader for good."""

from __future__ import annotations

import os
import stat

#: Without effect on a regular file; a pipe is opened at once, though nobody writes to it. Windows has no such pipes.
_AT_ONCE = getattr(os, "O_NONBLOCK", 0)


def read_regular(path: str | os.PathLike[str]) -> tuple[os.stat_result, bytes]:
    """Give a regular file's status, taken before its content, and its bytes.

    Raises ``OSError`` if it cannot be read; for what is no regular file one with a message and no number.
    """
    with open(path, "rb", buffering=0, opener=_open) as stream:
        status = os.fstat(stream.fileno())
        if not stat.S_ISREG(status.st_mode):
            raise OSError("it is a pipe, a socket or a device")
        return status, stream.read()


def _open(path: str, flags: int) -> int:
    return os.open(path, flags | _AT_ONCE)
