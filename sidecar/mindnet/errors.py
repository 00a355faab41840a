"""Expected failures, each with a code, an HTTP status, an exit code and a sentence for the user.

::

    MindnetError
    ├── UsageError            2  wrong call or configuration
    │   ├── ConfigError          names file, line and the nearest right name
    │   └── VaultError           the vault folder is missing or unreadable
    ├── MissingError          3  something that is needed is missing or busy
    │   ├── BusyError            another process holds the data folder
    │   ├── EmbeddingError       the embedding model cannot be loaded or used
    │   ├── StoreError           the store cannot be opened, read or written
    │   └── ModelError           the language model gives no answer; ``passing`` says whether to ask again later
    │       ├── ModelDownError       no server answers
    │       ├── ModelMissingError    the server does not have the model
    │       ├── ModelLoadingError    the model is still being loaded, or the server is busy
    │       ├── ModelTimeoutError    nothing came for too long
    │       ├── ModelStreamError     the answer broke off, or cannot be read
    │       ├── ModelRefusedError    the server says no: a wrong key, a fault of its own
    │       ├── ContextOverflowError the prompt is longer than what the model reads
    │       └── ModelAnswerError     the answer does not have the form that was asked for
    └── NotFoundError         1  no such note, edge or query
"""

from __future__ import annotations

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
    code = "config"


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
