"""Every rule of the check finds the fault it is there for, in a real store; a sound index gives none."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import qdrant_edge as engine  # noqa: TID251

from mindnet.indexing.check import BATCH_RULES, FILE_RULES, RULES
from mindnet.knowledge.edges import edge_id
from mindnet.store.embedded import EmbeddedStore
from mindnet.store.engine_filters import FIELD_INDEXES
from mindnet.store.manifest import _put
from mindnet.store.packed import pack, unpack
from mindnet.store.payload import chunk_point, note_point
from mindnet.store.port import Collection
from mindnet.store.schema import INDEXES
from mindnet.workspace import Workspace
from workspaces import open_workspace, write_vault

FILES = {
    "Long.md": "# Long\n\nFirst [[Short]].\n\n## Two\n\nrel: depends_on [[Short]]\n\n## Three\n\nTo [[Nowhere]].\n",
    "Short.md": "---\ntags: [one]\nlinks:\n  uses: '[[Long]]'\n---\n\nBrief.\r\n",
    "Dated.md": "---\ncreated: 2024-05-06\n---\n\nOn that day.\n",
    "Odd.md": "---\ntype: unheard of\n---\n\nIts type is reported.\n",
    "Template.md": "---\nstatus: template\n---\n\nNot searched.\n",
}


class Index:
    """An indexed vault whose store can be changed behind its back."""

    def __init__(self, workspace: Workspace) -> None:
        self.workspace = workspace
        assert isinstance(workspace.store, EmbeddedStore)
        self.store = workspace.store

    def found(self) -> list[tuple[str, str]]:
        return sorted((problem.code, problem.id) for problem in self.workspace.check())

    def codes(self) -> set[str]:
        return {code for code, _ in self.found()}

    # -------------------------------------------------------------- looking
    def note_id(self, path: str) -> str:
        return self.workspace.pipeline.entries[path].note_id

    def chunk_id(self, path: str, number: int) -> str:
        return f"{self.note_id(path)}#c{number:02d}"

    def payload(self, collection: Collection, point: str) -> dict[str, Any]:
        (record,) = self.store._shards[collection].retrieve([point], True, False)
        return unpack(collection, point, record.payload or {})

    def edge(self, **wanted: object) -> dict[str, Any]:
        """The first edge with these values."""
        found = (dict(edge) for edge in self.store.scroll("edges"))
        return min((e for e in found if wanted.items() <= e.items()), key=lambda edge: str(edge["edge_id"]))

    # -------------------------------------------------------------- changing
    def put(self, collection: Collection, point: str, payload: Mapping[str, Any], vector: Any = None) -> None:
        self._store(collection, point, pack(collection, dict(payload)), vector)

    def _store(self, collection: Collection, point: str, stored: Mapping[str, Any], vector: Any = None) -> None:
        """The point keeps its vector unless another is given."""
        if vector is None and collection == "chunks":
            held = self.store._shards[collection].retrieve([point], False, True)
            vector = held[0].vector if held else {"window": [1.0] * 64}
        self._update(
            collection, engine.UpdateOperation.upsert_points([engine.Point(point, vector or {}, dict(stored))])
        )

    def change(self, collection: Collection, point: str, /, **values: object) -> None:
        self.put(collection, point, self.payload(collection, point) | values)

    def drop(self, collection: Collection, point: str) -> None:
        self._update(collection, engine.UpdateOperation.delete_points([point]))

    def forget_field(self, collection: Collection, point: str, name: str) -> None:
        """Takes away one of the fields that the engine keeps apart, since they are filtered by."""
        (record,) = self.store._shards[collection].retrieve([point], True, False)
        self._store(collection, point, {key: value for key, value in (record.payload or {}).items() if key != name})

    def change_edge(self, wanted: Mapping[str, object], /, **values: object) -> str:
        """Changes an edge with these values and gives it the id that belongs to the new ones."""
        edge = self.edge(**wanted)
        self.drop("edges", edge["edge_id"])
        return self.add_edge(edge | values)

    def add_edge(self, edge: Mapping[str, Any]) -> str:
        point = edge_id(edge["source_id"], edge["target_id"], edge["kind"], edge["target_section"])
        self.put("edges", point, {**edge, "edge_id": point})
        return point

    def drop_index(self, collection: Collection, name: str) -> None:
        self._update(collection, engine.UpdateOperation.delete_field_index(name))

    def restore(self) -> None:
        """Makes the index sound again: its fields are indexed, and every note is written anew."""
        for collection in INDEXES:
            present = self.store._shards[collection].info().payload_schema
            for name, kind in INDEXES[collection].items():
                if name not in present:
                    self._update(collection, engine.UpdateOperation.create_field_index(name, FIELD_INDEXES[kind]))
        write_vault(self.workspace.place.vault, FILES)
        self.store.clear()
        in_manifest("DELETE FROM names WHERE note = 999")(self)
        self.workspace.pipeline.redo(list(self.workspace.pipeline.entries))
        self.workspace.pipeline.update(None)

    def _update(self, collection: Collection, operation: engine.UpdateOperation) -> None:
        self.store._shards[collection].update(operation)


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Index]:
    folder = tmp_path_factory.mktemp("check")
    with open_workspace(write_vault(folder / "vault", FILES), folder / "data") as workspace:
        yield Index(workspace)


@pytest.fixture
def index(opened: Index) -> Index:
    """A sound index; opening a store takes longer than making one sound again."""
    opened.restore()
    return opened


# ------------------------------------------------------------------ the control
def test_a_sound_index_has_no_problem_and_something_of_each_kind(index: Index) -> None:
    assert index.found() == []
    assert index.store.count("chunks") >= 4
    kinds = {(edge["scope"], edge["provenance"], edge["resolved"]) for edge in index.store.scroll("edges")}
    assert {("chunk", "structure", True), ("chunk", "explicit", False), ("note", "explicit", True)} <= kinds


def test_planting_alone_is_no_fault(index: Index) -> None:
    """Writing the same again through the tests' own way in leaves the index clean."""
    index.change("chunks", chunk_point(index.chunk_id("Long.md", 1)))
    index.change("notes", note_point(index.note_id("Long.md")))
    edge = index.edge(kind="depends_on")
    index.drop("edges", edge["edge_id"])
    index.add_edge(edge)
    assert index.found() == []


