"""A damaged SQLite file makes room for a new one, and is kept."""

from __future__ import annotations

import time
from pathlib import Path


def set_aside(file: Path) -> Path:
    """Renames the file, which nobody may have open, and drops its log; gives the new name (``x-damaged-<time>.…``)."""
    kept = file.with_name(f"{file.stem}-damaged-{time.strftime('%Y%m%d-%H%M%S')}{file.suffix}")
    for suffix in ("-wal", "-shm"):
        file.with_name(file.name + suffix).unlink(missing_ok=True)
    return file.replace(kept)
