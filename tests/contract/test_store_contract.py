"""What every store does, whichever engine is below it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contract.samples import DIMENSION, edge, graph, vector, vectors
from mindnet.errors import StoreError
from mindnet.store.embedded import open_store
from mindnet.store.filters import matches
from mindnet.store.memory import MemoryStore
from mindnet.store.payload import chunk_payload, edge_payload, note_payload
from mindnet.store.port import All, AnyOf, Between, Condition, Not, Some, StartsWith, Store
from mindnet.store.schema import INDEXES


def memory(_: Path) -> Store:
    return MemoryStore(dimension=DIMENSION)


def embedded(folder: Path) -> Store:
    return open_store(folder / "store", prefix="test", dimension=DIMENSION)


STORES: dict[str, Callable[[Path], Store]] = {"memory": memory, "embedded": embedded}


@pytest.fixture(params=sorted(STORES))
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    made = STORES[request.param](tmp_path)
    yield made
    made.close()


def put(store: Store, *graphs: Any) -> None:
    for one in graphs:
        store.replace_note(one, vectors(len(one.chunks), seed=len(one.note.note_id)))


# ------------------------------------------------------------------ writing and reading back
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
    store.remove_note("nobody")
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
    store.remove_note("alpha")
    assert store.note_ids() == ["beta"]
    assert [chunk.note_id for chunk in store.chunks_of(["alpha", "beta"])] == ["beta"]
    assert [one.note_id for one in store.edges_to(["alpha", "beta"])] == ["beta"]


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


# ------------------------------------------------------------------ searching
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


# ------------------------------------------------------------------ filters
LIBRARY = (
    graph("a", "x", path="Projekte/Äpfel.md", tags=["obst", "obst/apfel"], kind="project", status="stable"),
    graph("b", "x", path="Projekte alt/b.md", tags=["obst/birne"], status="draft", created=20200101000000),
    graph("c", "x", path="c.md", private=True, created=20250101000000, updated=20250101000001),
    graph("d", "x", path="Projekte/Tief/d.md", tags=["gemüse"], kind="decision"),
)
CASES: list[tuple[Condition, str]] = [
    (AnyOf("type", ("project",)), "a"),
    (AnyOf("type", ("project", "decision", "nothing")), "ad"),
    (AnyOf("type", ()), ""),
    (AnyOf("nowhere", ("x",)), ""),
    (Not(AnyOf("type", ("project",))), "bcd"),
    (AnyOf("tags", ("obst/apfel",)), "a"),
    (AnyOf("tags", ("obst", "gemüse")), "ad"),
    (Not(AnyOf("tags", ("obst",))), "bcd"),
    (StartsWith("tags", "obst/"), "ab"),
    (StartsWith("path", "Projekte/"), "ad"),
    (StartsWith("path", "Projekte/Ä"), "a"),
    (StartsWith("path", "projekte/"), ""),
    (StartsWith("path", ""), "abcd"),
    (StartsWith("status", "s"), "a"),
    (AnyOf("status", ("draft", "stable")), "ab"),
    (Not(AnyOf("status", ("draft",))), "acd"),
    (AnyOf("private", (True,)), "c"),
    (AnyOf("private", (False,)), "abd"),
    (AnyOf("private", (True, False)), "abcd"),
    (AnyOf("created", (20200101000000, 20250101000000)), "bc"),
    (Between("created", 20240101000000), "acd"),
    (Between("created", None, 20240101000000), "abd"),
    (Between("updated", 20250101000001, 20250101000001), "c"),
    (Between("updated", 20250101000002, None), ""),
    (Between("nowhere", 0, None), ""),
    (Between("nowhere"), ""),
    (Between("created"), "abcd"),
    (All(()), "abcd"),
    (Some(()), ""),
    (Not(Some(())), "abcd"),
    (All((StartsWith("path", "Projekte"), Not(AnyOf("status", ("draft",))))), "ad"),
    (Some((AnyOf("private", (True,)), Between("created", None, 20210101000000))), "bc"),
    (Not(All((AnyOf("type", ("concept",)), Not(AnyOf("private", (True,)))))), "acd"),
]


@pytest.fixture(scope="module", params=sorted(STORES))
def library(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    made = STORES[request.param](tmp_path_factory.mktemp("library"))
    put(made, *LIBRARY)
    yield made
    made.close()


@pytest.mark.parametrize(("where", "expected"), CASES, ids=[str(case) for case, _ in CASES])
def test_a_filter_means_the_same_for_notes_and_for_chunks(library: Store, where: Condition, expected: str) -> None:
    assert "".join(library.note_ids(where)) == expected
    assert library.count("notes", where) == library.count("chunks", where) == len(expected)
    assert sorted(payload["note_id"] for payload in library.scroll("chunks", where)) == list(expected)
    assert sorted(hit.chunk.note_id for hit in library.search_chunks(vector(1), 10, where)) == list(expected)
    scored = library.score_chunks(vector(1), ["a", "b"], where)
    assert sorted(hit.chunk.note_id for hit in scored) == [one for one in expected if one in "ab"]


def conditions() -> st.SearchStrategy[Condition]:
    leaves: st.SearchStrategy[Condition] = st.one_of(
        st.builds(AnyOf, st.just("type"), st.lists(st.sampled_from(["project", "concept", "decision"])).map(tuple)),
        st.builds(AnyOf, st.just("tags"), st.lists(st.sampled_from(["obst", "obst/birne", "gemüse"])).map(tuple)),
        st.builds(AnyOf, st.just("private"), st.lists(st.booleans()).map(tuple)),
        st.builds(
            Between,
            st.just("created"),
            st.none() | st.sampled_from([20200101000000.0, 20240101000000.0]),
            st.none() | st.sampled_from([20240101000000.0, 20250101000000.0]),
        ),
        st.builds(StartsWith, st.sampled_from(["path", "tags"]), st.sampled_from(["P", "Projekte/", "o", "c.md"])),
    )
    return st.recursive(
        leaves,
        lambda inner: st.one_of(
            st.builds(All, st.lists(inner, max_size=3).map(tuple)),
            st.builds(Some, st.lists(inner, max_size=3).map(tuple)),
            st.builds(Not, inner),
        ),
        max_leaves=6,
    )


@given(where=conditions())
@settings(max_examples=80, deadline=None)
def test_any_nesting_of_conditions_means_what_the_memory_store_says(library: Store, where: Condition) -> None:
    expected = sorted(str(payload["note_id"]) for payload in library.scroll("notes") if matches(where, payload))
    assert list(library.note_ids(where)) == expected


def test_edges_can_be_filtered_too(store: Store) -> None:
    one = graph("alpha", "a", links=["beta"])
    more = edge("alpha", "beta", "depends_on")
    store.replace_note(replace(one, edges=(*one.edges, more)), vectors(1))
    assert store.count("edges", AnyOf("scope", ("note",))) == 1
    assert [payload["kind"] for payload in store.scroll("edges", AnyOf("kind", ("depends_on",)))] == ["depends_on"]
    assert store.count("edges", AnyOf("resolved", (True,))) == 2
    assert store.count("edges", AnyOf("resolved", (False,))) == 0


def test_payloads_have_the_fields_of_their_records_and_no_more(store: Store) -> None:
    one = graph("alpha", "a", links=["beta"])
    put(store, one)
    assert list(store.scroll("notes")) == [note_payload(one.note)]
    assert list(store.scroll("chunks")) == [chunk_payload(one.chunks[0])]
    assert list(store.scroll("edges")) == [edge_payload(one.edges[0])]


# ------------------------------------------------------------------ keeping
def test_every_filterable_field_is_indexed(store: Store) -> None:
    for collection, expected in INDEXES.items():
        assert store.indexes(collection) == frozenset(expected)


def test_payloads_read_are_copies(store: Store) -> None:
    put(store, graph("alpha", "a", tags=["x"]))
    for payload in store.scroll("notes"):
        payload["tags"].append("intruder")
    note = store.note("alpha")
    assert note is not None
    assert note.tags == ("x",)


def test_a_reader_that_pauses_holds_up_nobody(store: Store) -> None:
    put(store, graph("alpha", "a"), graph("beta", "b"))
    paused = store.scroll("notes")
    next(paused)
    writer = threading.Thread(target=put, args=(store, graph("gamma", "c")))
    writer.start()
    writer.join(timeout=10)
    assert not writer.is_alive()
    assert store.count("notes") == 3


def test_who_holds_the_store_sees_one_state(store: Store) -> None:
    put(store, graph("alpha", "old"))
    started, done = threading.Event(), threading.Event()

    def write() -> None:
        started.set()
        put(store, graph("alpha", "new"))
        done.set()

    writer = threading.Thread(target=write)
    with store.exclusive():
        writer.start()
        assert started.wait(10)
        assert [chunk.text for chunk in store.chunks_of(["alpha"])] == ["old"]
        assert not done.is_set()
        assert [chunk.text for chunk in store.chunks_of(["alpha"])] == ["old"]
    writer.join(timeout=10)
    assert [chunk.text for chunk in store.chunks_of(["alpha"])] == ["new"]


def test_several_threads_may_write_and_search(store: Store) -> None:
    failures: list[BaseException] = []

    def work(name: str) -> None:
        try:
            for round_ in range(10):
                put(store, graph(name, f"text {round_}", "more", links=["hub"]))
                hits = store.score_chunks(vector(1), [name])
                assert {hit.chunk.text for hit in hits} == {f"text {round_}", "more"}
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(f"n{number}",)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert failures == []
    assert (store.count("notes"), store.count("chunks"), store.count("edges")) == (4, 8, 4)


def test_a_closed_store_says_so_and_closes_twice(store: Store) -> None:
    store.flush()
    store.close()
    store.close()
    with pytest.raises(StoreError, match="closed"):
        store.count("notes")
    with pytest.raises(StoreError, match="closed"):
        store.flush()
