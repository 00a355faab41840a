"""A question to hits: the searches, the graph around the best, the score, the order, the reasons."""

from __future__ import annotations

import time
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Literal

from mindnet.courtesy import Courtesy
from mindnet.embedding.port import Embedder, Vectors
from mindnet.errors import EmbeddingError, UsageError
from mindnet.records import Hit, Language, Mode
from mindnet.retrieval.bridging import follow_names
from mindnet.retrieval.copies import Folded, fold_copies
from mindnet.retrieval.expand import Kinds
from mindnet.retrieval.explain import Explainer
from mindnet.retrieval.filters import PRIVATE, Filters, conditions, where
from mindnet.retrieval.intents import Intent, Intents
from mindnet.retrieval.language import language_of
from mindnet.retrieval.legs import LexicalLeg, Pool, Said, SaidLeg
from mindnet.retrieval.phrases import PhraseLeg, Quoting, hold
from mindnet.retrieval.score import Scorer, best_of_each_note
from mindnet.retrieval.settings import RetrieverSettings
from mindnet.retrieval.understanding import Dating, Reading, ReadPhrase, ReadTime, Understood, read_phrases
from mindnet.retrieval.walk import NO_CAUSES, walk
from mindnet.retrieval.why_not import Inquiry, WhyNot, why_not
from mindnet.store.port import Condition, Store

MAX_DEPTH = 3


