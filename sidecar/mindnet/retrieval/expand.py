"""The graph around the best hits: which notes edges lead to from there, how strongly, and along which edge.

What arrives over one edge is the strength of the note it leaves, times confidence, provenance,
kind and intent of the edge, times its direction, divided by the root of the number of notes that it
is linked with (a note that links to everything gives little to each) and by the root of the number
of edges between the two (a link written ten times counts more than one, but not ten times as much).
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from mindnet.records import Edge
from mindnet.retrieval.settings import RetrieverSettings
from mindnet.store.port import Store

STRUCTURE = "structure"
CANDIDATE = "candidate:"
DEFAULTS = "edge_defaults:"


class Kinds(Protocol):
    def weight(self, kind: str) -> float: ...

    def symmetric(self, kind: str) -> bool: ...


@dataclass(frozen=True, slots=True)
class Arrival:
    """What one edge brings to a note: from ``source``, in or against its direction, after ``step`` steps."""

    edge: Edge
    source: str
    target: str
    direction: Literal["out", "in"]
    value: float
    step: int


@dataclass(slots=True)
class Neighbourhood:
    """Arrivals by note id, and the weights of the walk between notes for the centrality."""

    arrivals: dict[str, list[Arrival]] = field(default_factory=lambda: defaultdict(list))
    walk: dict[tuple[str, str], float] = field(default_factory=lambda: defaultdict(float))


def edge_strength(edge: Edge, settings: RetrieverSettings, kinds: Kinds, boosts: Mapping[str, float]) -> float:
    """Confidence × provenance × kind × intent of one edge."""
    weights = settings.provenance
    if edge.rule_id.startswith(DEFAULTS):
        provenance = weights.default_resolved if edge.resolved else weights.default_unresolved
    else:
        provenance = {"explicit": weights.explicit, "smart": weights.smart, "rule": weights.rule}.get(
            edge.provenance, 0.0
        )
    return edge.confidence * provenance * kinds.weight(edge.kind) * boosts.get(edge.kind, 1.0)


def expand(
    store: Store,
    seeds: Mapping[str, float],
    *,
    depth: int,
    settings: RetrieverSettings,
    kinds: Kinds,
    boosts: Mapping[str, float],
    allowed: frozenset[str] | None = None,
) -> Neighbourhood:
    """Walks ``depth`` steps from the seeds (note id to strength, 0..1) over edges in both directions.

    Notes not in ``allowed`` (if given) are neither reached nor passed through.
    """
    found = Neighbourhood()
    frontier = dict(seeds)
    visited = set(seeds)
    for step in range(1, depth + 1):
        arrivals = _step(store, frontier, step, settings, kinds, boosts)
        fresh: dict[str, float] = defaultdict(float)
        for arrival in arrivals:
            if allowed is not None and arrival.target not in allowed:
                continue
            found.arrivals[arrival.target].append(arrival)
            found.walk[arrival.source, arrival.target] += arrival.value / max(frontier[arrival.source], 1e-9)
            if arrival.target not in visited:
                fresh[arrival.target] += arrival.value
        ranked = sorted(fresh.items(), key=lambda item: (-item[1], item[0]))[: settings.expand.max_neighbours]
        kept = {target for target, _ in ranked}
        for target in fresh.keys() - kept:
            del found.arrivals[target]
        visited |= kept
        frontier = {target: min(1.0, value) * settings.expand.decay for target, value in ranked}
        if not frontier:
            break
    found.walk = {pair: value for pair, value in found.walk.items() if pair[1] in visited}
    return found


def _step(
    store: Store,
    frontier: Mapping[str, float],
    step: int,
    settings: RetrieverSettings,
    kinds: Kinds,
    boosts: Mapping[str, float],
) -> list[Arrival]:
    notes = sorted(frontier)
    outgoing = [edge for edge in store.edges_from(notes) if edge.resolved and _counts(edge)]
    incoming = [edge for edge in store.edges_to(notes) if _counts(edge)]
    originals = {edge.edge_id for edge in (*outgoing, *incoming) if edge.mirror_of is None}
    degree: dict[str, set[str]] = defaultdict(set)
    for edge in outgoing:
        degree[edge.note_id].add(edge.target_id)
    for edge in incoming:
        degree[edge.target_id].add(edge.note_id)
    parallel = Counter((edge.note_id, edge.target_id) for edge in (*outgoing, *incoming))
    arrivals: list[Arrival] = []
    for edges, direction in ((outgoing, "out"), (incoming, "in")):
        for edge in edges:
            source, target = (
                (edge.note_id, edge.target_id) if direction == "out" else (edge.target_id, edge.note_id)
            )
            # A mirror never counts beside its original.
            if source == target or (edge.mirror_of is not None and edge.mirror_of in originals):
                continue
            strength = edge_strength(edge, settings, kinds, boosts)
            if direction == "in" and not kinds.symmetric(edge.kind):
                strength *= settings.expand.reverse_weight
            damping = math.sqrt(len(degree[source]) * parallel[edge.note_id, edge.target_id])
            value = frontier[source] * strength * settings.expand.edge_scale / damping
            if value > 0:
                arrivals.append(Arrival(edge, source, target, direction, value, step))  # type: ignore[arg-type]
    return arrivals


def _counts(edge: Edge) -> bool:
    return edge.provenance != STRUCTURE and not edge.provenance.startswith(CANDIDATE)


def saturate(values: Sequence[float]) -> float:
    """1 − exp(−Σ): many edges add up, but never beyond 1."""
    return 1.0 - math.exp(-sum(values))


def centrality(
    seeds: Mapping[str, float], walk: Mapping[tuple[str, str], float], *, damping: float = 0.5, rounds: int = 30
) -> dict[str, float]:
    """What reaches each note over edges in a personalised PageRank from the seeds, 0..1.

    Power iteration over a few hundred nodes; seeds restart in proportion to exp of their strength,
    and what a node without a way out holds goes back to them. The share that a seed has by being
    a seed is taken off, and the rest divided by the largest rank, so that a note that nothing
    leads to has 0. Page et al., "The PageRank Citation Ranking", 1999; Haveliwala,
    "Topic-Sensitive PageRank", 2002.
    """
    total = sum(math.exp(strength) for strength in seeds.values())
    restart = {node: math.exp(strength) / total for node, strength in sorted(seeds.items())}
    out: dict[str, float] = defaultdict(float)
    for (source, _), weight in walk.items():
        out[source] += weight
    rank = dict(restart)
    arrived: dict[str, float] = {}
    ways = sorted(walk.items())
    for _ in range(rounds):
        lost = sum(value for node, value in rank.items() if not out.get(node))
        arrived = {}
        for (source, target), weight in ways:
            arrived[target] = arrived.get(target, 0.0) + damping * rank.get(source, 0.0) * weight / out[source]
        rank = {node: (1 - damping + damping * lost) * share for node, share in restart.items()}
        for node, value in arrived.items():
            rank[node] = rank.get(node, 0.0) + value
    most = max(rank.values(), default=1.0)
    return {node: value / most for node, value in arrived.items()}
