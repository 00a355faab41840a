"""An indexed vault whose store can be changed behind its back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import qdrant_edge as engine  # noqa: TID251

from mindnet.knowledge.edges import edge_id
from mindnet.store.embedded import EmbeddedStore
from mindnet.store.engine_filters import field_indexes
from mindnet.store.packed import STORED, pack, unpack
from mindnet.store.port import Collection
from mindnet.store.schema import INDEXES
from mindnet.workspace import Workspace
from workspaces import write_vault

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
        self._store(
            collection, point, {key: value for key, value in (record.payload or {}).items() if key != STORED[name]}
        )

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
        self._update(collection, engine.UpdateOperation.delete_field_index(STORED[name]))

    def restore(self) -> None:
        """Makes the index sound again: its fields are indexed, and every note is written anew."""
        for collection in INDEXES:
            present = self.store._shards[collection].info().payload_schema
            for name, kind in field_indexes(collection).items():
                if name not in present:
                    self._update(collection, engine.UpdateOperation.create_field_index(name, kind))
        write_vault(self.workspace.place.vault, FILES)
        self.store.clear()
        in_manifest("DELETE FROM names WHERE note = 999")(self)
        self.workspace.pipeline.redo(list(self.workspace.pipeline.entries))
        self.workspace.pipeline.update(None)

    def _update(self, collection: Collection, operation: engine.UpdateOperation) -> None:
        self.store._shards[collection].update(operation)


Plant = Callable[[Index], object]
"""Makes one thing wrong."""


def in_manifest(*statements: str) -> Plant:
    """Changes what the manifest keeps of words and links."""

    def plant(index: Index) -> None:
        with index.workspace.manifest._writing() as (db, _):
            for statement in statements:
                db.execute(statement)

    return plant