@dataclass(frozen=True, slots=True)
class Query:
    """A question with everything that shapes its answer; ``depth`` None takes the configured one.

    ``phrases`` and ``dates`` say what is made of quotation marks and of times in it, ``fold_copies`` whether of
    passages with nearly the same text only the best is a hit. ``words_suffice``: while the embedding model gives no
    vectors, a hybrid search goes by words and links alone, and says so; else, and by meaning alone, it fails.

    Raises ``UsageError`` for a question without a word, and for numbers out of bounds.
    """

    text: str
    mode: Mode = "hybrid"
    top_k: int = 10
    group_by: Literal["note", "chunk"] = "note"
    depth: int | None = None
    filters: Filters = field(default_factory=Filters)
    phrases: Quoting = "auto"
    dates: Dating = "auto"
    fold_copies: bool = True
    words_suffice: bool = False
    explain: bool = False
    why_not: tuple[str, ...] = ()
    include_private: bool = False
    language: Language | None = None

    def __post_init__(self) -> None:
        if not self.text.strip():
            raise UsageError("The question is empty.", hint="Write what you want to know.")
        if self.top_k < 1:
            raise UsageError(f"top_k is {self.top_k}.", hint="Ask for at least one hit.")
        if self.depth is not None and not 0 <= self.depth <= MAX_DEPTH:
            raise UsageError(f"The depth is {self.depth}.", hint=f"Give a depth between 0 and {MAX_DEPTH}.")


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The hits, best first; ``why_not`` answers in the order of the question's.

    ``weights`` is the version of the settings that scored; ``phrases`` and ``times`` are what was read in the question.
    ``everything``: it names a time or a filter and nothing that the notes are about, so that scores say little.
    ``left_out`` says why meaning had no part, where it should have had.
    """

    mode: Mode
    intent: Intent
    language: Language
    took_ms: float
    hits: tuple[Hit, ...]
    why_not: tuple[WhyNot, ...]
    weights: str
    phrases: tuple[ReadPhrase, ...] = ()
    times: tuple[ReadTime, ...] = ()
    everything: bool = False
    left_out: str | None = None


class Searcher:
    """Answers questions from a store; one query sees one state of it.

    Settings and intents are asked for anew at each query, so that a change of their files applies to
    the next one.
    """

    def __init__(
        self,
        store: Store,
        embedder: Embedder,
        lexical: LexicalLeg,
        said: SaidLeg,
        *,
        settings: Callable[[], RetrieverSettings],
        kinds: Kinds,
        status_scores: Mapping[str, float],
        intents: Callable[[], Intents],
        now: Callable[[], datetime] = datetime.now,
        courtesy: Courtesy | None = None,
    ) -> None:
        self._store = store
        self._embedder = embedder
        self._lexical = lexical
        self._said = said
        self._settings = settings
        self._kinds = kinds
        self._status_scores = status_scores
        self._intents = intents
        self._now = now
        self._courtesy = courtesy or Courtesy()

    def search(self, query: Query) -> SearchResult:
        """The hits of a question, with reasons if it asks for them."""
        with self._courtesy.answering():
            return self._search(query)

    def warm(self) -> None:
        """Loads what the first question needs; nobody waits for it."""
        self._search(Query("mindnet"))

    def _search(self, query: Query) -> SearchResult:
        started = time.perf_counter()
        text = query.text.strip()
        now = self._now()
        scorer = Scorer(self._settings(), query.mode, self._status_scores, now.date())
        intent = self._intents().classify(text)
        language = query.language or language_of(text)
        understood = Reading(self._store, self._lexical, now, language).understand(
            text,
            query.filters,
            # A search by meaning alone has no words to hold.
            quoting=query.phrases if query.mode != "semantic" else "ignore",
            dating=query.dates,
            include_private=query.include_private,
        )
        query = replace(query, filters=understood.filters)
        # The model works outside of the store's lock, so that a question never holds up a save.
        vector, left_out = self._vector(query, understood.text)
        with self._store.exclusive():
            hits, missing, phrases = self._answer(query, understood, vector, scorer, intent, language)
        took = (time.perf_counter() - started) * 1000
        version = scorer.settings.version
        return SearchResult(
            query.mode,
            intent,
            language,
            took,
            hits,
            missing,
            version,
            phrases,
            understood.times,
            understood.everything,
            left_out,
        )

    def _vector(self, query: Query, text: str) -> tuple[Vectors | None, str | None]:
        """The question's vector; None where the mode has none, or with the reason where the model gives none."""
        if query.mode == "lexical":
            return None, None
        try:
            return self._embedder.embed_query(text), None
        except EmbeddingError as error:
            if query.mode == "semantic" or not query.words_suffice:
                raise
            return None, f"{error.message} {error.hint}".strip()

    def _answer(
        self,
        query: Query,
        understood: Understood,
        vector: Vectors | None,
        scorer: Scorer,
        intent: Intent,
        language: Language,
    ) -> tuple[tuple[Hit, ...], tuple[WhyNot, ...], tuple[ReadPhrase, ...]]:
        text = understood.text
        expand = scorer.settings.expand
        condition = where(query.filters, include_private=query.include_private)
        allowed = allowed_notes(self._store, query, condition)
        lexical: LexicalLeg = self._lexical
        holding = hold(text, understood.phrases, store=self._store, lexical=lexical, allowed=allowed)
        if holding is not None:
            lexical, allowed = PhraseLeg(lexical, holding), holding.all_notes
            condition = holding.within(condition)
        depth = expand.depth if query.depth is None else query.depth
        graph = query.mode == "hybrid" and depth > 0
        # What links say is a part of the graph: without it, nobody listens.
        said = Said(self._said, scorer.settings.link_context, query.include_private) if graph else None
        if scorer.settings.scoring.links_weight == 0:
            said = None
        pool = Pool(
            self._store,
            lexical,
            text=text,
            vector=vector,
            mode=query.mode,
            condition=condition,
            floor=self._embedder.floor,
            said=said,
        )
        limit = max(expand.pool, query.top_k)
        pool.search(limit, allowed)
        follow_names(pool, scorer, allowed)
        causes = NO_CAUSES
        if graph:
            causes = walk(
                pool,
                scorer,
                store=self._store,
                kinds=self._kinds,
                depth=depth,
                boosts=intent.boosts,
                allowed=allowed,
            )
        ranked = scorer.ranked(pool.by_id.values(), graph=graph, unscored=understood.everything)
        by_note = best_of_each_note(ranked)
        grouped = by_note if query.group_by == "note" else ranked
        # A few more than are shown, should there be copies among them.
        pool.read(grouped[: 2 * query.top_k])
        folded = fold_copies(grouped, query.top_k) if query.fold_copies else Folded(tuple(grouped), {})
        chosen = [scorer.score(candidate, graph=graph) for candidate in folded.shown[: query.top_k]]
        explainer = Explainer(
            text,
            language,
            intent,
            self._store,
            self._lexical,
            self._said,
            causes,
            include_private=query.include_private,
            phrases=holding.phrases if holding is not None else (),
            today=scorer.today,
        )
        explanations = explainer.explain(chosen) if query.explain else [None] * len(chosen)
        inquiry = Inquiry(
            text=text,
            vector=vector,
            words=query.mode != "semantic",
            condition=condition,
            allowed=allowed,
            filters=conditions(query.filters),
            include_private=query.include_private,
            ranked=[scorer.score(one, graph=graph) for one in best_of_each_note(folded.shown)] if query.why_not else [],
            top_k=query.top_k,
            pool=limit,
            language=language,
            understood=understood,
            holding=holding,
            folded=folded,
        )
        missing = why_not(query.why_not, inquiry, store=self._store, lexical=lexical)
        hits = tuple(
            Hit(rank, chunk := one.candidate.chunk, one.total, one.contributions, explanation, folded.named(chunk))
            for rank, (one, explanation) in enumerate(zip(chosen, explanations, strict=True), 1)
        )
        return hits, tuple(missing), read_phrases(understood.phrases, holding, language)


def allowed_notes(store: Store, query: Query, condition: Condition | None) -> Container[str] | None:
    """The notes that may answer, for the words and the graph, which know no conditions; None for all."""
    if condition is None or query.mode == "semantic":
        return None
    if not conditions(query.filters):
        private = frozenset(store.note_ids(PRIVATE))
        return _AllBut(private) if private else None
    return frozenset(store.note_ids(condition))


class _AllBut:
    """A container of everything but a few."""

    def __init__(self, few: Container[str]) -> None:
        self._few = few

    def __contains__(self, item: object) -> bool:
        return item not in self._few
