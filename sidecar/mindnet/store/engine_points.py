"""Notes as points of the engine."""

from __future__ import annotations

from collections.abc import Iterable

import qdrant_edge as engine

from mindnet.store.packed import pack
from mindnet.store.payload import chunk_payload, chunk_point, edge_payload, note_payload, note_point
from mindnet.store.port import Collection, Replacement
from mindnet.store.shards import VECTOR


def points_of(replacements: Iterable[Replacement]) -> dict[Collection, list[engine.Point]]:
    """Every point of these notes, of one without vectors its edges alone; only chunks have a vector."""
    points: dict[Collection, list[engine.Point]] = {"notes": [], "chunks": [], "edges": []}
    for graph, vectors, _ in replacements:
        if vectors is not None:
            note = pack("notes", note_payload(graph.note))
            points["notes"].append(engine.Point(note_point(graph.note.note_id), {}, note))
            points["chunks"] += [
                engine.Point(chunk_point(chunk.chunk_id), {VECTOR: row.tolist()}, pack("chunks", chunk_payload(chunk)))
                for chunk, row in zip(graph.chunks, vectors, strict=True)
            ]
        points["edges"] += [engine.Point(edge.edge_id, {}, pack("edges", edge_payload(edge))) for edge in graph.edges]
    return points
