"""Numbers of edges for the reports."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache

from mindnet.knowledge.edges import CANDIDATE
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


@lru_cache(10_000)
def _total(rule_id: str) -> str | None:
    return next((name for prefix, name in TOTALS.items() if rule_id.startswith(prefix)), None)


def count_edges(edges: Sequence[Edge]) -> Mapping[str, Mapping[str, int]]:
    """Edges by ``kind``, ``provenance`` and ``rule`` (of the strongest evidence), and ``totals``.

    Totals count pieces of evidence, except ``unresolved``, which counts edges, and
    ``candidates``, links that wait for a decision and appear in no other total.
    """
    totals: Counter[str] = Counter(dict.fromkeys([*TOTALS.values(), "unresolved", "candidates"], 0))
    for edge in edges:
        if edge.provenance.startswith(CANDIDATE):
            totals["candidates"] += 1
            continue
        totals["unresolved"] += not edge.resolved
        for item in edge.evidence:
            total = _total(item.rule_id)
            if total is not None:
                totals[total] += 1
    groups = {
        "kind": Counter(edge.kind for edge in edges),
        "provenance": Counter(edge.provenance for edge in edges),
        "rule": Counter(edge.rule_id for edge in edges),
        "totals": totals,
    }
    return {group: dict(sorted(numbers.items())) for group, numbers in groups.items()}
