"""What the manifest remembers of a file that was built."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import replace

from mindnet.indexing.source import Loaded
from mindnet.knowledge.counts import count_edges
from mindnet.knowledge.edges import SMART
from mindnet.knowledge.mirrors import Stake
from mindnet.records import Mention, NoteGraph
from mindnet.store.manifest import ManifestEntry
from mindnet.vault.keys import NoteName, link_keys


def entry_of(loaded: Loaded, graph: NoteGraph | None, stake: Stake) -> ManifestEntry:
    """The entry of a file that became ``graph`` (None: it is known, but not indexed)."""
    name = loaded.name
    return ManifestEntry(
        path=loaded.file.path,
        note_id=graph.note.note_id if graph else "",
        size=loaded.text.size,
        mtime_ns=loaded.text.mtime_ns,
        file_hash=loaded.text.sha256,
        body_hash=graph.note.hashes["body"] if graph else "",
        front_hash=graph.note.hashes["frontmatter"] if graph else "",
        body_line=loaded.parsed.body_line,
        payload_hash=payload_hash(graph) if graph else "",
        chunks=len(graph.chunks) if graph else 0,
        edges=len(graph.edges) if graph else 0,
        fm_id=name.note_id_hint if name else None,
        title=name.title if name else "",
        aliases=name.aliases if name else (),
        type=name.type if name else "",
        faults=(*loaded.text.faults, *(graph.faults if graph else loaded.parsed.faults)),
        indexed=graph is not None,
        counts=count_edges(graph.edges) if graph else {},
        stake=stake.as_json(),
        link_keys=frozenset().union(*map(link_keys, names_of_notes(loaded.parsed.mentions))),
    )


def names_of_notes(mentions: Iterable[Mention]) -> set[str]:
    """Every text in the mentions that a note has to be found for, at either end."""
    return {text for mention in mentions for text in (mention.target, mention.from_note) if text}


def payload_hash(graph: NoteGraph) -> str:
    """SHA-256 over what of a note depends on other notes too: its id and its edges."""
    digest = hashlib.sha256(graph.note.note_id.encode())
    for edge in graph.edges:
        pending = "|pending" if edge.provenance == SMART and edge.pending else ""
        evidence = [(item.rule_id, item.line, item.label, item.original, item.pending) for item in edge.evidence]
        digest.update(
            f"{edge.edge_id}|{edge.rule_id}|{edge.provenance}|{edge.confidence}|{edge.resolved}"
            f"|{edge.mirror_of}|{evidence}{pending}\n".encode()
        )
    return digest.hexdigest()


def same_content(old: ManifestEntry, new: ManifestEntry) -> bool:
    """Whether nothing differs but frontmatter keys that are not read: chunks, edges and lines are the same."""
    return (old.body_hash, old.front_hash, old.body_line, old.payload_hash) == (
        new.body_hash,
        new.front_hash,
        new.body_line,
        new.payload_hash,
    )


def same_note(old: ManifestEntry, new: ManifestEntry) -> bool:
    """Whether nothing differs but what other notes decide: note and chunks are stored as they are."""
    due = replace(
        new,
        payload_hash=old.payload_hash,
        edges=old.edges,
        faults=old.faults,
        counts=old.counts,
        stake=old.stake,
        link_keys=old.link_keys,
    )
    return old.indexed and bool(old.payload_hash) and due == old


def known_name(entry: ManifestEntry) -> NoteName:
    """All that the note of an entry can be called, for the catalog."""
    return NoteName(entry.path, entry.fm_id, entry.title, entry.aliases, entry.type)
