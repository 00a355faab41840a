"""From mentions to edges: one function a source, in a literal table; then the strongest of each identity.

An edge is known by ``source->target:kind@section``; what supports it is its evidence.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from uuid import NAMESPACE_URL, uuid5

from mindnet.knowledge.kinds import REFERENCES, RELATED, KindRegistry, heading_key
from mindnet.markdown.frontmatter import LINKS_KEY
from mindnet.records import Chunk, Edge, Evidence, Fault, Mention, Note, ParsedNote, Scope
from mindnet.vault.resolve import Catalog

EXPLICIT, SMART, RULE, STRUCTURE = "explicit", "smart", "rule", "structure"
_RANK = {EXPLICIT: 3, SMART: 2, RULE: 1, STRUCTURE: 0}
CANDIDATE = "candidate:"

# Source of a mention to its rule and confidence.
WRITTEN: Mapping[str, tuple[str, float]] = {
    "wikilink": ("explicit:wikilink", 1.0),
    "mdlink": ("explicit:mdlink", 1.0),
    "embed": ("explicit:embed", 1.0),
    "rel": ("inline:rel", 0.95),
    "field": ("inline:field", 0.95),
    "callout": ("callout:edge", 0.90),
    "frontmatter": ("explicit:frontmatter", 1.0),
}
DEFAULT_CONFIDENCE = 0.7


def edge_id(source: str, target: str, kind: str, section: str) -> str:
    """The point id of an edge: a UUIDv5 of its identity."""
    return str(uuid5(NAMESPACE_URL, f"{source}->{target}:{kind}@{section}"))


@dataclass(frozen=True, slots=True)
class Draft:
    """One piece of evidence for an edge."""

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
    explicit_link: bool = False


@dataclass(slots=True)
class Context:
    """A note on its way to edges; faults gather here."""

    parsed: ParsedNote
    note: Note
    chunks: Sequence[Chunk]
    catalog: Catalog
    kinds: KindRegistry
    zones: Sequence[tuple[int, int, bool]]
    written: list[Draft] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)


def build_edges(
    parsed: ParsedNote, note: Note, chunks: Sequence[Chunk], *, catalog: Catalog, kinds: KindRegistry
) -> tuple[tuple[Edge, ...], tuple[Fault, ...]]:
    """Every edge that the note owns, and what was odd about its links."""
    context = Context(parsed, note, chunks, catalog, kinds, _zones(parsed, kinds))
    drafts = [draft for source in SOURCES for draft in source(context)]
    return _merge(drafts, note.note_id), tuple(dict.fromkeys(context.faults))


# ------------------------------------------------------------------ zones
def _zones(parsed: ParsedNote, kinds: KindRegistry) -> list[tuple[int, int, bool]]:
    """(first line, last line, candidates?) under the headings that change what links mean."""
    zones = []
    for index, heading in enumerate(parsed.headings):
        key = heading_key(heading.text)
        candidate = key in kinds.candidate_headings
        if not candidate and key not in kinds.note_scope_headings:
            continue
        ends = (later.line - 1 for later in parsed.headings[index + 1 :] if later.level <= heading.level)
        zones.append((heading.line, next(ends, 10**9), candidate))
    return zones


def _zone(context: Context, line: int) -> bool | None:
    """True in a zone of candidates, False in one of the whole note, None elsewhere; the inner one decides."""
    found = None
    for start, end, candidate in context.zones:
        if start <= line <= end:
            found = candidate
    return found


# ------------------------------------------------------------------ sources
def written_links(context: Context) -> Iterator[Draft]:
    """What the author wrote: links, relations, fields, callouts, frontmatter."""
    typed = {(m.line, m.column) for m in context.parsed.mentions if m.kind is not None}
    for mention in context.parsed.mentions:
        zone = _zone(context, mention.line)
        candidate = mention.candidate or zone is True
        plain = mention.kind is None
        if plain and zone is True and (mention.line, mention.column) in typed:
            continue
        kind = _kind(context, mention, zone)
        if kind is None:
            continue
        rule, confidence = WRITTEN[mention.source]
        provenance = EXPLICIT
        if candidate:
            rule = "smart:candidate" if mention.candidate else "smart:global_pool"
            provenance = f"{CANDIDATE}{rule}"
        source_id, scope = _source(context, mention, note_scope=zone is not None)
        target_id, resolved = _target(context, mention)
        draft = Draft(
            source_id,
            target_id,
            mention.section,
            kind,
            scope,
            rule,
            provenance,
            confidence,
            mention.line,
            mention.label,
            resolved,
            explicit_link=not candidate,
        )
        context.written.append(draft)
        yield draft


def _kind(context: Context, mention: Mention, zone: bool | None) -> str | None:
    """The canonical kind, None when the mention is no relation after all (a field with another key)."""
    kinds = context.kinds
    if mention.kind is None:
        return RELATED if zone is True else REFERENCES
    if mention.source == "frontmatter" and mention.kind == LINKS_KEY:
        return REFERENCES
    if not kinds.known(mention.kind):
        links = context.parsed.frontmatter.get(LINKS_KEY)
        under_links = isinstance(links, Mapping) and mention.kind in links
        if mention.source == "field" or (mention.source == "frontmatter" and not under_links):
            return None
    found = kinds.normalise(mention.kind)
    if not found.known:
        hint = f"; the nearest known kind is `{found.nearest}`" if found.nearest else ""
        message = f"`{mention.kind}` is not a known kind and is kept as `{found.name}`{hint}"
        context.faults.append(Fault(context.note.path, mention.line, "unknown_kind", message))
    if found.refused:
        message = f"`{found.refused}` is made by mindnet alone; here it counts as `{found.name}`"
        context.faults.append(Fault(context.note.path, mention.line, "protected_kind", message))
    return found.name


def _source(context: Context, mention: Mention, *, note_scope: bool) -> tuple[str, Scope]:
    if not note_scope and mention.source != "frontmatter":
        holding = [chunk for chunk in context.chunks if chunk.start_line <= mention.line <= chunk.end_line]
        if holding:
            # A long line may be cut into several chunks: the one that holds the link's text.
            text = mention.target or mention.section
            chunk = next((chunk for chunk in holding if text in chunk.text), holding[0])
            return chunk.chunk_id, "chunk"
    return context.note.note_id, "note"


def _target(context: Context, mention: Mention) -> tuple[str, bool]:
    found = context.catalog.resolve(context.note.path, mention.target)
    if found.ambiguous:
        others = ", ".join(found.ambiguous[:3])
        message = f"`{mention.target}` could also mean {others}; {found.path} was taken"
        context.faults.append(Fault(context.note.path, mention.line, "ambiguous_link", message))
    if found.path is None:
        return mention.target, False
    return context.catalog.note_id(found.path), True


def type_defaults(context: Context) -> Iterator[Draft]:
    """Once per source and target of an explicit link: the kinds that the note's type gives, or the matrix's one."""
    note = context.note
    seen: set[tuple[str, str]] = set()
    for link in context.written:
        pair = (link.source_id, link.target_id)
        if not link.explicit_link or pair in seen or link.target_id == note.note_id:
            continue
        seen.add(pair)
        path = context.catalog.path_of(link.target_id) if link.resolved else None
        name = context.catalog.name_of(path) if path is not None else None
        by_table = context.kinds.matrix.get((note.type, name.type)) if name is not None else None
        if by_table is not None and name is not None:
            given = [(by_table, f"matrix:{note.type}:{name.type}")]
        else:
            given = [(kind, f"edge_defaults:{note.type}:{kind}") for kind in note.edge_defaults]
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


def structure(context: Context) -> Iterator[Draft]:
    """Each chunk belongs to its note and has its neighbours."""
    for chunk in context.chunks:
        ends = (
            ("belongs_to", context.note.note_id),
            ("next", chunk.neighbors_next),
            ("prev", chunk.neighbors_prev),
        )
        for kind, target in ends:
            if target is not None:
                yield Draft(
                    chunk.chunk_id,
                    target,
                    "",
                    kind,
                    "chunk",
                    f"structure:{kind}",
                    STRUCTURE,
                    1.0,
                    chunk.start_line,
                    "",
                    resolved=True,
                )


SOURCES: tuple[Callable[[Context], Iterator[Draft]], ...] = (written_links, type_defaults, structure)


# ------------------------------------------------------------------ merging
def _merge(drafts: Sequence[Draft], note_id: str) -> tuple[Edge, ...]:
    """One edge an identity: the strongest gives its values, all give evidence.

    The same relation in note scope and in chunk scope is one in note scope. A candidate never
    merges into an edge: an edge of its identity makes it needless.
    """
    groups: dict[tuple[str, str, str, str], list[Draft]] = {}
    for draft in drafts:
        groups.setdefault((draft.source_id, draft.target_id, draft.kind, draft.section), []).append(draft)
    note_scope = {key[1:]: key for key in groups if key[0] == note_id}
    for key in list(groups):
        wide = note_scope.get(key[1:])
        if wide is not None and key != wide and groups[key][0].provenance != STRUCTURE:
            groups[wide] += groups.pop(key)
    return tuple(_edge(key, group, note_id) for key, group in groups.items())


def _edge(key: tuple[str, str, str, str], group: list[Draft], note_id: str) -> Edge:
    source, target, kind, section = key
    sure = [draft for draft in group if not draft.provenance.startswith(CANDIDATE)] or group
    best = max(sure, key=lambda draft: (draft.confidence, _RANK.get(draft.provenance, 0)))
    evidence = dict.fromkeys(Evidence(draft.rule_id, draft.line, draft.label) for draft in sure)
    return Edge(
        edge_id=edge_id(source, target, kind, section),
        source_id=source,
        target_id=target,
        target_section=section,
        note_id=note_id,
        kind=kind,
        scope="note" if source == note_id else "chunk",
        rule_id=best.rule_id,
        provenance=best.provenance,
        confidence=best.confidence,
        evidence=tuple(evidence),
        resolved=best.resolved,
    )
