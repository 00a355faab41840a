"""What a model is asked in a workspace: the questions of its notes, the passages for them, what answers change."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace

from mindnet.chat.prompts import Prompts
from mindnet.embedding.cache import embed_cached
from mindnet.indexing.pipeline import Pipeline
from mindnet.knowledge.edges import CANDIDATE, SMART
from mindnet.models.profiles import VALIDATOR, read_profiles
from mindnet.records import Fault, Question
from mindnet.settings.load import load_file
from mindnet.settings.reload import Reloading
from mindnet.store.port import Store
from mindnet.validation.answers import Given, ModelAnswers
from mindnet.validation.queue import Limits, Validation
from mindnet.workspace.workspace import Workspace

CENTRAL = 5
"""So many passages stand for a whole note."""


def open_validation(workspace: Workspace, update: Callable[[frozenset[str]], object]) -> Validation:
    """The queue of a workspace; ``update`` brings paths up to date and returns when that is done."""
    section = workspace.place.settings.mindnet.validation
    shipped = read_profiles(load_file("llm", env={}).model_dump(exclude_none=True), {})
    return Validation(
        WorkspaceSite(workspace, update),
        workspace.answers,
        workspace.chat.models,
        workspace.chat.turns,
        prompts=Reloading("prompts", workspace.place.config_dir, workspace.env, Prompts.from_mapping),
        limits=Limits(section.enabled, section.per_minute, section.per_day),
        shipped=shipped[VALIDATOR].backend,
    )


class WorkspaceSite:
    """The open indexes, as validation sees them: it asks about the one that answers, and applies to all."""

    def __init__(self, workspace: Workspace, update: Callable[[frozenset[str]], object]) -> None:
        self._workspace = workspace
        self._update = update

    def promising(self, paths: frozenset[str] | None) -> Sequence[str]:
        with self._workspace.serving() as index:
            return _promising(index.pipeline, paths, self._workspace.answers) if index.recipe.is_current else []

    def questions(self, paths: Sequence[str]) -> tuple[Mapping[str, Sequence[Question]], frozenset[str]]:
        with self._workspace.serving() as index:
            pipeline = index.pipeline
            with pipeline.steady():
                waiting = pipeline.waiting().intersection(paths)
                found = {path: _questions(pipeline, path) for path in paths if path not in waiting}
            private = _private(index.store, [one.asked[1] for own in found.values() for one in own])
        return {
            path: tuple(replace(one, private=True) if one.asked[1] in private else one for one in own)
            for path, own in found.items()
        }, waiting

    def passages(self, question: Question) -> Sequence[str]:
        """The passage that the link stands in, the most central ones of the note, or its text if it has none."""
        chunks = question.chunks
        if not chunks:
            return [question.whole]
        if len(chunks) <= CENTRAL:
            return [chunk.text for chunk in chunks]
        with self._workspace.serving() as index:
            pipeline = index.pipeline
            vectors, _, _ = embed_cached(pipeline.embedder, pipeline.vectors, [chunk.window for chunk in chunks])
        likeness = vectors @ vectors.mean(axis=0)
        order = sorted(range(len(chunks)), key=lambda place: (-float(likeness[place]), place))
        return [chunks[place].text for place in order[:CENTRAL]]

    def apply(self, given: Sequence[Given]) -> None:
        with ExitStack() as steady:
            pipelines = [index.pipeline for index in self._workspace.open_indexes]
            for pipeline in pipelines:
                steady.enter_context(pipeline.steady())
            self._workspace.answers.put(given)
            notes = {one.asked[0] for one in given}
            relations = {one.asked[:4] for one in given}
            paths: set[str] = set()
            for pipeline in pipelines:
                paths |= pipeline.reconsider(notes, relations)
        self._update(frozenset(paths))

    def settled(self) -> None:
        digests = self._workspace.answers.digests()
        for index in self._workspace.open_indexes:
            if index.recipe.is_current:
                index.answered(digests)


def _promising(pipeline: Pipeline, paths: frozenset[str] | None, answers: ModelAnswers) -> list[str]:
    unsettled = {one.asked[0] for one in answers.all() if not one.judged}
    smart = {name for name, kind in pipeline.source.types.types.items() if kind.smart_edges}
    entries = pipeline.entries
    known = tuple(entries.values()) if paths is None else [entries[path] for path in sorted(paths) if path in entries]
    indexed = [entry for entry in known if entry.indexed]
    proposing = [
        entry.path
        for entry in indexed
        if CANDIDATE + SMART in entry.counts.get("provenance", {}) or entry.note_id in unsettled
    ]
    return list(dict.fromkeys([*proposing, *(entry.path for entry in indexed if entry.type in smart)]))


def _private(store: Store, note_ids: Sequence[str]) -> frozenset[str]:
    """Those of the notes that are private, whose titles are too."""
    return frozenset(note_id for note_id, note in store.notes(sorted(set(note_ids))).items() if note.private)


def _questions(pipeline: Pipeline, path: str) -> Sequence[Question]:
    file = pipeline.source.file(path)
    loaded = pipeline.source.load(file) if file is not None else None
    # A note that is gone or new on disk has its questions when it is indexed.
    if loaded is None or isinstance(loaded, Fault) or path not in pipeline.catalog:
        return ()
    graph = pipeline.source.graph(loaded, pipeline.catalog, contexts=False, questions=True)
    return graph.questions if graph is not None else ()
