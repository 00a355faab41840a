"""One note whole: its payload, its chunks with their ids, its edges."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from mindnet.embedding.port import Tokenizer
from mindnet.knowledge.chunks import ChunkDraft, chunk_note
from mindnet.knowledge.contexts import link_contexts
from mindnet.knowledge.edges import ALLOCATION, NO_ANSWERS, NO_VERDICTS, SMART, Edges, build_edges
from mindnet.knowledge.kinds import KindRegistry
from mindnet.knowledge.note_scope import note_references
from mindnet.knowledge.places import in_file
from mindnet.knowledge.targets import Targets
from mindnet.knowledge.times import CREATED_KEYS, created, file_time
from mindnet.knowledge.types import TypeRegistry, text_value
from mindnet.knowledge.zones import zones_of
from mindnet.markdown.lines import text_from
from mindnet.markdown.links import LINKS_KEY
from mindnet.records import Answers, Asked, Chunk, Fault, Note, NoteGraph, NoteText, ParsedNote, Question, Verdicts
from mindnet.vault.keys import NoteName
from mindnet.vault.names import file_title
from mindnet.vault.resolve import Catalog

READ_KEYS = frozenset(
    {
        "id", "title", "type", "status", "tags", "tag", "aliases", "alias", "private", "retriever_weight",
        "chunk_profile", "edge_defaults", LINKS_KEY, *CREATED_KEYS,
    }
)  # fmt: skip
"""Frontmatter keys, in lower case, that change payloads, besides those that are kinds."""
PUBLIC = frozenset({"", "false", "no", "nein", "off", "0", "none", "null"})
"""What ``private`` may say, in lower case, without making a note private."""
_CANONICAL = json.JSONEncoder(sort_keys=True, ensure_ascii=False)


# ------------------------------------------------------------------ names
def title_of(parsed: ParsedNote) -> str:
    """Frontmatter's title, else the first heading of level 1, else the file's name.

    A heading inside a card is that of the card alone.
    """
    written = " ".join((text_value(parsed, "title")[0] or "").split())
    stretches = () if parsed.reading is None else parsed.reading.stretches
    own = (heading for heading in parsed.headings if not stretches or heading.line < stretches[0].start_line)
    heading = next((heading.text for heading in own if heading.level == 1 and heading.text.strip()), "")
    return written or heading or file_title(parsed.path)


def id_of(parsed: ParsedNote) -> str | None:
    """The ``id`` of the frontmatter, None without one."""
    return text_value(parsed, "id")[0]


def name_of(parsed: ParsedNote, types: TypeRegistry) -> NoteName:
    """All that the note can be called, for the catalog."""
    return NoteName(parsed.path, id_of(parsed), title_of(parsed), parsed.aliases, types.type_of(parsed)[0])


# ------------------------------------------------------------------ the whole note
def build_note(
    text: NoteText,
    parsed: ParsedNote,
    *,
    catalog: Catalog,
    types: TypeRegistry,
    kinds: KindRegistry,
    tokenizer: Tokenizer,
    max_tokens: int,
    contexts: bool = True,
    verdicts: Verdicts = NO_VERDICTS,
    answers: Answers = NO_ANSWERS,
    questions: bool = False,
) -> NoteGraph | None:
    """All that a note becomes in the light of ``catalog``, which must hold it; None for one that is not indexed.

    The same text, names, settings, verdicts and answers give the same graph. ``max_tokens`` is the embedding model's
    limit. ``contexts``: whether what its links say of other notes is gathered too, which only the search needs;
    ``questions``: whether what a model can be asked is.
    """
    values = types.effective(parsed)
    if not values.indexed:
        return None
    title = title_of(parsed)
    defaults, default_faults = _edge_defaults(parsed, values.edge_defaults, kinds)
    written, odd_date = created(parsed.frontmatter)
    note = Note(
        note_id=catalog.note_id(parsed.path),
        title=title,
        path=parsed.path,
        type=values.type,
        status=values.status,
        tags=parsed.tags,
        aliases=parsed.aliases,
        created=file_time(text.birth_ns) if written is None else written,
        updated=file_time(text.mtime_ns),
        private=is_private(parsed.frontmatter),
        retriever_weight=values.retriever_weight,
        chunk_profile=values.chunk_profile.name,
        edge_defaults=defaults,
        hashes=_hashes(text, parsed, kinds),
        fulltext=text.text,
        encoding=text.encoding,
        bom=text.bom,
        frontmatter=parsed.frontmatter,
        headings=tuple(heading.text for heading in parsed.headings),
    )
    drafts = chunk_note(parsed, title=title, profile=values.chunk_profile, tokenizer=tokenizer, max_tokens=max_tokens)
    chunks = _chunks(note, drafts)
    targets, zones = Targets(catalog, parsed.path), zones_of(parsed, kinds)
    starts = [(draft.start_line, draft.column) for draft in drafts]
    found = build_edges(
        parsed,
        note,
        chunks,
        targets=targets,
        kinds=kinds,
        zones=zones,
        starts=starts,
        verdicts=verdicts,
        answers=answers,
        smart=types.types[values.type].smart_edges,
        questions=questions,
    )
    edges, edge_faults = found.edges, found.faults
    to_ask = tuple(_questions(found, note, chunks, catalog)) if questions else ()
    confirmed = {
        (one.target_id, item.line)
        for one in edges
        if one.provenance == SMART
        for item in one.evidence
        if item.rule_id != ALLOCATION
    }
    if kinds.note_scope_references:
        edges += note_references(edges, note.note_id)
    if parsed.reading is not None:
        chunks, edges, edge_faults = in_file(parsed.reading, chunks, edges, edge_faults)
    own = [fault for key in ("id", "title") if (fault := text_value(parsed, key)[1]) is not None]
    if odd_date is not None:
        message = f"{odd_date} is {parsed.frontmatter[odd_date]!r}, which is no date that can be read"
        own.append(Fault(parsed.path, parsed.frontmatter_lines.get(odd_date, 0), "frontmatter_value", message))
    faults = (*parsed.faults, *own, *values.faults, *default_faults, *edge_faults)
    said = link_contexts(parsed, targets=targets, zones=zones, confirmed=confirmed) if contexts else ()
    return NoteGraph(note, chunks, edges, faults, said, to_ask)


def _questions(found: Edges, note: Note, chunks: Sequence[Chunk], catalog: Catalog) -> Iterator[Question]:
    """Candidates first, each with the passage it stands in, or with all when it is the whole note's."""
    by_id = {chunk.chunk_id: chunk for chunk in chunks}

    def question(asked: Asked, line: int, rule_id: str, resolved: bool, about: tuple[Chunk, ...]) -> Question:
        path = catalog.path_of(asked[1]) if resolved else None
        name = catalog.name_of(path) if path is not None else None
        target = name.title if name is not None else asked[1]
        return Question(asked, note.path, line, rule_id, note.title, target, about, note.fulltext, note.private)

    for one in found.candidates:
        own = by_id.get(one.source_id)
        about = tuple(chunks) if own is None else (own,)
        yield question(one.asked(note.note_id), one.line, one.rule_id, one.resolved, about)
    for offer in found.offers:
        yield question(offer.asked, offer.chunk.start_line, ALLOCATION, offer.link.resolved, (offer.chunk,))


