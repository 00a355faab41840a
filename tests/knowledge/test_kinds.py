"""Every way to write a relation leads to its kind; what is unknown is kept, what is protected is refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from mindnet.errors import ConfigError
from mindnet.knowledge.kinds import KindRegistry, kind_key
from mindnet.knowledge.types import TypeRegistry

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
        ("führt zu", "resulted_in"),
        ("Voraussetzung", "depends_on"),
        ("setzt voraus", "depends_on"),
        ("aufgrund von", "caused_by"),
        ("fusst_auf", "based_on"),
        ("Bestätigt durch", "supported_by"),
        ("widerlegt", "contradicts"),
        ("leads to", "resulted_in"),
        ("due-to", "caused_by"),
        ("Prerequisites", "depends_on"),
    ],
)
def test_a_written_kind_is_understood(kinds: KindRegistry, written: str, kind: str) -> None:
    found = kinds.normalise(written)
    assert (found.name, found.known, found.refused) == (kind, True, None)


@pytest.mark.parametrize(
    ("written", "kind"),
    [
        ("up", "part_of"),
        ("parent", "part_of"),
        ("Parents", "part_of"),
        ("down", "has_part"),
        ("child", "has_part"),
        ("children", "has_part"),
        ("same", "related_to"),
        ("sibling", "related_to"),
        ("friends", "related_to"),
        ("jump", "related_to"),
        ("origin", "derived_from"),
        ("source", "derived_from"),
        ("opposes", "contradicts"),
    ],
)
def test_fields_of_other_plugins_for_hierarchies_are_understood(kinds: KindRegistry, written: str, kind: str) -> None:
    assert kinds.normalise(written).name == kind
    assert kinds.known(written)


@pytest.mark.parametrize("name", ["type", "status", "tags", "aliases", "title", "id", "date", "created", "private"])
def test_no_kind_takes_a_key_that_means_something_else_in_the_frontmatter(kinds: KindRegistry, name: str) -> None:
    assert not kinds.known(name)


@pytest.mark.parametrize(
    ("kind", "inverse"),
    [
        ("depends_on", "enforced_by"),
        ("derived_from", "resulted_in"),
        ("based_on", "foundation_of"),
        ("caused_by", "causes"),
        ("solves", "solved_by"),
        ("part_of", "has_part"),
        ("uses", "used_by"),
        ("blocks", "blocked_by"),
        ("impacts", "impacted_by"),
        ("next", "prev"),
        ("supports", "supported_by"),
        ("example_of", "has_example"),
    ],
)
def test_shipped_pairs(kinds: KindRegistry, kind: str, inverse: str) -> None:
    assert (kinds.inverse(kind), kinds.inverse(inverse)) == (inverse, kind)


def test_shipped_kinds_of_a_special_sort(kinds: KindRegistry) -> None:
    assert {name for name in kinds.kinds if kinds.symmetric(name)} == {"related_to", "similar_to", "contradicts"}
    assert kinds.protected == {"belongs_to", "next", "prev", "backlink"}


def test_every_alias_works_without_umlauts_with_spaces_and_in_capitals(
    shipped_edges: Mapping[str, Any], kinds: KindRegistry
) -> None:
    plain = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss"})
    for name, entry in shipped_edges["kinds"].items():
        for alias in entry.get("aliases", []):
            for written in (alias.translate(plain), alias.replace("_", " ").upper(), alias.replace("_", "-").title()):
                assert kinds.names[kind_key(written)] == name


def test_shipped_matrix(kinds: KindRegistry, types: TypeRegistry) -> None:
    assert kinds.matrix["experience", "value"] == "based_on"
    assert kinds.matrix["principle", "source"] == "derived_from"
    assert {name for pair in kinds.matrix for name in pair} <= types.types.keys()


def test_an_unknown_kind_is_kept_with_the_nearest_known_one_beside_it(kinds: KindRegistry) -> None:
    found = kinds.normalise("Inspiriert-von dem")
    assert (found.name, found.known) == ("inspiriert_von_dem", False)
    assert kinds.normalise("dependson").nearest == "depends_on"
    assert kinds.normalise("basirt_auf").nearest == "based_on"


@pytest.mark.parametrize("written", ["nxt", "belong_to", "backlinks"])
def test_nobody_is_advised_to_write_a_kind_that_is_then_refused(kinds: KindRegistry, written: str) -> None:
    found = kinds.normalise(written)
    assert not found.known
    assert found.nearest not in kinds.protected


@pytest.mark.parametrize("written", ["foo", "文脈", "nope", "rating", "author", "Inspiriert-von dem", "x"])
def test_a_kind_that_is_like_no_other_gets_no_suggestion(kinds: KindRegistry, written: str) -> None:
    assert kinds.normalise(written).nearest is None


def test_an_inverse_that_is_like_no_kind_gets_no_suggestion_and_none_that_is_refused() -> None:
    protected = {"next": {"protected": True}, "blocks": {}}
    for written, hint in (("nope", ""), ("nxt", ""), ("block", "Did you mean `blocks`?")):
        with pytest.raises(ConfigError) as caught:
            KindRegistry.from_mapping({"kinds": {**LEAST["kinds"], **protected, "foo": {"inverse": written}}})
        assert (caught.value.hint, caught.value.key) == (hint, ("kinds", "foo", "inverse"))


@pytest.mark.parametrize("written", ["next", "Prev", "previous", "belongs to", "nächste", "Backlink"])
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


def test_an_inverse_need_be_named_on_one_side_only() -> None:
    pair: dict[str, Any] = {"cites": {"inverse": "cited_by"}, "cited_by": {}}
    for kinds in (pair, dict(reversed(pair.items()))):
        registry = KindRegistry.from_mapping({"kinds": {**LEAST["kinds"], **kinds}})
        assert (registry.inverse("cites"), registry.inverse("cited_by")) == ("cited_by", "cites")
    own_way = KindRegistry.from_mapping({"kinds": {**LEAST["kinds"], "like": {"inverse": "related_to"}}})
    assert own_way.inverse("related_to") is None


@pytest.mark.parametrize(
    ("change", "place"),
    [
        ({"kinds": {"references": {}}}, "kinds.related_to"),
        ({"kinds": {**LEAST["kinds"], "causes": {"inverse": "caused"}}}, "kinds.causes.inverse"),
        ({**LEAST, "matrix": {"a": {"b": "related"}}}, "matrix.a.b"),
        ({"kinds": {**LEAST["kinds"], "next": {"protected": True}}, "matrix": {"a": {"b": "next"}}}, "matrix.a.b"),
        ({"kinds": {**LEAST["kinds"], "next": {}}}, "kinds.next.protected"),
        ({"kinds": {**LEAST["kinds"], "next": {"protected": True}, "then": {"inverse": "next"}}}, "kinds.then.inverse"),
    ],
)
def test_a_configuration_that_names_no_such_kind_is_refused(change: dict[str, Any], place: str) -> None:
    with pytest.raises(ConfigError, match=place):
        KindRegistry.from_mapping(change)
