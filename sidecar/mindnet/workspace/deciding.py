"""Decisions on edges: what may be decided, which relation is meant, and which notes are to be built anew for it."""

from __future__ import annotations

import time
from contextlib import ExitStack
from dataclasses import dataclass
from typing import Literal

from mindnet.errors import ConflictError, NotFoundError
from mindnet.feedback.decisions import Decision
from mindnet.knowledge.edges import EXPLICIT, STRUCTURE
from mindnet.records import Edge, Relation
from mindnet.store.port import Store
from mindnet.workspace.workspace import Workspace

Wanted = Literal["confirm", "reject", "undo"]


@dataclass(frozen=True, slots=True)
class Decided:
    """``paths`` are to be brought up to date, then the index is as was decided; ``state`` are all decisions by then."""

    relation: Relation
    edge_ids: tuple[str, ...]
    paths: frozenset[str]
    state: tuple[Decision, ...]


def decide(workspace: Workspace, one: str, wanted: Wanted) -> Decided:
    """Writes down what is decided of the relation that the edge of id ``one`` belongs to.

    Raises ``NotFoundError`` for an edge that is not there and was never decided, ``ConflictError`` for one that is not
    for the user to decide, and what a full disk raises.
    """
    with workspace.serving() as index:
        edge = index.store.edges([one]).get(one)
        known = workspace.decisions.of_edge(one) if edge is None else workspace.decisions.get(edge.relation)
        decision = _undone(one, known) if wanted == "undo" else _decision(one, edge, known, wanted, index.store)
    with ExitStack() as steady:
        pipelines = [each.pipeline for each in workspace.open_indexes]
        for pipeline in pipelines:
            steady.enter_context(pipeline.steady())
        if wanted == "undo":
            workspace.decisions.remove(decision.relation)
        else:
            workspace.decisions.put(decision)
        relation = decision.relation
        paths = frozenset().union(*(pipeline.reconsider(decision.owners, [relation]) for pipeline in pipelines))
        state = tuple(workspace.decisions.all())
    return Decided(decision.relation, decision.edge_ids, paths, state)


def _undone(one: str, known: Decision | None) -> Decision:
    if known is None:
        raise NotFoundError(f"Nothing was decided of an edge {one}.", hint="Then there is nothing to take back.")
    return known


def _decision(
    one: str, edge: Edge | None, known: Decision | None, verdict: Literal["confirm", "reject"], store: Store
) -> Decision:
    now = time.time_ns() // 1_000_000
    if edge is None:
        if known is None:
            raise NotFoundError(
                f"There is no edge {one}.", hint="Its note may have changed since: ask for its edges again."
            )
        relation, rule_id, provenance = known.relation, known.rule_id, known.provenance
    else:
        _refuse(edge, verdict)
        relation = edge.relation
        # What is decided again is counted for the rule that it was first decided for: since then it may have another.
        rule_id, provenance = (known.rule_id, known.provenance) if known else (edge.rule_id, edge.provenance)
    same = edges_of(store, relation)
    edge_ids = {each.edge_id for each in same} | set(known.edge_ids if known else ())
    owners = {each.note_id for each in same} | set(known.owners if known else ())
    return Decision(
        *relation, verdict, tuple(sorted(edge_ids)), tuple(sorted(owners)), rule_id, provenance, decided_at=now
    )


def _refuse(edge: Edge, verdict: Literal["confirm", "reject"]) -> None:
    if edge.provenance == EXPLICIT:
        done = "rejected" if verdict == "reject" else "confirmed"
        raise ConflictError(
            f"The edge {edge.edge_id} is written in line {edge.line} of its note, and cannot be {done}.",
            hint="Change the note itself: the edge goes with the link or the relation that is written there.",
        )
    if edge.provenance == STRUCTURE:
        raise ConflictError(
            f"The edge {edge.edge_id} is part of how a note is built.", hint="There is nothing to decide about it."
        )


def edges_of(store: Store, relation: Relation) -> list[Edge]:
    """The edges that nobody wrote and that say this, by their ids."""
    found = store.edges_from([relation[0]])
    return [edge for edge in found if edge.relation == relation and edge.provenance not in (EXPLICIT, STRUCTURE)]
