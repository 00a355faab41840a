"""Is the vault there, and is it the folder that it was? A drive that is unplugged leaves no note deleted."""

from __future__ import annotations

import os
from pathlib import Path

from mindnet.errors import VaultError

AWAY = "Is its drive connected? The index is kept, and goes on by itself when the folder is there again."


class Presence:
    """Remembers which folder the vault is, from the first look on."""

    def __init__(self, vault: Path) -> None:
        self._vault = vault
        self._known: tuple[int, int] | None = None

    def identity(self) -> tuple[int, int] | None:
        """Device and number of the folder that is there now; None where there is none."""
        try:
            status = self._vault.stat()
        except OSError:
            return None
        return status.st_dev, status.st_ino

    def need(self) -> None:
        """Raise VaultError where there is no vault, or an empty folder in its place (a drive's, while it is away)."""
        try:
            with os.scandir(self._vault) as scan:
                is_empty = next(scan, None) is None
        except OSError as error:
            raise VaultError(f"The vault {self._vault} cannot be read: {error.strerror}.", hint=AWAY) from error
        found = self.identity()
        if is_empty and self._known not in (None, found):
            raise VaultError(f"An empty folder is in the place of the vault {self._vault}.", hint=AWAY)
        self._known = found
