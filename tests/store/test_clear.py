"""A cleared store is empty, keeps its indexes, and takes notes again."""

from __future__ import annotations

from pathlib import Path

import pytest

from contract.samples import DIMENSION, graph, vector, vectors
from mindnet.store.embedded import open_store
from mindnet.store.memory import MemoryStore
from mindnet.store.port import Store
from mindnet.store.schema import INDEXES


@pytest.mark.parametrize("kind", ["memory", "embedded"])
def test_a_cleared_store_is_empty_and_takes_notes_again(kind: str, tmp_path: Path) -> None:
    store: Store = (
        MemoryStore(dimension=DIMENSION)
        if kind == "memory"
        else open_store(tmp_path, prefix="test", dimension=DIMENSION)
    )
    store.replace_note(graph("alpha", "a", "b", links=["beta"]), vectors(2))
    store.replace_note(graph("beta", "c"), vectors(1))
    store.clear()
    assert [store.count(collection) for collection in INDEXES] == [0, 0, 0]
    assert store.search_chunks(vector(1), 10) == []
    assert store.chunk_vectors(["alpha#c01"]) == {}
    assert all(store.indexes(collection) == frozenset(fields) for collection, fields in INDEXES.items())
    store.replace_note(graph("beta", "c"), vectors(1))
    assert store.note_ids() == ["beta"]
    store.close()


def test_what_was_cleared_stays_away_after_opening_again(tmp_path: Path) -> None:
    store = open_store(tmp_path, prefix="test", dimension=DIMENSION)
    store.replace_note(graph("alpha", "a"), vectors(1))
    store.clear()
    store.close()
    store = open_store(tmp_path, prefix="test", dimension=DIMENSION)
    assert [store.count(collection) for collection in INDEXES] == [0, 0, 0]
    store.close()
