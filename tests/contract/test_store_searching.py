"""What every store finds, and in which order."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from contract.samples import DIMENSION, edge, graph, vector, vectors
from contract.stores import put
from mindnet.errors import StoreError
from mindnet.records import Label, Place
from mindnet.store.port import AnyOf, Not, Store


def test_the_nearest_chunks_come_first_with_their_cosine(store: Store) -> None:
    one = graph("alpha", "east", "north", "north-east", "west")
    store.replace_note(one, np.stack([vector(1), vector(0, 1), vector(1, 1), vector(-1)]))
    found = store.search_chunks(vector(3, 0), 10)
    assert [hit.chunk.text for hit in found] == ["east", "north-east", "north", "west"]
    assert [hit.score for hit in found] == pytest.approx([1.0, 2**-0.5, 0.0, -1.0], abs=1e-6)
    assert found[0].chunk == one.chunks[0]


def test_equal_scores_are_cut_by_chunk_id_whatever_the_order_of_writing(store: Store) -> None:
    names = [f"n{number:02d}" for number in (7, 3, 11, 0, 9, 5, 1, 10, 2, 8, 4, 6)]
    for name in names:
        store.replace_note(graph(name, "same"), vector(1, 1)[None])
    store.replace_note(graph("better", "close"), vector(1, 0)[None])
    found = [hit.chunk.note_id for hit in store.search_chunks(vector(1, 0), 4)]
    assert found == ["better", "n00", "n01", "n02"]
    scored = [hit.chunk.note_id for hit in store.score_chunks(vector(1, 0), names)]
    assert scored == sorted(names)


def test_scoring_reaches_every_chunk_of_the_notes_and_no_other(store: Store) -> None:
    put(store, graph("alpha", "a", "b"), graph("beta", "c"), graph("gamma", "d"))
    found = store.score_chunks(vector(1), ["alpha", "gamma", "nobody", "alpha"])
    assert sorted(hit.chunk.chunk_id for hit in found) == ["alpha#c01", "alpha#c02", "gamma#c01"]
    assert [hit.score for hit in found] == sorted((hit.score for hit in found), reverse=True)


def test_a_query_of_another_length_is_refused(store: Store) -> None:
    put(store, graph("alpha", "a"))
    with pytest.raises(StoreError):
        store.search_chunks(np.ones(DIMENSION + 1, dtype=np.float32), 5)
    with pytest.raises(StoreError):
        store.score_chunks(np.ones(DIMENSION - 1, dtype=np.float32), ["alpha"])


def test_an_edge_is_found_by_its_id_and_what_is_no_id_is_not_there(store: Store) -> None:
    put(store, graph("alpha", "a", links=["beta", "gamma"]))
    first, second = store.edges_from(["alpha"])
    odd = [first.edge_id.upper(), "alpha", "", f"{first.edge_id}x", "00000000-0000-0000-0000-000000000000"]
    assert store.edges([second.edge_id, *odd, first.edge_id, first.edge_id]) == {
        first.edge_id: first,
        second.edge_id: second,
    }
    assert store.edges([]) == {}


def test_edges_are_found_from_both_ends(store: Store) -> None:
    put(store, graph("alpha", "a", links=["beta", "gamma"]), graph("beta", "b", links=["gamma"]))
    assert {(one.note_id, one.target_id) for one in store.edges_to(["gamma", "nobody"])} == {
        ("alpha", "gamma"),
        ("beta", "gamma"),
    }
    assert {one.target_id for one in store.edges_from(["alpha"])} == {"beta", "gamma"}
    found = store.edges_from(["alpha", "beta"])
    assert [one.edge_id for one in found] == sorted(one.edge_id for one in found)


def test_more_ids_than_one_question_holds(store: Store) -> None:
    graphs = [graph(f"n{number:04d}", f"text {number}", links=["hub"]) for number in range(1_203)]
    store.replace_notes([(one, vectors(1, seed=number), None) for number, one in enumerate(graphs)])
    ids = [one.note.note_id for one in graphs]
    assert list(store.note_ids()) == ids
    assert len(store.notes(ids)) == len(store.chunks_of(ids)) == len(store.edges_from(ids)) == 1_203
    assert len(store.edges_to(["hub"])) == 1_203
    assert len(list(store.scroll("edges"))) == 1_203
    scored = store.score_chunks(vector(1), ids)
    assert len(scored) == 1_203
    assert [hit.score for hit in scored] == sorted((hit.score for hit in scored), reverse=True)


def test_an_edge_that_a_third_note_owns_is_found_from_its_source_too(store: Store) -> None:
    board = graph("board", "c")
    arrow = edge("alpha", "beta", "depends_on", note_id="board")
    put(store, graph("alpha", "a", links=["beta"]), graph("beta", "b"), replace(board, edges=(arrow,)))
    assert {(one.note_id, one.kind) for one in store.edges_from(["alpha"])} == {
        ("alpha", "references"),
        ("board", "depends_on"),
    }
    assert [one.kind for one in store.edges_from(["board"])] == ["depends_on"]
    assert len(store.edges_from(["alpha", "board"])) == 2
    store.remove_notes(["board"])
    assert [one.kind for one in store.edges_from(["alpha"])] == ["references"]


def test_places_and_labels_say_what_the_records_say(store: Store) -> None:
    one = graph("alpha", "east", "north", status="draft", path="Far/Alpha.md")
    put(store, one, graph("beta", "west", private=True))
    chunk = one.chunks[1]
    assert store.places([chunk.chunk_id, "nobody#c01"]) == {
        chunk.chunk_id: Place(chunk.chunk_id, "alpha", 2, "Far/Alpha.md", "draft", 0.6, chunk.updated)
    }
    assert store.labels(["alpha", "beta", "nobody"]) == {
        "alpha": Label("alpha", "Alpha", "Far/Alpha.md", private=False),
        "beta": Label("beta", "Beta", "beta.md", private=True),
    }


def test_places_are_found_and_scored_as_chunks_are(store: Store) -> None:
    put(store, graph("alpha", "a", "b"), graph("beta", "c", "d"), graph("gamma", "e", private=True))
    for where in (None, Not(AnyOf("private", (True,)))):
        chunks = store.search_chunks(vector(1), 4, where)
        found = store.search_places(vector(1), 4, where)
        assert [one.place.chunk_id for one in found] == [one.chunk.chunk_id for one in chunks]
        assert [one.score for one in found] == pytest.approx([one.score for one in chunks], abs=1e-6)
    asked = ["alpha#c01", "beta#c02", "gamma#c01", "nobody#c01"]
    scored = store.score_places(vector(1), ["alpha"], asked, Not(AnyOf("private", (True,))))
    assert sorted(one.place.chunk_id for one in scored) == ["alpha#c01", "alpha#c02", "beta#c02"]
    assert [one.score for one in scored] == sorted((one.score for one in scored), reverse=True)
    assert [one.place.chunk_id for one in store.score_places(vector(1), (), asked[1:2])] == ["beta#c02"]


def test_edges_of_structure_can_be_left_out_or_asked_for_alone(store: Store) -> None:
    one = graph("alpha", "a", "b", links=["beta"])
    first, second = (chunk.chunk_id for chunk in one.chunks)
    inner = (edge(first, second, "next"), edge(second, first, "prev"), edge(first, "alpha", "belongs_to"))
    put(store, replace(one, edges=(*one.edges, *inner)), graph("beta", "c", links=["alpha"]))
    assert [one.kind for one in store.edges_from(["alpha"], structure=False)] == ["references"]
    assert sorted(one.kind for one in store.edges_from([first], structure=True)) == ["belongs_to", "next"]
    assert [one.note_id for one in store.edges_to(["alpha"], structure=False)] == ["beta"]
    assert [one.kind for one in store.edges_to(["alpha"], structure=True)] == ["belongs_to"]
    assert len(store.edges_from(["alpha"])) == 4
