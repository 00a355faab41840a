"""Records that were read lately are given again, and only as long as they are true."""

from __future__ import annotations

from pathlib import Path

from contract.samples import DIMENSION, graph, vectors
from mindnet.store.embedded import open_store
from mindnet.store.port import AnyOf
from mindnet.store.recent import Recent


def test_what_was_not_asked_for_the_longest_makes_room() -> None:
    recent = Recent[str](32, len)
    recent.keep(dict.fromkeys("abcdefgh", "xxxx"))
    assert list(recent.known("ba?")) == ["b", "a"]
    recent.keep(dict.fromkeys("ij", "xxxx"))
    assert list(recent.known("abcdefghij")) == list("abefghij")


def test_one_large_record_does_not_push_out_all_others() -> None:
    recent = Recent[str](80, len)
    recent.keep({"small": "x" * 10})
    recent.keep({"large": "x" * 11})
    assert list(recent.known(["small", "large"])) == ["small"]


def test_a_record_that_grows_is_counted_once() -> None:
    recent = Recent[str](24, len)
    for length in (1, 2, 3, 3, 3, 3, 3, 3, 3, 3):
        recent.keep({"one": "x" * length})
    recent.keep(dict.fromkeys("abcdefg", "xxx"))
    assert len(recent) == 8


def test_a_note_that_was_read_is_read_anew_after_a_change(tmp_path: Path) -> None:
    store = open_store(tmp_path, prefix="test", dimension=DIMENSION)
    before, after = graph("alpha", "a", "b", links=["beta"]), graph("alpha", "a", "c", links=["gamma"])
    for one in (before, after):
        store.replace_note(one, vectors(2))
        for _ in range(2):
            assert store.note("alpha") == one.note
            assert store.chunks_of(["alpha"]) == list(one.chunks)
            assert store.edges_from(["alpha"]) == list(one.edges)
            assert {hit.chunk.text for hit in store.search_chunks(vectors(1)[0], 9)} == {c.text for c in one.chunks}
    assert not store.edges([edge.edge_id for edge in before.edges if edge not in after.edges])
    store.remove_notes(["alpha"])
    assert store.note("alpha") is None
    assert not store.chunks([chunk.chunk_id for chunk in after.chunks])
    assert not store.edges([edge.edge_id for edge in after.edges])
    store.close()


def test_an_emptied_store_gives_nothing_that_was_read(tmp_path: Path) -> None:
    store = open_store(tmp_path, prefix="test", dimension=DIMENSION)
    one = graph("alpha", "a", "b", links=["beta"])
    store.replace_note(one, vectors(2))
    assert store.edges([one.edges[0].edge_id])
    assert store.note("alpha") == one.note
    store.clear()
    assert store.note("alpha") is None
    assert not store.edges([one.edges[0].edge_id])
    store.close()


def test_a_filter_asked_twice_knows_of_what_was_written_between(tmp_path: Path) -> None:
    store = open_store(tmp_path, prefix="test", dimension=DIMENSION)
    tagged = AnyOf("tags", ("x",))
    store.replace_note(graph("alpha", "a", tags=["x"]), vectors(1))
    assert list(store.note_ids(tagged)) == ["alpha"]
    store.replace_notes([(graph("beta", "b", tags=["x"]), vectors(1), None), (graph("alpha", "a"), vectors(1), None)])
    assert list(store.note_ids(tagged)) == ["beta"]
    store.remove_notes(["beta"])
    assert list(store.note_ids(tagged)) == []
    assert list(store.note_ids()) == ["alpha"]
    store.close()
