"""Rankings of one question by every variant, as the product gives them, with each search done once.

The searches of all variants are the same; they differ in which of their parts count, and in the walk
over the graph, whose seeds depend on that. So each search is done once, and each walk once for the
variants that share it. ``Rankings.check`` holds the outcome against the product's own answer.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from dataclasses import dataclass, replace
from typing import cast

from evaluation.fit import Parts
from evaluation.metrics import DEEPEST
from evaluation.sets import Question
from evaluation.shuffled import Exchange, ShuffledSaid, ShuffledSeries, ShuffledStore
from evaluation.variants import HYBRID, Variant
from mindnet.embedding.port import Embedder, Vectors
from mindnet.retrieval.bridging import follow_names
from mindnet.retrieval.filters import where
from mindnet.retrieval.intents import Intents
from mindnet.retrieval.legs import LexicalLeg, Pool, Said, SaidLeg
from mindnet.retrieval.score import Scorer, best_of_each_note
from mindnet.retrieval.search import Query, Searcher, allowed_notes
from mindnet.retrieval.settings import RetrieverSettings
from mindnet.retrieval.walk import walk
from mindnet.store.port import Store
from mindnet.workspace import Workspace


@dataclass(frozen=True, slots=True)
class Side:
    """A store with the index of its words: the real one, or the one with shuffled edges."""

    store: Store
    lexical: LexicalLeg
    said: SaidLeg


class Rankings:
    """Asks one workspace; ``settings`` hold for all variants, but for the parts that these leave out."""

    def __init__(self, workspace: Workspace, embedder: Embedder, settings: RetrieverSettings) -> None:
        self._embedder = embedder
        self.settings = settings
        exchange = Exchange.of(workspace.store)
        self._sides = {
            False: Side(workspace.store, workspace.lexical, workspace.said),
            True: Side(
                ShuffledStore(workspace.store, exchange),
                cast(LexicalLeg, ShuffledSeries(workspace.lexical, exchange)),
                ShuffledSaid(workspace.said, exchange),
            ),
        }
        self._kinds = workspace.pipeline.source.kinds
        self._status = workspace.pipeline.source.types.status_scores
        self._intents: Intents = workspace.intents()
        self.parts: Parts | None = None
        """The candidates of the last question that the whole hybrid search was asked."""

    # -------------------------------------------------------------- by parts
    def rank(self, question: Question, variants: tuple[Variant, ...]) -> dict[str, list[str]]:
        """Paths, best first, by variant."""
        vector = self._embedder.embed_query(question.text)
        pools: dict[tuple[bool, ...], Pool] = {}
        found: dict[bool, Pool] = {}
        rankings = {}
        for variant in variants:
            if variant.shuffled not in found:
                found[variant.shuffled] = self._search(question, vector, self._sides[variant.shuffled])
            key = (variant.walks, "links" in variant.parts, variant.shuffled, variant.names)
            scorer = Scorer(variant.settings(self.settings), variant.mode, self._status)
            if variant.mode != "hybrid":
                pool = found[False].copy({variant.mode})
                follow_names(pool, scorer, self._allowed(question, self._sides[False]))
            elif key in pools:
                pool = pools[key]
            else:
                pool = self._walked(question, found[variant.shuffled], scorer, variant)
                pools[key] = pool
            rankings[variant.name] = self._order(pool, scorer, variant, question)
            if variant.name == HYBRID:
                self.parts = Parts.of(pool, scorer, question.relevant, question.hidden)
        return rankings

    def _search(self, question: Question, vector: Vectors, side: Side) -> Pool:
        query = Query(question.text)
        condition = where(query.filters, include_private=False)
        pool = Pool(
            side.store,
            side.lexical,
            text=question.text,
            vector=vector,
            mode="hybrid",
            condition=condition,
            floor=self._embedder.floor,
            said=Said(side.said, self.settings.link_context, include_private=False),
        )
        pool.search(self.settings.expand.pool, allowed_notes(side.store, query, condition))
        return pool

    def _allowed(self, question: Question, side: Side) -> Container[str] | None:
        query = Query(question.text)
        return allowed_notes(side.store, query, where(query.filters, include_private=False))

    def _walked(self, question: Question, found: Pool, scorer: Scorer, variant: Variant) -> Pool:
        side = self._sides[variant.shuffled]
        legs = {"semantic", "lexical"} | ({"links"} & variant.parts)
        pool = found.copy(legs)
        allowed = self._allowed(question, side)
        follow_names(pool, scorer, allowed)
        if variant.walks:
            walk(
                pool,
                scorer,
                store=side.store,
                kinds=self._kinds,
                depth=self.settings.expand.depth,
                boosts=self._intents.classify(question.text).boosts,
                allowed=allowed,
            )
        return pool

    def _order(self, pool: Pool, scorer: Scorer, variant: Variant, question: Question) -> list[str]:
        ranked = scorer.ranked(pool.by_id.values(), graph=variant.walks)
        return _visible([one.chunk.path for one in best_of_each_note(ranked)[: DEEPEST + 1]], question)

    # -------------------------------------------------------------- by the product
    def searcher(self, variant: Variant) -> Searcher:
        side = self._sides[variant.shuffled]
        settings = variant.settings(self.settings)
        if variant.mode == "hybrid" and not variant.walks:
            settings = replace(settings, expand=replace(settings.expand, depth=0))
        return Searcher(
            side.store,
            self._embedder,
            side.lexical,
            side.said,
            settings=lambda: settings,
            kinds=self._kinds,
            status_scores=self._status,
            intents=lambda: self._intents,
        )

    def check(self, question: Question, rankings: Mapping[str, list[str]], variants: tuple[Variant, ...]) -> None:
        """Raises ``AssertionError`` where a ranking is not the product's own."""
        for variant in variants:
            query = Query(
                question.text,
                mode=variant.mode,
                top_k=DEEPEST + 1,
                # What is read out of a question, and which hits are shown as one, is no part of a ranking.
                phrases="ignore",
                dates="ignore",
                fold_copies=False,
            )
            hits = self.searcher(variant).search(query).hits
            own = _visible([hit.chunk.path for hit in hits], question)
            assert own == rankings[variant.name], f"{variant.name}: {question.text!r}\n{own}\n{rankings[variant.name]}"


def _visible(paths: list[str], question: Question) -> list[str]:
    return [path for path in paths if path != question.hidden][:DEEPEST]
