"""One question while it is answered: its words, its passages, the prompt, what the model says."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from mindnet.chat import followup
from mindnet.chat.context import Fitted, Source, fit
from mindnet.chat.events import Citation, Done, Event, Failed, Found, Said, State, Thought, citation
from mindnet.chat.finding import Finder, Passages
from mindnet.chat.guard import AnswerGuard
from mindnet.chat.languages import in_both_languages, other_language
from mindnet.chat.prompts import LanguagePrompts
from mindnet.chat.question import Question
from mindnet.chat.sessions import Sessions, Turn
from mindnet.errors import MindnetError, ModelAnswerError, ModelError
from mindnet.models.counting import at_least
from mindnet.models.port import Finished
from mindnet.models.profiles import CHAT, Chosen, Models
from mindnet.models.turns import Turns
from mindnet.records import Language
from mindnet.retrieval.search import SearchResult

log = logging.getLogger(__name__)
REMEMBERED_TURNS = 4
_ENOUGH_READ = 0.9
_CUT: Mapping[Language, str] = {
    "de": "Das Modell hat nur {read} von mindestens {sent} Token gelesen: erhöhe das Kontextfenster des Servers, oder "
    "senke num_ctx in llm.yaml.",
    "en": "The model read only {read} of at least {sent} tokens: widen the server's window, or lower num_ctx in "
    "llm.yaml.",
}
_LENGTH: Mapping[Language, str] = {
    "de": "Die Antwort brach nach {limit} Token ab: max_tokens in llm.yaml erlaubt nicht mehr.",
    "en": "The answer was cut off after {limit} tokens: max_tokens in llm.yaml allows no more.",
}


@dataclass(frozen=True, slots=True)
class Means:
    """What every answer is made with."""

    passages: Passages
    models: Models
    sessions: Sessions
    finder: Finder
    turns: Turns
    noted: Callable[[Asked, str, SearchResult, Sequence[Source]], None]
    """Told of each search: for whom it was, the words, what was found, and what of it may be cited."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question that has its place in a session, behind the turns of ``earlier``, and among all that are asked."""

    question: Question
    session_id: str
    query_id: str
    language: Language
    texts: LanguagePrompts
    earlier: tuple[Turn, ...]
    place: int


