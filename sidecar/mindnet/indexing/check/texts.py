"""Rules on one file: what is stored of it against what its own text says."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence

from mindnet.indexing.check.problem import Payload, Problem, differs, edge_text, first_line, place, shown
from mindnet.indexing.check.rebuilt import Rebuilt
from mindnet.indexing.pipeline import Pipeline
from mindnet.knowledge.times import created
from mindnet.store.kept_words import words_of
from mindnet.store.manifest import link_number
from mindnet.store.payload import chunk_payload, edge_payload, note_payload
from mindnet.store.payload_schema import payload_fault
from mindnet.vault.read import encode_note

ROUND_TRIP = frozenset({"fulltext", "encoding", "bom"})
"""The fields that give the file back: they are held against its bytes."""
OF_TIMES = frozenset({"mtime_ns"})
"""What an entry has from the file's times."""


def round_trip(one: Rebuilt, _: Pipeline) -> Iterator[Problem]:
    """What is stored gives the file back byte for byte."""
    for note in one.stored.get("notes", ()):
        if payload_fault("notes", note) is None and _stored_hash(note) != one.loaded.text.sha256:
            yield Problem("round_trip", one.path, "the stored text does not give the file back")


def _stored_hash(note: Payload) -> str:
    try:
        return hashlib.sha256(encode_note(note["fulltext"], note["encoding"], note["bom"])).hexdigest()
    except (LookupError, UnicodeError):
        return ""


def note_says(one: Rebuilt, _: Pipeline) -> Iterator[Problem]:
    """Title, type, headings and all other values of a note are those of its text."""
    stored = one.stored.get("notes", ())
    if one.graph is None:
        if any(one.stored.values()):
            yield Problem("note_stray", one.path, "it is stored, though its status says that it is not indexed")
        return
    if not stored:
        yield Problem("note_missing", one.path, "the note is not stored")
    due = note_payload(one.graph.note)
    for note in stored:
        for message in _differing(note, due, ROUND_TRIP | _times(one)):
            yield Problem("note_differs", one.path, message)


def chunks_say(one: Rebuilt, _: Pipeline) -> Iterator[Problem]:
    """Each chunk has the text, window, lines, headings and neighbours that the file gives it."""
    due = {chunk.chunk_id: chunk_payload(chunk) for chunk in one.graph.chunks} if one.graph else {}
    stored = {chunk["chunk_id"]: chunk for chunk in one.stored.get("chunks", ()) if "chunk_id" in chunk}
    for chunk_id, chunk in due.items():
        at = place(one.path, chunk["start_line"])
        if chunk_id not in stored:
            yield Problem("chunk_missing", at, f"chunk {chunk['ord']} is not stored")
            continue
        for message in _differing(stored[chunk_id], chunk, _times(one)):
            yield Problem("chunk_differs", at, f"chunk {chunk['ord']}: {message}")
    for chunk_id in sorted(stored.keys() - due.keys()):
        yield Problem("chunk_stray", one.path, f"{chunk_id} is stored, and the file has no such chunk")


def edges_say(one: Rebuilt, pipeline: Pipeline) -> Iterator[Problem]:
    """Each edge is stored as it is written: kind, ends, section, evidence with its lines, provenance, confidence."""
    own = one.due.note_id
    due = {edge.edge_id: edge_payload(edge) for edge in one.graph.edges} if one.graph else {}
    stored = {edge["edge_id"]: edge for edge in one.stored.get("edges", ()) if payload_fault("edges", edge) is None}
    missing = {edge_id: edge for edge_id, edge in due.items() if edge_id not in stored}
    for edge_id, edge in due.items():
        if edge_id in missing:
            continue
        messages = list(_differing(stored[edge_id], edge))
        code = "not_healed" if edge["resolved"] and not stored[edge_id]["resolved"] else "edge_differs"
        for message in messages:
            yield Problem(code, _edge_place(one, edge), f"{edge_text(edge, pipeline.catalog, own)}: {message}")
    for edge_id in sorted(stored.keys() - due.keys()):
        stray = stored[edge_id]
        said = f"{edge_text(stray, pipeline.catalog, own)} is stored"
        found = _instead(stray, missing.values())
        if found is None:
            yield Problem("edge_stray", _edge_place(one, stray), f"{said}, and the file does not give it")
            continue
        del missing[found["edge_id"]]
        code = "not_healed" if found["resolved"] and not stray["resolved"] else "edge_differs"
        message = f"{said} where {edge_text(found, pipeline.catalog, own)} is due"
        yield Problem(code, _edge_place(one, found), message)
    for edge in missing.values():
        yield Problem("edge_missing", _edge_place(one, edge), f"{edge_text(edge, pipeline.catalog, own)} is not stored")


