"""Frontmatter beats type beats default; what is wrong in it is reported and does no harm."""

from __future__ import annotations

from typing import Any

import pytest

from mindnet.errors import ConfigError
from mindnet.knowledge.types import EffectiveValues, TypeRegistry
from mindnet.markdown.parse import parse_note

SMALL: dict[str, Any] = {
    "types": {
        "default": {"retriever_weight": 0.5},
        "Person": {"paths": ["/People/"], "chunk_profile": "long"},
        "meeting": {"paths": ["*.meeting.md"], "smart_edges": True},
    },
    "chunk_profiles": {
        "medium": {"max_tokens": 256, "split_level": 2},
        "long": {"max_tokens": 512, "split_level": 2, "overlap_tokens": 8},
    },
    "status": {"stable": 1.0, "draft": 0.8, "template": "skip"},
}


def effective(types: TypeRegistry, frontmatter: str = "", path: str = "n.md") -> EffectiveValues:
    return types.effective(parse_note(path, f"---\n{frontmatter}\n---\nText\n"))


@pytest.mark.parametrize(
    ("name", "weight", "profile", "defaults"),
    [
        ("concept", 0.60, "medium", ("references", "related_to")),
        ("project", 0.97, "long", ("references", "depends_on")),
        ("profile", 0.66, "long", ("references", "depends_on")),
        ("decision", 1.0, "medium", ("references",)),
        ("glossary", 0.40, "short", ("references",)),
        ("chat", 0.20, "medium", ("references",)),
        ("experience", 0.60, "medium", ("references",)),
        ("value", 0.60, "medium", ("references",)),
        ("principle", 0.60, "medium", ("references",)),
        ("source", 0.60, "medium", ("references",)),
        ("journal", 0.60, "medium", ("references",)),
        ("default", 0.60, "medium", ("references",)),
    ],
)
def test_shipped_types(types: TypeRegistry, name: str, weight: float, profile: str, defaults: tuple[str, ...]) -> None:
    values = effective(types, f"type: {name}")
    assert (values.type, values.retriever_weight) == (name, weight)
    assert (values.chunk_profile.name, values.edge_defaults) == (profile, defaults)
    assert values.faults == ()


def test_shipped_profiles_and_scores(types: TypeRegistry) -> None:
    assert {name: profile.max_tokens for name, profile in types.profiles.items() if name != "by_heading"} == {
        "short": 128,
        "medium": 256,
        "long": 512,
    }
    assert types.profiles["by_heading"].split_level == 6
    assert types.status_scores == {"stable": 1.0, "draft": 0.8}
    assert types.skipped == {"system", "template"}


def test_frontmatter_beats_the_type(types: TypeRegistry) -> None:
    values = effective(types, "type: concept\nretriever_weight: 1\nchunk_profile: Short\nedge_defaults: uses, solves")
    assert values.retriever_weight == 1.0
    assert values.chunk_profile.name == "short"
    assert values.edge_defaults == ("uses", "solves")
    assert effective(types, "type: concept\nedge_defaults: []").edge_defaults == ()


def test_the_profile_default_is_the_types_own(types: TypeRegistry) -> None:
    values = effective(types, "type: project\nchunk_profile: default")
    assert (values.chunk_profile.name, values.faults) == ("long", ())


@pytest.mark.parametrize(
    "line",
    [
        "retriever_weight: high",
        "retriever_weight: 1.5",
        "retriever_weight: 0.05",
        "retriever_weight: true",
        "retriever_weight: [1]",
        "chunk_profile: huge",
        "chunk_profile: [long]",
        "edge_defaults: 3",
        "edge_defaults: [1, 2]",
        "status: {a: b}",
    ],
)
def test_a_bad_value_is_reported_with_its_line_and_the_types_value_stays(types: TypeRegistry, line: str) -> None:
    values = effective(types, f"type: project\n{line}")
    [fault] = values.faults
    assert (fault.path, fault.line, fault.code) == ("n.md", 3, "frontmatter_value")
    assert (values.retriever_weight, values.chunk_profile.name) == (0.97, "long")
    assert values.edge_defaults == ("references", "depends_on")


def test_an_unknown_type_counts_as_default_and_says_the_same_in_every_note(types: TypeRegistry) -> None:
    one, two = effective(types, "type: MOC"), effective(types, "type: moc", "other.md")
    assert one.type == "default"
    assert one.faults[0].code == "unknown_type"
    assert one.faults[0].message == two.faults[0].message


def test_a_list_with_one_type_is_used_and_reported(types: TypeRegistry) -> None:
    values = effective(types, "type: [project, x]")
    assert values.type == "project"
    assert [fault.code for fault in values.faults] == ["frontmatter_value"]


@pytest.mark.parametrize(
    ("status", "known", "indexed"),
    [
        ("stable", True, True),
        ("Draft", True, True),
        ("offen", False, True),
        ("template", True, False),
        ("System", True, False),
    ],
)
def test_status(types: TypeRegistry, status: str, known: bool, indexed: bool) -> None:
    values = effective(types, f"status: {status}")
    assert (values.status, values.indexed) == (status.lower(), indexed)
    assert [fault.code for fault in values.faults] == ([] if known else ["unknown_status"])


@pytest.mark.parametrize(
    ("path", "frontmatter", "name"),
    [
        ("People/Ada.md", "", "person"),
        ("Archiv/People/Ada.md", "", "default"),
        ("a/b/x.meeting.md", "", "meeting"),
        ("People/x.meeting.md", "", "person"),
        ("People/Ada.md", "type: meeting", "meeting"),
        ("x.md", "type: PERSON", "person"),
    ],
)
def test_a_path_gives_the_type_where_the_note_does_not(path: str, frontmatter: str, name: str) -> None:
    assert effective(TypeRegistry.from_mapping(SMALL), frontmatter, path).type == name


def test_what_a_type_leaves_out_is_the_defaults() -> None:
    types = TypeRegistry.from_mapping(SMALL)
    assert types.types["person"].retriever_weight == 0.5
    assert types.types["person"].edge_defaults == ("references",)
    assert types.types["meeting"].smart_edges
    assert not types.types["person"].smart_edges


def test_a_type_with_no_such_profile_is_refused() -> None:
    with pytest.raises(ConfigError, match=r"types\.odd\.chunk_profile") as caught:
        TypeRegistry.from_mapping({**SMALL, "types": {"odd": {"chunk_profile": "lnog"}}})
    assert "`long`" in caught.value.hint
