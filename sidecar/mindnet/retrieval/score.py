"""The score of a candidate: a list of contributions, whose points are the total."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mindnet.records import Contribution, Mode
from mindnet.retrieval.candidates import Candidate
from mindnet.retrieval.settings import RetrieverSettings


@dataclass(frozen=True, slots=True)
class Scored:
    """A candidate with its parts; ``total`` is their sum by construction."""

    candidate: Candidate
    contributions: tuple[Contribution, ...]

    @property
    def total(self) -> float:
        return sum(part.points for part in self.contributions)

    @property
    def order(self) -> tuple[float, str, int]:
        """Sorts the best first, ties by path and place."""
        return (-self.total, self.candidate.chunk.path, self.candidate.chunk.ord)


def score(
    candidate: Candidate,
    settings: RetrieverSettings,
    *,
    mode: Mode,
    graph: bool,
    status_scores: Mapping[str, float],
) -> Scored:
    """``type · status · (semantic + lexical) + edge + centrality``; in one-leg modes that leg alone."""
    weights = settings.scoring
    chunk = candidate.chunk
    factors = {
        "type": max(chunk.retriever_weight, 0.0),
        "status": status_scores.get(chunk.status, 1.0) if chunk.status is not None else 1.0,
    }
    factor = factors["type"] * factors["status"]
    parts: list[Contribution] = []
    if mode != "lexical":
        raw = candidate.semantic
        parts.append(Contribution("semantic", weights.semantic_weight, raw, factor * weights.semantic_weight * raw, factors))
    if mode != "semantic":
        raw = candidate.lexical
        parts.append(Contribution("lexical", weights.lexical_weight, raw, factor * weights.lexical_weight * raw, factors))
    if graph:
        parts.append(Contribution("edge", weights.edge_weight, candidate.edge, weights.edge_weight * candidate.edge))
        central = candidate.centrality
        parts.append(Contribution("centrality", weights.centrality_weight, central, weights.centrality_weight * central))
    return Scored(candidate, tuple(parts))
