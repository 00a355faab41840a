"""The shapes of a chat over HTTP."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, RootModel

from mindnet.api.wire import CopyOut, ExplanationOut, Filters, Intent, Language, ReadDate, ReadPhrase, Wire


class ChatRequest(Wire):
    """Without ``session_id`` a new session begins. ``language`` is that of the answer, by default the question's.

    ``phrases``, ``dates`` and ``fold_copies`` are those of a ``QueryRequest``.
    """

    message: str = Field(min_length=1, max_length=20_000)
    session_id: str | None = None
    top_k: int = Field(default=8, ge=1, le=50)
    filters: Filters = Filters()
    phrases: Literal["auto", "require", "ignore"] = "auto"
    dates: Literal["auto", "apply", "ignore"] = "auto"
    fold_copies: bool = True
    include_private: bool = False
    language: Language | None = None


class SourceOut(Wire):
    """A passage that the answer may cite as ``[number]``; ``also_in`` are others with nearly its text."""

    number: int
    note_id: str
    chunk_id: str
    title: str
    path: str
    heading_path: list[str]
    start_line: int
    end_line: int
    text: str
    type: str
    status: str | None
    tags: list[str]
    total_score: float
    explanation: ExplanationOut | None
    also_in: list[CopyOut]


class CitationOut(Wire):
    """A number in the answer that leads to a given passage; any other number there is plain text."""

    number: int
    chunk_id: str
    note_id: str
    path: str
    title: str
    heading_path: list[str]
    start_line: int
    end_line: int


class LeftOutOut(Wire):
    """A source that the model did not see, and the tokens it would have taken."""

    number: int
    chunk_id: str
    path: str
    title: str
    start_line: int
    tokens: int


class SourcesEvent(Wire):
    """Comes first. ``question`` is what was searched for: a follow-up question is put into words of its own.

    ``phrases`` and ``dates`` are what was read in it, as in a ``QueryAnswer``.
    """

    event: Literal["sources"] = "sources"
    query_id: str
    session_id: str
    question: str
    language: Language
    intent: Intent
    sources: list[SourceOut]
    phrases: list[ReadPhrase]
    dates: list[ReadDate]


class ThinkingEvent(Wire):
    """What the model thinks before it answers; no part of the answer."""

    event: Literal["thinking"] = "thinking"
    text: str


class TokenEvent(Wire):
    """The next piece of the answer: Markdown in which images and HTML are broken."""

    event: Literal["token"] = "token"
    text: str


class DoneEvent(Wire):
    """``answer`` is all tokens together, ``context`` what the model saw of the notes.

    ``ended`` is "length" for an answer that was cut off, "nothing_found" where no model was asked. ``sent_tokens``
    is the prompt as counted before it was sent, ``prompt_tokens`` what the server says that it read. ``notices`` are
    sentences to be shown. ``timings`` are milliseconds since the question came.
    """

    event: Literal["done"] = "done"
    query_id: str
    session_id: str
    answer: str
    ended: Literal["stop", "length", "nothing_found"]
    citations: list[CitationOut]
    model: str | None
    context: str
    num_ctx: int | None
    sent_tokens: int | None
    counted_exactly: bool
    prompt_tokens: int | None
    answer_tokens: int | None
    left_out: list[LeftOutOut]
    notices: list[str]
    timings: dict[str, float]


class FailedEvent(Wire):
    """The answer cannot be given; ``hint`` says what to do. The sources that came before still hold."""

    event: Literal["failed"] = "failed"
    code: str
    message: str
    hint: str


AnyChatEvent = SourcesEvent | ThinkingEvent | TokenEvent | DoneEvent | FailedEvent


class ChatEvent(RootModel[Annotated[AnyChatEvent, Field(discriminator="event")]]):
    """One server-sent event of ``POST /chat``; its ``event:`` line is the same as the field."""


class SessionOut(Wire):
    """Times are milliseconds since 1970."""

    session_id: str
    title: str
    created: int
    updated: int
    turns: int


class SessionList(Wire):
    sessions: list[SessionOut]


class TurnOut(Wire):
    """A question and what became of it: ``stopped`` and ``failed`` ones keep what was said until then."""

    query_id: str
    asked_at: int
    message: str
    question: str
    language: Language
    state: Literal["asked", "answered", "stopped", "failed"]
    answer: str
    model: str | None
    citations: list[CitationOut]


class SessionDetail(Wire):
    session: SessionOut
    turns: list[TurnOut]


class Deleted(Wire):
    deleted: int


class ModelCondition(Wire):
    """A profile's model, or what is wrong with it; ``code`` is the kind of fault, as in ``FailedEvent``.

    ``leaves_machine``: what it is sent goes to another computer.
    """

    profile: str
    backend: str
    place: str
    model: str | None
    num_ctx: int | None
    leaves_machine: bool
    ok: bool
    code: str = ""
    message: str
    hint: str


class ModelsReport(Wire):
    models: list[ModelCondition]
