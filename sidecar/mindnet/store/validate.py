"""What a store refuses before it writes anything: an engine may apply a faulty batch in part."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import numpy as np

from mindnet.embedding.port import Vectors
from mindnet.errors import StoreError
from mindnet.store.port import All, AnyOf, Between, Collection, Condition, Not, Replacement, Some, StartsWith
from mindnet.store.schema import FILTERABLE

_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def check_replacements(replacements: Sequence[Replacement], dimension: int) -> list[Replacement]:
    """The replacements to write: of two for the same note, the later one, with the vectors that it needs.

    Raises ``StoreError`` for vectors of another shape or with numbers that are none, and for an
    edge whose id is not a UUID.
    """
    current: dict[str, Replacement] = {}
    for graph, vectors, previous in replacements:
        known = current.get(graph.note.note_id)
        if vectors is None:
            vectors, previous = known[1:] if known else (None, previous)
        elif vectors.shape != (len(graph.chunks), dimension):
            raise StoreError(
                f"{graph.note.path}: vectors of shape {vectors.shape}, "
                f"not ({len(graph.chunks)}, {dimension}); nothing was written."
            )
        elif not np.isfinite(vectors).all():
            raise StoreError(f"{graph.note.path}: a vector is not finite; nothing was written.")
        for edge in graph.edges:
            if not _is_uuid(edge.edge_id):
                raise StoreError(f"{graph.note.path}: the edge id {edge.edge_id!r} is not a UUID; nothing was written.")
        current[graph.note.note_id] = (graph, vectors, previous)
    return list(current.values())


def owners(replacements: Sequence[Replacement]) -> Mapping[Collection, set[str]]:
    """Whose points in a collection are to be none but the new ones."""
    whole, edges = set[str](), set[str]()
    for graph, vectors, previous in replacements:
        own = {graph.note.note_id, previous or graph.note.note_id}
        edges |= own
        whole |= own if vectors is not None else set()
    return {"notes": whole, "chunks": whole, "edges": edges}


def _is_uuid(text: str) -> bool:
    """In the one spelling that a store gives back: an edge's id is the id of its point."""
    return _UUID.fullmatch(text) is not None


def check_condition(collection: Collection, condition: Condition | None) -> Condition | None:
    """The condition as it is; raises ``StoreError`` where it names a field that nothing is filtered by."""
    match condition:
        case AnyOf(key) | Between(key) | StartsWith(key):
            if key not in FILTERABLE[collection]:
                raise StoreError(
                    f"{collection} are not filtered by {key!r}, only by {', '.join(FILTERABLE[collection])}."
                )
        case All(conditions) | Some(conditions):
            for one in conditions:
                check_condition(collection, one)
        case Not(inner):
            check_condition(collection, inner)
    return condition


def check_query(vector: Vectors, dimension: int) -> None:
    """Raises ``StoreError`` for a query vector that cannot be compared with the stored ones."""
    if vector.shape != (dimension,):
        raise StoreError(f"A query vector of shape {vector.shape}, not ({dimension},).")
