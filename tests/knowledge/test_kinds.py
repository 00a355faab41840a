"""Every way to write a relation leads to its kind; what is unknown is kept, what is protected is refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from mindnet.errors import ConfigError
from mindnet.knowledge.kinds import KindRegistry, kind_key

LEAST: dict[str, Any] = {"kinds": {"references": {}, "related_to": {"symmetric": True}}}


@pytest.mark.parametrize(
    ("written", "kind"),
    [
        ("references", "references"),
        ("Depends On", "depends_on"),
        ("depends-on", "depends_on"),
        ("ausgelöst_durch", "caused_by"),
        ("ausgeloest durch", "caused_by"),
        ("wegen", "caused_by"),
        ("abgeleitet_von", "derived_from"),
        ("Quelle", "derived_from"),
        ("basiert auf", "based_on"),
        ("fundament", "based_on"),
        ("löst", "solves"),
        ("lo\u0308st", "solves"),
        ("fix_für", "solves"),
        ("teil_von", "part_of"),
        ("cluster", "part_of"),
        ("braucht", "depends_on"),
        ("requires", "depends_on"),
        ("blockiert", "blocks"),
        ("risiko-für", "blocks"),
        ("siehe auch", "related_to"),
        ("KONTEXT", "related_to"),
    ],
)
def test_a_written_kind_is_understood(kinds: KindRegistry, written: str, kind: str) -> None:
    found = kinds.normalise(written)
    assert (found.name, found.known, found.refused) == (kind, True, None)


def test_an_unknown_kind_is_kept_with_the_nearest_known_one_beside_it(kinds: KindRegistry) -> None:
    found = kinds.normalise("Inspiriert-von dem")
    assert (found.name, found.known) == ("inspiriert_von_dem", False)
    assert kinds.normalise("dependson").nearest == "depends_on"
    assert kinds.normalise("basirt_auf").nearest == "based_on"


@pytest.mark.parametrize("written", ["next", "Prev", "belongs to"])
def test_a_protected_kind_becomes_related_to(kinds: KindRegistry, written: str) -> None:
    found = kinds.normalise(written)
    assert found.name == "related_to"
    assert found.refused in kinds.protected


def test_inverses_lead_there_and_back(kinds: KindRegistry) -> None:
    for name, kind in kinds.kinds.items():
        if kind.inverse is not None:
            assert kinds.kinds[kind.inverse].inverse == name
            assert not kind.symmetric
    assert kinds.inverse("depends_on") == "enforced_by"
    assert kinds.inverse("references") is None
    assert kinds.inverse("similar_to") is None
    assert kinds.inverse("never heard of") is None


def test_no_alias_is_given_twice_in_what_is_shipped(shipped_edges: Mapping[str, Any], kinds: KindRegistry) -> None:
    written = [
        (kind_key(alias), name)
        for name, entry in shipped_edges["kinds"].items()
        for alias in [name, *entry.get("aliases", [])]
    ]
    assert len(dict(written)) == len(written)
    assert kinds.names == dict(written)


def test_a_kind_without_entry_counts_in_full_and_one_way(kinds: KindRegistry) -> None:
    assert kinds.weight("inspiriert_von") == 1.0
    assert not kinds.symmetric("inspiriert_von")
    assert kinds.symmetric("related_to")
    assert kinds.weight("belongs_to") == 0.0


def test_a_later_kind_takes_an_alias_over_but_no_kinds_name() -> None:
    data = {"kinds": {**LEAST["kinds"], "cites": {"aliases": ["quelle", "references"]}}}
    data["kinds"] = {"derived_from": {"aliases": ["quelle"]}, **data["kinds"]}
    registry = KindRegistry.from_mapping(data)
    assert registry.normalise("quelle").name == "cites"
    assert registry.normalise("references").name == "references"


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"kinds": {"references": {}}}, "kinds.related_to"),
        ({"kinds": {**LEAST["kinds"], "causes": {"inverse": "caused"}}}, "kinds.causes.inverse"),
        ({**LEAST, "matrix": {"a": {"b": "related"}}}, "matrix.a.b"),
        ({"kinds": {**LEAST["kinds"], "next": {"protected": True}}, "matrix": {"a": {"b": "next"}}}, "matrix.a.b"),
    ],
)
def test_a_configuration_that_names_no_such_kind_is_refused(change: dict[str, Any], place: str) -> None:
    with pytest.raises(ConfigError, match=place):
        KindRegistry.from_mapping(change)
