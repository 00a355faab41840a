"""Numbers of edges for the reports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from mindnet.records import Edge

# Prefix of a rule to the total that counts its pieces of evidence.
TOTALS = {
    "explicit:": "explicit_total",
    "inline:": "inline_total",
    "callout:": "callout_total",
    "edge_defaults:": "defaults_total",
    "matrix:": "defaults_total",
    "smart:": "smart_total",
    "mirror:": "mirror_total",
}


def count_edges(edges: Sequence[Edge]) -> Mapping[str, Mapping[str, int]]:
    """Edges by ``kind``, ``provenance`` and ``rule``; ``totals`` count pieces of evidence, and unresolved edges."""
    totals: Counter[str] = Counter()
    for edge in edges:
        for item in edge.evidence:
            for prefix, name in TOTALS.items():
                if item.rule_id.startswith(prefix):
                    totals[name] += 1
    totals["unresolved"] = sum(not edge.resolved for edge in edges)
    groups = {
        "kind": Counter(edge.kind for edge in edges),
        "provenance": Counter(edge.provenance for edge in edges),
        "rule": Counter(edge.rule_id for edge in edges),
        "totals": totals,
    }
    return {group: dict(sorted(numbers.items())) for group, numbers in groups.items()}
