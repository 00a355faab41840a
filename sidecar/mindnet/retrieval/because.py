"""The graph's part of an explanation: which edge led here, where it is written, and whose relations a hit has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mindnet.records import Edge, Label, Language, LinkContext, Reason, RelatedEdge, WayStep
from mindnet.retrieval.expand import ADJACENT, CANDIDATE, DEFAULTS, STRUCTURE, Arrival, in_a_series, relations_of
from mindnet.retrieval.intents import Intent
from mindnet.retrieval.legs import LexicalLeg
from mindnet.retrieval.sentences import listed, sentence
from mindnet.retrieval.sentences import place as position
from mindnet.retrieval.walk import NO_CAUSES, Causes
from mindnet.store.port import Store

MAX_EDGE_REASONS = 3
MAX_RELATED = 30
MAX_NAMED = 3


def edge_reasons(
    arrivals: Sequence[Arrival], causes: Causes, *, language: Language, intent: Intent, notes: Mapping[str, Label]
) -> tuple[list[Reason], list[str]]:
    """The strongest edges, each once, as sentences; and the ids of the edges that they name."""
    reasons: list[Reason] = []
    named: list[str] = []
    shown: set[str] = set()
    for arrival in sorted(arrivals, key=lambda one: (-one.value, one.edge.edge_id, one.direction)):
        edge = arrival.edge
        owner = notes.get(edge.note_id)
        if owner is None or edge.edge_id in shown:
            continue
        shown.add(edge.edge_id)
        text = _edge_text(arrival, causes, language, notes)
        if edge.kind in intent.boosts:
            boost = sentence(language, "intent", intent=intent.name, kind=edge.kind, boost=intent.boosts[edge.kind])
            text = f"{text}; {boost}"
        way = () if edge.kind in ADJACENT or in_a_series(edge) else _way(causes.chain(arrival), notes)
        reasons.append(Reason("edge", text, edge.edge_id or None, owner.path, edge.line or None, way))
        named += [edge.edge_id] if edge.edge_id else []
        if len(reasons) >= MAX_EDGE_REASONS:
            break
    return reasons, named


def _edge_text(arrival: Arrival, causes: Causes, language: Language, notes: Mapping[str, Label]) -> str:
    edge = arrival.edge
    if edge.kind in ADJACENT:
        return sentence(language, "adjacent")
    if in_a_series(edge):
        return sentence(language, "series", title=_title(edge.source_id, notes))
    elsewhere = edge.note_id != edge.source_note
    where = position(language, edge.line, _title(edge.note_id, notes) if elsewhere else None)
    if arrival.step > 1:
        path = _path(causes.chain(arrival), notes)
        text = sentence(language, "path" if arrival.direction == "out" else "path_in", path=path, place=where)
    else:
        key = f"{'default' if edge.rule_id.startswith(DEFAULTS) else 'edge'}_{arrival.direction}"
        text = sentence(language, key, title=_title(arrival.source, notes), kind=edge.kind, place=where)
    if edge.provenance == "smart":
        return f"{text}; {sentence(language, 'smart')}"
    if edge.provenance == "rule" and not edge.rule_id.startswith(DEFAULTS):
        return f"{text}; {sentence(language, 'rule', rule=edge.rule_id)}"
    return text


def _path(chain: Sequence[Arrival], notes: Mapping[str, Label]) -> str:
    """``*A* → `depends_on` → *B* → `uses```, with an arrow to the left where an edge is followed backwards."""
    arrows = ["→" if arrival.direction == "out" else "←" for arrival in chain]
    steps = [
        f"*{_title(arrival.source, notes)}* {arrow} `{arrival.edge.kind}`"
        for arrival, arrow in zip(chain, arrows, strict=True)
    ]
    text = steps[0]
    for arrow, step in zip(arrows, steps[1:], strict=False):
        text = f"{text} {arrow} {step}"
    return text


def _way(chain: Sequence[Arrival], notes: Mapping[str, Label]) -> tuple[WayStep, ...]:
    return tuple(
        WayStep(
            note_id=arrival.source,
            title=_title(arrival.source, notes),
            path=notes[arrival.source].path if arrival.source in notes else "",
            edge_id=arrival.edge.edge_id,
            kind=arrival.edge.kind,
            provenance=arrival.edge.provenance,
            direction="out" if arrival.direction == "out" else "in",
        )
        for arrival in chain
    )


def _title(note_id: str, notes: Mapping[str, Label]) -> str:
    return notes[note_id].title if note_id in notes else note_id


def said_reasons(
    query: str,
    place: LinkContext,
    source: Label,
    related: Sequence[RelatedEdge],
    *,
    lexical: LexicalLeg,
    language: Language,
) -> tuple[list[Reason], list[str]]:
    """The note and line that say it, with the words of the question that stand there; and the id of the link's edge."""
    words = tuple(dict.fromkeys(lexical.matched_words(query, place.sentence or place.label)))
    key = "links_one" if len(words) == 1 else "links"
    text = sentence(
        language, key, title=source.title, words=listed(words), place=position(language, place.line), label=place.label
    )
    own = [one for one in related if one.direction == "in" and one.note_id == source.note_id]
    edges = sorted(own, key=lambda one: (one.line != place.line, one.provenance != "explicit", one.edge_id))
    edge_id = edges[0].edge_id if edges else None
    return [Reason("links", text, edge_id, source.path, place.line or None)], [edge_id] if edge_id else []


