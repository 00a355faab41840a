"""The routes of the chat."""

from __future__ import annotations

from collections.abc import AsyncIterable, Callable
from contextlib import aclosing

from fastapi import Depends, FastAPI
from fastapi.sse import EventSourceResponse, ServerSentEvent

from mindnet.api import chat_wire as wire
from mindnet.api.chat_convert import event_out, models_report, question, session_out, turn_out
from mindnet.chat.answer import Chat
from mindnet.chat.question import Question
from mindnet.errors import MindnetError


def chat_routes(app: FastAPI, chat: Callable[[], Chat]) -> None:
    def possible(request: wire.ChatRequest) -> Question:
        # Before the stream begins, so that what cannot be asked is answered with a status of its own.
        asked = question(request)
        if asked.session_id is not None:
            chat().sessions.get(asked.session_id)
        return asked

    @app.post("/chat", operation_id="chat", tags=["chat"], response_class=EventSourceResponse)
    async def ask(
        asked: Question = Depends(possible),  # noqa: B008
    ) -> AsyncIterable[wire.ChatEvent]:
        """Answers from the notes: ``sources`` first, then ``token``s, then ``done``, or ``failed``.

        Closing the connection stops the model; what was said until then stays in the session.
        """
        try:
            async with aclosing(chat().ask(asked)) as events:
                async for event in events:
                    yield _sent(event_out(event))  # type: ignore[misc]
        except MindnetError as error:
            yield _sent(wire.FailedEvent(code=error.code, message=error.message, hint=error.hint))  # type: ignore[misc]

    @app.get("/chat/sessions", operation_id="chatSessions", tags=["chat"])
    def sessions() -> wire.SessionList:
        """Every session, the last used first."""
        return wire.SessionList(sessions=[session_out(one) for one in chat().sessions.all()])

    @app.get("/chat/sessions/{session_id}", operation_id="chatSession", tags=["chat"])
    def session(session_id: str) -> wire.SessionDetail:
        """A session with its turns, the oldest first."""
        found, turns = chat().sessions.get(session_id)
        return wire.SessionDetail(session=session_out(found), turns=[turn_out(one) for one in turns])

    @app.delete("/chat/sessions/{session_id}", operation_id="deleteChatSession", tags=["chat"])
    def delete(session_id: str) -> wire.Deleted:
        """Deletes a session for good."""
        chat().sessions.delete(session_id)
        return wire.Deleted(deleted=1)

    @app.delete("/chat/sessions", operation_id="deleteChatSessions", tags=["chat"])
    def delete_all() -> wire.Deleted:
        """Deletes every session for good."""
        return wire.Deleted(deleted=chat().sessions.delete_all())

    @app.get("/models", operation_id="models", tags=["status"])
    async def models() -> wire.ModelsReport:
        """The language model of each profile: looks whether it is there."""
        return models_report(await chat().models.look())


def _sent(told: wire.AnyChatEvent) -> ServerSentEvent:
    """The event under the names that its schema has."""
    return ServerSentEvent(raw_data=told.model_dump_json(by_alias=True), event=told.event)
