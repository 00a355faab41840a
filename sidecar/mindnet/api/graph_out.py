"""Notes, their edges and what is related to them, in the shapes of the wire."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mindnet.api import convert
from mindnet.api import notes_wire as wire
from mindnet.api.wire import Language
from mindnet.feedback.decisions import Decision, Decisions
from mindnet.knowledge.edges import CANDIDATE, STRUCTURE
from mindnet.records import Edge, Evidence, Note, Relation, Verdicts
from mindnet.retrieval.related import RelatedNote
from mindnet.store.payload import note_payload
from mindnet.store.port import Store
from mindnet.workspace import Index


def note(index: Index, found: Note) -> wire.NoteOut:
    entry = index.pipeline.entries[found.path]
    return wire.NoteOut(note=note_payload(found), chunks=entry.chunks, edges=entry.edges)


def note_edges(store: Store, found: Note, decided: Decisions) -> wire.NoteEdges:
    """Every edge of the note in both directions, structure left out, in the order of their lines."""
    read = {edge.edge_id: edge for edge in (*store.edges_from([found.note_id]), *store.edges_to([found.note_id]))}
    related = [edge for edge in read.values() if edge.provenance != STRUCTURE]
    edges = edges_out(store, related, found.note_id, decided.verdicts)
    edges.sort(key=lambda e: (e.direction == "in", e.source.path, e.line, e.target.title, e.kind, e.edge_id))
    own = [one for one in decided.all() if one.verdict == "reject" and found.note_id in (one.source, one.target)]
    return wire.NoteEdges(
        note_id=found.note_id, path=found.path, title=found.title, edges=edges, rejected=decisions(store, own)
    )


def edges_of(store: Store, relation: Relation, decided: Decisions) -> list[wire.EdgeOut]:
    """Every edge that says this, as the note sees it that the relation starts in, in the order of their lines."""
    found = [edge for edge in store.edges_from([relation[0]]) if edge.relation == relation]
    edges = edges_out(store, found, relation[0], decided.verdicts)
    return sorted(edges, key=lambda e: (e.line, e.edge_id))


def edges_out(store: Store, edges: Sequence[Edge], note_id: str, verdicts: Verdicts) -> list[wire.EdgeOut]:
    """The edges as one note sees them, in their order."""
    ends = {edge.source_note for edge in edges} | {edge.target_id for edge in edges if edge.resolved}
    notes = store.notes(sorted(ends | {edge.note_id for edge in edges}))
    return [_edge(edge, note_id, notes, verdicts) for edge in edges]


def _edge(edge: Edge, note_id: str, notes: Mapping[str, Note], verdicts: Verdicts) -> wire.EdgeOut:
    """The edge as it is seen from one note: what leads there comes in, what the note has or says goes out."""
    source_id = edge.source_note
    target = notes.get(edge.target_id) if edge.resolved else None
    owner = notes.get(edge.note_id)
    return wire.EdgeOut(
        edge_id=edge.edge_id,
        direction="in" if edge.target_id == note_id != source_id else "out",
        kind=edge.kind,
        scope=edge.scope,
        rule_id=edge.rule_id,
        provenance=edge.provenance,
        confidence=edge.confidence,
        target_section=edge.target_section,
        resolved=edge.resolved,
        candidate=edge.provenance.startswith(CANDIDATE),
        pending=edge.pending,
        confirmed=verdicts.get(edge.relation) == "confirm",
        line=edge.line,
        label=_label(edge),
        evidence=[_evidence(item) for item in edge.evidence],
        source=_end(notes.get(source_id), source_id),
        target=_end(target, edge.target_id),
        written_in=owner.path if owner else "",
        mirror_of=edge.mirror_of,
    )


def _label(edge: Edge) -> str:
    """What the link that the edge's line is about shows."""
    places = ((item.rule_id != edge.rule_id, item.label) for item in edge.evidence if item.line == edge.line)
    return min(places, default=(False, ""))[1]


def _evidence(item: Evidence) -> wire.EvidenceOut:
    return wire.EvidenceOut(rule_id=item.rule_id, line=item.line, label=item.label)


def decisions(store: Store, found: Sequence[Decision]) -> list[wire.EdgeDecision]:
    notes = store.notes(sorted({end for one in found for end in (one.source, one.target)}))
    return [
        wire.EdgeDecision(
            edge_ids=list(one.edge_ids),
            decision=one.verdict,
            kind=one.kind,
            target_section=one.section,
            rule_id=one.rule_id,
            provenance=one.provenance,
            source=_end(notes.get(one.source), one.source),
            target=_end(notes.get(one.target), one.target),
            decided_at=one.decided_at,
        )
        for one in found
    ]


def _end(found: Note | None, written: str) -> wire.EdgeEnd:
    if found is None:
        return wire.EdgeEnd(note_id=written, title=written, path="")
    return wire.EdgeEnd(note_id=found.note_id, title=found.title, path=found.path)


def related(found: Note, notes: Sequence[RelatedNote], language: Language) -> wire.RelatedNotes:
    return wire.RelatedNotes(
        note_id=found.note_id,
        path=found.path,
        title=found.title,
        language=language,
        related=[_related(rank, one) for rank, one in enumerate(notes, 1)],
    )


def _related(rank: int, one: RelatedNote) -> wire.RelatedNoteOut:
    return wire.RelatedNoteOut(
        rank=rank,
        **convert.passage(one.chunk),
        total_score=one.total_score,
        linked=one.linked,
        edges=list(one.edge_ids),
        contributions=convert.contributions(one.contributions),
        reasons=convert.reasons(one.reasons),
    )