def _instead(stored: Payload, missing: Iterable[Payload]) -> Payload | None:
    """The edge from the same end and line that a stored one has the place of."""
    lines = {item["line"] for item in stored["evidence"]}
    same = (edge for edge in missing if edge["source_id"] == stored["source_id"])
    return next((edge for edge in same if lines & {item["line"] for item in edge["evidence"]}), None)


def _edge_place(one: Rebuilt, edge: Payload) -> str:
    """The file and the line of the edge's evidence, else that of the chunk that it starts in."""
    line = first_line(edge["evidence"])
    if not line and one.graph is not None:
        line = next((chunk.start_line for chunk in one.graph.chunks if chunk.chunk_id == edge["source_id"]), 0)
    return place(one.path, line)


def entry_says(one: Rebuilt, _: Pipeline) -> Iterator[Problem]:
    """The manifest's entry, from which names, stakes and reports come, is that of the file."""
    for name in (field for field in one.due.__slots__ if field not in OF_TIMES | {"link_keys"}):
        stored, due = getattr(one.kept.entry, name), getattr(one.due, name)
        if stored != due:
            yield Problem("entry_differs", one.path, f"in the manifest {differs(name, stored, due)}")
    due_keys = {link_number(key): key for key in one.due.link_keys or ()}
    if due_keys.keys() != one.kept.link_numbers:
        lost = sorted(key for number, key in due_keys.items() if number not in one.kept.link_numbers)
        more = len(one.kept.link_numbers - due_keys.keys())
        message = f"in the manifest the keys of its links lack {shown(lost)} and have {more} that are not due"
        yield Problem("entry_differs", one.path, message)


WORDS_OF: Mapping[str, tuple[str, str]] = {
    "chunks": ("words_differ", "the words of its chunks"),
    "contexts": ("contexts_differ", "what its links say of other notes"),
    "names": ("names_differ", "the words of its names"),
}


def words_say(one: Rebuilt, _: Pipeline) -> Iterator[Problem]:
    """The words that are searched are those of the chunks, the links and the names."""
    due = words_of(one.graph) if one.graph else {}
    for table, (code, what) in WORDS_OF.items():
        stored, rows = sorted(one.kept.words[table], key=repr), sorted(due.get(table, ()), key=repr)
        if stored == rows:
            continue
        if len(stored) != len(rows):
            yield Problem(code, one.path, f"{what}: {len(stored)} are kept where {len(rows)} are due")
            continue
        odd = [row for row in rows if row not in stored]
        yield Problem(code, one.path, f"{what}: {len(odd)} of {len(rows)} are others than are due")


def _times(one: Rebuilt) -> frozenset[str]:
    """Fields that come from the file's times, which a file may change without its content."""
    written, _ = created(one.loaded.parsed.frontmatter)
    return frozenset({"updated"}) if written is not None else frozenset({"updated", "created"})


def _differing(stored: Payload, due: Payload, but: frozenset[str] = frozenset()) -> Iterator[str]:
    names: Sequence[str] = [*due, *(name for name in stored if name not in due)]
    for name in names:
        if name not in but and (name not in stored or stored[name] != due.get(name)):
            yield differs(name, stored.get(name), due.get(name))
