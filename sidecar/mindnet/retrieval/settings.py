"""Weights and bounds of retrieval, as ``retriever.yaml`` gives them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Scoring:
    semantic_weight: float
    lexical_weight: float
    links_weight: float
    edge_weight: float
    centrality_weight: float
    recency_weight: float


@dataclass(frozen=True, slots=True)
class ProvenanceWeights:
    explicit: float
    smart: float
    rule: float
    default_resolved: float
    default_unresolved: float


@dataclass(frozen=True, slots=True)
class Expansion:
    depth: int
    seeds: int
    max_neighbours: int
    reverse_weight: float
    decay: float
    edge_scale: float
    series: float
    pool: int


@dataclass(frozen=True, slots=True)
class LinkContexts:
    notes: int
    name_share: float


@dataclass(frozen=True, slots=True)
class Bridges:
    piers: int
    chunks: int
    share: float


@dataclass(frozen=True, slots=True)
class Recency:
    half_life_days: float


@dataclass(frozen=True, slots=True)
class RetrieverSettings:
    scoring: Scoring
    provenance: ProvenanceWeights
    expand: Expansion
    link_context: LinkContexts
    bridges: Bridges
    recency: Recency

    @property
    def version(self) -> str:
        """12 hex digits that name these very weights and bounds."""
        return hashlib.sha256(json.dumps(asdict(self), sort_keys=True).encode()).hexdigest()[:12]

    @classmethod
    def from_mapping(cls, data: Mapping[str, Any]) -> RetrieverSettings:
        """From the validated content of ``retriever.yaml``."""
        return cls(
            Scoring(**data["scoring"]),
            ProvenanceWeights(**data["provenance"]),
            Expansion(**data["expand"]),
            LinkContexts(**data["link_context"]),
            Bridges(**data["bridges"]),
            Recency(**data["recency"]),
        )
