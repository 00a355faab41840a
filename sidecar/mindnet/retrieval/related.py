"""What belongs to a note: its relations, and the notes that are near it in meaning or by the graph.

Each related note is explained as a hit of a search is: its total is the sum of its contributions,
and every reason names its place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from mindnet.embedding.port import Vectors
from mindnet.errors import NotFoundError
from mindnet.records import Chunk, Contribution, Edge, Label, Language, Note, Reason, RelatedEdge
from mindnet.retrieval.because import edge_reasons, relations
from mindnet.retrieval.expand import Arrival, Kinds, Seed, expand, relates, saturate
from mindnet.retrieval.filters import PRIVATE
from mindnet.retrieval.intents import NEUTRAL, Intent
from mindnet.retrieval.legs import nearness
from mindnet.retrieval.sentences import sentence
from mindnet.retrieval.settings import RetrieverSettings
from mindnet.retrieval.walk import Causes
from mindnet.store.port import All, AnyOf, Condition, Not, Store

MAX_PASSAGES = 16
"""So many passages of a long note, evenly spread, are compared with those of the others."""


@dataclass(frozen=True, slots=True)
class RelatedNote:
    """``chunk`` is the passage that is nearest; ``linked`` whether a link between the two is written already.

    ``edge_ids`` are the edges between the two, whatever they come from.
    """

    chunk: Chunk
    total_score: float
    linked: bool
    edge_ids: tuple[str, ...]
    contributions: tuple[Contribution, ...]
    reasons: tuple[Reason, ...]


def neighbours(store: Store, note_id: str, *, include_private: bool = False) -> tuple[RelatedEdge, ...]:
    """Outgoing edges and backlinks of a note, the surest first, structure left out."""
    with store.exclusive():
        return tuple(relations(store, [_existing(store, note_id).note_id], include_private=include_private)[note_id])


def related_notes(
    store: Store,
    note_id: str,
    *,
    settings: RetrieverSettings,
    kinds: Kinds,
    floor: float,
    language: Language,
    top_k: int = 10,
    depth: int = 2,
    include_private: bool = False,
) -> tuple[RelatedNote, ...]:
    """The nearest notes, best first, ties by path; raises ``NotFoundError`` for a note that is not there."""
    with store.exclusive():
        _existing(store, note_id)
        parts: list[Condition] = [Not(AnyOf("note_id", (note_id,)))]
        hidden: frozenset[str] = frozenset()
        if not include_private:
            parts.append(Not(PRIVATE))
            hidden = frozenset(store.note_ids(PRIVATE))
        near = _nearest(store, _passages(store, note_id), All(tuple(parts)), settings.expand.pool, floor)
        found = expand(
            store,
            {note_id: Seed(1.0, "")},
            depth=depth,
            settings=settings,
            kinds=kinds,
            boosts={},
            allowed=_Visible(hidden),
        )
        arrivals = {other: steps for other, steps in found.arrivals.items() if other != note_id}
        near |= _opening(store, sorted(arrivals.keys() - near.keys()))
        between = _between(store, note_id)
        causes = Causes(frozenset({note_id}), {}, found.arrivals, {})
        owners = {one.edge.note_id for steps in arrivals.values() for one in steps}
        passed = {one.source for steps in arrivals.values() for one in steps}
        notes = store.labels(sorted({note_id, *owners, *passed}))
    made = [
        _related(
            near[other],
            arrivals.get(other, ()),
            causes,
            settings=settings,
            language=language,
            notes=notes,
            between=between.get(other, ()),
        )
        for other in sorted(near)
    ]
    made.sort(key=lambda one: (-one.total_score, one.chunk.path))
    return tuple(one for one in made if one.total_score > 0)[:top_k]


@dataclass(frozen=True, slots=True)
class _Visible:
    """A container of all notes but those that are hidden."""

    hidden: frozenset[str]

    def __contains__(self, item: object) -> bool:
        return item not in self.hidden


@dataclass(frozen=True, slots=True)
class _Near:
    """A passage of another note, how near it is (0..1), and the line of the note's passage it is near to."""

    chunk: Chunk
    similarity: float
    line: int


