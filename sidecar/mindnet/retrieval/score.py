"""The score of a candidate: a list of contributions, whose points are the total."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from operator import itemgetter

from mindnet.records import Chunk, Contribution, Mode, Part, Place
from mindnet.retrieval.legs import Candidate
from mindnet.retrieval.settings import RetrieverSettings

_FIRST = itemgetter(0)
OWN = frozenset({"semantic", "lexical", "links", "recency"})
"""The parts that a note's type and status multiply."""


@dataclass(frozen=True, slots=True)
class Scored:
    """A candidate with its parts; ``total`` is their sum by construction."""

    candidate: Candidate
    contributions: tuple[Contribution, ...]
    total: float

    @property
    def note_id(self) -> str:
        return self.candidate.place.note_id

    @property
    def order(self) -> tuple[float, str, int]:
        """Sorts the best first, ties by path and place."""
        return (-self.total, self.candidate.place.path, self.candidate.place.ord)


@dataclass(frozen=True, slots=True)
class Scorer:
    """``type · status · (semantic + lexical + links) + edge + centrality``; in one-leg modes that leg alone."""

    settings: RetrieverSettings
    mode: Mode
    status_scores: Mapping[str, float]
    today: date = field(default_factory=date.today)

    def score(self, candidate: Candidate, *, graph: bool) -> Scored:
        """All parts that the mode has; without ``graph`` neither what links say nor where they lead."""
        factors = self.factors(candidate.place)
        parts = tuple(
            Contribution(part, weight, raw, points, factors if part in OWN else {})
            for part, weight, raw, points in self._parts(candidate, graph=graph)
        )
        return Scored(candidate, parts, sum(part.points for part in parts))

    def ranked(self, candidates: Iterable[Candidate], *, graph: bool, unscored: bool = False) -> list[Candidate]:
        """Those that have a score above 0, or all, the best first, without the cost of writing down every part."""
        totals = [
            ((-sum([points for *_, points in self._parts(one, graph=graph)]), one.place.path, one.place.ord), one)
            for one in candidates
        ]
        return [one for order, one in sorted(totals, key=_FIRST) if unscored or order[0] < 0]

    def _parts(self, candidate: Candidate, *, graph: bool) -> list[tuple[Part, float, float, float]]:
        """Name, weight, raw value and points of each part, in the order in which they are added."""
        weights, factor = self.settings.scoring, self._factor(candidate.place)
        parts: list[tuple[Part, float, float, float]] = []
        if self.mode != "lexical":
            weight, raw = weights.semantic_weight, candidate.semantic
            parts.append(("semantic", weight, raw, factor * weight * raw))
        if self.mode != "semantic":
            weight, raw = weights.lexical_weight, self.words(candidate)
            parts.append(("lexical", weight, raw, factor * weight * raw))
        if graph:
            weight, raw = weights.links_weight, candidate.links
            parts.append(("links", weight, raw, factor * weight * raw))
            weight, raw = weights.edge_weight, candidate.edge
            parts.append(("edge", weight, raw, weight * raw))
            weight, raw = weights.centrality_weight, candidate.centrality
            parts.append(("centrality", weight, raw, weight * raw))
        if self.mode == "hybrid" and weights.recency_weight:
            weight, raw = weights.recency_weight, self.recency(candidate.place)
            parts.append(("recency", weight, raw, factor * weight * raw))
        return parts

    def recency(self, place: Chunk | Place) -> float:
        """1 for what was changed today, a half after the half-life, and so on."""
        return float(0.5 ** (age(place, self.today) / self.settings.recency.half_life_days))

    def words(self, candidate: Candidate) -> float:
        """What its words are worth, 0..1: those of the question, and the names that it shares with a passage found."""
        return min(1.0, candidate.lexical + self.settings.bridges.share * candidate.bridge)

    def factors(self, place: Chunk | Place) -> dict[str, float]:
        """What the note's type and status multiply its own parts with."""
        return {"type": max(place.retriever_weight, 0.0), "status": self._status(place)}

    def _factor(self, place: Chunk | Place) -> float:
        return max(place.retriever_weight, 0.0) * self._status(place)

    def _status(self, place: Chunk | Place) -> float:
        return self.status_scores.get(place.status, 1.0) if place.status is not None else 1.0

    def found(self, candidate: Candidate) -> float:
        """What the searches give, before edges are followed: the order of the candidates until then."""
        weights, mode = self.settings.scoring, self.mode
        semantic = weights.semantic_weight * candidate.semantic if mode != "lexical" else 0.0
        lexical = weights.lexical_weight * self.words(candidate) if mode != "semantic" else 0.0
        links = weights.links_weight * candidate.links if mode == "hybrid" else 0.0
        return self._factor(candidate.place) * (semantic + lexical + links)

    def order(self, candidate: Candidate) -> tuple[float, str, int]:
        """Sorts the best found first, ties by path and place."""
        return (-self.found(candidate), candidate.place.path, candidate.place.ord)


def changed(place: Chunk | Place) -> date:
    """The day, in UTC, on which the note was last changed."""
    text = f"{place.updated:014d}"
    return date(int(text[:4]) or 1, int(text[4:6]) or 1, int(text[6:8]) or 1)


def age(place: Chunk | Place, today: date) -> int:
    """Whole days since the last change, 0 for one that lies ahead."""
    return max(0, (today - changed(place)).days)


def best_of_each_note(ranked: Sequence[Candidate]) -> list[Candidate]:
    """The first of each note, in the order given."""
    best: dict[str, Candidate] = {}
    for candidate in ranked:
        best.setdefault(candidate.place.note_id, candidate)
    return list(best.values())