class Answering:
    """Answers one question; ``run`` tells all that happens to ``events``, and None last."""

    def __init__(self, means: Means, asked: Asked, events: asyncio.Queue[Event | None]) -> None:
        self._means = means
        self._asked = asked
        self._events = events
        self._earlier = asked.earlier[-REMEMBERED_TURNS:]
        self._history: list[tuple[str, str]] = []
        self._answer = ""
        self._model: str | None = None
        self._timings: dict[str, float] = {}
        self._started = time.perf_counter()

    async def run(self) -> None:
        state: State = "stopped"
        citations: tuple[Citation, ...] = ()
        try:
            done = await self._go()
            state, citations = "answered", done.citations
            self._means.sessions.end(self._asked.query_id, state, self._answer, self._model, citations)
            self._events.put_nowait(done)
        except MindnetError as error:
            state = "failed"
            self._events.put_nowait(Failed(error.code, error.message, error.hint))
        except Exception as error:
            state = "failed"
            log.exception("a chat failed")
            self._events.put_nowait(
                Failed("internal", f"An unexpected fault: {error}", "See the sidecar's log, and report it.")
            )
        finally:
            try:
                if state != "answered":
                    self._means.sessions.end(self._asked.query_id, state, self._answer, self._model)
            finally:
                self._events.put_nowait(None)

    async def _go(self) -> Done:
        if self._earlier:
            self._history = await asyncio.to_thread(self._remember)
        wanted = await self._wording()
        found, sources = await self._search(wanted)
        if other_language(wanted, self._asked.language, found, sources):
            wanted, found, sources = await self._search_in_both(wanted, found, sources)
        self._means.sessions.searched(self._asked.query_id, wanted, [one.chunk.chunk_id for one in sources])
        asked = self._asked
        self._means.noted(asked, wanted, found, sources)
        self._tell(
            Found(
                asked.query_id,
                asked.session_id,
                wanted,
                asked.language,
                found.intent,
                tuple(sources),
                found.phrases,
                found.times,
            )
        )
        if not sources:
            return self._nothing()
        async with self._means.turns.chat(self._asked.place):
            self._time("waited")
            # Here, so that chats that wait do not ask the server all at once.
            chosen = await self._means.models.choose(CHAT)
            self._model = chosen.model
            fitted = await fit(
                chosen,
                self._asked.texts,
                intent=found.intent.name,
                question=self._asked.question.message,
                sources=sources,
                history=self._history,
            )
            guard = AnswerGuard([one.number for one in fitted.given])
            finished = await self._generate(chosen, fitted, guard)
        self._time("total")
        return self._done(chosen, fitted, guard, finished)

    def _remember(self) -> list[tuple[str, str]]:
        """Earlier questions and answers, but none that rest on a private note, unless those are asked for too."""
        answered = [one for one in self._earlier if one.state == "answered"]
        if not self._asked.question.include_private:
            known = self._means.passages.chunks([chunk_id for one in answered for chunk_id in one.sources])
            private = {chunk_id for chunk_id, chunk in known.items() if chunk.private}
            answered = [one for one in answered if private.isdisjoint(one.sources)]
        return [(one.message, one.answer) for one in answered]

    async def _wording(self) -> str:
        """What to search for; without a model to put it into words, the words of both questions."""
        message = self._asked.question.message.strip()
        if not self._history:
            return message
        today = date.today()
        try:
            async with self._means.turns.chat(self._asked.place):
                chosen = await self._means.models.choose(CHAT)
                return await followup.standalone(chosen, self._asked.texts, self._history, message, today)
        except ModelError as error:
            log.info("a follow-up question is searched for as it is: %s", error.message)
            return followup.together(self._history, message, today)
        finally:
            self._time("reworded")

    async def _search(self, wanted: str) -> tuple[SearchResult, list[Source]]:
        asked = self._asked
        found = await asyncio.to_thread(self._means.finder.find, asked.question, wanted, asked.language, self._earlier)
        self._time("searched")
        return found

    async def _search_in_both(
        self, wanted: str, found: SearchResult, sources: list[Source]
    ) -> tuple[str, SearchResult, list[Source]]:
        """The search with the question in the notes' language too; where that gives nothing, what there was."""
        means, asked = self._means, self._asked
        turn = means.turns.chat(asked.place)
        both = await in_both_languages(means.models, turn, asked.texts, asked.language, wanted, date.today())
        self._time("translated")
        if both is not None:
            more, better = await self._search(both)
            if better:
                return both, more, better
        return wanted, found, sources

    async def _generate(self, chosen: Chosen, fitted: Fitted, guard: AnswerGuard) -> Finished:
        request = replace(chosen.request(fitted.messages), max_tokens=fitted.max_tokens)
        thought = False
        finished: Finished | None = None
        async for piece in chosen.server.stream(request):
            if isinstance(piece, Finished):
                finished = piece
                continue
            if "first_token" not in self._timings:
                self._time("first_token")
            if piece.thinking:
                thought = True
                self._tell(Thought(piece.text))
            else:
                self._say(guard.feed(piece.text))
        self._say(guard.end())
        assert finished is not None, "a stream ends with Finished or with an error"
        if not self._answer.strip():
            raise ModelAnswerError(
                f"{chosen.model} {'thought, but said' if thought else 'said'} nothing.",
                hint="Raise max_tokens in llm.yaml, or choose another model.",
            )
        return finished

    def _done(self, chosen: Chosen, fitted: Fitted, guard: AnswerGuard, finished: Finished) -> Done:
        given = {one.number: one for one in fitted.given}
        return Done(
            query_id=self._asked.query_id,
            session_id=self._asked.session_id,
            answer=self._answer,
            ended=finished.ended,
            citations=tuple(citation(given[number]) for number in guard.cited),
            model=chosen.model,
            context=fitted.context,
            num_ctx=chosen.num_ctx,
            sent_tokens=fitted.tokens,
            counted_exactly=fitted.exact,
            prompt_tokens=finished.prompt_tokens,
            answer_tokens=finished.answer_tokens,
            left_out=fitted.left_out,
            notices=tuple(self._notices(fitted, finished)),
            timings=self._timings,
        )

    def _notices(self, fitted: Fitted, finished: Finished) -> list[str]:
        sent = round(fitted.tokens * _ENOUGH_READ) if fitted.exact else at_least(fitted.messages)
        notices = []
        if finished.prompt_tokens is not None and finished.prompt_tokens < sent:
            notices.append(_CUT[self._asked.language].format(read=finished.prompt_tokens, sent=sent))
        if finished.ended == "length":
            notices.append(_LENGTH[self._asked.language].format(limit=fitted.max_tokens))
        return notices

    def _nothing(self) -> Done:
        """An answer that no model was asked for."""
        self._say(self._asked.texts.nothing_found)
        self._time("total")
        return Done(
            query_id=self._asked.query_id,
            session_id=self._asked.session_id,
            answer=self._answer,
            ended="nothing_found",
            citations=(),
            model=None,
            context="",
            num_ctx=None,
            sent_tokens=None,
            counted_exactly=False,
            prompt_tokens=None,
            answer_tokens=None,
            left_out=(),
            notices=(),
            timings=self._timings,
        )

    def _say(self, text: str) -> None:
        if text:
            self._answer += text
            self._tell(Said(text))

    def _tell(self, event: Event) -> None:
        self._events.put_nowait(event)

    def _time(self, what: str) -> None:
        self._timings[what] = round((time.perf_counter() - self._started) * 1000, 1)
