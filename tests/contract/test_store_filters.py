"""What a filter means to every store: the same as to the memory store."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contract.samples import edge, graph, vector, vectors
from contract.stores import KINDS, put
from mindnet.errors import StoreError
from mindnet.store.filters import matches
from mindnet.store.port import All, AnyOf, Between, Condition, Not, Some, StartsWith, Store

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
    (Between("created"), "abcd"),
    (All(()), "abcd"),
    (Some(()), ""),
    (Not(Some(())), "abcd"),
    (All((StartsWith("path", "Projekte"), Not(AnyOf("status", ("draft",))))), "ad"),
    (Some((AnyOf("private", (True,)), Between("created", None, 20210101000000))), "bc"),
    (Not(All((AnyOf("type", ("concept",)), Not(AnyOf("private", (True,)))))), "acd"),
]


@pytest.fixture(scope="module", params=sorted(KINDS))
def library(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with KINDS[request.param](tmp_path_factory.mktemp("library")) as made:
        put(made, *LIBRARY)
        yield made


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
    nowhere = replace(edge("alpha", "Nirgends"), resolved=False)
    store.replace_note(replace(one, edges=(*one.edges, more, nowhere)), vectors(1))
    asked: dict[Condition, int] = {
        AnyOf("resolved", (True,)): 2,
        AnyOf("resolved", (False,)): 1,
        AnyOf("resolved", (True, False)): 3,
        AnyOf("resolved", ()): 0,
        Not(AnyOf("resolved", (False,))): 2,
        Not(AnyOf("resolved", (True,))): 1,
    }
    assert {where: store.count("edges", where) for where in asked} == asked


@pytest.mark.parametrize(
    "where",
    [AnyOf("title", ("x",)), Not(StartsWith("text", "x")), All((Some((Between("ord", 1),)),))],
    ids=["title", "text", "ord"],
)
def test_a_filter_on_a_field_that_is_not_made_for_it_is_refused(library: Store, where: Condition) -> None:
    """Rather than answered by nothing: where the field is not kept apart, no point would seem to have it."""
    with pytest.raises(StoreError, match="not filtered by"):
        library.count("chunks", where)
    with pytest.raises(StoreError, match="not filtered by"):
        library.search_chunks(vector(1), 5, where)
    with pytest.raises(StoreError, match="not filtered by"):
        list(library.scroll("notes", where))
    with pytest.raises(StoreError, match="not filtered by"):
        library.note_ids(where)
