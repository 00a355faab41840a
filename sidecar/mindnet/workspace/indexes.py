"""The indexes of a vault: the one that serves and, after a change of settings, the one that is built beside it.

An index belongs to its recipe (embedding model, chunk settings, rules of edges, version). When the settings ask for
another one, it is built in a folder of its own while the old one answers and is kept up with the vault; when it is
whole, it takes over in one step and the old one goes. What was begun is found again at the next start; begun for
settings that apply no more, it goes. Where there is no old one and the settings' model takes long, an index of a
quick model is built first and answers meanwhile.
"""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable, Collection, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from mindnet.errors import EmbeddingError, MindnetError
from mindnet.feedback.decisions import Decisions
from mindnet.indexing.pipeline import Update
from mindnet.indexing.plan import emptied
from mindnet.indexing.report import Report
from mindnet.validation.answers import ModelAnswers
from mindnet.workspace.index import Index
from mindnet.workspace.opener import Opened, better
from mindnet.workspace.recipe import Recipe
from mindnet.workspace.shelf import Shelf
from mindnet.workspace.turns import Turns

log = logging.getLogger(__name__)


def _ignore(*_: object) -> None:
    return None


@contextmanager
def _falling_behind() -> Iterator[None]:
    """A fault of the old index does not hold up the new one."""
    try:
        yield
    except MindnetError as error:
        log.warning("The index that answers until the new one is whole falls behind: %s", error.message)


@dataclass(frozen=True, slots=True)
class Rebuild:
    """An index that is built anew: why, and how many notes of how many it has.

    ``beside``: the old one answers meanwhile. Else answers come from what is stored so far. ``better``: nothing is
    amiss with the old one, the new one has a better model.
    """

    reason: str
    notes: int
    total: int
    beside: bool
    better: bool = False


