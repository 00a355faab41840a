"""Questions to a vault that are made of its own words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from evaluation.run import spread

QUESTIONS = 120
_SENTENCE = re.compile(r"[^\n.!?\[\]|`#*]{30,160}[.!?]")


def questions_of(vault: Path) -> Sequence[str]:
    """A sentence of one note in turn with the name of another."""
    found = []
    for number, file in enumerate(spread(sorted(vault.rglob("*.md")), 3 * QUESTIONS)):
        sentence = _SENTENCE.search(file.read_text(encoding="utf-8", errors="replace"))
        found.append(sentence.group().strip() if sentence and number % 2 else file.stem)
    return spread(list(dict.fromkeys(found)), QUESTIONS)
