"""Questions in a queue: what is open, whose turn it is, and what becomes of an answer or of a fault.

At most one question is with the model, and none beside a chat.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from mindnet.chat.prompts import Prompts
from mindnet.errors import MindnetError, ModelDownError, ModelError, ModelLoadingError, ModelMissingError
from mindnet.knowledge.edges import ALLOCATION
from mindnet.models.profiles import VALIDATOR, Backend, Models
from mindnet.models.turns import Turns
from mindnet.records import Answer, Asked, Question
from mindnet.validation.answers import Given, ModelAnswers
from mindnet.validation.asking import judge
from mindnet.validation.open_questions import OpenQuestions, Site

log = logging.getLogger(__name__)
FIRST_PAUSE_S, LONGEST_PAUSE_S = 15.0, 900.0
"""So long after a fault the next question waits, twice as long after each further one."""
UNREADY_S = 1.0
"""So long after a look at notes that were being indexed they are looked at again."""
_DAY_MS = 86_400_000
_OF_THE_SERVER = (ModelDownError, ModelMissingError, ModelLoadingError)
"""Faults that every other question would have too."""


@dataclass(frozen=True, slots=True)
class Limits:
    """Questions at most in a minute, and in 24 hours; ``enabled``: asking goes on in the background."""

    enabled: bool
    per_minute: float
    per_day: int


@dataclass(frozen=True, slots=True)
class State:
    """``waiting`` have no answer yet, the ``pending`` among them count meanwhile; ``refused`` could not be asked.

    ``fault`` is a sentence on why the last question has no answer.
    """

    enabled: bool
    waiting: int
    confirmed: int
    rejected: int
    pending: int
    refused: int
    fault: str | None
    code: str | None


@dataclass(frozen=True, slots=True)
class Worked:
    """``asked`` questions were answered; ``more``: others may be open that can be asked now."""

    asked: int
    more: bool


class _NobodyError(Exception):
    """A fault before anything was asked."""

    def __init__(self, error: ModelError) -> None:
        super().__init__(str(error))
        self.error = error


class Validation:
    """The queue of one vault. ``changed`` and ``state`` may be used from any thread, the rest in one event loop."""

    def __init__(
        self,
        site: Site,
        answers: ModelAnswers,
        models: Models,
        turns: Turns,
        *,
        prompts: Callable[[], Prompts],
        limits: Limits,
        shipped: Backend,
    ) -> None:
        """``shipped`` is the backend that is asked where the settings name none."""
        self._site = site
        self._answers = answers
        self._models = models
        self._turns = turns
        self._prompts = prompts
        self._limits = limits
        self._shipped = shipped
        self._lock = asyncio.Lock()
        self._guard = threading.Lock()
        self._open = OpenQuestions(site, answers, self._is_given_up)
        self._given_up: dict[Asked, str] = {}
        self._stopped_for: str | None = None
        """The model that cannot be asked at all as things are: nothing is offered to it."""
        self._model = ""
        self._faults = 0
        self._fault: MindnetError | None = None
        self._wake: tuple[asyncio.AbstractEventLoop, asyncio.Event] | None = None

    # -------------------------------------------------------------- from any thread
    def changed(self, path: str | None) -> None:
        """A note (None: any) may have other questions by now."""
        self._open.changed(path)
        with self._guard:
            if self._wake is not None:
                loop, event = self._wake
                loop.call_soon_threadsafe(event.set)

    @property
    def state(self) -> State:
        counts = self._answers.counts()
        fault = self._fault
        return State(
            enabled=self._limits.enabled,
            waiting=self._open.number,
            confirmed=counts["yes"],
            rejected=counts["no"],
            pending=counts["pending"],
            refused=counts["refused"],
            fault=f"{fault.message} {fault.hint}".strip() if fault else None,
            code=fault.code if fault else None,
        )

    # -------------------------------------------------------------- in the background
    async def run(self) -> None:
        """Asks what is open, within the limits, until it is cancelled."""
        event = asyncio.Event()
        with self._guard:
            self._wake = asyncio.get_running_loop(), event
        try:
            while True:
                event.clear()
                pause = await self._turn()
                if pause is None:
                    await event.wait()
                else:
                    await asyncio.sleep(pause)
        finally:
            with self._guard:
                self._wake = None

    async def _turn(self) -> float | None:
        """One question; gives the seconds until the next, None where only a change brings one."""
        late = self._seconds_until_allowed()
        if late:
            return late
        try:
            done = await self.work(1, again=False)
        except MindnetError as error:
            # A full disk, a store that is away: all of it may pass, and nothing of it is lost.
            self._note(error)
            done = Worked(0, more=False)
        except Exception:
            log.exception("a question to the model failed")
            return LONGEST_PAUSE_S
        if self._fault is not None:
            return float(min(FIRST_PAUSE_S * 2 ** min(max(self._faults - 1, 0), 10), LONGEST_PAUSE_S))
        if not done.more:
            return UNREADY_S if self._open.unexamined else None
        return 60.0 / self._limits.per_minute

    def _seconds_until_allowed(self) -> float:
        now = _now()
        today = self._answers.since(now - _DAY_MS)
        if len(today) < self._limits.per_day:
            return 0.0
        return max((today[-self._limits.per_day] + _DAY_MS - now) / 1000, 1.0)

    # -------------------------------------------------------------- now
    async def work(self, limit: int, *, again: bool) -> Worked:
        """Asks at most ``limit`` questions, until nothing is open or a fault makes all others wait.

        ``again``: what was given up since its model could not be asked is tried once more. Raises what the store and
        a full disk raise; faults of the model are in the ``state``.
        """
        async with self._lock:
            if again:
                self._given_up.clear()
                self._stopped_for = None
                self.changed(None)
            asked = 0
            for _ in range(limit):
                question = await self._next()
                answered = question is not None and await self._ask(question)
                asked += answered
                if question is None or (not answered and self._faults):
                    await asyncio.to_thread(self._site.settled)
                    return Worked(asked, more=False)
            return Worked(asked, more=True)

    async def _next(self) -> Question | None:
        _, self._model = self._named()
        await self._open.examine()
        return await self._open.next(offers=self._stopped_for != self._model)

    def _is_given_up(self, asked: Asked) -> bool:
        return self._given_up.get(asked) == self._model

    def _named(self) -> tuple[bool, str]:
        """Whether the settings name a model, or a place other than the one that is looked at anyway; and which."""
        profile = self._models.profile(VALIDATOR)
        backend = profile.backend
        text = f"{backend.kind} {backend.url or backend.file} {profile.model}".strip()
        return bool(profile.model) or backend != self._shipped, text

    # -------------------------------------------------------------- one question
    async def _ask(self, question: Question) -> bool:
        """Whether it was answered."""
        passages = await asyncio.to_thread(self._site.passages, question)

        async def work() -> tuple[Literal["yes", "no"], str] | None:
            try:
                chosen = await self._models.choose(VALIDATOR)
            except ModelError as error:
                raise _NobodyError(error) from error
            if question.private and chosen.profile.backend.leaves_machine:
                return None
            return await judge(chosen, self._prompts(), question, passages), chosen.model

        try:
            judged = await self._turns.background(work)
        except _NobodyError as fault:
            await self._failed(question, fault.error, of_all=True)
            return False
        except ModelError as error:
            await self._failed(question, error, of_all=isinstance(error, _OF_THE_SERVER))
            return False
        if judged is None:
            # A private note does not leave the machine.
            self._given_up[question.asked] = self._model
            return False
        verdict, model = judged
        await self._apply([Given(question.asked, Answer(verdict), model, _now())], [question])
        self._fault, self._faults = None, 0
        return True

    async def _failed(self, question: Question, error: ModelError, *, of_all: bool) -> None:
        """A passing fault lets candidates in until they can be asked, a lasting one turns them down.

        Where no model has been set up they go on waiting, whatever the fault is. Offers are no edges before a model
        says so.
        """
        self._note(error)
        named, model = self._named()
        if of_all:
            await self._open.examine(to_the_end=True)
        concerned = list(self._open.candidates()) if of_all else [question]
        if error.passing:
            if not named and not any(one.judged for one in self._answers.all()):
                return
            answer = Answer("pending")
        elif named or not of_all:
            answer = Answer("refused", f"{error.message} {error.hint}".strip())
            self._given_up |= {one.asked: model for one in concerned}
            if of_all:
                self._stopped_for = model
            # Nothing is asked again before something is changed, so there is nothing to wait for.
            self._faults = 0
        else:
            return
        changed = [
            one
            for one in concerned
            if one.rule_id != ALLOCATION and ((known := self._answers.get(one.asked)) is None or known.answer != answer)
        ]
        now = _now()
        await self._apply([Given(one.asked, answer, model, now) for one in changed], changed)

    def _note(self, error: MindnetError) -> None:
        if self._fault is None or self._fault.message != error.message:
            log.log(logging.WARNING if self._named()[0] else logging.DEBUG, "validation waits: %s", error.message)
        self._fault = error
        self._faults += 1

    async def _apply(self, given: Sequence[Given], questions: Sequence[Question]) -> None:
        if not given:
            return
        applying = asyncio.ensure_future(asyncio.to_thread(self._site.apply, given))
        try:
            await asyncio.shield(applying)
        except asyncio.CancelledError:
            # What was answered is written down whoever ends this.
            await asyncio.wait([applying])
            raise
        for path in {question.path for question in questions}:
            self.changed(path)


def _now() -> int:
    return time.time_ns() // 1_000_000
