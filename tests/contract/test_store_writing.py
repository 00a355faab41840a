"""What every store does with what it is given, whichever engine is below it."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from contract.samples import DIMENSION, graph, vector, vectors
from contract.stores import put
from mindnet.errors import StoreError
from mindnet.store.payload import chunk_payload, edge_payload, note_payload
from mindnet.store.port import Store


def test_a_note_comes_back_as_it_was_written(store: Store) -> None:
    given_graph = graph("alpha", "first", "second", links=["beta"], tags=["x", "y/z"], status="draft", private=True)
    given_vectors = vectors(2)
    store.replace_note(given_graph, given_vectors)
    assert store.note("alpha") == given_graph.note
    assert store.notes(["alpha", "nobody"]) == {"alpha": given_graph.note}
    assert tuple(store.chunks_of(["alpha"])) == given_graph.chunks
    assert store.chunks(["alpha#c02", "nobody#c01"]) == {"alpha#c02": given_graph.chunks[1]}
    assert tuple(store.edges_from(["alpha"])) == given_graph.edges
    held = store.chunk_vectors(["alpha#c01", "alpha#c02", "nobody#c01"])
    assert held.keys() == {"alpha#c01", "alpha#c02"}
    assert np.allclose([held["alpha#c01"], held["alpha#c02"]], given_vectors, atol=1e-6)


def test_nothing_asked_for_is_nothing_found(store: Store) -> None:
    put(store, graph("alpha", "first", links=["beta"]))
    assert store.note("nobody") is None
    assert store.notes([]) == {}
    assert store.chunks([]) == {}
    assert store.chunk_vectors([]) == {}
    assert list(store.chunks_of([])) == []
    assert list(store.edges_from([])) == []
    assert list(store.edges_to([])) == []
    assert list(store.score_chunks(vector(1), [])) == []
    assert list(store.search_chunks(vector(1), 0)) == []
    store.replace_notes([])
    store.remove_notes(["nobody"])
    assert store.count("notes") == 1


def test_a_new_state_leaves_no_ghosts_of_the_old_one(store: Store) -> None:
    put(store, graph("alpha", "one", "two", "three", links=["beta", "gamma"]), graph("beta", "other", links=["alpha"]))
    new = graph("alpha", "changed", links=["gamma"])
    put(store, new)
    assert store.chunks_of(["alpha"]) == list(new.chunks)
    assert store.edges_from(["alpha"]) == list(new.edges)
    assert [hit.chunk.text for hit in store.score_chunks(vector(1), ["alpha"])] == ["changed"]
    assert (store.count("notes"), store.count("chunks"), store.count("edges")) == (2, 2, 2)


def test_a_note_that_lost_its_chunks_and_edges_keeps_only_itself(store: Store) -> None:
    put(store, graph("alpha", "one", links=["beta"]))
    put(store, graph("alpha"))
    assert (store.count("notes"), store.count("chunks"), store.count("edges")) == (1, 0, 0)


def test_a_note_under_a_new_id_leaves_nothing_under_the_old_one(store: Store) -> None:
    put(store, graph("old", "one", "two", links=["beta"]))
    store.replace_note(graph("new", "one", "two", links=["beta"]), vectors(2), previous_note_id="old")
    assert store.note_ids() == ["new"]
    assert {payload["note_id"] for c in ("chunks", "edges") for payload in store.scroll(c)} == {"new"}


def test_notes_of_one_batch_may_swap_their_ids(store: Store) -> None:
    put(store, graph("a", "text a", path="1.md"), graph("b", "text b", "more b", path="2.md"))
    swapped = (graph("b", "text a", path="1.md"), graph("a", "text b", "more b", path="2.md"))
    store.replace_notes([(swapped[0], vectors(1), "a"), (swapped[1], vectors(2), "b")])
    assert [(chunk.note_id, chunk.text) for chunk in store.chunks_of(["a", "b"])] == [
        ("b", "text a"),
        ("a", "text b"),
        ("a", "more b"),
    ]


def test_of_two_states_in_one_batch_the_later_one_stays(store: Store) -> None:
    first, second = graph("alpha", "one", "two"), graph("alpha", "three")
    store.replace_notes([(first, vectors(2), None), (second, vectors(1), None)])
    assert store.chunks_of(["alpha"]) == list(second.chunks)


def test_writing_the_same_again_changes_nothing(store: Store) -> None:
    def state() -> list[str]:
        return sorted(str(payload) for c in ("notes", "chunks", "edges") for payload in store.scroll(c))

    one = graph("alpha", "one", "two", links=["beta"])
    store.replace_note(one, vectors(2))
    before = state()
    store.replace_note(one, vectors(2))
    assert state() == before


def test_a_removed_note_is_gone_with_all_it_owns_and_nothing_else(store: Store) -> None:
    put(store, graph("alpha", "one", links=["beta"]), graph("beta", "two", links=["alpha"]))
    store.remove_notes(["alpha"])
    assert store.note_ids() == ["beta"]
    assert [chunk.note_id for chunk in store.chunks_of(["alpha", "beta"])] == ["beta"]
    assert [one.note_id for one in store.edges_to(["alpha", "beta"])] == ["beta"]


def test_several_notes_are_removed_at_once(store: Store) -> None:
    put(store, *(graph(name, name, links=["delta"]) for name in ("alpha", "beta", "gamma", "delta")))
    store.remove_notes(["alpha", "gamma", "nobody", "alpha"])
    assert store.note_ids() == ["beta", "delta"]
    assert {payload["note_id"] for c in ("chunks", "edges") for payload in store.scroll(c)} == {"beta", "delta"}


def test_a_note_whose_links_lead_elsewhere_now_gets_its_edges_alone(store: Store) -> None:
    old = graph("alpha", "one", "two", links=["beta", "gamma"])
    put(store, old, graph("gamma", "other", links=["alpha"]))
    held = store.chunk_vectors(["alpha#c01", "alpha#c02"])
    new = graph("alpha", "one", "two", links=["delta", "gamma"])
    store.replace_notes([(new, None, None), (graph("beta", "new"), vectors(1), None)])
    assert store.note_ids() == ["alpha", "beta", "gamma"]
    assert store.edges_from(["alpha"]) == sorted(new.edges, key=lambda edge: edge.edge_id)
    assert [edge.source_id for edge in store.edges_to(["beta"])] == []
    assert store.edges_from(["gamma"]) != []
    assert tuple(store.chunks_of(["alpha"])) == old.chunks
    after = store.chunk_vectors(["alpha#c01", "alpha#c02"])
    assert all(np.array_equal(after[key], held[key]) for key in held)


def test_a_note_that_is_written_and_then_relinked_in_one_batch_is_written(store: Store) -> None:
    put(store, graph("alpha", "old"))
    first, second = graph("alpha", "new", links=["beta"]), graph("alpha", "new", links=["gamma"])
    store.replace_notes([(first, vectors(1), None), (second, None, None)])
    assert tuple(store.chunks_of(["alpha"])) == second.chunks
    assert store.edges_from(["alpha"]) == list(second.edges)


@pytest.mark.parametrize(
    "wrong",
    [
        vectors(1),
        np.zeros((2, DIMENSION + 1), dtype=np.float32),
        np.full((2, DIMENSION), np.nan, dtype=np.float32),
        np.zeros(DIMENSION, dtype=np.float32),
    ],
    ids=["too few", "too long", "not a number", "one-dimensional"],
)
def test_wrong_vectors_are_refused_before_anything_is_written(store: Store, wrong: Any) -> None:
    put(store, graph("alpha", "old"))
    with pytest.raises(StoreError, match=r"beta\.md"):
        store.replace_notes([(graph("alpha", "new"), vectors(1), None), (graph("beta", "x", "y"), wrong, None)])
    assert store.note_ids() == ["alpha"]
    assert [chunk.text for chunk in store.chunks_of(["alpha"])] == ["old"]


def test_an_edge_without_a_uuid_is_refused_before_anything_is_written(store: Store) -> None:
    bad = graph("alpha", "new", links=["beta"])
    bad = replace(bad, edges=(replace(bad.edges[0], edge_id="no uuid"),))
    with pytest.raises(StoreError, match="UUID"):
        store.replace_note(bad, vectors(1))
    assert store.count("notes") == 0


def test_odd_values_in_a_frontmatter_lose_no_note(store: Store) -> None:
    deep: Any = []
    for _ in range(300):
        deep = [deep]
    odd = {"nan": float("nan"), "big": 10**30, "half": "a\ud800b", "deep": deep, "": {"a.b": -(2**63)}, "nul": "a\0b"}
    one = graph("alpha", "text")
    store.replace_note(replace(one, note=replace(one.note, frontmatter=odd)), vectors(1))
    note = store.note("alpha")
    assert note is not None
    assert note.frontmatter["nan"] == "nan"
    assert note.frontmatter["big"] == str(10**30)
    assert note.frontmatter[""] == {"a.b": -(2**63)}
    assert note.frontmatter["nul"] == "a\0b"
    assert len(list(store.scroll("notes"))) == 1


def test_payloads_have_the_fields_of_their_records_and_no_more(store: Store) -> None:
    one = graph("alpha", "a", links=["beta"])
    put(store, one)
    assert list(store.scroll("notes")) == [note_payload(one.note)]
    assert list(store.scroll("chunks")) == [chunk_payload(one.chunks[0])]
    assert list(store.scroll("edges")) == [edge_payload(one.edges[0])]
