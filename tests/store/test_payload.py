"""Records and payloads: nothing is lost on the way to JSON and back."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from mindnet.records import Chunk, Edge, Evidence, Note
from mindnet.store.payload import (
    chunk_of,
    chunk_payload,
    edge_of,
    edge_payload,
    json_value,
    note_of,
    note_payload,
)

text = st.text(st.characters(exclude_categories=["Cs"]), max_size=12)
texts = st.lists(text, max_size=3).map(tuple)
time = st.integers(0, 99991231235959)
number = st.floats(0, 1)
json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | text,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text, inner, max_size=3),
    max_leaves=8,
)
notes = st.builds(
    Note,
    note_id=text,
    title=text,
    path=text,
    type=text,
    status=st.none() | text,
    tags=texts,
    aliases=texts,
    created=time,
    updated=time,
    private=st.booleans(),
    retriever_weight=number,
    chunk_profile=text,
    edge_defaults=texts,
    hashes=st.dictionaries(text, text, max_size=2),
    fulltext=text,
    encoding=text,
    bom=st.booleans(),
    frontmatter=st.dictionaries(text, json_values, max_size=4),
    headings=texts,
)
chunks = st.builds(
    Chunk,
    chunk_id=text,
    note_id=text,
    ord=st.integers(1, 99),
    title=text,
    text=text,
    window=text,
    heading_path=texts,
    start_line=st.integers(1, 99),
    end_line=st.integers(1, 99),
    neighbors_prev=st.none() | text,
    neighbors_next=st.none() | text,
    retriever_weight=number,
    chunk_profile=text,
    edge_defaults=texts,
    type=text,
    status=st.none() | text,
    tags=texts,
    aliases=texts,
    path=text,
    private=st.booleans(),
    created=time,
    updated=time,
)
edges = st.builds(
    Edge,
    edge_id=st.uuids().map(str),
    source_id=text,
    target_id=text,
    target_section=text,
    note_id=text,
    kind=text,
    scope=st.sampled_from(["chunk", "note"]),
    rule_id=text,
    provenance=text,
    confidence=number,
    evidence=st.lists(st.builds(Evidence, text, st.integers(0, 99), text), max_size=3).map(tuple),
    resolved=st.booleans(),
    mirror_of=st.none() | text,
)


def through_json(payload: dict[str, Any]) -> dict[str, Any]:
    back: dict[str, Any] = json.loads(json.dumps(payload, allow_nan=False))
    return back


@given(notes)
def test_a_note_comes_back_from_json(note: Note) -> None:
    assert note_of(through_json(note_payload(note))) == note


@given(chunks)
def test_a_chunk_comes_back_from_json(chunk: Chunk) -> None:
    assert chunk_of(through_json(chunk_payload(chunk))) == chunk


@given(edges)
def test_an_edge_comes_back_from_json(edge: Edge) -> None:
    payload = edge_payload(edge)
    assert edge_of(through_json(payload)) == edge
    assert [sorted(item) for item in payload["evidence"]] == [["label", "line", "rule_id"]] * len(edge.evidence)


odd = st.recursive(
    st.floats() | st.integers() | st.text() | st.none() | st.booleans() | st.dates(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text() | st.integers(), inner, max_size=3),
    max_leaves=10,
)


@given(odd)
def test_whatever_a_frontmatter_holds_becomes_json_that_stays_as_it_is(value: Any) -> None:
    made = json_value(value)
    text_ = json.dumps(made, allow_nan=False, ensure_ascii=False)
    text_.encode("utf-8")
    assert json.loads(text_) == made
    assert json_value(made) == made
