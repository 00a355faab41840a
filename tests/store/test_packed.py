"""Whatever a payload holds comes back from the form in which the engine keeps it."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contract.samples import edge, graph
from mindnet.store.packed import REST, pack, unpack
from mindnet.store.payload import Payload, chunk_payload, edge_payload, json_value, note_payload
from mindnet.store.port import Collection
from mindnet.store.schema import FILTERABLE

ONE = graph("alpha", "a short text", links=["beta"], tags=["x", "y/z"], status="draft", private=True)
SAMPLES: list[tuple[Collection, str, Payload]] = [
    ("notes", "", note_payload(ONE.note)),
    ("chunks", "", chunk_payload(ONE.chunks[0])),
    ("edges", ONE.edges[0].edge_id, edge_payload(ONE.edges[0])),
]


@pytest.mark.parametrize(("collection", "point_id", "payload"), SAMPLES, ids=[name for name, _, _ in SAMPLES])
def test_payloads_come_back(collection: Collection, point_id: str, payload: Payload) -> None:
    stored = json.loads(json.dumps(pack(collection, payload)))
    assert unpack(collection, point_id, stored) == payload


@pytest.mark.parametrize(("collection", "point_id", "payload"), SAMPLES, ids=[name for name, _, _ in SAMPLES])
def test_what_is_filtered_by_stands_in_a_field_of_its_own(
    collection: Collection, point_id: str, payload: Payload
) -> None:
    stored = pack(collection, payload)
    assert stored.keys() == {*FILTERABLE[collection], REST}
    flags = {name for name, kind in FILTERABLE[collection].items() if kind == "bool"}
    assert {name: stored[name] for name in FILTERABLE[collection] if name not in flags} == {
        name: payload[name] for name in FILTERABLE[collection] if name not in flags
    }


VALUES = st.none() | st.booleans() | st.integers() | st.floats() | st.text()


@given(
    text=st.text(max_size=700),
    section=st.text(max_size=20),
    extra=st.dictionaries(st.text(max_size=5), st.recursive(VALUES, st.lists)),
)
def test_any_text_comes_back(text: str, section: str, extra: dict[str, object]) -> None:
    """Brackets at the front, emoji, control characters, half surrogates, numbers beyond 64 bits."""
    note = note_payload(replace(ONE.note, fulltext=text, frontmatter=extra))
    assert unpack("notes", "", pack("notes", note)) == note
    assert note["fulltext"] == json_value(text)
    link = replace(edge("alpha", "beta"), target_section=section)
    assert unpack("edges", link.edge_id, pack("edges", edge_payload(link))) == edge_payload(link)
