"""What a chat tells while it answers: the sources, thoughts and tokens, and how it ended."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from mindnet.chat.context import LeftOut, Source
from mindnet.records import Language
from mindnet.retrieval.intents import Intent
from mindnet.retrieval.understanding import ReadPhrase, ReadTime

Ending = Literal["stop", "length", "nothing_found"]
State = Literal["asked", "answered", "stopped", "failed"]


@dataclass(frozen=True, slots=True)
class Citation:
    """A number that the answer names, and the passage it leads to; lines are those of the file."""

    number: int
    chunk_id: str
    note_id: str
    path: str
    title: str
    heading_path: tuple[str, ...]
    start_line: int
    end_line: int


@dataclass(frozen=True, slots=True)
class Found:
    """The passages that the answer may rest on. ``question`` is what was searched for, in words of its own.

    ``phrases`` and ``times`` are what was read in it.
    """

    query_id: str
    session_id: str
    question: str
    language: Language
    intent: Intent
    sources: tuple[Source, ...]
    phrases: tuple[ReadPhrase, ...] = ()
    times: tuple[ReadTime, ...] = ()


@dataclass(frozen=True, slots=True)
class Thought:
    text: str


@dataclass(frozen=True, slots=True)
class Said:
    text: str


@dataclass(frozen=True, slots=True)
class Done:
    """``context`` is what the model saw of the notes, empty when it was not asked.

    ``sent_tokens`` is the prompt's length as counted before, ``prompt_tokens`` what the server says that it read.
    ``notices`` are sentences for the user. Times are in milliseconds.
    """

    query_id: str
    session_id: str
    answer: str
    ended: Ending
    citations: tuple[Citation, ...]
    model: str | None
    context: str
    num_ctx: int | None
    sent_tokens: int | None
    counted_exactly: bool
    prompt_tokens: int | None
    answer_tokens: int | None
    left_out: tuple[LeftOut, ...]
    notices: tuple[str, ...]
    timings: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Failed:
    code: str
    message: str
    hint: str


Event = Found | Thought | Said | Done | Failed


def citation(source: Source) -> Citation:
    chunk = source.chunk
    return Citation(
        source.number,
        chunk.chunk_id,
        chunk.note_id,
        chunk.path,
        chunk.title,
        chunk.heading_path,
        chunk.start_line,
        chunk.end_line,
    )