def _existing(store: Store, note_id: str) -> Note:
    note = store.note(note_id)
    if note is None:
        raise NotFoundError(f"There is no note {note_id}.", hint="It may have been removed or not indexed yet.")
    return note


def _passages(store: Store, note_id: str) -> list[tuple[Chunk, Vectors]]:
    chunks = sorted(store.chunks_of([note_id]), key=lambda chunk: chunk.ord)
    if len(chunks) > MAX_PASSAGES:
        chunks = [chunks[place] for place in np.linspace(0, len(chunks) - 1, MAX_PASSAGES).round().astype(int)]
    vectors = store.chunk_vectors([chunk.chunk_id for chunk in chunks])
    return [(chunk, vectors[chunk.chunk_id]) for chunk in chunks if chunk.chunk_id in vectors]


def _nearest(
    store: Store, passages: Sequence[tuple[Chunk, Vectors]], condition: Condition, limit: int, floor: float
) -> dict[str, _Near]:
    """The nearest pair of passages for each other note."""
    best: dict[str, _Near] = {}
    for own, vector in passages:
        for one in store.search_chunks(vector, limit, condition):
            held = best.get(one.chunk.note_id)
            score = nearness(one.score, floor)
            if held is None or (-score, one.chunk.ord, own.ord) < (-held.similarity, held.chunk.ord, own.ord):
                best[one.chunk.note_id] = _Near(one.chunk, score, own.start_line)
    return best


def _opening(store: Store, note_ids: Sequence[str]) -> dict[str, _Near]:
    """For notes that only the graph leads to: their first passage."""
    chunks = sorted(store.chunks_of(note_ids), key=lambda chunk: -chunk.ord) if note_ids else []
    return {chunk.note_id: _Near(chunk, 0.0, 0) for chunk in chunks}


def _between(store: Store, note_id: str) -> Mapping[str, Sequence[Edge]]:
    """By the note at their other end, all edges of a note: more than the graph is walked along, where it has many."""
    found: dict[str, dict[str, Edge]] = {}
    for edge in (*store.edges_from([note_id]), *store.edges_to([note_id])):
        ends = edge.source_note, edge.target_id
        if relates(edge) and note_id in ends and ends[0] != ends[1]:
            found.setdefault(ends[ends[0] == note_id], {})[edge.edge_id] = edge
    return {other: [edge for _, edge in sorted(edges.items())] for other, edges in found.items()}


def _related(
    near: _Near,
    arrivals: Sequence[Arrival],
    causes: Causes,
    *,
    settings: RetrieverSettings,
    language: Language,
    notes: Mapping[str, Label],
    between: Sequence[Edge],
) -> RelatedNote:
    weights = settings.scoring
    reasons: list[Reason] = []
    if near.similarity > 0:
        text = sentence(language, "semantic_note", line=near.line, raw=near.similarity)
        reasons.append(Reason("semantic", text, path=near.chunk.path, line=near.chunk.start_line))
    edge = saturate([one.value for one in arrivals])
    found, named = edge_reasons(arrivals, causes, language=language, intent=Intent(NEUTRAL, {}), notes=notes)
    parts = (
        Contribution("semantic", weights.semantic_weight, near.similarity, weights.semantic_weight * near.similarity),
        Contribution("edge", weights.edge_weight, edge, weights.edge_weight * edge, evidence=tuple(named)),
    )
    # Nobody has written what a model found; what a rule adds stands beside a written link.
    linked = any(one.provenance != "smart" for one in between)
    edge_ids = tuple(one.edge_id for one in between)
    return RelatedNote(near.chunk, sum(part.points for part in parts), linked, edge_ids, parts, (*reasons, *found))
