"""A vault with its open indexes, its settings, logs and chats: what commands and the API work with."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from types import TracebackType

from mindnet.courtesy import Courtesy
from mindnet.embedding.port import Embedder
from mindnet.feedback import decisions
from mindnet.feedback.decisions import Decisions
from mindnet.feedback.jsonlines import Keeping
from mindnet.feedback.logs import Logs
from mindnet.indexing.check import Checked, Problem
from mindnet.indexing.pipeline import Pipeline
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
from mindnet.workspace.indexes import Indexes, Rebuild
from mindnet.workspace.opener import Opener
from mindnet.workspace.place import Place
from mindnet.workspace.shelf import Shelf


def _ignore(*_: object) -> None:
    return None


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
        self._indexes = Indexes(
            opened,
            self._shelf,
            place.vault,
            self.decisions,
            self.answers,
            is_answering=answering,
            on_switch=lambda: self.on_switch(),
        )
        self.update = self._indexes.update
        if building:
            self._indexes.keep()

    # -------------------------------------------------------------- the index that serves
    @property
    def index(self) -> Index:
        """The index that answers; one that is used for long is taken with ``serving``."""
        return self._indexes.now

    def serving(self) -> AbstractContextManager[Index]:
        """The index that answers; it stays open until the block is left, though another may have taken over."""
        return self._indexes.taken()

    @property
    def open_indexes(self) -> tuple[Index, ...]:
        """The one that answers and, while there is one, the one that is built beside it."""
        return self._indexes.all

    @property
    def rebuilt(self) -> str | None:
        """Why an index is, or has to be, built anew: sentences for a person; None when none is."""
        return self._indexes.reason

    def rebuild(self) -> Rebuild | None:
        """How far a new index is that takes the place of an old one; None when there is no such one."""
        return self._indexes.rebuild()

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
        self._indexes.close()
        self._resources.close()

    def __enter__(self) -> Workspace:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
