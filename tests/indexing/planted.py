"""Faults that can be planted in an index, and what the check has to say of each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from indexing.changeable import FILES, Index, Plant, in_manifest
from mindnet.store.manifest import _put
from mindnet.store.payload import chunk_point, note_point
from mindnet.store.port import Collection


def long(number: int) -> Callable[[Index], str]:
    return lambda index: index.chunk_id("Long.md", number)


def chunk(number: int, /, **values: object) -> Plant:
    """Changes a chunk of the long note."""
    return lambda index: index.change("chunks", chunk_point(index.chunk_id("Long.md", number)), **values)


def note(path: str, /, **values: object) -> Plant:
    return lambda index: index.change("notes", note_point(index.note_id(path)), **values)


def edge(wanted: Mapping[str, object], /, **values: object) -> Plant:
    return lambda index: index.change_edge(wanted, **values)


def lost_edge(**wanted: object) -> Plant:
    return lambda index: index.drop("edges", index.edge(**wanted)["edge_id"])


def ghost_edge(index: Index) -> None:
    index.add_edge(index.edge(kind="uses") | {"note_id": "ghost", "source_id": "ghost"})


def ghost_chunk(index: Index) -> None:
    payload = index.payload("chunks", chunk_point(index.chunk_id("Short.md", 1)))
    index.put("chunks", chunk_point("ghost#c01"), payload | {"chunk_id": "ghost#c01", "note_id": "ghost"})


def ghost_note(index: Index) -> None:
    payload = index.payload("notes", note_point(index.note_id("Short.md")))
    index.put("notes", note_point("ghost"), payload | {"note_id": "ghost"})


def doubled(collection: Collection, point_of: Callable[[str], str], name: Callable[[Index], str]) -> Plant:
    def plant(index: Index) -> None:
        index.put(collection, point_of("elsewhere"), index.payload(collection, point_of(name(index))))

    return plant


def second_edge(index: Index) -> None:
    """The same identity under another point."""
    other = "00000000-0000-4000-8000-000000000000"
    index.put("edges", other, index.edge(kind="depends_on") | {"edge_id": other})


def fourth_chunk(index: Index) -> None:
    payload = index.payload("chunks", chunk_point(index.chunk_id("Long.md", 3)))
    fourth = index.chunk_id("Long.md", 4)
    index.put("chunks", chunk_point(fourth), payload | {"chunk_id": fourth, "ord": 4, "neighbors_prev": None})


def forgotten_words(index: Index) -> None:
    with index.workspace.manifest._writing() as (db, _):
        db.execute("DELETE FROM chunks WHERE chunk_id = ?", (index.chunk_id("Long.md", 2),))


def words_of_nothing(index: Index) -> None:
    with index.workspace.manifest._writing() as (db, _):
        db.execute(
            "INSERT INTO chunks (chunk_id, note_id, note, length, bag) "
            "SELECT 'gone#c01', note_id, note, length, bag FROM chunks LIMIT 1"
        )


def entry(path: str, /, **values: Any) -> Plant:
    """Changes the manifest's entry of a file."""

    def plant(index: Index) -> None:
        with index.workspace.manifest._writing() as (db, _):
            _put(db, replace(index.workspace.pipeline.entries[path], **values))

    return plant


def note_and_chunks(path: str, /, **values: object) -> Plant:
    """Changes a note and every chunk of it alike."""

    def plant(index: Index) -> None:
        note(path, **values)(index)
        for number in range(1, index.workspace.pipeline.entries[path].chunks + 1):
            index.change("chunks", chunk_point(index.chunk_id(path, number)), **values)

    return plant


def vector(numbers: Sequence[float] | None) -> Plant:
    """Gives the second chunk of the long note another vector, or none."""

    def plant(index: Index) -> None:
        point = chunk_point(index.chunk_id("Long.md", 2))
        index.put("chunks", point, index.payload("chunks", point), {} if numbers is None else {"window": [*numbers]})

    return plant


