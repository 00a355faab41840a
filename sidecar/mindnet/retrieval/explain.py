"""Why a hit is there: reasons that name the true cause of each part and the line it stands in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from mindnet.markdown.lines import split_lines
from mindnet.records import Chunk, Contribution, Edge, Explanation, Language, Note, Reason, RelatedEdge
from mindnet.retrieval.candidates import LexicalLeg
from mindnet.retrieval.expand import DEFAULTS, STRUCTURE, Arrival
from mindnet.retrieval.intents import Intent
from mindnet.retrieval.score import Scored
from mindnet.retrieval.sentences import sentence
from mindnet.store.port import Store

MAX_EDGE_REASONS = 3
MAX_RELATED = 30
MAX_NAMED = 3
WORTH_A_REASON = 0.0005
"""Points below this would show as 0.000."""


@dataclass(frozen=True, slots=True)
class Causes:
    """What the graph knows of one search: arrivals by chunk, and each note's ways in."""

    arrivals: Mapping[str, Sequence[Arrival]]
    walk: Mapping[tuple[str, str], float]


def explain(
    hits: Sequence[Scored],
    *,
    query: str,
    language: Language,
    intent: Intent,
    store: Store,
    lexical: LexicalLeg,
    causes: Causes,
) -> list[Explanation]:
    """One explanation a hit, in their order."""
    note_ids = sorted({hit.candidate.chunk.note_id for hit in hits})
    outgoing = store.edges_from(note_ids)
    incoming = store.edges_to(note_ids)
    others = {edge.target_id for edge in outgoing if edge.resolved} | {edge.note_id for edge in incoming}
    others |= {arrival.source for hit in hits for arrival in causes.arrivals.get(hit.candidate.chunk.chunk_id, ())}
    others |= {source for source, target in causes.walk if target in note_ids}
    notes = store.notes(sorted(others | set(note_ids)))
    return [
        _explanation(hit, query, language, intent, lexical, causes, notes, outgoing, incoming) for hit in hits
    ]


def _explanation(
    hit: Scored,
    query: str,
    language: Language,
    intent: Intent,
    lexical: LexicalLeg,
    causes: Causes,
    notes: Mapping[str, Note],
    outgoing: Sequence[Edge],
    incoming: Sequence[Edge],
) -> Explanation:
    chunk = hit.candidate.chunk
    contributions: list[Contribution] = []
    reasons: list[Reason] = []
    for part in hit.contributions:
        found: list[Reason] = []
        evidence: list[str] = []
        if part.points >= WORTH_A_REASON:
            match part.part:
                case "semantic":
                    text = sentence(language, "semantic", raw=part.raw)
                    found = [Reason("semantic", text, path=chunk.path, line=chunk.start_line)]
                case "lexical":
                    found, evidence = _words(chunk, query, language, lexical)
                case "edge":
                    arrivals = causes.arrivals.get(chunk.chunk_id, ())
                    found, evidence = _edges(arrivals, language, intent, notes)
                case "centrality":
                    found, evidence = _centrality(chunk, language, causes, notes)
                case _:
                    found = []
        reasons += found
        contributions.append(replace(part, evidence=tuple(evidence)))
    related = _related(chunk.note_id, notes, outgoing, incoming)
    return Explanation(tuple(contributions), tuple(reasons), tuple(related))


# ------------------------------------------------------------------ words
def _words(
    chunk: Chunk, query: str, language: Language, lexical: LexicalLeg
) -> tuple[list[Reason], list[str]]:
    """The words that the passage has, and those that only its names have."""
    in_text = lexical.matched_words(query, chunk.text)
    names = "\n".join([chunk.title, *chunk.aliases, *chunk.heading_path, *chunk.tags])
    in_names = tuple(word for word in lexical.matched_words(query, names) if word not in in_text)
    reasons: list[Reason] = []
    if in_text:
        line = _line_of(chunk, query, lexical)
        key = "lexical_one" if len(in_text) == 1 else "lexical"
        reasons.append(
            Reason("lexical", sentence(language, key, words=_listed(in_text)), path=chunk.path, line=line)
        )
    if in_names:
        text = sentence(language, "lexical_title", words=_listed(in_names))
        reasons.append(Reason("lexical", text, path=chunk.path, line=chunk.start_line))
    return reasons, [*in_text, *in_names]


