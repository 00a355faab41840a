"""The chat's records in the shapes of the wire; the commands use them without a server."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from mindnet.api import chat_wire as wire
from mindnet.api import convert
from mindnet.api.wire import Intent
from mindnet.chat.context import Source
from mindnet.chat.events import Citation, Done, Event, Failed, Found, Said, Thought
from mindnet.chat.question import Question
from mindnet.chat.sessions import Session, Turn
from mindnet.models.profiles import Condition


def question(request: wire.ChatRequest) -> Question:
    return Question(
        message=request.message,
        session_id=request.session_id,
        top_k=request.top_k,
        filters=convert.filters(request.filters),
        phrases=request.phrases,
        dates=request.dates,
        fold_copies=request.fold_copies,
        include_private=request.include_private,
        language=request.language,
    )


def event_out(event: Event) -> wire.AnyChatEvent:
    match event:
        case Found():
            return wire.SourcesEvent(
                query_id=event.query_id,
                session_id=event.session_id,
                question=event.question,
                language=event.language,
                intent=Intent(name=event.intent.name, boosts=dict(event.intent.boosts)),
                sources=[source_out(one) for one in event.sources],
                phrases=convert.phrases(event.phrases),
                dates=convert.dates(event.times),
            )
        case Thought():
            return wire.ThinkingEvent(text=event.text)
        case Said():
            return wire.TokenEvent(text=event.text)
        case Failed():
            return wire.FailedEvent(code=event.code, message=event.message, hint=event.hint)
        case Done():
            return _done(event)


def _done(event: Done) -> wire.DoneEvent:
    return wire.DoneEvent(
        query_id=event.query_id,
        session_id=event.session_id,
        answer=event.answer,
        ended=event.ended,
        citations=_citations(event.citations),
        model=event.model,
        context=event.context,
        num_ctx=event.num_ctx,
        sent_tokens=event.sent_tokens,
        counted_exactly=event.counted_exactly,
        prompt_tokens=event.prompt_tokens,
        answer_tokens=event.answer_tokens,
        left_out=[
            wire.LeftOutOut(
                number=one.source.number,
                chunk_id=one.source.chunk.chunk_id,
                path=one.source.chunk.path,
                title=one.source.chunk.title,
                start_line=one.source.chunk.start_line,
                tokens=one.tokens,
            )
            for one in event.left_out
        ],
        notices=list(event.notices),
        timings=dict(event.timings),
    )


def source_out(source: Source) -> wire.SourceOut:
    return wire.SourceOut(
        number=source.number,
        **convert.passage(source.chunk),
        total_score=source.score,
        explanation=convert.explanation(source.explanation) if source.explanation else None,
        also_in=convert.copies(source.also_in),
    )


def session_out(found: Session) -> wire.SessionOut:
    return wire.SessionOut(**asdict(found))


def turn_out(found: Turn) -> wire.TurnOut:
    return wire.TurnOut(
        query_id=found.query_id,
        asked_at=found.asked_at,
        message=found.message,
        question=found.question,
        language=found.language,
        state=found.state,
        answer=found.answer,
        model=found.model,
        citations=_citations(found.citations),
    )


def _citations(found: Sequence[Citation]) -> list[wire.CitationOut]:
    return [wire.CitationOut(**{**asdict(one), "heading_path": list(one.heading_path)}) for one in found]


def models_report(found: Sequence[Condition]) -> wire.ModelsReport:
    return wire.ModelsReport(
        models=[
            wire.ModelCondition(
                profile=one.profile,
                backend=one.backend,
                place=one.place,
                model=one.model,
                num_ctx=one.num_ctx,
                leaves_machine=one.leaves_machine,
                ok=one.fault is None,
                code=one.fault.code if one.fault else "",
                message=one.fault.message if one.fault else "",
                hint=one.fault.hint if one.fault else "",
            )
            for one in found
        ]
    )
