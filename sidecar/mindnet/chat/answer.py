"""Questions to answers, from the notes: the face of the chat."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence

from mindnet.chat.context import Source
from mindnet.chat.events import Event
from mindnet.chat.finding import Finder, Passages
from mindnet.chat.prompts import Prompts
from mindnet.chat.question import Question
from mindnet.chat.relevance import Relevance
from mindnet.chat.sessions import Sessions
from mindnet.chat.turn import Answering, Asked, Means
from mindnet.models.profiles import Models
from mindnet.models.turns import Turns
from mindnet.retrieval.language import language_of
from mindnet.retrieval.search import SearchResult


class Chat:
    """Answers questions from the notes; all of its calls belong to one event loop at a time."""

    def __init__(
        self,
        passages: Passages,
        models: Models,
        sessions: Sessions,
        *,
        prompts: Callable[[], Prompts],
        relevance: Relevance,
        noted: Callable[[Asked, str, SearchResult, Sequence[Source]], None],
    ) -> None:
        """``noted`` is told of each search that is made for an answer."""
        self.models = models
        self.sessions = sessions
        self.turns = Turns()
        self._means = Means(passages, models, sessions, Finder(passages, relevance), self.turns, noted)
        self._prompts = prompts
        self._running: set[asyncio.Task[None]] = set()

    async def ask(self, question: Question) -> AsyncGenerator[Event, None]:
        """The events of an answer, ``Done`` or ``Failed`` last.

        Whoever stops iterating stops the model; what was said until then stays in the session. Raises
        ``NotFoundError`` for an unknown session, before anything else.
        """
        earlier = self.sessions.turns(question.session_id) if question.session_id else []
        language = question.language or language_of(question.message, earlier[-1].language if earlier else "en")
        session_id, query_id = self.sessions.begin(question.session_id, question.message, language)
        texts, place = self._prompts().of(language), self.turns.place()
        asked = Asked(question, session_id, query_id, language, texts, tuple(earlier), place)
        events: asyncio.Queue[Event | None] = asyncio.Queue()
        # In a task of its own: it puts the session in order even when the listener is cancelled.
        task = asyncio.create_task(Answering(self._means, asked, events).run())
        self._running.add(task)
        task.add_done_callback(self._running.discard)
        try:
            while (event := await events.get()) is not None:
                yield event
        finally:
            task.cancel()

    def stop(self) -> None:
        """Ends every answer that is being given; to be called in the event loop that gives them."""
        for task in tuple(self._running):
            task.cancel()

    async def stopped(self) -> None:
        """Waits until every answer that was being given has been put down."""
        self.stop()
        if self._running:
            await asyncio.wait(tuple(self._running))