def centrality_reasons(
    note_id: str, causes: Causes, *, language: Language, notes: Mapping[str, Label]
) -> tuple[list[Reason], list[str]]:
    """The notes that most of the rank comes from, found ones before those between, as a sentence; and their ids."""
    ways = sorted(
        (source not in causes.seeds, -value, source)
        for (source, target), value in causes.flow.items()
        if target == note_id and value > 0 and source in notes
    )[:MAX_NAMED]
    if not ways:
        return [], []
    # Where a hit leads here itself, a note between says nothing more.
    named = [notes[source] for between, _, source in ways if between == ways[0][0]]
    key = "centrality_between" if ways[0][0] else "centrality"
    text = sentence(language, key, titles=listed(tuple(note.title for note in named)))
    return [Reason("centrality", text, path=named[0].path)], [note.note_id for note in named]


# ------------------------------------------------------------------ relations of a note
def relations(
    store: Store, note_ids: Sequence[str], *, include_private: bool, causes: Causes = NO_CAUSES
) -> dict[str, list[RelatedEdge]]:
    """Both directions of each note's relations, the surest first; structure and private ends left out.

    What the walk has read already is taken from ``causes``.
    """
    wanted = set(note_ids)
    rest = [note_id for note_id in note_ids if note_id not in causes.read]
    read = {
        edge_id: edge
        for edge_id, edge in causes.edges.items()
        if not wanted.isdisjoint((edge.note_id, edge.source_id, edge.target_id))
    }
    read |= relations_of(store, rest)
    # A mirror says what its original says already.
    edges = [edge for _, edge in sorted(read.items()) if edge.provenance != STRUCTURE and edge.mirror_of not in read]
    named = {edge.source_note for edge in edges} | {edge.target_id for edge in edges if edge.resolved}
    notes = store.labels(sorted(named | {edge.note_id for edge in edges}))
    hidden = {note_id for note_id, note in notes.items() if note.private} if not include_private else set()
    found: dict[str, list[RelatedEdge]] = {note_id: [] for note_id in note_ids}
    for edge in edges:
        start, end = edge.source_note, edge.target_id
        if edge.note_id in hidden and edge.note_id not in (start, end):
            continue
        if start in wanted:
            found[start].append(_related(edge, "out", end, notes))
        if edge.resolved and end in wanted and start != end:
            found[end].append(_related(edge, "in", start, notes))
    return {
        note_id: sorted(
            (one for one in shown if one.note_id not in hidden),
            key=lambda one: (
                one.provenance.startswith(CANDIDATE),
                -one.confidence,
                one.direction == "in",
                one.line,
                one.title,
                one.edge_id,
            ),
        )
        for note_id, shown in found.items()
    }


def _related(edge: Edge, direction: str, other_id: str, notes: Mapping[str, Label]) -> RelatedEdge:
    other = notes.get(other_id) if edge.resolved else None
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
        written_in=notes[edge.note_id].path if edge.note_id in notes else "",
    )
