"""Notes as points of the engine."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, islice
from operator import itemgetter

import qdrant_edge as engine

from mindnet.store.packed import pack
from mindnet.store.payload import chunk_payload, chunk_point, edge_payload, note_payload, note_point
from mindnet.store.port import Collection, Replacement
from mindnet.store.shards import VECTOR

PART = 5_000
"""So many points are given to the engine at once."""
Part = tuple[Collection, list[engine.Point]]


def parts_of(replacements: Sequence[Replacement]) -> Iterator[Part]:
    """Every point of these notes, of one without vectors its edges alone, some at a time and made when asked for.

    Only chunks have a vector.
    """
    for collection, points in groupby(_points(replacements), key=itemgetter(0)):
        made = (point for _, point in points)
        while part := list(islice(made, PART)):
            yield collection, part


def _points(replacements: Sequence[Replacement]) -> Iterator[tuple[Collection, engine.Point]]:
    for graph, vectors, _ in replacements:
        if vectors is not None:
            note = pack("notes", note_payload(graph.note))
            yield "notes", engine.Point(note_point(graph.note.note_id), {}, note)
    for graph, vectors, _ in replacements:
        if vectors is not None:
            for chunk, row in zip(graph.chunks, vectors, strict=True):
                payload = pack("chunks", chunk_payload(chunk))
                yield "chunks", engine.Point(chunk_point(chunk.chunk_id), {VECTOR: row.tolist()}, payload)
    for graph, _, _ in replacements:
        for edge in graph.edges:
            yield "edges", engine.Point(edge.edge_id, {}, pack("edges", edge_payload(edge)))


def ids_of(replacements: Iterable[Replacement]) -> Mapping[Collection, set[str]]:
    """The ids of the points that ``parts_of`` makes."""
    ids: dict[Collection, set[str]] = {"notes": set(), "chunks": set(), "edges": set()}
    for graph, vectors, _ in replacements:
        if vectors is not None:
            ids["notes"].add(note_point(graph.note.note_id))
            ids["chunks"].update(chunk_point(chunk.chunk_id) for chunk in graph.chunks)
        ids["edges"].update(edge.edge_id for edge in graph.edges)
    return ids
