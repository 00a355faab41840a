"""Whatever a payload holds comes back from the form in which the engine keeps it."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contract.samples import edge, graph
from mindnet.records import Evidence
from mindnet.store.packed import LONG_REST, NUMBERED, REST, STORED, pack, unpack
from mindnet.store.payload import Payload, chunk_payload, edge_of, edge_payload, json_value, note_payload
from mindnet.store.port import Collection
from mindnet.store.schema import FILTERABLE
from mindnet.store.short_ids import number_of

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
    if collection == "edges":
        # That it is resolved, and of a passage, as most are, is not said.
        payload = {**payload, "resolved": False, "scope": "note"}
    stored = pack(collection, payload)
    assert stored.keys() - {REST, LONG_REST} == {STORED[name] for name in FILTERABLE[collection]}
    for name, kind in FILTERABLE[collection].items():
        if name in NUMBERED:
            assert stored[STORED[name]] == number_of(payload[name])
        elif kind != "bool":
            assert stored[STORED[name]] == payload[name]


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


ONE_UUID = "e2290dab-4262-5991-9630-85c5f144ed96"
RULES = st.sampled_from(["structure:next", "explicit:wikilink", "smart:x", "mirror:of", "odd", ""])
ITEMS = st.builds(
    Evidence,
    RULES,
    st.integers(0, 9_999),
    st.sampled_from(["", "0", "§ 12"]),
    st.none() | st.sampled_from(["other", ONE_UUID]),
    st.booleans(),
)


ENDS = st.sampled_from(
    ["alpha", "alpha#c01", "alpha#c1", "alpha#c00", "alpha#c٣٤", "alpha#c120", "alphabet", "=x", ""]
    + [f"{ONE_UUID}{end}" for end in ("", "#c07", "#c007")]
)


@given(
    note=ENDS,
    source=ENDS,
    target=ENDS,
    rule=RULES,
    provenance=st.sampled_from(["structure", "explicit", "candidate:rule", "rule", "odd", ""]),
    confidence=st.sampled_from([0.0, 0.5, 0.85, 1.0]),
    evidence=st.lists(ITEMS, max_size=3).map(tuple),
    resolved=st.booleans(),
    mirror_of=st.none() | st.just("other"),
)
def test_any_edge_comes_back_with_numbers_as_they_were(
    note: str,
    source: str,
    target: str,
    rule: str,
    provenance: str,
    confidence: float,
    evidence: tuple[Evidence, ...],
    resolved: bool,
    mirror_of: str | None,
) -> None:
    link = replace(
        edge(source, target),
        note_id=note,
        rule_id=rule,
        provenance=provenance,
        confidence=confidence,
        evidence=evidence,
        resolved=resolved,
        mirror_of=mirror_of,
    )
    payload = edge_payload(link)
    back = unpack("edges", link.edge_id, json.loads(json.dumps(pack("edges", payload))))
    assert back == payload
    assert type(back["confidence"]) is float
    assert edge_of(back) == link


def test_a_link_within_a_note_fits_into_one_block_of_the_engine() -> None:
    note = "e2290dab-4262-5991-9630-85c5f144ed96"
    link = replace(
        edge(f"{note}#c04", note), note_id=note, kind="belongs_to", rule_id="structure:belongs_to",
        provenance="structure", evidence=(Evidence("structure:belongs_to", 16),),
    )  # fmt: skip
    assert len(json.dumps(pack("edges", edge_payload(link)), separators=(",", ":"))) <= 128
