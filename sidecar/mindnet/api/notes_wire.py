"""The shapes of notes and edges over HTTP."""

from __future__ import annotations

from typing import Any, Literal

from mindnet.api.wire import ContributionOut, Language, ReasonOut, Wire


class EdgeEnd(Wire):
    """``path`` is empty for a target that does not exist."""

    note_id: str
    title: str
    path: str


class EvidenceOut(Wire):
    """A place that supports an edge; ``label`` is the text that its link shows there, empty where it has none."""

    rule_id: str
    line: int
    label: str


class EdgeOut(Wire):
    """``line`` is one of the file at ``written_in``, which for an arrow of a canvas is neither end.

    ``label`` is the text that the link in that line shows, empty where it shows its target. A ``candidate`` is no edge
    yet, a ``pending`` one counts until a language model can be asked about it; ``confirmed`` ones have been found right
    by the user.
    """

    edge_id: str
    direction: Literal["out", "in"]
    kind: str
    scope: Literal["chunk", "note"]
    rule_id: str
    provenance: str
    confidence: float
    target_section: str
    resolved: bool
    candidate: bool
    pending: bool
    confirmed: bool
    line: int
    label: str
    evidence: list[EvidenceOut]
    source: EdgeEnd
    target: EdgeEnd
    written_in: str
    mirror_of: str | None


class EdgeDecision(Wire):
    """What the user has decided of a relation; ``edge_ids`` are all edges that it is about, ``note`` has them.

    A relation is known by the note it starts in, its target, kind and section: a passage that moves takes none of it
    away. ``rule_id`` and ``provenance`` are those that the edge had when it was decided; ``decided_at`` is in
    milliseconds since 1970.
    """

    edge_ids: list[str]
    decision: Literal["confirm", "reject"]
    kind: str
    target_section: str
    rule_id: str
    provenance: str
    source: EdgeEnd
    target: EdgeEnd
    decided_at: int


class NoteEdges(Wire):
    """``rejected`` relations have no edge any more; any of their ``edge_ids`` serves to take that back."""

    note_id: str
    path: str
    title: str
    edges: list[EdgeOut]
    rejected: list[EdgeDecision]


class DecisionRequest(Wire):
    """``undo`` takes the decision back."""

    decision: Literal["confirm", "reject", "undo"]


class DecisionOut(Wire):
    """What holds now. ``edges`` are the edges of the relation as they are after it: none of a rejected one."""

    decision: Literal["confirm", "reject", "undo"]
    edge_ids: list[str]
    edges: list[EdgeOut]


class DecisionList(Wire):
    decisions: list[EdgeDecision]


class RelatedNoteOut(Wire):
    """A note that is near in meaning or by the graph, with the passage of it that is nearest.

    ``linked``: an edge between the two is there already; ``edges`` are the ids of those that lead from one to the
    other. The points of the contributions add up to ``total_score``.
    """

    rank: int
    note_id: str
    chunk_id: str
    title: str
    path: str
    heading_path: list[str]
    start_line: int
    end_line: int
    text: str
    type: str
    status: str | None
    tags: list[str]
    total_score: float
    linked: bool
    edges: list[str]
    contributions: list[ContributionOut]
    reasons: list[ReasonOut]


class RelatedNotes(Wire):
    note_id: str
    path: str
    title: str
    language: Language
    related: list[RelatedNoteOut]


class NoteOut(Wire):
    """``note`` is the stored payload of the note."""

    note: dict[str, Any]
    chunks: int
    edges: int
