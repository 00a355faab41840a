"""Where the tests keep their files: in memory where there is room for them.

They make and flush some thousand small stores. Nothing that they prove needs a disk behind it: the processes that
they kill leave the machine running. ``TMPDIR`` names another folder, as for any program.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

MEMORY = Path("/dev/shm")
ROOM = 6_000_000_000
"""Bytes; a whole run holds half of it: what the engine's files leave empty takes room in memory."""


def pytest_configure() -> None:
    if "TMPDIR" in os.environ or not os.access(MEMORY, os.W_OK | os.X_OK):
        return
    if shutil.disk_usage(MEMORY).free >= ROOM:
        os.environ["TMPDIR"] = str(MEMORY)
        tempfile.tempdir = None
