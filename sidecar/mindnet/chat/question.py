"""What a user asks, with what shapes the search for it."""

from __future__ import annotations

from dataclasses import dataclass, field

from mindnet.errors import UsageError
from mindnet.records import Language
from mindnet.retrieval.filters import Filters
from mindnet.retrieval.phrases import Quoting
from mindnet.retrieval.understanding import Dating

TOP_K = 8


@dataclass(frozen=True, slots=True)
class Question:
    """What a user writes; without a ``session_id`` a session begins.

    ``phrases``, ``dates`` and ``fold_copies`` are those of a search. Raises ``UsageError`` when nothing is asked.
    """

    message: str
    session_id: str | None = None
    top_k: int = TOP_K
    filters: Filters = field(default_factory=Filters)
    phrases: Quoting = "auto"
    dates: Dating = "auto"
    fold_copies: bool = True
    include_private: bool = False
    language: Language | None = None

    def __post_init__(self) -> None:
        if not self.message.strip():
            raise UsageError("The question is empty.", hint="Write what you want to know.")
