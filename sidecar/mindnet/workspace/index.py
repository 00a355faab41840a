"""One open index: a store, what is known of its files, the pipeline that fills it and the searcher over it."""

from __future__ import annotations

import gc
import json
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from mindnet.courtesy import Courtesy
from mindnet.embedding.cache import VectorCache
from mindnet.embedding.port import Embedder
from mindnet.errors import DamagedError, StoreError
from mindnet.feedback.decisions import Decision, Decisions, differing
from mindnet.feedback.decisions import read as read_decisions
from mindnet.feedback.decisions import write as write_decisions
from mindnet.indexing.bulk import bulk
from mindnet.indexing.check import Checked, check_index
from mindnet.indexing.pipeline import Pipeline
from mindnet.retrieval.intents import Intents
from mindnet.retrieval.search import Searcher
from mindnet.retrieval.settings import RetrieverSettings
from mindnet.settings import Settings
from mindnet.settings.folders import folder_name, write_private
from mindnet.store import files
from mindnet.store.embedded import open_store
from mindnet.store.lexical import LexicalIndex
from mindnet.store.manifest import Manifest
from mindnet.store.port import Store
from mindnet.store.said import SaidIndex
from mindnet.validation.answers import ModelAnswers
from mindnet.workspace.place import make_source
from mindnet.workspace.recipe import Recipe

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Parts:
    """What the indexes of one vault share; ``settings`` are those of the index's own recipe."""

    vault: Path
    settings: Settings
    embedder: Embedder
    vectors: VectorCache
    retriever: Callable[[], RetrieverSettings]
    intents: Callable[[], Intents]
    api_key: str | None
    decisions: Decisions
    answers: ModelAnswers
    courtesy: Courtesy

    def moved(self, note_ids: Mapping[str, str]) -> None:
        """Notes that have another id by now take along what was said of their links."""
        self.decisions.moved(note_ids)
        self.answers.moved(note_ids)


@contextmanager
def damage() -> Iterator[None]:
    try:
        yield
    except StoreError as error:
        raise DamagedError(error.message, hint=error.hint) from error


SELDOM = (10_000, 20, 20)
"""So many new objects, or runs of the next younger generation, before the collector runs; usual are 700, 10, 10."""


def live_on() -> None:
    """Has the garbage collector leave alone what there is, as an index lives as long as the process.

    At ten thousand notes it would take a fifth of a second to look through, in the midst of every fiftieth question.
    What is made from here on it looks at less often than usual: a question makes thousands of records, and no cycles.
    """
    gc.freeze()
    gc.set_threshold(*SELDOM)


class Index:
    """The index in ``folder``. Raises ``DamagedError`` when it does not open, ``StoreError`` for its server."""

    def __init__(self, folder: Path, recipe: Recipe, parts: Parts) -> None:
        self.folder, self.recipe, self.embedder = folder, recipe, parts.embedder
        self._resources = ExitStack()
        try:
            with bulk():
                self._open(parts)
        except BaseException:
            self._resources.close()
            raise

    def _open(self, parts: Parts) -> None:
        fresh = not (self.folder / files.MANIFEST).exists()
        source = make_source(
            parts.vault, parts.settings, parts.embedder, parts.decisions.verdicts, parts.answers.answers
        )
        self.store: Store
        if self.recipe.store:
            self.store = self._open_server(parts, fresh=fresh)
        else:
            with damage():
                self.store = open_store(
                    self.folder / files.STORE, prefix=self.recipe.prefix, dimension=self.recipe.dimension
                )
        self._resources.callback(self.store.close)
        with damage():
            self.manifest = Manifest.open(self.folder / files.MANIFEST)
        self._resources.callback(self.manifest.close)
        self.lexical = LexicalIndex(self.manifest)
        self.said = SaidIndex(self.manifest)
        self.pipeline = Pipeline(
            source,
            store=self.store,
            manifest=self.manifest,
            embedder=self.embedder,
            vectors=parts.vectors,
            hash_compare=parts.settings.mindnet.indexing.hash_compare,
            on_moved=parts.moved,
            courtesy=parts.courtesy,
        )
        self._take_up(parts.decisions)
        self._take_up_answers(parts.answers)
        if self.recipe.is_current:
            self.pipeline.reconcile()
        self.searcher = Searcher(
            self.store,
            self.embedder,
            self.lexical,
            self.said,
            settings=parts.retriever,
            kinds=source.kinds,
            status_scores=source.types.status_scores,
            intents=parts.intents,
            courtesy=parts.courtesy,
        )

    def _take_up(self, decisions: Decisions) -> None:
        """The next update does what the user has decided, or taken back, since this index was last brought up to date.

        That may be in another index, by a process that was killed, or by a file that was put there or taken away.
        """
        try:
            self._decided = read_decisions(self.folder / files.DECIDED)
        except StoreError as error:
            log.warning("All decisions are applied anew: %s", error.message)
            self._decided = []
        for one in differing(self._decided, decisions.all()):
            self.pipeline.reconsider(one.owners, [one.relation])

    def _take_up_answers(self, answers: ModelAnswers) -> None:
        """The same for what a model has said."""
        file = self.folder / files.ANSWERED
        try:
            self._answered = dict(json.loads(file.read_text(encoding="utf-8"))) if file.exists() else {}
        except (OSError, ValueError, TypeError) as error:
            log.warning("All answers are applied anew: %s cannot be read (%s).", file, error)
            self._answered = {}
        now = answers.digests()
        differing = {note for note in self._answered.keys() | now.keys() if self._answered.get(note) != now.get(note)}
        if differing:
            relations = {one.asked[:4] for one in answers.all() if one.asked[0] in differing}
            self.pipeline.reconsider(differing, relations)

    def answered(self, digests: Mapping[str, str]) -> None:
        """Remembers that the index is as was answered by then: ``ModelAnswers.digests``."""
        if self._answered != digests:
            write_private(self.folder / files.ANSWERED, json.dumps(digests))
            self._answered = dict(digests)

    def decided(self, decisions: Sequence[Decision]) -> None:
        """Remembers that the index is as was decided by then."""
        if differing(self._decided, decisions):
            write_decisions(self.folder / files.DECIDED, decisions)
            self._decided = list(decisions)

    def _open_server(self, parts: Parts, *, fresh: bool) -> Store:
        # Here, since the client takes a second to import.
        from mindnet.store.server import open_server

        return open_server(
            self.recipe.store,
            api_key=parts.api_key,
            prefix=self.recipe.prefix,
            build=self.recipe.build,
            dimension=self.recipe.dimension,
            owner=folder_name(parts.vault),
            fresh=fresh,
        )

    def examine(self, *, files: bool = True) -> Checked:
        """What ``check`` finds and, with ``files``, which files are not as the index has them."""
        return check_index(self.pipeline, self.lexical, files=files)

    def prove(self) -> None:
        """Sees that it is whole: the store holds what the manifest says of each note.

        What differs is done once more; raises ``StoreError`` when it differs still.
        """
        if not self.pipeline.agrees():
            self.pipeline.reconcile()
            self.pipeline.update(None)
            if not self.pipeline.agrees():
                raise StoreError("The index does not hold what was written to it.", hint="See the log.")

    def warm(self) -> None:
        """Loads what the first question needs: the words, the model."""
        with bulk():
            self.searcher.warm()
        live_on()

    def close(self) -> None:
        """Closes what is open; a second call does nothing."""
        self._resources.close()
