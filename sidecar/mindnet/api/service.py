"""What the routes call: an open workspace, its worker and watcher, and the events they cause."""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from concurrent.futures import Future
from uuid import uuid4

from mindnet import __version__
from mindnet.api import config_out, convert, graph_out, maintenance
from mindnet.api.config_wire import ConfigOut, SettingChange
from mindnet.api.events import Broadcast
from mindnet.api.feedback_wire import FeedbackGiven, FeedbackList, FeedbackRequest
from mindnet.api.notes_wire import DecisionList, DecisionOut, NoteEdges, NoteOut, RelatedNotes
from mindnet.api.reports import ExportPage, HealReport, UnresolvedReport
from mindnet.api.wire import (
    CheckReport,
    ImportReport,
    IndexSwitchedEvent,
    NoteIndexedEvent,
    NoteRemovedEvent,
    QueryAnswer,
    QueryRequest,
    Statistics,
    Status,
    StatusEvent,
    Validated,
)
from mindnet.errors import EmbeddingError, NotFoundError, StoreError
from mindnet.indexing.export import stored_page
from mindnet.indexing.heal import heal, unresolved_targets
from mindnet.indexing.report import Report
from mindnet.indexing.worker import Progress, Worker
from mindnet.records import Language, Note
from mindnet.retrieval.language import language_of
from mindnet.retrieval.related import related_notes
from mindnet.settings import load_settings
from mindnet.settings.change import change_setting
from mindnet.vault.ignore import APP_CONFIG
from mindnet.vault.watch import Watcher
from mindnet.workspace import Index, Workspace
from mindnet.workspace.deciding import Wanted, decide
from mindnet.workspace.index import live_on
from mindnet.workspace.validating import open_validation

STATUS_INTERVAL = 0.1
"""Seconds between two progress events, so that an import of thousands does not flood its listeners."""
MAX_FAULTS = 200
"""So many faults are named in a status; the import report names all."""