class Indexes:
    """The open indexes, brought up to date by one thread and asked by many.

    ``is_answering``: questions come while an index is built, so what is waited for comes before what makes it better.
    ``on_switch`` is called when the new index has taken over, on the thread that updates.
    """

    def __init__(
        self,
        opened: Opened,
        shelf: Shelf,
        vault: Path,
        decisions: Decisions,
        answers: ModelAnswers,
        *,
        is_answering: bool,
        on_switch: Callable[[], None],
    ) -> None:
        self._turns, self._next = Turns(opened.now), opened.beside
        self._is_first, self._is_better, self._reason = opened.is_first, opened.is_better, opened.reason
        self._is_compared = not is_answering
        """Whether the index that answers has been compared with the vault before a better one is built."""
        self._shelf, self._vault = shelf, vault
        self._decisions, self._answers = decisions, answers
        self._closed = False
        self._on_switch = on_switch

    @property
    def now(self) -> Index:
        """The index that answers; one that is used for long is taken with ``taken``."""
        return self._turns.now

    def taken(self) -> AbstractContextManager[Index]:
        """The index that answers; it stays open until the block is left, though another may have taken over."""
        return self._turns.taken()

    @property
    def all(self) -> tuple[Index, ...]:
        """The one that answers and, while there is one, the one that is built beside it."""
        new = self._next
        return (self.now,) if new is None else (self.now, new)

    @property
    def reason(self) -> str | None:
        """Why an index is, or has to be, built anew: sentences for a person; None when none is."""
        return self._reason

    def rebuild(self) -> Rebuild | None:
        """How far a new index is that takes the place of an old one; None when there is no such one."""
        beside, reason = None if self._is_first else self._next, self._reason
        if reason is None:
            return None
        pipeline = (beside or self.now).pipeline
        notes = pipeline.size()[0]
        # Before its first scan a new index knows of no note.
        total = max(notes, len(pipeline.catalog.names), self.now.pipeline.size()[0])
        return Rebuild(reason, notes, total, beside is not None, beside is not None and self._is_better)

    def update(
        self,
        paths: frozenset[str] | None,
        *,
        prune: bool = True,
        prune_all: bool = False,
        on_total: Callable[[int], None] = _ignore,
        on_step: Callable[[str], None] = _ignore,
        on_indexed: Callable[[str], None] = _ignore,
        on_removed: Callable[[str], None] = _ignore,
        stop: Callable[[], bool] = lambda: False,
        between: Callable[[Update], None] = _ignore,
    ) -> Report:
        """``Pipeline.update`` for every open index; a new one that is whole after it takes over.

        ``on_indexed`` and ``on_removed`` tell of the index that answers, ``on_step`` of all that is done. The report
        is the new one's.
        """
        serving, new = self.now, self._next
        decided, answered = self._decisions.all(), self._answers.digests()

        def current(
            some: frozenset[str] | None,
            prune: bool,
            on_total: Callable[[int], None] = _ignore,
            on_step: Callable[[str], None] = _ignore,
            between: Callable[[Update], None] = _ignore,
        ) -> Report:
            if not serving.recipe.is_current:
                return serving.pipeline.report()
            return serving.pipeline.update(
                some,
                prune=prune,
                prune_all=prune_all,
                on_total=on_total,
                on_step=on_step,
                on_indexed=on_indexed,
                on_removed=on_removed,
                stop=stop,
                between=between,
            )

        if new is None or self._is_first or (self._is_better and not self._is_compared):
            # An index that was never whole is brought there, whatever was asked.
            paths = None if self._is_first else paths
            report = current(paths, prune, on_total, on_step, between)
            if paths is None and not stop():
                serving.decided(decided)
                serving.answered(answered)
                self._finish(serving)
                self._is_compared = True
                return replace(report, is_unfinished=self._next is not None)
            return report
        if self._is_better and not self._can_be_better(new):
            return current(paths, prune, on_total, on_step, between)
        is_scanned = True

        def let_in(at_once: Update) -> None:
            def both(some: frozenset[str] | None, prune: bool) -> Report | None:
                nonlocal is_scanned
                with _falling_behind():
                    report = current(some, prune)
                    if some is None:
                        # The new one does so at its end.
                        is_scanned = False
                        return report
                return None if some is None else at_once(some, prune)

            between(both)

        # What is asked meanwhile is answered from today's notes.
        with _falling_behind():
            current(paths, prune, on_total, on_step, between)
        # The whole vault, whatever was asked: a scan that failed, or was stopped, is taken up again.
        while True:
            is_scanned = True
            report = new.pipeline.update(
                None, prune=prune, prune_all=prune_all, on_total=on_total, on_step=on_step, stop=stop, between=let_in
            )
            if is_scanned or stop():
                break
        if not stop():
            if (held := serving.pipeline.size()[0]) > 1 and report.notes == 0 and not prune_all:
                # An empty index would take the place of one that is not.
                raise emptied(self._vault, held)
            new.decided(decided)
            new.answered(answered)
            self._switch(new)
        return report

    def _finish(self, index: Index) -> None:
        """An index that answered while it grew is whole: from here on it answers until another one is."""
        if self._shelf.serving() == index.folder:
            return
        index.prove()
        index.store.publish()
        self._shelf.serve(index.recipe)
        self._reason = None if self._next is None else better(self._next)
        self._is_first = False
        self._tidy([one.recipe for one in self.all])
        self.forget_vectors()

    def _can_be_better(self, new: Index) -> bool:
        """Whether the better model works; where it does not, the quick one's index stays, until the next start."""
        try:
            new.embedder.embed_query("")
        except EmbeddingError as error:
            log.warning("There will be no better index for now: %s %s", error.message, error.hint)
        else:
            return True
        self._reason = self._next = None
        return False

    def _switch(self, new: Index) -> None:
        new.prove()
        new.warm()
        # A kill between these steps leaves the old index in its place: the next start does them again.
        new.store.publish()
        self._shelf.serve(new.recipe)
        # In this order, since status is asked for on other threads.
        self._reason = None
        self._next = None

        def put_away(old: Index) -> None:
            old.close()
            self._tidy([new.recipe])

        self._turns.switch(new, put_away)
        self._on_switch()
        self.forget_vectors()

    def _tidy(self, recipes: Collection[Recipe]) -> None:
        if self._closed:
            return
        try:
            self._shelf.keep(recipes)
        except OSError as error:
            log.warning("An index that is not needed any more cannot be removed (%s); the next start does it.", error)

    def forget_vectors(self) -> None:
        """Where there is one index, and it is whole: no other model's vectors are needed any more."""
        if self._next is not None or self._shelf.serving() != self.now.folder:
            return
        try:
            self.now.pipeline.vectors.keep([self.now.recipe.embedder])
        except sqlite3.Error as error:
            log.warning("Vectors that are not needed any more stay (%s); the next start removes them.", error)

    def keep(self) -> None:
        """Removes every other index of the data folder, and vectors that none of these needs."""
        self._shelf.keep([index.recipe for index in self.all])
        self.forget_vectors()

    def close(self) -> None:
        """Nothing is removed any more; the indexes themselves are closed by who opened them."""
        self._closed = True
