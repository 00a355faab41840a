"""What goes wrong between here and a model server, told apart by kind; the words for it are those of who asked."""

from __future__ import annotations

from typing import Literal

Kind = Literal[
    "down", "slow", "lost", "unreadable", "missing", "busy", "too_long", "no_memory", "key_refused", "refused"
]
PASSING: frozenset[Kind] = frozenset({"down", "slow", "lost", "busy"})
"""Another try may bring the answer."""


class ServerError(Exception):
    """A request without an answer, never shown as it is; ``text`` is what the server wrote, or the connection met."""

    def __init__(self, kind: Kind, text: str = "") -> None:
        super().__init__(f"{kind}: {text}")
        self.kind: Kind = kind
        self.text = text

    @property
    def is_passing(self) -> bool:
        return self.kind in PASSING
