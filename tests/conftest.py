"""Where the tests keep their files, and how the programs start that they run.

The files are in memory where there is room for them: some thousand small stores are made and flushed. Nothing that
is proved needs a disk behind it, since the processes that are killed leave the machine running. ``TMPDIR`` names
another folder, as for any program.
"""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from pathlib import Path

import hypothesis

MEMORY = Path("/dev/shm")
ROOM = 6_000_000_000
"""Bytes; a whole run holds half of it: what the engine's files leave empty takes room in memory."""


def pytest_configure() -> None:
    # How long an example takes says how busy the machine is.
    hypothesis.settings.register_profile("mindnet", deadline=None)
    hypothesis.settings.load_profile("mindnet")
    # Every start of mindnet would compile all of it anew.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    sys.dont_write_bytecode = False
    if "TMPDIR" in os.environ or not os.access(MEMORY, os.W_OK | os.X_OK):
        return
    if shutil.disk_usage(MEMORY).free >= ROOM:
        os.environ["TMPDIR"] = str(MEMORY)
        tempfile.tempdir = None
