"""From mentions to edges: one function a source, in a literal table; then the strongest of each identity.

An edge is known by ``source->target:kind@section``; what supports it is its evidence.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from mindnet.knowledge.asked import Blocks, Offer, offers
from mindnet.knowledge.decided import decided, explicit_links, to_ask
from mindnet.knowledge.kinds import REFERENCES, RELATED, KindRegistry
from mindnet.knowledge.targets import Targets
from mindnet.knowledge.zones import Zone, zone_at
from mindnet.name_uuid import name_uuid
from mindnet.records import (
    Answers,
    Asked,
    Chunk,
    Edge,
    Evidence,
    Fault,
    Mention,
    Note,
    ParsedNote,
    Scope,
    Verdicts,
)
from mindnet.vault.keys import strip_suffix

EXPLICIT, SMART, RULE, STRUCTURE = "explicit", "smart", "rule", "structure"
RANK = {EXPLICIT: 3, SMART: 2, RULE: 1, STRUCTURE: 0}
CANDIDATE = "candidate:"
"""Goes before the provenance that the edge will have once it is confirmed."""

# Source of a mention to its rule and confidence.
WRITTEN: Mapping[str, tuple[str, float]] = {
    "wikilink": ("explicit:wikilink", 1.0),
    "mdlink": ("explicit:mdlink", 1.0),
    "embed": ("explicit:embed", 1.0),
    "rel": ("inline:rel", 0.95),
    "field": ("inline:field", 0.95),
    "callout": ("callout:edge", 0.90),
    "frontmatter": ("explicit:frontmatter", 1.0),
    "canvas": ("explicit:canvas", 1.0),
}
WHOLE_NOTE = frozenset({"frontmatter", "canvas"})
"""Sources whose mentions stand in no chunk, and belong to the whole note."""
NO_VERDICTS: Verdicts = {}
NO_ANSWERS: Answers = {}
ALLOCATION = "smart:allocation"
DEFAULT_CONFIDENCE = 0.7
SMART_CONFIDENCE = 0.9


def edge_id(source: str, target: str, kind: str, section: str) -> str:
    """The point id of an edge, made of its identity."""
    return name_uuid(f"{source}->{target}:{kind}@{section}")


@dataclass(slots=True)
class Draft:
    """One piece of evidence for an edge. Never changed; not frozen, since a vault makes many and that costs.

    ``block`` is the hash of the text that a candidate stands in. A ``pending`` one counts until a model can be asked.
    """

    source_id: str
    target_id: str
    section: str
    kind: str
    scope: Scope
    rule_id: str
    provenance: str
    confidence: float
    line: int
    label: str
    resolved: bool
    block: str = ""
    pending: bool = False

    @property
    def candidate(self) -> bool:
        return self.provenance.startswith(CANDIDATE)

    @property
    def explicit(self) -> bool:
        return self.provenance == EXPLICIT

    def counting(self, *, pending: bool = False) -> Draft:
        """The same as an edge, where it is a candidate."""
        return replace(self, provenance=self.provenance.removeprefix(CANDIDATE), pending=pending)

    def asked(self, note_id: str) -> Asked:
        """What a model is asked about it, in the note of this id."""
        source = note_id if self.scope == "chunk" else self.source_id
        return source, self.target_id, self.kind, self.section, self.block

    @property
    def evidence(self) -> Evidence:
        return Evidence(self.rule_id, self.line, self.label, pending=self.pending)


@dataclass(slots=True)
class Context:
    """A note on its way to edges; what was written and the faults gather here."""

    parsed: ParsedNote
    note: Note
    chunks: Sequence[Chunk]
    targets: Targets
    kinds: KindRegistry
    zones: Sequence[Zone]
    starts: Sequence[tuple[int, int]]
    answers: Answers
    smart: bool
    blocks: Blocks
    written: list[Draft] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)

    def report(self, line: int, code: str, message: str) -> None:
        self.faults.append(Fault(self.note.path, line, code, message))

    def offers(self) -> Iterator[Offer[Draft]]:
        """The note's links for the passages that do not have them, if its type asks for that."""
        return offers(self.written, self.chunks, self.note.note_id) if self.smart else iter(())


@dataclass(frozen=True, slots=True)
class Edges:
    """The edges of a note, what was odd about its links, and what a model can be asked: candidates, and offers."""

    edges: tuple[Edge, ...]
    faults: tuple[Fault, ...]
    candidates: tuple[Draft, ...]
    offers: tuple[Offer[Draft], ...]


