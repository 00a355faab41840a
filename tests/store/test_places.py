"""What is known of places and labels is what is stored, whatever was written between two questions."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contract.samples import DIMENSION, graph, vector, vectors
from mindnet.store import embedded, engine_records
from mindnet.store.embedded import open_store
from mindnet.store.memory import MemoryStore
from mindnet.store.places import Known
from mindnet.store.port import AnyOf, Not, Store

NAMES = ["alpha", "beta", "gamma"]
IDS = [f"{name}#c{number:02d}" for name in NAMES for number in range(1, 4)]
PRIVATE = AnyOf("private", (True,))

write = st.tuples(
    st.just("write"),
    st.sampled_from(NAMES),
    st.tuples(
        st.lists(st.sampled_from("abc"), max_size=3),
        st.sampled_from(["", "Moved/there.md"]),
        st.sampled_from([None, "draft"]),
        st.booleans(),
        st.sampled_from([20240601000000, 20250601000000]),
        st.lists(st.sampled_from(NAMES), max_size=2, unique=True),
    ),
)
steps = st.lists(
    st.one_of(
        write,
        st.tuples(st.just("rename"), st.sampled_from(NAMES), st.sampled_from(NAMES)),
        st.tuples(st.just("edges"), st.sampled_from(NAMES), st.lists(st.sampled_from(NAMES), max_size=2, unique=True)),
        st.tuples(st.just("remove"), st.sampled_from(NAMES), st.none()),
        st.tuples(st.just("clear"), st.none(), st.none()),
        st.tuples(st.just("ask"), st.lists(st.sampled_from(IDS), max_size=4), st.none()),
    ),
    max_size=12,
)


@settings(max_examples=40, deadline=None)
@given(steps)
def test_places_and_labels_are_those_of_a_store_that_remembers_nothing(
    doings: list[tuple[str, Any, Any]],
) -> None:
    with (
        TemporaryDirectory() as folder,
        closing(open_store(Path(folder), prefix="test", dimension=DIMENSION)) as store,
        closing(MemoryStore(dimension=DIMENSION)) as plain,
    ):
        for doing in doings:
            for one in (store, plain):
                _do(one, *doing)
            if doing[0] == "ask":
                assert _asked(store, doing[1]) == _asked(plain, doing[1])
        assert _asked(store, IDS) == _asked(plain, IDS)


def _do(store: Store, what: str, name: Any, more: Any) -> None:
    match what, name, more:
        case "write", str(), (texts, path, status, private, updated, links):
            one = graph(name, *texts, path=path, status=status, private=private, updated=updated, links=links)
            store.replace_note(one, vectors(len(texts), seed=len(texts)))
        case "rename", str(), str():
            store.replace_note(graph(more, "a", "b"), vectors(2), previous_note_id=name)
        case "edges", str(), list():
            store.replace_notes([(graph(name, "a", links=more), None, None)])
        case "remove", str(), _:
            store.remove_notes([name])
        case "clear", _, _:
            store.clear()


def _asked(store: Store, chunk_ids: list[str]) -> object:
    found = store.score_places(vector(1), NAMES[:1], chunk_ids, Not(PRIVATE))
    return (
        store.places(chunk_ids),
        store.labels(NAMES),
        [(one.place, pytest.approx(one.score, abs=1e-6)) for one in found],
        store.edges_from(NAMES, structure=False),
    )


def test_the_oldest_make_room(tmp_path: Path) -> None:
    asked: list[list[str]] = []

    def read(points: list[str]) -> dict[str, str]:
        asked.append(points)
        return {point: point for point in points if point != "nobody"}

    known = Known[str](3)
    assert known.of(["a", "b", "nobody"], read) == {"a": "a", "b": "b"}
    assert known.of(["b", "c", "d"], read) == {"b": "b", "c": "c", "d": "d"}
    assert known.of(["a"], read) == {"a": "a"}
    assert known.of(["c", "d"], read) == {"c": "c", "d": "d"}
    assert asked == [["a", "b", "nobody"], ["c", "d"], ["a"]]
    assert len(known) == 3


def test_a_place_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []
    real = engine_records.read

    def counted(shard: Any, points: Any, *how: Any) -> Any:
        read.append(len(points))
        return real(shard, points, *how)

    monkeypatch.setattr(embedded, "read", counted)
    with closing(open_store(tmp_path, prefix="test", dimension=DIMENSION)) as store:
        store.replace_note(graph("alpha", "a", "b"), vectors(2))
        for _ in range(2):
            assert len(store.search_places(vector(1), 5)) == 2
        assert read == [2]
