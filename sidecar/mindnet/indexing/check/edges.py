"""Rules on edges: where they lead, which there may be, and what is said of their other end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from mindnet.indexing.check.problem import Problem, end_name, place
from mindnet.indexing.check.state import EdgeRow, State
from mindnet.knowledge.edges import CANDIDATE, EXPLICIT, STRUCTURE, edge_id

Found = tuple[EdgeRow, Problem]


def edge_ends(state: State) -> Iterator[Problem]:
    """No orphan edges: the source, the owner and a target that was found exist."""
    return _of_settled(state, _edge_ends(state))


def _edge_ends(state: State) -> Iterator[Found]:
    for edge in state.edges:
        # What an update has not written yet is on its way, whatever leads there.
        there = edge.source_id in (state.chunks if edge.scope == "chunk" else state.notes)
        if not there and edge.source_id not in state.coming:
            yield edge, _problem(state, "orphan_edge", edge, f"its source {edge.source_id} does not exist")
        elif edge.scope == "chunk" and there and state.chunks[edge.source_id].note_id != edge.note_id:
            yield edge, _problem(state, "wrong_owner", edge, f"its source is no chunk of {state.path(edge.note_id)}")
        if edge.note_id not in state.notes:
            yield edge, _problem(state, "orphan_edge", edge, f"its note {edge.note_id} does not exist")
        targets = state.chunks if edge.kind in ("next", "prev") else state.notes
        if edge.resolved and edge.target_id not in targets and edge.target_id not in state.coming:
            yield edge, _problem(state, "orphan_edge", edge, f"its target {edge.target_id} does not exist")


def edge_identity(state: State) -> Iterator[Problem]:
    """No doubles: source, target, kind and section occur once, and the id is made of them."""
    seen = Counter((e.source_id, e.target_id, e.kind, e.target_section) for e in state.edges)
    for edge in state.edges:
        key = edge.source_id, edge.target_id, edge.kind, edge.target_section
        if seen[key] > 1:
            yield _problem(state, "double_edge", edge, f"it is stored {seen.pop(key)} times")
        if edge.edge_id != edge_id(*key):
            message = f"its id {edge.edge_id} is not that of its source, target, kind and section"
            yield _problem(state, "wrong_id", edge, message)


def protected_kinds(state: State) -> Iterator[Problem]:
    protected = state.pipeline.source.kinds.protected
    for edge in state.edges:
        if edge.kind in protected and edge.provenance != STRUCTURE:
            yield _problem(state, "protected_kind", edge, f"its provenance is {edge.provenance}")


def mirrors_complete(state: State) -> Iterator[Problem]:
    """Each explicit relation has its inverse from the other end, once, and no mirror is left without an original."""
    return _of_settled(state, _mirrors(state))


def _mirrors(state: State) -> Iterator[Found]:
    kinds, verdicts = state.pipeline.source.kinds, state.pipeline.source.verdicts
    said: dict[tuple[str, str, str], EdgeRow] = {}
    stored: set[tuple[str, str, str]] = set()
    for edge in state.edges:
        ends = edge.source_note, edge.target_id, edge.kind
        if edge.scope == "note" and not edge.target_section and not edge.provenance.startswith(CANDIDATE):
            stored.add(ends)
        if edge.provenance == EXPLICIT and edge.resolved and edge.source_note != edge.target_id:
            said[ends] = edge
    by_id = {edge.edge_id: edge for edge in state.edges}
    for (source, target, kind), edge in said.items():
        inverse = kinds.inverse(kind)
        if inverse is not None and verdicts.get((target, source, inverse, "")) == "reject":
            continue
        mirrored = (target, source, inverse) in said or (target, source, inverse) in stored
        if inverse is not None and not mirrored:
            yield edge, _problem(state, "mirror_missing", edge, f"there is no `{inverse}` from its other end")
    for edge in state.edges:
        if edge.mirror_of is None:
            continue
        original = by_id.get(edge.mirror_of)
        if original is None or kinds.inverse(original.kind) != edge.kind:
            yield edge, _problem(state, "mirror_stale", edge, "the edge that it mirrors is not there")
        elif (edge.source_id, edge.target_id, edge.kind) in said:
            yield edge, _problem(state, "mirror_stale", edge, f"the note says `{edge.kind}` itself")


def _of_settled(state: State, found: Iterator[Found]) -> Iterator[Problem]:
    """Without those of notes that are to be written anew anyway; each note is asked for once."""
    settled: dict[str, bool] = {}
    for edge, problem in found:
        if edge.note_id not in settled:
            settled[edge.note_id] = state.settled(edge.note_id)
        if settled[edge.note_id]:
            yield problem


def _problem(state: State, code: str, edge: EdgeRow, message: str) -> Problem:
    catalog = state.pipeline.catalog
    source, target = end_name(edge.source_id, catalog), end_name(edge.target_id, catalog)
    return Problem(
        code, place(state.path(edge.note_id), edge.line), f"the edge {source} `{edge.kind}` → {target}: {message}"
    )
