"""The graph around the best hits: which notes edges lead to from there, how strongly, and along which edge.

What arrives over one edge is the strength of the note it leaves, times confidence, provenance,
kind and intent of the edge, times its direction, divided by the root of the number of notes that it
is linked with (a note that links to everything gives little to each) and by the root of the number
of edges between the two (a link written ten times counts more than one, but not ten times as much).
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from mindnet.records import Edge
from mindnet.retrieval.settings import RetrieverSettings
from mindnet.store.port import Store

STRUCTURE = "structure"
CANDIDATE = "candidate:"
DEFAULTS = "edge_defaults:"
ADJACENT = frozenset({"next", "prev"})
SERIES = "series"
"""The kind of what leads from a note to those near it in a numbered series: no edge of the graph, so it has no id."""

Direction = Literal["out", "in"]


class Kinds(Protocol):
    """What the walk needs to know of the registry of kinds."""

    def weight(self, kind: str) -> float: ...

    def symmetric(self, kind: str) -> bool: ...


@dataclass(frozen=True, slots=True)
class Seed:
    """A note that the walk starts from: its strength, 0..1, and the chunk that was found."""

    strength: float
    chunk_id: str


@dataclass(frozen=True, slots=True)
class Arrival:
    """What one edge brings to a note: from ``source``, in or against its direction, after ``step`` steps."""

    edge: Edge
    source: str
    target: str
    direction: Direction
    value: float
    step: int


@dataclass(slots=True)
class Neighbourhood:
    """Arrivals by note id, and the weights of the walk between notes for the centrality.

    ``edges`` are all relations of the notes in ``read``, whatever came of them.
    """

    arrivals: dict[str, list[Arrival]] = field(default_factory=lambda: defaultdict(list))
    walk: dict[tuple[str, str], float] = field(default_factory=lambda: defaultdict(float))
    edges: dict[str, Edge] = field(default_factory=dict)
    read: set[str] = field(default_factory=set)


def edge_strength(edge: Edge, settings: RetrieverSettings, kinds: Kinds, boosts: Mapping[str, float]) -> float:
    """Confidence × provenance × kind × intent of one edge."""
    weights = settings.provenance
    if edge.rule_id.startswith(DEFAULTS):
        provenance = weights.default_resolved if edge.resolved else weights.default_unresolved
    else:
        known = {"explicit": weights.explicit, "smart": weights.smart, "rule": weights.rule, STRUCTURE: 1.0}
        provenance = known.get(edge.provenance, 0.0)
    return edge.confidence * provenance * kinds.weight(edge.kind) * boosts.get(edge.kind, 1.0)


def expand(
    store: Store,
    seeds: Mapping[str, Seed],
    *,
    depth: int,
    settings: RetrieverSettings,
    kinds: Kinds,
    boosts: Mapping[str, float],
    allowed: Container[str] | None = None,
) -> Neighbourhood:
    """Walks ``depth`` steps from the seeds (by note id) over edges in both directions.

    Notes not in ``allowed`` (if given) are neither reached nor passed through. What a note passes on
    to a neighbour does not contain what came from that neighbour, so that nothing echoes.
    """
    found = Neighbourhood()
    frontier = {note_id: _Stand({"": seed.strength}) for note_id, seed in seeds.items()}
    visited = set(seeds)
    for step in range(1, depth + 1):
        notes = sorted(frontier)
        read = relations_of(store, notes)
        found.edges |= read
        found.read.update(notes)
        # A mirror never counts beside its original.
        edges = [edge for _, edge in sorted(read.items()) if edge.mirror_of not in found.edges]
        arrivals = _step(edges, frontier, step, settings, kinds, boosts, allowed)
        if step == 1:
            chunks = sorted(seed.chunk_id for seed in seeds.values() if seed.chunk_id)
            arrivals += _adjacent(store.edges_from(chunks, structure=True), seeds, settings, kinds, boosts)
        fresh: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
        for arrival in arrivals:
            if arrival.target not in visited:
                fresh[arrival.target][arrival.source] += arrival.value
        ranked = sorted(fresh, key=lambda target: (-sum(fresh[target].values()), target))
        kept = ranked[: settings.expand.max_neighbours]
        visited.update(kept)
        for arrival in arrivals:
            if arrival.target not in visited:
                continue
            found.arrivals[arrival.target].append(arrival)
            if arrival.source != arrival.target:
                passed = frontier[arrival.source].towards(arrival.target)
                found.walk[arrival.source, arrival.target] += arrival.value / passed
        frontier = {target: _Stand(fresh[target], settings.expand.decay) for target in kept}
        if not frontier:
            break
    return found


def relations_of(store: Store, note_ids: Sequence[str]) -> dict[str, Edge]:
    """By id the edges from and to these notes, without those of structure, which are most of them."""
    found = (*store.edges_from(note_ids, structure=False), *store.edges_to(note_ids, structure=False))
    return {edge.edge_id: edge for edge in found}


@dataclass(frozen=True, slots=True)
class _Stand:
    """What has come to a note, by the note it came from, and which part of it goes on."""

    inflow: Mapping[str, float]
    decay: float = 1.0

    def towards(self, target: str) -> float:
        """The strength that the note passes on to another, at most 1."""
        return min(1.0, math.fsum(value for source, value in self.inflow.items() if source != target)) * self.decay


def _step(
    edges: Sequence[Edge],
    frontier: Mapping[str, _Stand],
    step: int,
    settings: RetrieverSettings,
    kinds: Kinds,
    boosts: Mapping[str, float],
    allowed: Container[str] | None,
) -> list[Arrival]:
    ways: list[tuple[Edge, str, str, Direction]] = []
    for edge in edges:
        start, end = edge.source_note, edge.target_id
        if not relates(edge) or start == end:
            continue
        if edge.note_id not in (start, end) and allowed is not None and edge.note_id not in allowed:
            continue  # It is written in a third note, which may not answer.
        both: tuple[tuple[str, str, Direction], ...] = ((start, end, "out"), (end, start, "in"))
        ways += [
            (edge, source, target, direction)
            for source, target, direction in both
            if source in frontier and (allowed is None or target in allowed)
        ]
    linked: dict[str, set[str]] = defaultdict(set)
    for _, source, target, _ in ways:
        linked[source].add(target)
    parallel = Counter((source, target, direction) for _, source, target, direction in ways)
    arrivals: list[Arrival] = []
    for edge, source, target, direction in ways:
        strength = edge_strength(edge, settings, kinds, boosts)
        if direction == "in" and not kinds.symmetric(edge.kind):
            strength *= settings.expand.reverse_weight
        damping = math.sqrt(len(linked[source]) * parallel[source, target, direction])
        value = frontier[source].towards(target) * strength * settings.expand.edge_scale / damping
        if value > 0:
            arrivals.append(Arrival(edge, source, target, direction, value, step))
    return arrivals


def _adjacent(
    edges: Sequence[Edge],
    seeds: Mapping[str, Seed],
    settings: RetrieverSettings,
    kinds: Kinds,
    boosts: Mapping[str, float],
) -> list[Arrival]:
    """From a chunk that was found to the chunks before and behind it in the same note."""
    arrivals = []
    for edge in edges:
        seed = seeds.get(edge.note_id)
        if edge.kind not in ADJACENT or edge.provenance != STRUCTURE or seed is None or edge.source_id != seed.chunk_id:
            continue
        value = seed.strength * edge_strength(edge, settings, kinds, boosts) * settings.expand.edge_scale
        if value > 0:
            arrivals.append(Arrival(edge, edge.note_id, edge.note_id, "out", value, 1))
    return arrivals


def in_series(
    seeds: Mapping[str, Seed], near: Callable[[str], Sequence[tuple[str, int]]], scale: float
) -> list[Arrival]:
    """From each note that was found to those near it in a series: less the farther away, by the root of the places."""
    found = []
    for note_id, seed in sorted(seeds.items()):
        for other, places in near(note_id) if scale else ():
            edge = Edge("", note_id, other, "", note_id, SERIES, "note", STRUCTURE, STRUCTURE, 1.0, (), resolved=True)
            found.append(Arrival(edge, note_id, other, "out", seed.strength * scale / math.sqrt(places), 1))
    return found


def in_a_series(edge: Edge) -> bool:
    """Whether it is what ``in_series`` makes."""
    return edge.kind == SERIES and not edge.edge_id


def relates(edge: Edge) -> bool:
    """Whether the edge is a relation between two notes that exist."""
    return edge.resolved and edge.provenance != STRUCTURE and not edge.provenance.startswith(CANDIDATE)


def saturate(values: Sequence[float]) -> float:
    """1 − exp(−Σ): many edges add up, but never beyond 1. The order of the values does not matter."""
    return 1.0 - math.exp(-math.fsum(values))


@dataclass(frozen=True, slots=True)
class Centrality:
    """Ranks by note, 0..1, and how much of them flows over each way between two notes."""

    ranks: Mapping[str, float]
    flow: Mapping[tuple[str, str], float]


def centrality(
    seeds: Mapping[str, float], walk: Mapping[tuple[str, str], float], *, damping: float = 0.5, rounds: int = 30
) -> Centrality:
    """What reaches each note over edges in a personalised PageRank from the seeds.

    Power iteration over a few hundred nodes; seeds restart in proportion to exp of their strength,
    and what a node without a way out holds goes back to them. The share that a seed has by being
    a seed is taken off, and the rest divided by the largest rank, so that a note that nothing
    leads to has none. Page et al., "The PageRank Citation Ranking", 1999; Haveliwala,
    "Topic-Sensitive PageRank", 2002.
    """
    ways = sorted(walk)
    nodes = sorted({*seeds, *(node for way in ways for node in way)})
    if not nodes:
        return Centrality({}, {})
    number = {node: place for place, node in enumerate(nodes)}
    sources = np.array([number[source] for source, _ in ways], dtype=np.int64)
    targets = np.array([number[target] for _, target in ways], dtype=np.int64)
    weights = np.array([walk[way] for way in ways], dtype=np.float64)
    out = np.bincount(sources, weights, len(nodes))
    share = weights / out[sources]
    total = math.fsum(math.exp(strength) for strength in seeds.values())
    restart = np.array([math.exp(seeds[node]) / total if node in seeds else 0.0 for node in nodes])
    rank: NDArray[np.float64] = restart
    flow: NDArray[np.float64] = np.zeros(len(ways))
    arrived: NDArray[np.float64] = np.zeros(len(nodes))
    for _ in range(rounds):
        lost = float(rank[out == 0].sum())
        flow = damping * rank[sources] * share
        arrived = np.bincount(targets, flow, len(nodes)).astype(np.float64)
        rank = (1 - damping + damping * lost) * restart + arrived
    most = float(rank.max()) or 1.0
    return Centrality(
        {node: value / most for node, value in zip(nodes, arrived.tolist(), strict=True) if value},
        {way: value / most for way, value in zip(ways, flow.tolist(), strict=True)},
    )