def build_edges(
    parsed: ParsedNote,
    note: Note,
    chunks: Sequence[Chunk],
    *,
    targets: Targets,
    kinds: KindRegistry,
    zones: Sequence[Zone],
    starts: Sequence[tuple[int, int]],
    verdicts: Verdicts = NO_VERDICTS,
    answers: Answers = NO_ANSWERS,
    smart: bool = False,
    questions: bool = False,
) -> Edges:
    """Every edge that the note owns, each identity once, and what was odd about its links.

    ``starts`` are the line and the column in which each chunk begins, ``verdicts`` what the user has decided,
    ``answers`` what a model has said. ``smart``: its links are offered to all of its passages. ``questions``: what a
    model can be asked is given too. The faults are information: ``unknown_kind``, ``protected_kind``,
    ``ambiguous_link``, ``candidate_refused``.
    """
    context = Context(parsed, note, chunks, targets, kinds, zones, starts, answers, smart, Blocks(parsed))
    drafts = [draft for source in SOURCES for draft in source(context)]
    open_ones = to_ask(context, drafts, verdicts) if questions else ((), ())
    if verdicts or answers:
        drafts = list(decided(context, drafts, verdicts))
    edges = (*_merge(drafts, note.note_id), *structure(chunks, note.note_id))
    return Edges(edges, tuple(dict.fromkeys(context.faults)), *open_ones)


# ------------------------------------------------------------------ sources
def written_links(context: Context) -> Iterator[Draft]:
    """What the author wrote: links, relations, fields, callouts, frontmatter."""
    # A link that only proposes a relation is no reference yet.
    proposed = set()
    for mention in context.parsed.mentions:
        if mention.kind is not None and (mention.candidate or context.zones):
            zone = zone_at(context.zones, mention.line)
            if mention.candidate or (zone is not None and zone.candidates and _counts(context, mention)):
                proposed.add((mention.line, mention.column))
    for mention in context.parsed.mentions:
        if mention.attachment and not context.targets.counts(mention):
            continue
        if mention.kind is None:
            if proposed and (mention.line, mention.column) in proposed:
                continue
        elif not _counts(context, mention):
            continue
        zone = None if mention.source in WHOLE_NOTE or not context.zones else zone_at(context.zones, mention.line)
        in_pool = zone is not None and zone.candidates
        rule, confidence = WRITTEN[mention.source]
        provenance = EXPLICIT
        if mention.candidate or in_pool:
            rule = "smart:candidate" if mention.candidate else "smart:global_pool"
            provenance, confidence = CANDIDATE + SMART, SMART_CONFIDENCE
        source = _source(context, mention, note_scope=zone is not None)
        if source is None:
            continue
        source_id, scope = source
        target_id, resolved = _target(context, mention)
        draft = Draft(
            source_id,
            target_id,
            mention.section,
            _kind(context, mention, RELATED if in_pool else REFERENCES),
            scope,
            rule,
            provenance,
            confidence,
            mention.line,
            mention.label,
            resolved,
            context.blocks.hash_of(mention.line) if provenance != EXPLICIT else "",
        )
        if not mention.from_note:
            context.written.append(draft)
        yield draft


def _counts(context: Context, mention: Mention) -> bool:
    """False for a field or a frontmatter key that is no kind: it is somebody else's, and no relation.

    What stands under ``links:`` or says ``rel:`` itself can only be meant for us.
    """
    if mention.kind is None or mention.source not in ("field", "frontmatter") or context.kinds.known(mention.kind):
        return True
    return mention.listed


def _kind(context: Context, mention: Mention, plain: str) -> str:
    """The canonical kind; ``plain`` for a link without one, and for an arrow whose label is no kind."""
    if mention.kind is None or (mention.source == "canvas" and not context.kinds.known(mention.kind)):
        return plain
    found = context.kinds.normalise(mention.kind)
    if not found.known:
        hint = f"; the nearest known kind is `{found.nearest}`" if found.nearest else ""
        message = f"`{mention.kind}` is not a known kind and is kept as `{found.name}`{hint}"
        context.report(mention.line, "unknown_kind", message)
    if found.refused:
        message = f"`{found.refused}` is made by mindnet alone; here it counts as `{found.name}`"
        context.report(mention.line, "protected_kind", message)
    return found.name


def _source(context: Context, mention: Mention, *, note_scope: bool) -> tuple[str, Scope] | None:
    """Where the link leaves: its chunk, else its note; None if that is another note, which does not exist."""
    if mention.from_note:
        path = context.targets.start_of(mention).path
        return None if path is None else (context.targets.catalog.note_id(path), "note")
    if not note_scope and (mention.source not in WHOLE_NOTE or mention.from_line):
        chunk = _chunk_at(context, mention)
        if chunk is not None:
            return chunk.chunk_id, "chunk"
    return context.note.note_id, "note"


def _chunk_at(context: Context, mention: Mention) -> Chunk | None:
    """The chunk that the mention stands in; a long line can be cut into several."""
    line, column = (mention.from_line, 0) if mention.from_line else (mention.line, mention.column)
    place = bisect_right(context.starts, (line, column)) - 1
    return context.chunks[place] if place >= 0 and context.chunks[place].end_line >= line else None


def _target(context: Context, mention: Mention) -> tuple[str, bool]:
    """The target's id, or the title as it was written where there is no such note."""
    found = context.targets.of(mention)
    if found.ambiguous:
        others = ", ".join(found.ambiguous[:3])
        message = f"`{mention.target}` could also mean {others}; {found.path} was taken"
        context.report(mention.line, "ambiguous_link", message)
    if found.path is None:
        return unicodedata.normalize("NFC", strip_suffix(mention.target.strip())), False
    return context.targets.catalog.note_id(found.path), True


