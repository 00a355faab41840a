"""Which questions a chat declines before a model is asked, and where the right note stands among the sources."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from mindnet.chat.finding import Finder
from mindnet.chat.languages import other_language
from mindnet.chat.question import Question
from mindnet.chat.relevance import Relevance
from mindnet.records import Language
from mindnet.workspace import Workspace

Kind = Literal["answered", "near", "strange"]
ASKED = Path(__file__).parent / "asked"
STRANGE = ASKED / "strange.jsonl"
"""Questions that are at home in hardly any vault; the threshold is measured with others."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question that ``notes`` answer, one that is ``near`` them without an answer there, or a strange one.

    ``translation`` is what a model may make of it for notes in the other language.
    """

    question: str
    language: Language
    kind: Kind
    notes: tuple[str, ...] = ()
    translation: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """``rank`` is the place of the first source from a right note, from 1; None where there is none."""

    asked: Asked
    sources: int
    rank: int | None

    @property
    def declined(self) -> bool:
        return self.sources == 0


def read_asked(file: Path) -> list[Asked]:
    """Questions from a file of JSON lines."""
    lines = file.read_text(encoding="utf-8").splitlines()
    return [Asked(**{**one, "notes": tuple(one.get("notes", ()))}) for one in map(json.loads, lines)]


def ask_all(workspace: Workspace, questions: Sequence[Asked], kept: Path, *, translated: bool = False) -> list[Outcome]:
    """Each question as a chat would search for it; the threshold is kept in ``kept``.

    ``translated``: as if a model had put it into the notes' language, where a chat would ask for that.
    """
    finder = Finder(workspace, Relevance(workspace.search, lambda: "one state", kept))
    outcomes = []
    for asked in questions:
        found, sources = finder.find(Question(asked.question), asked.question, asked.language, ())
        if translated and asked.translation and other_language(asked.question, asked.language, found, sources):
            both = f"{asked.question} {asked.translation}"
            _, sources = finder.find(Question(asked.question), both, asked.language, ())
        rank = next((one.number for one in sources if one.chunk.path in asked.notes), None)
        outcomes.append(Outcome(asked, len(sources), rank))
    return outcomes