def is_private(frontmatter: Mapping[str, Any]) -> bool:
    """Whether ``private`` says so, in any spelling; what is not clearly a no keeps the note private."""
    return any(
        str(value).strip().lower() not in PUBLIC for key, value in frontmatter.items() if key.lower() == "private"
    )


def _edge_defaults(
    parsed: ParsedNote, written: Sequence[str], kinds: KindRegistry
) -> tuple[tuple[str, ...], list[Fault]]:
    """Canonical kinds, each once; those that are unknown or protected are reported where the note names them."""
    line = parsed.frontmatter_lines.get("edge_defaults", 0)
    names: dict[str, None] = {}
    faults = []
    for kind in written:
        found = kinds.normalise(kind)
        names[found.name] = None
        if not found.known:
            hint = f"; the nearest known kind is `{found.nearest}`" if found.nearest else ""
            message = f"`{kind}` in edge_defaults is not a known kind{hint}"
            faults.append(Fault(parsed.path, line, "unknown_kind", message))
        if found.refused:
            message = f"`{found.refused}` in edge_defaults is made by mindnet alone; it counts as `{found.name}`"
            faults.append(Fault(parsed.path, line, "protected_kind", message))
    return tuple(names), faults


def _chunks(note: Note, drafts: Sequence[ChunkDraft]) -> tuple[Chunk, ...]:
    ids = [f"{note.note_id}#c{number:02d}" for number in range(1, len(drafts) + 1)]
    return tuple(
        Chunk(
            chunk_id=ids[index],
            note_id=note.note_id,
            ord=index + 1,
            title=note.title,
            text=draft.text,
            window=draft.window,
            heading_path=draft.heading_path,
            start_line=draft.start_line,
            end_line=draft.end_line,
            neighbors_prev=ids[index - 1] if index else None,
            neighbors_next=ids[index + 1] if index + 1 < len(ids) else None,
            retriever_weight=note.retriever_weight,
            chunk_profile=note.chunk_profile,
            edge_defaults=note.edge_defaults,
            type=note.type,
            status=note.status,
            tags=note.tags,
            aliases=note.aliases,
            path=note.path,
            private=note.private,
            created=note.created,
            updated=note.updated,
        )
        for index, draft in enumerate(drafts)
    )


def _hashes(text: NoteText, parsed: ParsedNote, kinds: KindRegistry) -> Mapping[str, str]:
    """``full`` of the file's bytes, ``body`` of its text below the frontmatter, ``frontmatter`` of the keys read."""
    body = text_from(text.text, parsed.body_line)
    read = {key: value for key, value in parsed.frontmatter.items() if key.lower() in READ_KEYS or kinds.known(key)}
    # A relation may stand below any key, in a map or written in the link itself.
    links = [
        (mention.kind, mention.target, mention.section, mention.label)
        for mention in parsed.mentions
        if mention.source == "frontmatter" and (mention.listed or kinds.known(mention.kind or ""))
    ]
    canonical = _CANONICAL.encode([read, links])
    return {"full": text.sha256, "body": _sha256(body), "frontmatter": _sha256(canonical)}


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
