"""The written contract of the payloads and the records agree, and each fault of a payload is named."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest

from contract.samples import edge, graph
from mindnet.records import Chunk, Edge, Evidence, Note
from mindnet.store.payload import edge_payload, graph_payloads
from mindnet.store.payload_schema import IDS, SCHEMAS, EvidencePayload, json_schemas, payload_fault
from mindnet.store.port import Collection

SAMPLES: dict[Collection, dict[str, Any]] = dict(graph_payloads(graph("alpha", "text", links=["beta"], tags=["x"])))


@pytest.mark.parametrize(("collection", "record"), [("notes", Note), ("chunks", Chunk), ("edges", Edge)])
def test_every_field_of_a_record_is_in_the_contract_and_no_other(collection: Collection, record: type[Any]) -> None:
    assert set(SCHEMAS[collection].model_fields) == {field.name for field in fields(record)}


def test_every_field_of_evidence_is_in_the_contract() -> None:
    assert {field.name for field in fields(Evidence)} <= set(EvidencePayload.model_fields)


@pytest.mark.parametrize("collection", SAMPLES)
def test_what_is_stored_is_as_the_contract_says(collection: Collection) -> None:
    assert payload_fault(collection, SAMPLES[collection]) is None


@pytest.mark.parametrize("collection", SAMPLES)
def test_each_missing_and_each_unknown_field_is_named(collection: Collection) -> None:
    sound = SAMPLES[collection]
    for name in sound:
        fault = payload_fault(collection, {key: value for key, value in sound.items() if key != name})
        assert fault == f"{name}: Field required"
    assert payload_fault(collection, sound | {"more": 1}) == "more: Extra inputs are not permitted"


@pytest.mark.parametrize(
    ("collection", "name", "value"),
    [
        ("notes", "note_id", ""),
        ("notes", "created", True),
        ("notes", "retriever_weight", 1.1),
        ("notes", "tags", "x"),
        ("notes", "frontmatter", []),
        ("chunks", "ord", 0),
        ("chunks", "private", "true"),
        ("chunks", "heading_path", [1]),
        ("edges", "edge_id", "no-uuid"),
        ("edges", "scope", "vault"),
        ("edges", "provenance", "candidate"),
        ("edges", "evidence", []),
        ("edges", "evidence", [{"rule_id": "x", "line": -1, "label": ""}]),
    ],
)
def test_a_wrong_value_is_named_by_its_field(collection: Collection, name: str, value: object) -> None:
    fault = payload_fault(collection, SAMPLES[collection] | {name: value})
    assert fault is not None
    assert fault.startswith(name)


@pytest.mark.parametrize("provenance", ["explicit", "smart", "rule", "structure", "candidate:smart"])
def test_every_provenance_is_in_the_contract(provenance: str) -> None:
    assert payload_fault("edges", edge_payload(edge("a", "b")) | {"provenance": provenance}) is None


def test_the_schemas_are_json_schemas_of_the_three_collections() -> None:
    found = json_schemas()
    assert found.keys() == SAMPLES.keys() == IDS.keys()
    for collection, schema in found.items():
        assert schema["type"] == "object"
        assert set(schema["required"]) == SAMPLES[collection].keys()  # type: ignore[index]
        assert schema["additionalProperties"] is False
