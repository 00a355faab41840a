"""What is read straight from the engine's payloads is what was packed into them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from contract.samples import edge, graph
from mindnet.records import Edge, Evidence, Label
from mindnet.store.packed import pack
from mindnet.store.payload import chunk_payload, edge_payload, note_payload
from mindnet.store.places import placed
from mindnet.store.unpacking import LABEL, PLACE, edge_from, label_from, place_from

PLAIN = edge("alpha#c01", "beta")
MIRROR = replace(
    edge("beta", "alpha", "enforced_by", note_id="alpha"),
    rule_id="mirror:inline:rel",
    provenance="rule",
    confidence=0.855,
    evidence=(Evidence("mirror:inline:rel", 7, "", original=PLAIN.edge_id), Evidence("smart:candidate", 0)),
    mirror_of=PLAIN.edge_id,
)
PENDING = replace(PLAIN, evidence=(Evidence("explicit:wikilink", 4, "a „b“", pending=True),), resolved=False)


@pytest.mark.parametrize("one", [PLAIN, MIRROR, PENDING, replace(PLAIN, evidence=(), target_section="Ä#b")])
def test_an_edge_is_as_it_was(one: Edge) -> None:
    found = edge_from(one.edge_id, pack("edges", edge_payload(one)))
    assert found == one
    assert [item.pending for item in found.evidence] == [item.pending for item in one.evidence]


@pytest.mark.parametrize(("status", "private"), [(None, False), ("draft", True)])
def test_a_place_and_a_label_are_those_of_their_records(status: str | None, private: bool) -> None:
    made = graph("alpha", "a", "b", status=status, private=private, path="Über/Alpha.md")
    for chunk in made.chunks:
        stored = {name: value for name, value in pack("chunks", chunk_payload(chunk)).items() if name in PLACE}
        assert place_from("", stored) == placed(chunk)
    stored = {name: value for name, value in pack("notes", note_payload(made.note)).items() if name in LABEL}
    assert label_from("", stored) == Label("alpha", made.note.title, "Über/Alpha.md", private)
