"""A question to hits: both searches, the graph around the best, the score, the order, the reasons."""

from __future__ import annotations

import time
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from mindnet.embedding.port import Embedder
from mindnet.errors import UsageError
from mindnet.records import Hit, Language, Mode
from mindnet.retrieval.candidates import Candidate, LexicalLeg, Pool
from mindnet.retrieval.expand import Arrival, Kinds, Neighbourhood, centrality, expand, saturate
from mindnet.retrieval.explain import Causes, explain
from mindnet.retrieval.filters import PRIVATE, Filters, conditions, where
from mindnet.retrieval.intents import Intent, Intents
from mindnet.retrieval.language import language_of
from mindnet.retrieval.score import Scored, score
from mindnet.retrieval.settings import RetrieverSettings
from mindnet.retrieval.why_not import WhyNot, why_not
from mindnet.store.port import Condition, Store


@dataclass(frozen=True, slots=True)
class Query:
    """A question with everything that shapes its answer; ``depth`` None takes the configured one."""

    text: str
    mode: Mode = "hybrid"
    top_k: int = 10
    group_by: Literal["note", "chunk"] = "note"
    depth: int | None = None
    filters: Filters = field(default_factory=Filters)
    explain: bool = False
    why_not: tuple[str, ...] = ()
    include_private: bool = False
    language: Language | None = None


@dataclass(frozen=True, slots=True)
class SearchResult:
    mode: Mode
    intent: Intent
    language: Language
    took_ms: float
    hits: tuple[Hit, ...]
    why_not: tuple[WhyNot, ...]


SHARPNESS = 4
"""Power of a seed's score beside the best one's: a middling hit says little of what its neighbours are worth."""


class _AllBut:
    """A container of everything but a few."""

    def __init__(self, few: Container[str]) -> None:
        self._few = few

    def __contains__(self, item: object) -> bool:
        return item not in self._few


