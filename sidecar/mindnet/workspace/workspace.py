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
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, replace
from types import TracebackType

from mindnet.courtesy import Courtesy
from mindnet.embedding.port import Embedder
from mindnet.errors import EmbeddingError, MindnetError
from mindnet.feedback import decisions
from mindnet.feedback.decisions import Decisions
from mindnet.feedback.jsonlines import Keeping
from mindnet.feedback.logs import Logs
from mindnet.indexing.check import Checked, Problem
from mindnet.indexing.pipeline import Pipeline, Update
from mindnet.indexing.plan import emptied
from mindnet.indexing.report import Report
from mindnet.indexing.reset import truncate
from mindnet.records import Chunk
from mindnet.retrieval.intents import Intents
from mindnet.retrieval.search import Query, Searcher, SearchResult
from mindnet.retrieval.settings import RetrieverSettings
from mindnet.settings.folders import hold
from mindnet.settings.reload import Reloading
from mindnet.settings.schema import LogsSection, MindnetFile
from mindnet.store import files
from mindnet.store.lexical import LexicalIndex
from mindnet.store.manifest import Manifest
from mindnet.store.port import Store
from mindnet.store.room import TO_OPEN, need_access, need_room
from mindnet.store.said import SaidIndex
from mindnet.talk import open_chat
from mindnet.validation import answers
from mindnet.validation.answers import ModelAnswers
from mindnet.vault.discover import IgnoreRules, load_ignore_rules
from mindnet.workspace.index import Index
from mindnet.workspace.opener import Opener, better
from mindnet.workspace.place import Place
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


def with_live(started: MindnetFile, new: MindnetFile) -> MindnetFile:
    """The settings of the start with those parts of the new ones that apply without another start."""
    vault = started.vault.model_copy(update={"exclude": new.vault.exclude})
    return started.model_copy(update={"vault": vault, "logs": new.logs})


def _keeping(section: LogsSection) -> Keeping:
    return Keeping(round(section.max_mb * 1_000_000), section.max_files, section.keep_days)