def without_known_vectors(index: Index) -> None:
    """A vector of zeros for a window that the cache does not know."""
    with index.workspace.pipeline.vectors._db as db:
        db.execute("DELETE FROM vectors")
    vector([0.0] * 64)(index)


WRITTEN = {"kind": "depends_on", "provenance": "explicit"}
FILE_FAULTS: Mapping[str, Mapping[str, tuple[Plant, set[str]]]] = {
    "note_says": {
        "another type on a note and its chunks": (
            note_and_chunks("Long.md", type="value"),
            {"note_differs", "chunk_differs"},
        ),
        "another title on a note and its chunks": (note_and_chunks("Long.md", title="Wrong"), {"note_differs"}),
        "a frontmatter that is lost": (note("Short.md", frontmatter={}), {"note_differs"}),
        "headings that are lost": (note("Long.md", headings=[]), {"note_differs"}),
        "hashes of something else": (
            note("Long.md", hashes={"full": "0" * 64, "body": "0" * 64, "frontmatter": "0" * 64}),
            {"note_differs"},
        ),
        "a written date that is lost": (note_and_chunks("Dated.md", created=20000101000000), {"note_differs"}),
        "a note that is lost": (lambda i: i.drop("notes", note_point(i.note_id("Long.md"))), {"note_missing"}),
        "a template that is stored": (
            lambda i: i.put(
                "notes",
                note_point("other"),
                i.payload("notes", note_point(i.note_id("Long.md"))) | {"path": "Template.md"},
            ),
            {"double_point"},
        ),
    },
    "chunks_say": {
        "another text": (chunk(2, text="quite other text"), {"chunk_differs"}),
        "another window": (chunk(2, window="quite other text"), {"chunk_differs"}),
        "other lines": (chunk(2, start_line=900, end_line=901), {"chunk_differs"}),
        "other headings": (chunk(2, heading_path=["Zzz"]), {"chunk_differs"}),
        "a chunk that is lost": (
            lambda i: i.drop("chunks", chunk_point(i.chunk_id("Long.md", 2))),
            {"chunk_missing"},
        ),
        "a chunk too many": (fourth_chunk, {"chunk_stray"}),
    },
    "edges_say": {
        "another kind": (edge(WRITTEN, kind="similar_to"), {"edge_differs"}),
        "another target": (
            lambda i: i.change_edge({"kind": "references", "resolved": True}, target_id=i.note_id("Dated.md")),
            {"edge_differs"},
        ),
        "another section": (edge(WRITTEN, target_section="y"), {"edge_differs"}),
        "another confidence": (edge(WRITTEN, confidence=0.1), {"edge_differs"}),
        "evidence of another line": (
            edge(WRITTEN, evidence=[{"rule_id": "explicit:rel", "line": 999, "label": ""}]),
            {"edge_differs"},
        ),
        "another provenance": (edge(WRITTEN, provenance="rule"), {"edge_differs"}),
        "another missing note": (edge({"resolved": False}, target_id="Other"), {"edge_differs"}),
        "a mirror of another confidence": (edge({"kind": "used_by"}, confidence=0.1), {"edge_differs"}),
        "a mirror that is lost": (lost_edge(kind="used_by"), {"edge_missing"}),
        "an edge too many": (lambda i: i.add_edge(i.edge(**WRITTEN) | {"source_id": "x"}), {"edge_stray"}),
        "a missing target that exists": (edge(WRITTEN, resolved=False, target_id="Short"), {"not_healed"}),
    },
    "entry_says": {
        "another title": (entry("Long.md", title="Wrong"), {"entry_differs"}),
        "another stake": (entry("Long.md", stake={"says": [], "claims": {}}), {"entry_differs"}),
        "other numbers for the report": (entry("Long.md", counts={}), {"entry_differs"}),
        "a fault that is forgotten": (entry("Odd.md", faults=()), {"entry_differs"}),
        "keys of links that are lost": (in_manifest("DELETE FROM links"), {"entry_differs"}),
    },
    "words_say": {
        "words of a chunk that are others": (
            in_manifest("UPDATE chunks SET bag = x'', length = 1"),
            {"words_differ"},
        ),
        "words of a chunk that are lost": (in_manifest("DELETE FROM chunks"), {"words_differ"}),
        "names that are lost": (in_manifest("DELETE FROM names"), {"names_differ"}),
        "a name that is another": (in_manifest("UPDATE names SET bag = x''"), {"names_differ"}),
        "what links say is lost": (in_manifest("DELETE FROM contexts"), {"contexts_differ"}),
        "what links say is open though the note is private": (
            in_manifest("UPDATE contexts SET private = 1 - private"),
            {"contexts_differ"},
        ),
        "words of no file": (
            in_manifest("INSERT INTO names (note, note_id, length, bag) VALUES (999, 'x', 0, x'')"),
            {"words_stray"},
        ),
    },
    "vectors_fit": {
        "a chunk without a vector": (vector(None), {"vector_missing"}),
        "a vector of something else": (vector([1.0] * 64), {"vector_differs"}),
        "a vector of zeros": (vector([0.0] * 64), {"vector_differs"}),
        "a vector of zeros that nobody knows better": (without_known_vectors, {"vector_differs"}),
    },
}


