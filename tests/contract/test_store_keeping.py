"""What every store promises to threads, and over time."""

from __future__ import annotations

import threading

import pytest

from contract.samples import graph, vector
from contract.stores import put
from mindnet.errors import StoreError
from mindnet.store.port import Store
from mindnet.store.schema import INDEXES


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