def type_defaults(context: Context) -> Iterator[Draft]:
    """Once per source and target of an explicit link: the kinds that the note's type gives, or the matrix's one.

    Evidence is the first link to the target. Where the matrix has a kind for the two types, it
    takes the place of all defaults but ``references``.
    """
    note = context.note
    seen: set[tuple[str, str]] = set()
    for link in context.written:
        pair = (link.source_id, link.target_id)
        if link.candidate or pair in seen or link.target_id == note.note_id:
            continue
        seen.add(pair)
        path = context.targets.catalog.path_of(link.target_id) if link.resolved else None
        name = context.targets.catalog.name_of(path) if path is not None else None
        by_table = context.kinds.matrix.get((note.type, name.type)) if name is not None else None
        kinds = [kind for kind in note.edge_defaults if by_table is None or kind == REFERENCES]
        given = [(kind, f"edge_defaults:{note.type}:{kind}") for kind in kinds]
        if by_table is not None and name is not None:
            given.append((by_table, f"matrix:{note.type}:{name.type}"))
        for kind, rule in given:
            yield Draft(
                link.source_id,
                link.target_id,
                "",
                kind,
                link.scope,
                rule,
                RULE,
                DEFAULT_CONFIDENCE,
                link.line,
                link.label,
                link.resolved,
            )


def allotted(context: Context) -> Iterator[Draft]:
    """Links of a note that a model has found to fit passages in which they are not written."""
    for offer in context.offers() if context.answers else ():
        answer = context.answers.get(offer.asked)
        if answer is not None and answer.verdict == "yes":
            chunk = offer.chunk
            yield replace(
                offer.link,
                source_id=chunk.chunk_id,
                rule_id=ALLOCATION,
                provenance=SMART,
                confidence=SMART_CONFIDENCE,
                line=chunk.start_line,
                label="",
            )


def structure(chunks: Sequence[Chunk], note_id: str) -> Iterator[Edge]:
    """Each chunk belongs to its note and has its neighbours. Nothing else can have these identities."""
    for chunk in chunks:
        source, line = chunk.chunk_id, chunk.start_line
        ends = (
            ("belongs_to", "structure:belongs_to", note_id),
            ("next", "structure:next", chunk.neighbors_next),
            ("prev", "structure:prev", chunk.neighbors_prev),
        )
        for kind, rule, target in ends:
            if target is not None:
                identity, evidence = edge_id(source, target, kind, ""), (Evidence(rule, line),)
                yield Edge(
                    identity, source, target, "", note_id, kind, "chunk", rule, STRUCTURE, 1.0, evidence, resolved=True
                )


SOURCES: tuple[Callable[[Context], Iterator[Draft]], ...] = (written_links, type_defaults, allotted)
"""In this order: the others look at what was written."""


# ------------------------------------------------------------------ merging
def _merge(drafts: Sequence[Draft], note_id: str) -> tuple[Edge, ...]:
    """One edge an identity: the strongest gives its values, all give evidence.

    The same relation in note scope and in chunk scope is one in note scope. A candidate that the
    note has as an explicit edge anyway is not needed and goes.
    """
    proposed = any(draft.candidate for draft in drafts)
    explicit = explicit_links(drafts, note_id) if proposed else frozenset()
    groups: dict[tuple[str, str, str, str], list[Draft]] = {}
    for draft in drafts:
        if not proposed or not draft.candidate or (draft.target_id, draft.kind, draft.section) not in explicit:
            groups.setdefault((draft.source_id, draft.target_id, draft.kind, draft.section), []).append(draft)
    wide = {key[1:]: key for key, group in groups.items() if key[0] == note_id and not _only_candidates(group)}
    for key in list(groups) if wide else ():
        into = wide.get(key[1:])
        first = groups[key][0]
        if into is None or into == key or first.scope == "note" or _only_candidates(groups[key]):
            continue
        groups[into] += groups.pop(key)
    return tuple(_edge(key, group, note_id) for key, group in groups.items())


def _only_candidates(group: Sequence[Draft]) -> bool:
    return all(draft.candidate for draft in group)


def _edge(key: tuple[str, str, str, str], group: Sequence[Draft], note_id: str) -> Edge:
    source, target, kind, section = key
    # What a rule says already is an edge, whatever becomes of a candidate of the same identity.
    if len(group) == 1:
        best = group[0]
        evidence: tuple[Evidence, ...] = (best.evidence,)
    else:
        sure = [draft for draft in group if not draft.candidate] or group
        best = max(sure, key=lambda draft: (draft.confidence, RANK.get(draft.provenance, 0)))
        found = sorted(sure, key=lambda draft: draft.line)
        evidence = tuple(draft.evidence for draft in found)
    return Edge(
        edge_id(source, target, kind, section),
        source,
        target,
        section,
        note_id,
        kind,
        group[0].scope,
        best.rule_id,
        best.provenance,
        best.confidence,
        evidence,
        best.resolved,
    )
