"""What belongs to a note."""

from __future__ import annotations

import pytest

from mindnet.errors import NotFoundError
from mindnet.retrieval.related import RelatedNote, neighbours, related_notes
from retrieval.small_vault import SmallKinds, SmallVault, settings


@pytest.fixture
def vault() -> SmallVault:
    vault = SmallVault()
    vault.note("Kettle", "copper kettle care", "vinegar against scale")
    vault.note("Pot", "copper pot care")
    vault.note("Essay", "entirely different matter", title="On")
    vault.note("Secret", "copper kettle care", private=True)
    vault.link("Kettle#c01", "Essay", "based_on", line=1)
    vault.link("Secret#c01", "Kettle", line=1)
    return vault


def related(vault: SmallVault, note_id: str = "Kettle", **options: bool | int) -> dict[str, RelatedNote]:
    found = related_notes(
        vault.store(),
        note_id,
        settings=settings(),
        kinds=SmallKinds(),
        floor=0.0,
        language="en",
        **options,  # type: ignore[arg-type]
    )
    return {one.chunk.note_id: one for one in found}


def test_notes_near_in_meaning_come_with_the_passages_that_are_near(vault: SmallVault) -> None:
    pot = related(vault)["Pot"]
    assert not pot.linked
    assert pot.reasons[0].text.startswith("its passage is close in meaning to your passage in line 1")
    assert (pot.reasons[0].path, pot.reasons[0].line) == ("Pot.md", 1)


def test_linked_notes_are_marked_and_name_their_edge(vault: SmallVault) -> None:
    essay = related(vault)["Essay"]
    assert essay.linked
    assert any("linked from *Kettle* by `based_on`, written in line 1" in reason.text for reason in essay.reasons)


def test_the_parts_add_up_and_the_note_itself_is_not_related(vault: SmallVault) -> None:
    found = related(vault)
    assert "Kettle" not in found
    for one in found.values():
        assert one.total_score == pytest.approx(sum(part.points for part in one.contributions), abs=1e-9)
    totals = [one.total_score for one in found.values()]
    assert totals == sorted(totals, reverse=True)


def test_private_notes_are_related_only_if_asked_for(vault: SmallVault) -> None:
    assert "Secret" not in related(vault)
    assert "Secret" in related(vault, include_private=True)
    assert "Secret" not in {edge.note_id for edge in neighbours(vault.store(), "Kettle")}
    assert "Secret" in {edge.note_id for edge in neighbours(vault.store(), "Kettle", include_private=True)}


def test_no_more_than_asked_for(vault: SmallVault) -> None:
    assert len(related(vault, top_k=1)) == 1


def test_neighbours_have_both_directions(vault: SmallVault) -> None:
    vault.link("Pot#c01", "Kettle", line=4)
    found = {(edge.direction, edge.title, edge.kind, edge.line) for edge in neighbours(vault.store(), "Kettle")}
    assert found == {("out", "On", "based_on", 1), ("in", "Pot", "references", 4)}


def test_a_note_that_is_not_there_is_an_error(vault: SmallVault) -> None:
    with pytest.raises(NotFoundError):
        related(vault, "Nowhere")
    with pytest.raises(NotFoundError):
        neighbours(vault.store(), "Nowhere")