class Workspace:
    """The open indexes of a vault: holds the data folder until it is closed.

    ``building`` is for those who update: an index for the settings is begun where there is none. Others take the one
    that serves as it is, whatever it was built with. ``answering``: questions come while an index is built, so where
    there is none, a quick model's is built before that of a better one. ``embedder``: that of ``embedder_at``, where
    it is there already.
    """

    def __init__(
        self,
        place: Place,
        env: Mapping[str, str],
        *,
        building: bool = True,
        answering: bool = False,
        embedder: Embedder | None = None,
    ) -> None:
        self.place = place
        self.settings = place.settings.mindnet
        """Those in force: as at the start, but for what has been changed since and applies at once."""
        self.on_switch: Callable[[], None] = _ignore
        """Called when the new index has taken over, on the thread that updates."""
        self.env = env
        self._resources = ExitStack()
        self._closed = False
        try:
            self._open(embedder, building=building, answering=answering)
            section = place.settings.mindnet.logs
            self.logs = Logs(place.data_dir, _keeping(section), enabled=section.enabled)
            self.chat = open_chat(
                place.data_dir, place.config_dir, env, self, self._scoring, self.logs, self._resources
            )
        except BaseException:
            self._resources.close()
            raise

    # -------------------------------------------------------------- opening
    def _open(self, given: Embedder | None, *, building: bool, answering: bool) -> None:
        place, env = self.place, self.env
        lock = hold(place.data_dir)
        self._resources.callback(lock.release)
        need_access(files.everything(place.data_dir))
        need_room(place.data_dir, TO_OPEN)
        self.retriever = Reloading("retriever", place.config_dir, env, RetrieverSettings.from_mapping)
        self.intents = Reloading("intents", place.config_dir, env, Intents.from_mapping)
        self._shelf = Shelf(place, env)
        self.decisions = Decisions(place.data_dir / decisions.FILE)
        self.answers = ModelAnswers(place.data_dir / answers.FILE)
        self.courtesy = Courtesy()
        opener = Opener(
            place,
            env,
            self._shelf,
            self._resources,
            retriever=self.retriever,
            intents=self.intents,
            decisions=self.decisions,
            answers=self.answers,
            courtesy=self.courtesy,
        )
        opened = opener.open(given, building=building, answering=answering)
        self._turns, self._next = Turns(opened.now), opened.beside
        self._is_first, self._is_better, self._reason = opened.is_first, opened.is_better, opened.reason
        self._is_compared = not answering
        if building:
            self._shelf.keep([index.recipe for index in self.open_indexes])
            self._forget_vectors()

    # -------------------------------------------------------------- the index that serves
    @property
    def index(self) -> Index:
        """The index that answers; one that is used for long is taken with ``serving``."""
        return self._turns.now

    def serving(self) -> AbstractContextManager[Index]:
        """The index that answers; it stays open until the block is left, though another may have taken over."""
        return self._turns.taken()

    @property
    def open_indexes(self) -> tuple[Index, ...]:
        """The one that answers and, while there is one, the one that is built beside it."""
        new = self._next
        return (self.index,) if new is None else (self.index, new)

    @property
    def rebuilt(self) -> str | None:
        """Why an index is, or has to be, built anew: sentences for a person; None when none is."""
        return self._reason

    def rebuild(self) -> Rebuild | None:
        """How far a new index is that takes the place of an old one; None when there is no such one."""
        beside, reason = None if self._is_first else self._next, self._reason
        if reason is None:
            return None
        pipeline = (beside or self.index).pipeline
        notes = pipeline.size()[0]
        # Before its first scan a new index knows of no note.
        total = max(notes, len(pipeline.catalog.names), self.index.pipeline.size()[0])
        return Rebuild(reason, notes, total, beside is not None, beside is not None and self._is_better)

    @property
    def store(self) -> Store:
        return self.index.store

    @property
    def manifest(self) -> Manifest:
        return self.index.manifest

    @property
    def embedder(self) -> Embedder:
        return self.index.embedder

    @property
    def lexical(self) -> LexicalIndex:
        return self.index.lexical

    @property
    def said(self) -> SaidIndex:
        return self.index.said

    @property
    def pipeline(self) -> Pipeline:
        return self.index.pipeline

    @property
    def searcher(self) -> Searcher:
        return self.index.searcher

    # -------------------------------------------------------------- what a chat needs
    def search(self, query: Query) -> SearchResult:
        with self.serving() as index:
            return index.searcher.search(query)

    def chunks(self, chunk_ids: Sequence[str]) -> Mapping[str, Chunk]:
        with self.serving() as index:
            return index.store.chunks(chunk_ids)

    def _scoring(self) -> tuple[int, object]:
        index = self.index
        return index.pipeline.size()[0], (self.retriever(), index.embedder.name)

    def check(self) -> list[Problem]:
        return self.examine().problems

    def examine(self, *, files: bool = True) -> Checked:
        """What ``check`` finds and, with ``files``, which are not as the index that answers has them."""
        with self.serving() as index:
            return index.examine(files=files)

    # -------------------------------------------------------------- bringing up to date
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
        serving, new = self.index, self._next
        decided, answered = self.decisions.all(), self.answers.digests()

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
                raise emptied(self.place.vault, held)
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
        self._tidy([one.recipe for one in self.open_indexes])
        self._forget_vectors()

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
        self.on_switch()
        self._forget_vectors()

    def _tidy(self, recipes: Collection[Recipe]) -> None:
        if self._closed:
            return
        try:
            self._shelf.keep(recipes)
        except OSError as error:
            log.warning("An index that is not needed any more cannot be removed (%s); the next start does it.", error)

    def _forget_vectors(self) -> None:
        """Where there is one index, and it is whole: no other model's vectors are needed any more."""
        if self._next is not None or self._shelf.serving() != self.index.folder:
            return
        try:
            self.index.pipeline.vectors.keep([self.index.recipe.embedder])
        except sqlite3.Error as error:
            log.warning("Vectors that are not needed any more stay (%s); the next start removes them.", error)

    def settle(self) -> None:
        """Flushes what is open, for a quiet moment."""
        for index in self.open_indexes:
            index.pipeline.settle()

    def apply(self, new: MindnetFile) -> IgnoreRules:
        """Goes by the settings that apply without a new start: the logs', and what is left out, by the next scan."""
        self.settings = with_live(self.settings, new)
        self.logs.use(_keeping(new.logs), enabled=new.logs.enabled)
        return self.reload_rules()

    def reload_rules(self) -> IgnoreRules:
        """Reads anew what the vault's own settings leave out; the next scan goes by it."""
        rules = load_ignore_rules(self.place.vault, self.settings.vault.exclude)
        for index in self.open_indexes:
            index.pipeline.source.rules = rules
        return rules

    def truncate(self) -> int:
        """Empties the open indexes and keeps the vectors; gives the number of notes. Only closing may follow."""
        self._shelf.unserve()
        return max(truncate(index.pipeline) for index in self.open_indexes)

    def close(self) -> None:
        self._closed = True
        self._resources.close()

    def __enter__(self) -> Workspace:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
