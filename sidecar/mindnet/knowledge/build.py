"""One note whole: its payload, its chunks with their ids, its edges."""

from __future__ import annotations

import hashlib
import json
import posixpath
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from mindnet.embedding.port import Tokenizer
from mindnet.knowledge.chunks import ChunkDraft, chunk_note
from mindnet.knowledge.edges import build_edges
from mindnet.knowledge.kinds import KindRegistry
from mindnet.knowledge.types import TypeRegistry
from mindnet.markdown.frontmatter import LINKS_KEY
from mindnet.markdown.lines import split_lines
from mindnet.records import Chunk, Note, NoteGraph, NoteText, ParsedNote
from mindnet.vault.resolve import Catalog, NoteName, strip_suffix

CREATED_KEYS = ("created", "date", "datum", "erstellt")
READ_KEYS = (
    "id", "title", "type", "status", "tags", "tag", "aliases", "alias", "private", "retriever_weight",
    "chunk_profile", "edge_defaults", LINKS_KEY, *CREATED_KEYS,
)  # fmt: skip
"""Frontmatter keys that change payloads, besides those that are kinds."""
_GERMAN_DATE = re.compile(r"(\d{1,2})\.(\d{1,2})\.(\d{4})$")


def title_of(parsed: ParsedNote) -> str:
    """Frontmatter's title, else the first heading of level 1, else the file's name."""
    written = parsed.frontmatter.get("title")
    if isinstance(written, str | int | float) and not isinstance(written, bool) and str(written).strip():
        return str(written).strip()
    heading = next((heading.text for heading in parsed.headings if heading.level == 1), "")
    return heading or posixpath.basename(strip_suffix(parsed.path))


def id_of(parsed: ParsedNote) -> str | None:
    written = parsed.frontmatter.get("id")
    if isinstance(written, bool) or not isinstance(written, str | int | float):
        return None
    return str(written).strip() or None


def name_of(parsed: ParsedNote, types: TypeRegistry) -> NoteName:
    return NoteName(parsed.path, id_of(parsed), title_of(parsed), parsed.aliases, types.type_of(parsed)[0])


def build_note(
    text: NoteText,
    parsed: ParsedNote,
    *,
    catalog: Catalog,
    types: TypeRegistry,
    kinds: KindRegistry,
    tokenizer: Tokenizer,
    max_tokens: int,
) -> NoteGraph | None:
    """All that a note becomes in the light of ``catalog``, which must hold it; None for one that is not indexed."""
    values = types.effective(parsed)
    if not values.indexed:
        return None
    title = title_of(parsed)
    updated = _time(text.mtime_ns)
    defaults = tuple(dict.fromkeys(kinds.normalise(kind).name for kind in values.edge_defaults))
    note = Note(
        note_id=catalog.note_id(parsed.path),
        title=title,
        path=parsed.path,
        type=values.type,
        status=values.status,
        tags=parsed.tags,
        aliases=parsed.aliases,
        created=_created(parsed.frontmatter) or _time(text.birth_ns),
        updated=updated,
        private=parsed.frontmatter.get("private") is True,
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
    drafts = chunk_note(
        parsed, title=title, profile=values.chunk_profile, tokenizer=tokenizer, max_tokens=max_tokens
    )
    chunks = _chunks(note, drafts)
    edges, faults = build_edges(parsed, note, chunks, catalog=catalog, kinds=kinds)
    return NoteGraph(note, chunks, edges, (*parsed.faults, *values.faults, *faults))


def _chunks(note: Note, drafts: list[ChunkDraft]) -> tuple[Chunk, ...]:
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
    body = "\n".join(split_lines(text.text)[parsed.body_line - 1 :])
    read = {key: value for key, value in parsed.frontmatter.items() if key in READ_KEYS or kinds.known(key)}
    canonical = json.dumps(read, sort_keys=True, ensure_ascii=False)
    return {"full": text.sha256, "body": _sha256(body), "frontmatter": _sha256(canonical)}


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


# ------------------------------------------------------------------ times
def _time(ns: int) -> int:
    return stamp(datetime.fromtimestamp(ns / 1e9, UTC))


def stamp(moment: datetime) -> int:
    """``YYYYMMDDhhmmss`` in UTC; a time without a zone is taken as UTC."""
    utc = moment.astimezone(UTC) if moment.tzinfo else moment
    return int(f"{utc.year:04d}{utc:%m%d%H%M%S}")


def _created(frontmatter: Mapping[str, Any]) -> int | None:
    for key in CREATED_KEYS:
        written = frontmatter.get(key)
        if not isinstance(written, str):
            continue
        text = written.strip()
        if (german := _GERMAN_DATE.match(text)) is not None:
            text = f"{german[3]}-{int(german[2]):02d}-{int(german[1]):02d}"
        try:
            return stamp(datetime.fromisoformat(text))
        except (ValueError, OverflowError):
            continue
    return None