class Service:
    """The sidecar of one vault while it runs."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        self.events = Broadcast()
        self.worker = Worker(workspace, self)
        self.validation = open_validation(workspace, lambda paths: self.worker.submit(paths).result())
        workspace.on_switch = self._switched
        settings = workspace.place.settings.mindnet
        self._watcher = Watcher(
            workspace.place.vault,
            workspace.pipeline.source.rules,
            self._changed,
            debounce_ms=settings.watch.debounce_ms,
            polling=settings.watch.polling,
        )
        self._warming = threading.Thread(target=self._warm, name="mindnet-warm", daemon=True)
        self._looked = threading.Event()
        """Set once it is known what the first scan has to do."""
        self._published = 0.0
        self._state = ""
        self._publishing = threading.Lock()

    def start(self) -> Future[Report]:
        """Watches first, then scans, so that no change falls between; the future ends with the scan."""
        self._watcher.start()
        self.worker.start()
        self._warming.start()
        scan = self.worker.submit(None)
        scan.add_done_callback(self._scanned)
        return scan

    def _scanned(self, _: Future[Report]) -> None:
        self._looked.set()
        live_on()

    def _warm(self) -> None:
        """Loads what the first question needs, so that nobody waits for it, and then sees which models there are."""
        # Words are read with the manifest held: to compare it with the vault takes less, and would wait for them.
        self._looked.wait()
        # A store or a model that does not answer now is said to whoever asks.
        with contextlib.suppress(StoreError, EmbeddingError), self.workspace.serving() as index:
            index.warm()
        # Nobody waits for it: a server that is far away may take its time.
        threading.Thread(target=self._look_for_models, name="mindnet-models", daemon=True).start()

    def _look_for_models(self) -> None:
        asyncio.run(self.workspace.chat.models.look())

    def stop(self) -> None:
        self._watcher.stop()
        self._looked.set()
        self._warming.join()
        self.worker.stop()
        self.events.close()

    def end_streams(self) -> None:
        """Ends the events and the chats; to be called in the server's event loop."""
        self.events.close()
        self.workspace.chat.stop()

    def _changed(self, paths: frozenset[str]) -> None:
        if APP_CONFIG in paths:
            # Obsidian's excluded files may have changed: what is now left out goes, what is not comes.
            self._watcher.use(self.workspace.reload_rules())
            self.worker.submit(None)
        else:
            self.worker.submit(paths)

    # -------------------------------------------------------------- worker's listener
    def progress(self, progress: Progress) -> None:
        if progress.state in ("indexing", "error"):
            self._looked.set()
        with self._publishing:
            now = time.monotonic()
            if progress.state == self._state and now - self._published < STATUS_INTERVAL:
                return
            self._published, self._state = now, progress.state
        self.events.publish(StatusEvent(status=self.status(progress)))

    def indexed(self, path: str, ms: float) -> None:
        self.validation.changed(path)
        self.events.publish(NoteIndexedEvent(path=path, ms=round(ms, 1)))

    def removed(self, path: str) -> None:
        self.events.publish(NoteRemovedEvent(path=path))

    def _switched(self) -> None:
        self.validation.changed(None)
        self.events.publish(IndexSwitchedEvent())

    # -------------------------------------------------------------- answers
    def status(self, progress: Progress | None = None) -> Status:
        now = progress or self.worker.progress
        return convert.status(self.workspace, now, self.validation.state, version=__version__, max_faults=MAX_FAULTS)

    def query(self, request: QueryRequest) -> QueryAnswer:
        asked, query_id = convert.query(request), str(uuid4())
        with self.workspace.serving() as index:
            result = index.searcher.search(asked)
        self.workspace.logs.searched(convert.search(query_id, asked, result))
        return convert.answer(query_id, result, self.workspace.rebuild())

    def ingest(self, paths: list[str] | None, *, prune: bool, prune_all: bool) -> ImportReport:
        """Indexes now and waits for it; other changes go on to be taken."""
        wanted = None if paths is None else frozenset(convert.vault_path(path) for path in paths)
        return convert.report(self.worker.submit(wanted, prune=prune, prune_all=prune_all).result())

    def check(self, *, strict: bool, files: bool) -> CheckReport:
        with self.workspace.serving() as index:
            return convert.check(index.examine(files=files), index.pipeline.report(), index.store if strict else None)

    def heal(self) -> HealReport:
        with self.workspace.serving() as index:
            return maintenance.healed(heal(index.pipeline, lambda: self.worker.submit(None).result()))

    def unresolved(self) -> UnresolvedReport:
        with self.workspace.serving() as index:
            return maintenance.unresolved(unresolved_targets(index.pipeline))

    def export_page(self, below: str, after: str) -> ExportPage:
        with self.workspace.serving() as index:
            return maintenance.export_page(stored_page(index.pipeline, below, after))

    def config(self) -> ConfigOut:
        """The settings in force, and their vocabulary."""
        return config_out.config(self.workspace)

    def change_setting(self, change: SettingChange) -> ConfigOut:
        """Writes a setting into the user's file; what applies without a new start applies from now on."""
        place, env = self.workspace.place, self.workspace.env
        change_setting(change.key, change.value, place.config_dir, env, place.settings.origins)
        if change.key.startswith("mindnet."):
            self._watcher.use(self.workspace.apply(load_settings(place.config_dir, env=env).mindnet))
            self.worker.submit(None)
            self.events.publish(StatusEvent(status=self.status()))
        return self.config()

    def statistics(self) -> Statistics:
        return convert.statistics(self.workspace)

    def question_to_try(self) -> str | None:
        """A first question for this vault: the title of the note that most others lead to."""
        entries = [entry for entry in tuple(self.workspace.pipeline.entries.values()) if entry.indexed and entry.chunks]
        if not entries:
            return None
        best = max(entries, key=lambda entry: (entry.edges, entry.path))
        return best.title

    # -------------------------------------------------------------- notes
    def note(self, path: str) -> NoteOut:
        with self.workspace.serving() as index:
            return graph_out.note(index, _note_at(index, path))

    def note_edges(self, path: str) -> NoteEdges:
        with self.workspace.serving() as index, index.store.exclusive():
            return graph_out.note_edges(index.store, _note_at(index, path), self.workspace.decisions)

    def related(self, path: str, *, top_k: int, include_private: bool, language: Language | None) -> RelatedNotes:
        with self.workspace.serving() as index:
            note = _note_at(index, path)
            spoken = language or language_of(f"{note.title}\n{note.fulltext}")
            found = related_notes(
                index.store,
                note.note_id,
                settings=self.workspace.retriever(),
                kinds=index.pipeline.source.kinds,
                floor=index.embedder.floor,
                language=spoken,
                top_k=top_k,
                include_private=include_private,
            )
        return graph_out.related(note, found, spoken)

    # -------------------------------------------------------------- edges
    def decide(self, edge_id: str, wanted: Wanted) -> DecisionOut:
        """Answers when the index is as was decided."""
        done = decide(self.workspace, edge_id, wanted)
        self.worker.submit(done.paths).result()
        for index in self.workspace.open_indexes:
            index.decided(done.state)
        with self.workspace.serving() as index, index.store.exclusive():
            edges = graph_out.edges_of(index.store, done.relation, self.workspace.decisions)
        return DecisionOut(decision=wanted, edge_ids=list(done.edge_ids), edges=edges)

    def decisions(self) -> DecisionList:
        with self.workspace.serving() as index:
            return DecisionList(decisions=graph_out.decisions(index.store, self.workspace.decisions.all()))

    async def validate(self, limit: int, *, again: bool) -> Validated:
        """Asks the model about proposed links now, whatever the limits are; to be called in the server's loop."""
        done = await self.validation.work(limit, again=again)
        return Validated(asked=done.asked, more=done.more, validation=convert.validation(self.validation.state))

    # -------------------------------------------------------------- feedback
    def give_feedback(self, request: FeedbackRequest) -> FeedbackGiven:
        given = self.workspace.logs.give(
            request.query_id,
            request.node_id,
            request.target,
            request.score,
            request.comment,
            is_edge=self._is_edge,
        )
        return FeedbackGiven(feedback_id=given)

    def _is_edge(self, edge_id: str) -> bool:
        with self.workspace.serving() as index:
            return bool(index.store.edges([edge_id])) or self.workspace.decisions.of_edge(edge_id) is not None

    def feedback(self, query_id: str) -> FeedbackList:
        return FeedbackList(feedback=[convert.score(one) for one in self.workspace.logs.of(query_id)])

    def take_back_feedback(self, feedback_id: str) -> None:
        self.workspace.logs.take_back(feedback_id)


def _note_at(index: Index, path: str) -> Note:
    """The indexed note at ``path``; raises ``NotFoundError`` for any other."""
    entry = index.pipeline.entries.get(convert.vault_path(path))
    note = index.store.note(entry.note_id) if entry and entry.indexed else None
    if note is None:
        raise NotFoundError(f"There is no indexed note {path}.", hint="Check the path; paths start at the vault.")
    return note
