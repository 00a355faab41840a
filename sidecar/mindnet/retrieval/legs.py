"""The two searches and what they find: candidates with their raw scores."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from mindnet.embedding.port import Vectors
from mindnet.records import Chunk, Mode
from mindnet.store.port import All, AnyOf, Condition, ScoredChunk, Store


class LexicalHit(Protocol):
    """A chunk that has words of the question; ``score`` is 0..1."""

    @property
    def chunk_id(self) -> str: ...

    @property
    def note_id(self) -> str: ...

    @property
    def score(self) -> float: ...


class LexicalLeg(Protocol):
    """The words of all chunks; scores are 0..1."""

    def search(self, query: str, limit: int, allowed: Container[str] | None = None) -> Sequence[LexicalHit]:
        """The best chunks, best first; only of the notes in ``allowed`` if given."""

    def score(self, query: str, chunk_ids: Sequence[str]) -> Mapping[str, float]:
        """The score of each of these chunks, 0 for those that share no word with the query."""

    def matched_words(self, query: str, text: str) -> tuple[str, ...]:
        """The words of the query, as typed, that the text has in some form."""


@dataclass(slots=True)
class Candidate:
    """A chunk with its raw scores, 0..1; ``edge`` and ``centrality`` come from the graph."""

    chunk: Chunk
    semantic: float = 0.0
    lexical: float = 0.0
    edge: float = 0.0
    centrality: float = 0.0
    found_by: set[str] = field(default_factory=set)


class Pool:
    """Candidates by chunk id, each with the scores of both searches, as far as the mode asks for them."""

    def __init__(
        self,
        store: Store,
        lexical: LexicalLeg,
        *,
        text: str,
        vector: Vectors | None,
        mode: Mode,
        condition: Condition | None,
    ) -> None:
        self._store = store
        self._lexical = lexical
        self._text = text
        self._vector = vector
        self._mode = mode
        self._condition = condition
        self.by_id: dict[str, Candidate] = {}

    def search(self, limit: int, allowed: Container[str] | None) -> None:
        """Both searches; what one of them found gets the other's score too."""
        words = list(self._lexical.search(self._text, limit, allowed)) if self._mode != "semantic" else []
        if self._vector is not None:
            self._add(self._store.search_chunks(self._vector, limit, self._condition), "semantic")
            missing = {hit.note_id for hit in words if hit.chunk_id not in self.by_id}
            wanted = {hit.chunk_id for hit in words}
            scored = self._store.score_chunks(self._vector, sorted(missing), self._condition) if missing else []
            self._add([one for one in scored if one.chunk.chunk_id in wanted], "")
        else:
            chunks = self._store.chunks([hit.chunk_id for hit in words])
            for chunk in chunks.values():
                self.by_id[chunk.chunk_id] = Candidate(chunk)
        for hit in words:
            if (candidate := self.by_id.get(hit.chunk_id)) is not None:
                candidate.lexical = hit.score
                candidate.found_by.add("lexical")
        self._complete_words([one for one in self.by_id.values() if "lexical" not in one.found_by])

    def copy(self, legs: Container[str]) -> Pool:
        """What these legs alone found, with all raw scores and without the graph's."""
        other = Pool(
            self._store,
            self._lexical,
            text=self._text,
            vector=self._vector,
            mode=self._mode,
            condition=self._condition,
        )
        other.by_id = {
            chunk_id: replace(one, edge=0.0, centrality=0.0, found_by=set(one.found_by))
            for chunk_id, one in self.by_id.items()
            if any(leg in legs for leg in one.found_by)
        }
        return other

    def bring_in(self, note_ids: Sequence[str], chunk_ids: Sequence[str] | None = None) -> None:
        """Chunks of these notes that neither search found (all, or those named), with their own scores."""
        if self._vector is None or not note_ids:
            return
        condition = self._condition
        if chunk_ids is not None:
            named = AnyOf("chunk_id", tuple(chunk_ids))
            condition = named if condition is None else All((condition, named))
        self._complete_words(self._add(self._store.score_chunks(self._vector, note_ids, condition), ""))

    def _add(self, scored: Sequence[ScoredChunk], leg: str) -> list[Candidate]:
        fresh = []
        for one in scored:
            candidate = self.by_id.get(one.chunk.chunk_id)
            if candidate is None:
                candidate = self.by_id[one.chunk.chunk_id] = Candidate(one.chunk)
                fresh.append(candidate)
            candidate.semantic = min(1.0, max(0.0, one.score))
            if leg:
                candidate.found_by.add(leg)
        return fresh

    def _complete_words(self, candidates: Sequence[Candidate]) -> None:
        if self._mode == "semantic" or not candidates:
            return
        scores = self._lexical.score(self._text, [candidate.chunk.chunk_id for candidate in candidates])
        for candidate in candidates:
            candidate.lexical = scores.get(candidate.chunk.chunk_id, 0.0)
