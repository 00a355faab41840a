"""Expected failures, each with a code, an HTTP status, an exit code and a sentence for the user.

::

    MindnetError
    ├── UsageError            2  wrong call or configuration
    │   ├── ConfigError          names file, line and the nearest right name
    │   └── VaultError           the vault folder is missing or unreadable
    ├── MissingError          3  something that is needed is missing or busy
    │   ├── BusyError            another process holds the data folder
    │   ├── EmbeddingError       the embedding model cannot be loaded or used
    │   └── StoreError           the store cannot be opened, read or written
    └── NotFoundError         1  no such note, edge or query
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar


class MindnetError(Exception):
    """Base of every expected failure; ``hint`` says what to do about it."""

    code: ClassVar[str] = "error"
    status: ClassVar[int] = 500
    exit_code: ClassVar[int] = 1

    def __init__(self, message: str, *, hint: str = "") -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageError(MindnetError):
    code = "usage"
    status = 400
    exit_code = 2


class ConfigError(UsageError):
    """``file`` is one of ``config/`` without ``.yaml`` and ``key`` the way to what is wrong in it, if that is known."""

    code = "config"

    def __init__(self, message: str, *, hint: str = "", file: str = "", key: Sequence[str] = ()) -> None:
        where = f"{file}.yaml: {'.'.join(key)}: " if file else ""
        super().__init__(where + message, hint=hint)
        self.what, self.file, self.key = message, file, tuple(key)


class VaultError(UsageError):
    code = "vault"


class MissingError(MindnetError):
    code = "missing"
    status = 503
    exit_code = 3


class BusyError(MissingError):
    code = "busy"
    status = 409


class EmbeddingError(MissingError):
    code = "embedding"


class StoreError(MissingError):
    code = "store"


class NotFoundError(MindnetError):
    code = "not_found"
    status = 404
