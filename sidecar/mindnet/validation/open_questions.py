"""Which questions are open: found from the notes and the answers, so that nothing of it has to be kept.

Candidates are as many as people write, and are held. Offers are as many as there are links times passages: only their
number is held for each note, and those of one note at a time are found again when it is their turn.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Protocol

from mindnet.knowledge.edges import ALLOCATION
from mindnet.records import Asked, Question
from mindnet.validation.answers import Given, ModelAnswers

NOTES_AT_A_TIME = 16
ENOUGH_S = 1.0
"""After so long a look at notes is broken off for a question, if there is one, and taken up behind it."""


class Site(Protocol):
    """The index, as far as validation needs it. Its methods take their time and are called on other threads."""

    def promising(self, paths: frozenset[str] | None) -> Sequence[str]:
        """Those of the notes (None: of all) that can have something to ask, candidates before offers."""

    def questions(self, paths: Sequence[str]) -> tuple[Mapping[str, Sequence[Question]], frozenset[str]]:
        """By path what can be asked about these notes; and those that are being indexed just now."""

    def passages(self, question: Question) -> Sequence[str]:
        """The texts that the link is to fit, the most important first."""

    def apply(self, given: Sequence[Given]) -> None:
        """Writes the answers down and brings the index up to date with them."""

    def settled(self) -> None:
        """Told when the index is as was answered."""


class OpenQuestions:
    """``changed`` and ``number`` may be used from any thread, the rest by one task at a time."""

    def __init__(self, site: Site, answers: ModelAnswers, given_up: Callable[[Asked], bool]) -> None:
        """``given_up``: whether something is not to be asked though it has no answer."""
        self._site = site
        self._answers = answers
        self._given_up = given_up
        self._guard = threading.Lock()
        self._dirty: dict[str, None] | None = None
        self._candidates: dict[str, tuple[Question, ...]] = {}
        self._offers: dict[str, int] = {}
        self._head: tuple[str, Sequence[Question]] = ("", ())

    def changed(self, path: str | None) -> None:
        """A note (None: any) may have other questions by now."""
        with self._guard:
            if path is None:
                self._dirty = None
            elif self._dirty is not None:
                self._dirty[path] = None

    @property
    def unexamined(self) -> bool:
        return self._dirty is None or bool(self._dirty)

    @property
    def number(self) -> int:
        return sum(1 for _ in self.candidates()) + sum(self._offers.copy().values())

    def candidates(self) -> Iterator[Question]:
        for own in self._candidates.copy().values():
            yield from filter(self._open, own)

    def _open(self, question: Question) -> bool:
        given = self._answers.get(question.asked)
        return not (given is not None and given.judged) and not self._given_up(question.asked)

    # -------------------------------------------------------------- looking at notes
    async def examine(self, *, to_the_end: bool = False) -> None:
        """Looks at what has changed; unless ``to_the_end``, only until something is found to ask."""
        began = time.monotonic()
        with self._guard:
            whole = self._dirty is None
            wanted = None if self._dirty is None else frozenset(self._dirty)
            todo, self._dirty = list(self._dirty or ()), {}
        if not whole and not todo:
            return
        unready: set[str] = set()
        try:
            promising = await asyncio.to_thread(self._site.promising, wanted)
            if whole:
                self._candidates, self._offers = {}, {}
            for path in todo:
                self._take(path, ())
            todo = list(promising)
            while todo and (to_the_end or time.monotonic() - began < ENOUGH_S or not self.number):
                some = todo[:NOTES_AT_A_TIME]
                found, busy = await asyncio.to_thread(self._site.questions, some)
                for path, own in found.items():
                    self._take(path, own)
                unready |= busy
                del todo[: len(some)]
        except BaseException:
            self.changed(None)
            raise
        for path in (*todo, *sorted(unready)):
            self.changed(path)

    def _take(self, path: str, own: Sequence[Question]) -> None:
        self._candidates.pop(path, None)
        self._offers.pop(path, None)
        candidates = tuple(one for one in own if one.rule_id != ALLOCATION and self._open(one))
        offers = [one for one in own if one.rule_id == ALLOCATION and self._open(one)]
        if candidates:
            self._candidates[path] = candidates
        if offers:
            self._offers[path] = len(offers)
        if offers or self._head[0] == path:
            self._head = path, offers

    # -------------------------------------------------------------- whose turn it is
    async def next(self, *, offers: bool) -> Question | None:
        """What was never asked before what could not be asked once, candidates before ``offers``."""
        again: Question | None = None
        for candidate in self.candidates():
            if self._answers.get(candidate.asked) is None:
                return candidate
            again = again or candidate
        while offers and self._offers:
            path, own = self._head
            offer = next(filter(self._open, own), None) if path in self._offers else None
            if offer is not None:
                return offer
            self._offers.pop(path, None)
            if self._offers:
                some = [next(iter(self._offers))]
                found, busy = await asyncio.to_thread(self._site.questions, some)
                self._take(some[0], found.get(some[0], ()))
                for one in busy:
                    self.changed(one)
        return again
