"""What an import would do, without a store: reads, parses and builds everything, writes nothing."""

from __future__ import annotations

import time
from typing import Protocol

from mindnet.indexing.report import Counts, Report, add_counts, distinct_faults
from mindnet.indexing.source import VaultSource
from mindnet.knowledge.counts import count_edges
from mindnet.records import Fault


class Steps(Protocol):
    def total(self, count: int) -> None: ...

    def step(self, path: str) -> None: ...


def dry_run(source: VaultSource, steps: Steps) -> Report:
    """The report of a full import into an empty index; ``embedded`` counts distinct windows."""
    started = time.monotonic()
    notes = chunks = edges = 0
    faults: list[Fault] = []
    counts: list[Counts] = []
    windows: set[int] = set()
    steps.total(len(source.discover()[0]))
    for graph in source.graphs():
        if isinstance(graph, Fault):
            faults.append(graph)
            continue
        notes, chunks, edges = notes + 1, chunks + len(graph.chunks), edges + len(graph.edges)
        faults.extend(graph.faults)
        counts.append(count_edges(graph.edges))
        windows.update(hash(chunk.window) for chunk in graph.chunks)
        steps.step(graph.note.path)
    sums = add_counts(counts)
    return Report(
        notes=notes,
        chunks=chunks,
        edges=edges,
        by_kind=sums.get("kind", {}),
        by_provenance=sums.get("provenance", {}),
        by_rule=sums.get("rule", {}),
        totals=sums.get("totals", {}),
        faults=distinct_faults(faults),
        written=0,
        embedded=len(windows),
        reused=chunks - len(windows),
        removed=0,
        seconds=time.monotonic() - started,
        dry_run=True,
    )