# ------------------------------------------------------------------ one fault each
Plant = Callable[[Index], object]


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
    with index.workspace.manifest._writing() as db:
        db.execute("DELETE FROM chunks WHERE chunk_id = ?", (index.chunk_id("Long.md", 2),))


def words_of_nothing(index: Index) -> None:
    with index.workspace.manifest._writing() as db:
        db.execute(
            "INSERT INTO chunks (chunk_id, note_id, note, length, bag) "
            "SELECT 'gone#c01', note_id, note, length, bag FROM chunks LIMIT 1"
        )


def in_manifest(*statements: str) -> Plant:
    """Changes what the manifest keeps of words and links."""

    def plant(index: Index) -> None:
        with index.workspace.manifest._writing() as db:
            for statement in statements:
                db.execute(statement)

    return plant


def entry(path: str, /, **values: Any) -> Plant:
    """Changes the manifest's entry of a file."""

    def plant(index: Index) -> None:
        with index.workspace.manifest._writing() as db:
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
            in_manifest("UPDATE chunks SET bag = x'00', length = 1"),
            {"words_differ"},
        ),
        "words of a chunk that are lost": (in_manifest("DELETE FROM chunks"), {"words_differ"}),
        "names that are lost": (in_manifest("DELETE FROM names"), {"names_differ"}),
        "a name that is another": (in_manifest("UPDATE names SET bag = x'00'"), {"names_differ"}),
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
            lambda i: i.forget_field("edges", i.edge(kind="uses")["edge_id"], "scope"),
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


@pytest.mark.parametrize(("rule", "fault"), [(rule, fault) for rule, faults in FAULTS.items() for fault in faults])
def test_the_fault_is_found(index: Index, rule: str, fault: str) -> None:
    plant, expected = FAULTS[rule][fault]
    plant(index)
    assert expected <= index.codes()
    if rule in {one.__name__ for one in RULES}:
        # The check after an import, which reads no file, is to find it as well.
        assert expected <= {problem.code for problem in index.workspace.examine(files=False).problems}


def test_every_rule_has_its_faults() -> None:
    tested_elsewhere = {"mirrors_complete"}
    rules = {rule.__name__ for rule in (*RULES, *FILE_RULES, *BATCH_RULES)}
    assert rules - tested_elsewhere == FAULTS.keys()


# ------------------------------------------------------------------ what a problem says
def test_a_problem_names_what_is_wrong(index: Index) -> None:
    """One thing is reported where one thing is wrong, under the name by which it can be looked up."""
    index.drop_index("chunks", "path")
    assert index.found() == [("index_missing", "chunks.path")]


def test_a_lost_edge_is_reported_for_its_note(index: Index) -> None:
    index.drop("edges", index.edge(kind="depends_on", resolved=True)["edge_id"])
    assert ("points_differ", "Long.md") in index.found()


def test_a_text_of_another_state_is_reported_for_its_file(index: Index) -> None:
    note("Long.md", fulltext="# Long\n")(index)
    assert index.found() == [("round_trip", "Long.md")]
    assert index.workspace.examine(files=False).problems == []


def test_every_missing_index_is_named(index: Index) -> None:
    for name in ("source_id", "target_id", "kind", "scope", "note_id"):
        index.drop_index("edges", name)
    assert [name for _, name in index.found()] == [
        f"edges.{name}" for name in ("kind", "note_id", "scope", "source_id", "target_id")
    ]


# ------------------------------------------------------------------ what is no fault
def test_a_file_that_changed_since_is_left_to_the_next_scan(index: Index) -> None:
    file = index.workspace.place.vault / "Long.md"
    file.write_text("changed", encoding="utf-8")
    assert index.found() == []


def test_a_file_that_is_gone_is_left_to_the_next_scan(index: Index) -> None:
    (index.workspace.place.vault / "Long.md").unlink()
    assert index.found() == []


def test_a_link_to_nothing_is_no_fault(index: Index) -> None:
    assert any(not edge["resolved"] for edge in index.store.scroll("edges"))
    assert index.found() == []


def test_an_empty_vault_is_sound(tmp_path: Path) -> None:
    with open_workspace(write_vault(tmp_path / "vault", {".obsidian/app.json": "{}"}), tmp_path / "data") as workspace:
        workspace.pipeline.update(None)
        assert workspace.check() == []
