"""Expected failures, each with a code, an HTTP status, an exit code and a sentence for the user.

::

    MindnetError
    ├── UsageError            2  wrong call or configuration
    │   ├── ConfigError          names file, line and the nearest right name
    │   ├── VaultError           the vault folder is missing or unreadable
    │   └── NotShownError        feedback on something that the question has not brought
    ├── MissingError          3  something that is needed is missing or busy
    │   ├── BusyError            another process holds the data folder
    │   ├── DiskFullError        the disk of the data folder has no room left
    │   ├── ReadOnlyError        the data folder, or a file in it, may not be written
    │   ├── EmbeddingError       the embedding model cannot be loaded or used
    │   │   └── EmbedderAwayError    its server gives no vectors now
    │   ├── StoreError           the store cannot be opened, read or written
    │   │   └── DamagedError         its files cannot be read; a new one can be built from the vault
    │   └── ModelError           the language model gives no answer; ``passing`` says whether to ask again later
    │       ├── ModelDownError       no server answers
    │       ├── ModelMissingError    the server does not have the model
    │       ├── ModelLoadingError    the model is still being loaded, or the server is busy
    │       ├── ModelTimeoutError    nothing came for too long
    │       ├── ModelStreamError     the answer broke off, or cannot be read
    │       ├── ModelRefusedError    the server says no: a wrong key, a fault of its own
    │       ├── ContextOverflowError the prompt is longer than what the model reads
    │       └── ModelAnswerError     the answer does not have the form that was asked for
    ├── ConflictError         1  it cannot be done to this, as things are
    └── NotFoundError         1  no such note, edge or query
"""

from __future__ import annotations

import errno
import re
import sqlite3
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


class NotShownError(UsageError):
    code = "not_shown"
    status = 422


class ConflictError(MindnetError):
    code = "conflict"
    status = 409


class MissingError(MindnetError):
    code = "missing"
    status = 503
    exit_code = 3


class BusyError(MissingError):
    code = "busy"
    status = 409


class DiskFullError(MissingError):
    code = "disk_full"
    status = 507


class ReadOnlyError(MissingError):
    code = "read_only"


class EmbeddingError(MissingError):
    code = "embedding"


class EmbedderAwayError(EmbeddingError):
    code = "embedder_away"


class StoreError(MissingError):
    code = "store"


class DamagedError(StoreError):
    code = "damaged"


class ModelError(MissingError):
    code = "model"
    passing: ClassVar[bool] = False


class ModelDownError(ModelError):
    code = "model_down"
    passing = True


class ModelMissingError(ModelError):
    code = "model_missing"


class ModelLoadingError(ModelError):
    code = "model_loading"
    passing = True


class ModelTimeoutError(ModelError):
    code = "model_timeout"
    passing = True


class ModelStreamError(ModelError):
    code = "model_stream"
    passing = True


class ModelRefusedError(ModelError):
    code = "model_refused"


class ContextOverflowError(ModelError):
    code = "context_overflow"


class ModelAnswerError(ModelError):
    code = "model_answer"


class NotFoundError(MindnetError):
    code = "not_found"
    status = 404


_NO_ROOM = frozenset((errno.ENOSPC, errno.EDQUOT))
_NO_ACCESS = frozenset((errno.EACCES, errno.EPERM, errno.EROFS))
_OWN_NUMBER = re.compile(r"(?:os error|Errno) (\d+)")
_BY_NAME = {"SQLITE_FULL": errno.ENOSPC, "SQLITE_READONLY": errno.EROFS, "SQLITE_CANTOPEN": errno.EACCES}


def disk_full(place: object, free: int | None = None) -> DiskFullError:
    """No room for ``place``; ``free`` is the number of bytes that are left, where it was asked for."""
    left = "" if free is None else f" ({free / 1_000_000:.0f} MB are free)"
    return DiskFullError(
        f"The disk has no room left for {place}{left}.",
        hint="Free some space: nothing is lost, and what waits is then indexed by itself.",
    )


def read_only(place: object, why: str) -> ReadOnlyError:
    return ReadOnlyError(
        f"{place} may not be written: {why}.", hint="Correct its permissions, or name another folder with --data-dir."
    )


def is_damage(error: sqlite3.Error) -> bool:
    """Whether SQLite says that the file's content is not what it wrote (result codes CORRUPT and NOTADB)."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


def folder_fault(place: object, error: BaseException) -> DiskFullError | ReadOnlyError | None:
    """The failure that a full disk or missing rights are, whoever reports them; None for any other.

    ``error`` may be the system's, SQLite's, or one of another library that names the system's number in its text.
    """
    number = getattr(error, "errno", None)
    name = str(getattr(error, "sqlite_errorname", ""))
    if number is None:
        number = next((code for known, code in _BY_NAME.items() if name.startswith(known)), None)
    if number is None and (found := _OWN_NUMBER.search(str(error))):
        number = int(found[1])
    if number in _NO_ROOM:
        return disk_full(place)
    if number in _NO_ACCESS:
        return read_only(place, getattr(error, "strerror", None) or str(error))
    return None
