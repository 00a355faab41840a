"""Which notes may answer, and that a note that may not leaves no trace in an answer."""

from __future__ import annotations

from typing import Any

import pytest

from mindnet.errors import UsageError
from mindnet.retrieval.filters import DateRange, Filters
from retrieval.small_vault import SmallVault, found, hit_of, raw

QUESTION = "copper kettle"


@pytest.fixture
def vault() -> SmallVault:
    vault = SmallVault()
    vault.note("a", "copper kettle", path="garden/a.md", tags=["garten"], type="project", status="draft")
    vault.note("b", "copper kettle", path="garden/b.md", tags=["garten/beet"], created=20230501120000)
    vault.note("c", "copper kettle", path="house/c.md", tags=["gartenbau"], status="stable", updated=20250101000000)
    return vault


@pytest.mark.parametrize(
    ("filters", "left"),
    [
        ({"type": ("project",)}, "a"),
        ({"tag": ("garten",)}, "ab"),
        ({"tag": ("#garten/beet",)}, "b"),
        ({"path": ("garden/",)}, "ab"),
        ({"path": ("house/", "garden/b")}, "bc"),
        ({"status": ("draft", "stable")}, "ac"),
        ({"created": DateRange.parse(None, "2023")}, "b"),
        ({"updated": DateRange.parse("2025-01-01", None)}, "c"),
        ({"exclude_type": ("project",)}, "bc"),
        ({"exclude_tag": ("garten",)}, "c"),
        ({"exclude_path": ("house/",)}, "ab"),
        ({"exclude_status": ("draft",)}, "bc"),
        ({"tag": ("garten",), "exclude_status": ("draft",)}, "b"),
        ({"type": ("nothing",)}, ""),
    ],
)
@pytest.mark.parametrize("mode", ["hybrid", "semantic", "lexical"])
def test_only_what_the_filters_allow_is_found(vault: SmallVault, mode: str, filters: dict[str, Any], left: str) -> None:
    assert sorted(found(vault.ask(QUESTION, mode=mode, filters=Filters(**filters)))) == list(left)


def test_a_filtered_note_neither_enters_by_the_graph_nor_bridges() -> None:
    vault = SmallVault()
    vault.note("Seed", "copper kettle", type="project")
    vault.note("Bridge", "wooden spoon", type="journal")
    vault.note("Far", "iron fork", type="project")
    vault.link("Seed#c01", "Bridge")
    vault.link("Bridge#c01", "Far")
    assert raw(hit_of(vault.ask(QUESTION, depth=2), "Far"), "edge") > 0
    result = vault.ask(QUESTION, depth=2, filters=Filters(exclude_type=("journal",)))
    assert "Bridge" not in found(result)
    assert "Far" not in found(result) or raw(hit_of(result, "Far"), "edge") == 0


@pytest.mark.parametrize("mode", ["hybrid", "semantic", "lexical"])
def test_a_private_note_is_in_no_answer_unless_asked_for(mode: str) -> None:
    vault = SmallVault()
    vault.note("Open", "copper kettle")
    vault.note("Secret", "copper kettle secret", private=True)
    vault.link("Open#c01", "Secret", line=1)
    vault.link("Secret#c01", "Open", line=1)
    result = vault.ask(QUESTION, mode=mode, why_not=("Secret.md",))
    assert found(result) == ["Open"]
    assert "Secret" not in repr(result.hits)
    assert result.why_not[0].cut_by == "private"
    assert result.why_not[0].title is None
    assert sorted(found(vault.ask(QUESTION, mode=mode, include_private=True))) == ["Open", "Secret"]


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        ("2024", "2024", (20240101000000, 20241231235959)),
        ("2024-02", "2024-02", (20240201000000, 20240229235959)),
        ("2024-02-03", "2024-02-03", (20240203000000, 20240203235959)),
        ("2024-02-03T04:05", "2024-02-03T04:05:06Z", (20240203040500, 20240203040506)),
        (None, None, (None, None)),
    ],
)
def test_an_end_includes_its_last_second(
    low: str | None, high: str | None, expected: tuple[int | None, int | None]
) -> None:
    assert (lambda span: (span.low, span.high))(DateRange.parse(low, high)) == expected


@pytest.mark.parametrize("text", ["yesterday", "2024-13", "24-01-01", ""])
def test_what_is_no_date_is_refused(text: str) -> None:
    with pytest.raises(UsageError):
        DateRange.parse(text, None)
