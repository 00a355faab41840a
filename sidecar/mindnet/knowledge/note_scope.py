"""Which notes speak of which, for analyses of the whole graph: the links of a note's passages, note by note."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mindnet.knowledge.edges import EXPLICIT, STRUCTURE, edge_id
from mindnet.knowledge.kinds import BACKLINK, REFERENCES
from mindnet.records import Edge, Evidence

REFERENCES_RULE = "structure:note_references"
BACKLINK_RULE = "structure:note_backlink"


def note_references(edges: Sequence[Edge], note_id: str) -> tuple[Edge, ...]:
    """Edges between whole notes, beside the ``edges`` that the note owns, which stay as they are.

    For each target and section that a passage links to, one ``references`` from the note, unless the
    note has it for itself already; for each other note that is linked to at all, one ``backlink``
    from there, which the linking note owns, so that it goes with the link. Only to notes that exist,
    never to the note itself. Nobody wrote these edges and no rule supposed them: they have the
    provenance of structure, and so no part in scores, mirrors and answers.
    """
    wide: dict[tuple[str, str], list[Evidence]] = {}
    back: dict[str, list[Evidence]] = {}
    for edge in edges:
        written = edge.kind == REFERENCES and edge.provenance == EXPLICIT
        if not written or not edge.resolved or edge.target_id == note_id:
            continue
        if edge.scope == "chunk":
            wide.setdefault((edge.target_id, edge.target_section), []).extend(edge.evidence)
        back.setdefault(edge.target_id, []).extend(edge.evidence)
    references = (
        _edge(note_id, target, section, note_id, REFERENCES, REFERENCES_RULE, evidence)
        for (target, section), evidence in wide.items()
    )
    backlinks = (
        _edge(target, note_id, "", note_id, BACKLINK, BACKLINK_RULE, evidence) for target, evidence in back.items()
    )
    return (*references, *backlinks)


def _edge(
    source: str, target: str, section: str, owner: str, kind: str, rule_id: str, evidence: Iterable[Evidence]
) -> Edge:
    return Edge(
        edge_id=edge_id(source, target, kind, section),
        source_id=source,
        target_id=target,
        target_section=section,
        note_id=owner,
        kind=kind,
        scope="note",
        rule_id=rule_id,
        provenance=STRUCTURE,
        confidence=1.0,
        evidence=tuple(Evidence(rule_id, line) for line in sorted({item.line for item in evidence})),
        resolved=True,
    )