def _line_of(chunk: Chunk, query: str, lexical: LexicalLeg) -> int:
    """The first line of the passage with the most matched words."""
    best, most = chunk.start_line, 0
    for number, line in enumerate(split_lines(chunk.text)):
        matched = len(lexical.matched_words(query, line))
        if matched > most:
            best, most = min(chunk.start_line + number, chunk.end_line), matched
    return best


def _listed(words: Sequence[str]) -> str:
    return ", ".join(f"*{word}*" for word in words)


# ------------------------------------------------------------------ edges
def _edges(
    arrivals: Sequence[Arrival], language: Language, intent: Intent, notes: Mapping[str, Note]
) -> tuple[list[Reason], list[str]]:
    reasons: list[Reason] = []
    evidence: list[str] = []
    for arrival in sorted(arrivals, key=lambda one: (-one.value, one.edge.edge_id)):
        edge = arrival.edge
        if len(reasons) >= MAX_EDGE_REASONS or edge.edge_id in evidence:
            continue
        other, owner = notes.get(arrival.source), notes.get(edge.note_id)
        if other is None or owner is None:
            continue
        default = "_default" if edge.rule_id.startswith(DEFAULTS) else ""
        key = f"edge{default}_{arrival.direction}"
        if arrival.step > 1:
            key = "edge_path" if arrival.direction == "out" else "edge_path_in"
        text = sentence(language, key, title=other.title, kind=edge.kind, line=edge.line)
        if edge.kind in intent.boosts:
            boost = sentence(language, "intent", intent=intent.name, kind=edge.kind, boost=intent.boosts[edge.kind])
            text = f"{text}; {boost}"
        reasons.append(Reason("edge", text, edge.edge_id, owner.path, edge.line or None))
        evidence.append(edge.edge_id)
    return reasons, evidence


def _centrality(
    chunk: Chunk, language: Language, causes: Causes, notes: Mapping[str, Note]
) -> tuple[list[Reason], list[str]]:
    ways = sorted(
        ((weight, source) for (source, target), weight in causes.walk.items() if target == chunk.note_id),
        key=lambda way: (-way[0], way[1]),
    )
    named = [notes[source] for _, source in ways[:MAX_NAMED] if source in notes]
    if named:
        titles = ", ".join(f"*{note.title}*" for note in named)
        text = sentence(language, "centrality", titles=titles)
        return [Reason("centrality", text)], [note.note_id for note in named]
    return [], []


# ------------------------------------------------------------------ related edges
def _related(
    note_id: str, notes: Mapping[str, Note], outgoing: Sequence[Edge], incoming: Sequence[Edge]
) -> Iterator[RelatedEdge]:
    """The note's own relations, the surest first."""
    shown: list[RelatedEdge] = []
    for edge in outgoing:
        if edge.note_id != note_id or edge.provenance == STRUCTURE:
            continue
        target = notes.get(edge.target_id) if edge.resolved else None
        shown.append(_related_edge(edge, "out", edge.target_id, target))
    for edge in incoming:
        if edge.target_id != note_id or edge.note_id == note_id or edge.provenance == STRUCTURE:
            continue
        shown.append(_related_edge(edge, "in", edge.note_id, notes.get(edge.note_id)))
    shown.sort(key=lambda e: (-e.confidence, e.direction == "in", e.line, e.title, e.edge_id))
    yield from shown[:MAX_RELATED]


def _related_edge(edge: Edge, direction: str, other_id: str, other: Note | None) -> RelatedEdge:
    return RelatedEdge(
        direction="out" if direction == "out" else "in",
        edge_id=edge.edge_id,
        kind=edge.kind,
        provenance=edge.provenance,
        rule_id=edge.rule_id,
        confidence=edge.confidence,
        line=edge.line,
        note_id=other_id,
        title=other.title if other else other_id,
        path=other.path if other else "",
        resolved=edge.resolved,
    )
