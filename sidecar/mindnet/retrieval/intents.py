"""What a question is after, by patterns, and which kinds of edges that favours."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from mindnet.errors import ConfigError

NEUTRAL = "FACT"
LOWEST, HIGHEST = 0.1, 3.0


@dataclass(frozen=True, slots=True)
class Intent:
    name: str
    boosts: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Intents:
    """The patterns in the order of the file."""

    rules: tuple[tuple[Intent, tuple[re.Pattern[str], ...]], ...]

    @classmethod
    def from_mapping(cls, data: Mapping[str, Any]) -> Intents:
        """From the content of ``intents.yaml``; boosts are kept within 0.1 and 3.

        Raises ``ConfigError`` for a pattern that is no regular expression.
        """
        rules = []
        for name, entry in data.items():
            boosts = {kind: min(max(float(b), LOWEST), HIGHEST) for kind, b in entry.get("boosts", {}).items()}
            patterns = tuple(_compiled(name, pattern) for pattern in entry.get("patterns", ()))
            rules.append((Intent(name, boosts), patterns))
        return cls(tuple(rules))

    def classify(self, question: str) -> Intent:
        """The first intent with a pattern in the question, else the neutral one."""
        for intent, patterns in self.rules:
            if any(pattern.search(question) for pattern in patterns):
                return intent
        return next((intent for intent, _ in self.rules if intent.name == NEUTRAL), Intent(NEUTRAL, {}))


def _compiled(name: str, pattern: str) -> re.Pattern[str]:
    try:
        return re.compile(pattern, re.IGNORECASE)
    except re.error as error:
        raise ConfigError(
            f"{pattern!r} is no regular expression: {error}.",
            hint="Correct the pattern, or put a backslash before characters that stand for themselves.",
            file="intents",
            key=(name, "patterns"),
        ) from error