def to_short(index: Index) -> dict[str, Any]:
    return {"target_id": index.note_id("Short.md")}


STATE_FAULTS: Mapping[str, Mapping[str, tuple[Plant, set[str]]]] = {
    "payload_schema": {
        "a field is missing": (
            lambda i: i.forget_field("edges", i.edge(kind="uses")["edge_id"], "kind"),
            {"payload_schema"},
        ),
        "a number that is text": (note("Long.md", created="20240101000000"), {"payload_schema"}),
        "a text that is a list": (chunk(1, text=["a"]), {"payload_schema"}),
        "a list that is a text": (note("Long.md", tags="one"), {"payload_schema"}),
        "a null where none may be": (chunk(1, type=None), {"payload_schema"}),
        "a confidence above one": (edge({"kind": "uses"}, confidence=1.5), {"payload_schema"}),
        "an unknown scope": (edge({"kind": "uses"}, scope="vault"), {"payload_schema"}),
        "an unknown provenance": (edge({"kind": "uses"}, provenance="guess"), {"payload_schema"}),
        "an edge without evidence": (edge({"kind": "uses"}, evidence=[]), {"payload_schema"}),
        "a chunk numbered zero": (chunk(1, ord=0), {"payload_schema"}),
        "a date of five digits": (note("Long.md", updated=10**16), {"payload_schema"}),
        "a note stored twice": (doubled("notes", note_point, lambda i: i.note_id("Long.md")), {"double_point"}),
        "a chunk stored twice": (doubled("chunks", chunk_point, long(2)), {"double_point"}),
    },
    "payload_indexes": {
        "a text index missing": (lambda i: i.drop_index("notes", "type"), {"index_missing"}),
        "a number's index missing": (lambda i: i.drop_index("chunks", "updated"), {"index_missing"}),
        "an index of edges missing": (lambda i: i.drop_index("edges", "target_id"), {"index_missing"}),
    },
    "manifest_agrees": {
        "a note lost": (lambda i: i.drop("notes", note_point(i.note_id("Short.md"))), {"points_differ", "orphan_edge"}),
        "a chunk lost": (lambda i: i.drop("chunks", chunk_point(i.chunk_id("Long.md", 3))), {"points_differ"}),
        "an edge lost": (lost_edge(kind="depends_on"), {"points_differ"}),
        "an edge too many": (lambda i: i.add_edge(i.edge(kind="depends_on") | {"kind": "blocks"}), {"points_differ"}),
        "a note that nobody knows": (ghost_note, {"ghost"}),
        "chunks of a note that nobody knows": (ghost_chunk, {"ghost"}),
        "an edge of a note that nobody knows": (ghost_edge, {"ghost", "orphan_edge"}),
        "a chunk too many": (fourth_chunk, {"points_differ"}),
        "a note under another path": (note("Short.md", path="Other.md"), {"path_differs"}),
    },
    "chunk_chain": {
        "a next neighbour that leads elsewhere": (
            lambda i: chunk(1, neighbors_next=i.chunk_id("Long.md", 3))(i),
            {"chain_broken"},
        ),
        "a next neighbour that does not exist": (chunk(3, neighbors_next="gone#c01"), {"chain_broken"}),
        "a neighbour forgotten on one side": (chunk(2, neighbors_prev=None), {"chain_broken"}),
        "a number left out": (chunk(3, ord=4), {"chunk_order"}),
        "two chunks of one number": (chunk(3, ord=2), {"chunk_order"}),
        "a next without its prev": (lost_edge(kind="prev"), {"chain_broken"}),
        "a prev without its next": (lost_edge(kind="next"), {"chain_broken"}),
    },
    "structure_edges": {
        "a chunk that belongs to nobody": (lost_edge(kind="belongs_to"), {"structure_missing"}),
        "a chunk that belongs to another note": (
            lambda i: i.change_edge({"kind": "belongs_to", "source_id": i.chunk_id("Long.md", 1)}, **to_short(i)),
            {"structure_stray"},
        ),
        "neighbours that no edge joins": (lost_edge(kind="next"), {"structure_missing"}),
    },
    "inherited_values": {
        "a private note with an open chunk": (note("Long.md", private=True), {"chunk_differs"}),
        "a chunk of another type": (chunk(1, type="project"), {"chunk_differs"}),
        "a chunk of another weight": (chunk(1, retriever_weight=0.1), {"chunk_differs"}),
        "a chunk without its note's tags": (chunk(1, tags=["x"]), {"chunk_differs"}),
    },
    "edge_ends": {
        "an edge whose chunk is gone": (
            lambda i: i.change_edge({"kind": "depends_on"}, source_id=i.chunk_id("Long.md", 9)),
            {"orphan_edge"},
        ),
        "an edge whose source is of the other scope": (edge({"kind": "depends_on"}, scope="note"), {"orphan_edge"}),
        "an edge to a note that is gone": (edge({"kind": "depends_on"}, target_id="gone"), {"orphan_edge"}),
        "an edge of a note that is gone": (
            edge({"kind": "depends_on"}, note_id="gone"),
            {"orphan_edge", "wrong_owner"},
        ),
        "an edge of another note than its chunk": (
            lambda i: i.change_edge({"kind": "depends_on"}, note_id=i.note_id("Short.md")),
            {"wrong_owner"},
        ),
    },
    "edge_identity": {
        "an edge stored twice": (second_edge, {"double_edge", "wrong_id"}),
        "an id of other values": (
            lambda i: i.change("edges", i.edge(kind="depends_on")["edge_id"], target_section="Elsewhere"),
            {"wrong_id"},
        ),
    },
    "protected_kinds": {
        "a protected kind that was written": (
            edge({"kind": "depends_on"}, kind="next", target_id="x"),
            {"protected_kind"},
        ),
        "a protected kind made by a rule": (
            lambda i: i.change("edges", i.edge(kind="belongs_to")["edge_id"], provenance="rule"),
            {"protected_kind"},
        ),
    },
    "lexical_agrees": {
        "a chunk whose words are lost": (forgotten_words, {"lexical_differs"}),
        "words of a chunk that is gone": (words_of_nothing, {"lexical_differs"}),
    },
    "round_trip": {
        "a text that differs": (note("Long.md", fulltext="# Long\n"), {"round_trip"}),
        "another line end": (note("Short.md", fulltext=FILES["Short.md"].replace("\r\n", "\n")), {"round_trip"}),
        "another encoding": (note("Long.md", encoding="utf-16-le"), {"round_trip"}),
        "an encoding that does not exist": (note("Long.md", encoding="no-such"), {"round_trip"}),
        "a byte order mark that was not there": (note("Long.md", bom=True), {"round_trip"}),
    },
}


FAULTS = {**STATE_FAULTS, **FILE_FAULTS}