class Searcher:
    """Answers questions from a store; one query sees one state of it."""

    def __init__(
        self,
        store: Store,
        embedder: Embedder,
        lexical: LexicalLeg,
        *,
        settings: Callable[[], RetrieverSettings],
        kinds: Kinds,
        status_scores: Mapping[str, float],
        intents: Callable[[], Intents],
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._lexical = lexical
        self._settings = settings
        self._kinds = kinds
        self._status_scores = status_scores
        self._intents = intents

    def search(self, query: Query) -> SearchResult:
        """The hits of a question; raises ``UsageError`` for an empty one."""
        started = time.perf_counter()
        text = query.text.strip()
        if not text:
            raise UsageError("The question is empty.", hint="Write what you want to know.")
        settings = self._settings()
        intent = self._intents().classify(text)
        language = query.language or language_of(text)
        # The model works outside of the store's lock, so that a question never holds up a save.
        vector = self._embedder.embed_query(text) if query.mode != "lexical" else None
        condition = where(query.filters, include_private=query.include_private)
        with self._store.exclusive():
            pool = Pool(self._store, self._lexical, text=text, vector=vector, mode=query.mode, condition=condition)
            pool.search(max(settings.expand.pool, query.top_k), self._allowed(query, condition))
            depth = settings.expand.depth if query.depth is None else query.depth
            graph = query.mode == "hybrid" and depth > 0
            causes = self._walk(pool, settings, depth, intent, query, condition) if graph else Causes({}, {})
            ranked = sorted(
                (self._score(candidate, settings, query.mode, graph) for candidate in pool.by_id.values()),
                key=lambda scored: scored.order,
            )
            ranked = [scored for scored in ranked if scored.total > 0]
            grouped = _best_of_each_note(ranked) if query.group_by == "note" else ranked
            chosen = grouped[: query.top_k]
            explanations = (
                explain(
                    chosen,
                    query=text,
                    language=language,
                    intent=intent,
                    store=self._store,
                    lexical=self._lexical,
                    causes=causes,
                )
                if query.explain
                else [None] * len(chosen)
            )
            missing = why_not(
                query.why_not,
                store=self._store,
                ranked=_best_of_each_note(ranked),
                top_k=query.top_k,
                filters=conditions(query.filters),
                private=None if query.include_private else PRIVATE,
                language=language,
            )
        hits = tuple(
            Hit(rank, scored.candidate.chunk, scored.total, explanation)
            for rank, (scored, explanation) in enumerate(zip(chosen, explanations, strict=True), 1)
        )
        took = (time.perf_counter() - started) * 1000
        return SearchResult(query.mode, intent, language, took, hits, tuple(missing))

    def _score(self, candidate: Candidate, settings: RetrieverSettings, mode: Mode, graph: bool) -> Scored:
        return score(candidate, settings, mode=mode, graph=graph, status_scores=self._status_scores)

    def _allowed(self, query: Query, condition: Condition | None) -> Container[str] | None:
        """The notes that may answer, for the word search, which knows no conditions."""
        if condition is None or query.mode == "semantic":
            return None
        if not conditions(query.filters):
            private = frozenset(self._store.note_ids(PRIVATE))
            return _AllBut(private) if private else None
        return frozenset(self._store.note_ids(condition))

    # -------------------------------------------------------------- the graph
    def _walk(
        self,
        pool: Pool,
        settings: RetrieverSettings,
        depth: int,
        intent: Intent,
        query: Query,
        condition: Condition | None,
    ) -> Causes:
        """Fills in what the graph adds to each candidate, neighbours that no search found included."""
        base = sorted(
            (self._score(candidate, settings, query.mode, False) for candidate in pool.by_id.values()),
            key=lambda scored: scored.order,
        )
        best = [scored for scored in _best_of_each_note(base) if scored.total > 0][: settings.expand.seeds]
        if not best:
            return Causes({}, {})
        top = best[0].total
        seeds = {scored.candidate.chunk.note_id: (scored.total / top) ** SHARPNESS for scored in best}
        found = expand(
            self._store,
            seeds,
            depth=depth,
            settings=settings,
            kinds=self._kinds,
            boosts=intent.boosts,
            allowed=self._reachable(condition),
        )
        held = {candidate.chunk.note_id for candidate in pool.by_id.values()}
        pool.bring_in(sorted(found.arrivals.keys() - held))
        ranks = centrality(seeds, found.walk)
        return self._assign(pool, settings, found, ranks)

    def _reachable(self, condition: Condition | None) -> frozenset[str] | None:
        return None if condition is None else frozenset(self._store.note_ids(condition))

    def _assign(
        self,
        pool: Pool,
        settings: RetrieverSettings,
        found: Neighbourhood,
        ranks: Mapping[str, float],
    ) -> Causes:
        """Edges lead to the chunks of their section, or, followed backwards, to the chunk they stand in; else,
        and the centrality always, to the note's best chunk."""
        of_note: dict[str, list[Candidate]] = {}
        for candidate in pool.by_id.values():
            of_note.setdefault(candidate.chunk.note_id, []).append(candidate)
        arrivals: dict[str, list[Arrival]] = {}
        for note_id, candidates in of_note.items():
            candidates.sort(key=lambda one: self._score(one, settings, "hybrid", False).order)
            for arrival in found.arrivals.get(note_id, ()):
                for candidate in _ends(arrival, candidates):
                    arrivals.setdefault(candidate.chunk.chunk_id, []).append(arrival)
            candidates[0].centrality = ranks.get(note_id, 0.0)
        for chunk_id, brought in arrivals.items():
            pool.by_id[chunk_id].edge = saturate([arrival.value for arrival in brought])
        return Causes(arrivals, found.walk)


def _ends(arrival: Arrival, candidates: Sequence[Candidate]) -> list[Candidate]:
    edge = arrival.edge
    if arrival.direction == "in":
        return [one for one in candidates if one.chunk.chunk_id == edge.source_id] or [candidates[0]]
    if edge.target_section and not edge.target_section.startswith("^"):
        section = edge.target_section.rsplit("#", 1)[-1].casefold().strip()
        inside = [one for one in candidates if section in (heading.casefold() for heading in one.chunk.heading_path)]
        return inside or [candidates[0]]
    return [candidates[0]]


def _best_of_each_note(ranked: Sequence[Scored]) -> list[Scored]:
    best: dict[str, Scored] = {}
    for scored in ranked:
        best.setdefault(scored.candidate.chunk.note_id, scored)
    return list(best.values())


