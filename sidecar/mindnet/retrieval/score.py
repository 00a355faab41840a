"""The score of a candidate: a list of contributions, whose points are the total."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mindnet.records import Chunk, Contribution, Mode
from mindnet.retrieval.legs import Candidate
from mindnet.retrieval.settings import RetrieverSettings


@dataclass(frozen=True, slots=True)
class Scored:
    """A candidate with its parts; ``total`` is their sum by construction."""

    candidate: Candidate
    contributions: tuple[Contribution, ...]
    total: float

    @property
    def note_id(self) -> str:
        return self.candidate.chunk.note_id

    @property
    def order(self) -> tuple[float, str, int]:
        """Sorts the best first, ties by path and place."""
        return (-self.total, self.candidate.chunk.path, self.candidate.chunk.ord)


@dataclass(frozen=True, slots=True)
class Scorer:
    """``type · status · (semantic + lexical + links) + edge + centrality``; in one-leg modes that leg alone."""

    settings: RetrieverSettings
    mode: Mode
    status_scores: Mapping[str, float]

    def score(self, candidate: Candidate, *, graph: bool) -> Scored:
        """All parts that the mode has; without ``graph`` neither what links say nor where they lead."""
        weights = self.settings.scoring
        factors = self.factors(candidate.chunk)
        factor = factors["type"] * factors["status"]
        parts: list[Contribution] = []
        if self.mode != "lexical":
            weight, raw = weights.semantic_weight, candidate.semantic
            parts.append(Contribution("semantic", weight, raw, factor * weight * raw, factors))
        if self.mode != "semantic":
            weight, raw = weights.lexical_weight, self.words(candidate)
            parts.append(Contribution("lexical", weight, raw, factor * weight * raw, factors))
        if graph:
            weight, raw = weights.links_weight, candidate.links
            parts.append(Contribution("links", weight, raw, factor * weight * raw, factors))
            weight, raw = weights.edge_weight, candidate.edge
            parts.append(Contribution("edge", weight, raw, weight * raw))
            weight, raw = weights.centrality_weight, candidate.centrality
            parts.append(Contribution("centrality", weight, raw, weight * raw))
        return Scored(candidate, tuple(parts), sum(part.points for part in parts))

    def words(self, candidate: Candidate) -> float:
        """What its words are worth, 0..1: those of the question, and the names that it shares with a passage found."""
        return min(1.0, candidate.lexical + self.settings.bridges.share * candidate.bridge)

    def factors(self, chunk: Chunk) -> dict[str, float]:
        """What the note's type and status multiply its own parts with."""
        status = self.status_scores.get(chunk.status, 1.0) if chunk.status is not None else 1.0
        return {"type": max(chunk.retriever_weight, 0.0), "status": status}

    def found(self, candidate: Candidate) -> float:
        """What the searches give, before edges are followed: the order of the candidates until then."""
        weights, factors = self.settings.scoring, self.factors(candidate.chunk)
        semantic = weights.semantic_weight * candidate.semantic if self.mode != "lexical" else 0.0
        lexical = weights.lexical_weight * self.words(candidate) if self.mode != "semantic" else 0.0
        links = weights.links_weight * candidate.links if self.mode == "hybrid" else 0.0
        return factors["type"] * factors["status"] * (semantic + lexical + links)

    def order(self, candidate: Candidate) -> tuple[float, str, int]:
        """Sorts the best found first, ties by path and place."""
        return (-self.found(candidate), candidate.chunk.path, candidate.chunk.ord)


def best_of_each_note(ranked: list[Scored]) -> list[Scored]:
    """The first of each note, in the order given."""
    best: dict[str, Scored] = {}
    for scored in ranked:
        best.setdefault(scored.note_id, scored)
    return list(best.values())
