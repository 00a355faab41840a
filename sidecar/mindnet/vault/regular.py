"""Opening files without ever waiting for one: a pipe that is named like a note would hold the reader for good."""

from __future__ import annotations

import os
import stat

#: Without effect on a regular file; a pipe is opened at once, though nobody writes to it. Windows has no such pipes.
_AT_ONCE = getattr(os, "O_NONBLOCK", 0)
_BINARY = getattr(os, "O_BINARY", 0)
_PART = 1 << 20


def read_regular(path: str | os.PathLike[str]) -> tuple[os.stat_result, bytes]:
    """Give a regular file's status, taken before its content, and its bytes.

    Raises ``OSError`` if it cannot be read; for what is no regular file one with a message and no number.
    """
    descriptor = os.open(path, os.O_RDONLY | _AT_ONCE | _BINARY)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise OSError("it is a pipe, a socket or a device")
        # Half the time of a stream, and a vault has many files. Of one that grows or shrinks all is read that is there.
        parts = [os.read(descriptor, status.st_size + 1)]
        while parts[-1] and (len(parts) > 1 or len(parts[0]) != status.st_size):
            parts.append(os.read(descriptor, _PART))
    finally:
        os.close(descriptor)
    return status, b"".join(parts)
