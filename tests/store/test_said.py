"""What links say: which note is described best, by which place, and who is heard."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from contract.samples import graph
from manifests import entry
from mindnet.records import LinkContext, NoteGraph
from mindnet.store.kept_words import words_by_path
from mindnet.store.manifest import Manifest
from mindnet.store.said import SaidIndex

SHARE = 0.25


@pytest.fixture
def learn(manifest: Manifest) -> Callable[..., SaidIndex]:
    def put(*graphs: NoteGraph) -> SaidIndex:
        manifest.commit([entry(one.note.path) for one in graphs], [], words=words_by_path(graphs))
        return SaidIndex(manifest)

    return put


Learn = Callable[..., SaidIndex]


def says(name: str, *contexts: LinkContext, private: bool = False) -> NoteGraph:
    made = graph(name, "text")
    return replace(made, contexts=contexts, note=replace(made.note, private=private))


def filler(number: int = 8) -> NoteGraph:
    return says("zz", *(LinkContext("nobody", line, f"Ding {line}", f"Nichts davon {line}.") for line in range(number)))


def heat(line: int = 1, target: str = "pump") -> LinkContext:
    return LinkContext(target, line, "die Anlage", "Mit Umgebungswärme heizt die Anlage.")


def found(index: SaidIndex, query: str, include_private: bool = False) -> list[str]:
    hits = index.search(query, 10, name_share=SHARE, include_private=include_private)
    return [hit.note_id for hit in hits]


def test_a_note_is_found_by_what_another_says_of_it(learn: Learn) -> None:
    index = learn(says("a", heat()), filler())
    assert found(index, "Umgebungswärme") == ["pump"]
    assert found(index, "umgebungswaerme HEIZEN") == ["pump"]
    assert found(index, "Fahrrad") == []
    assert found(index, "") == []


def test_the_best_place_counts_and_is_named(learn: Learn) -> None:
    other = LinkContext("pump", 9, "Anlage", "Die Anlage ist laut.")
    index = learn(says("a", other, heat(3)), filler())
    (hit,) = index.search("Umgebungswärme heizt", 5, name_share=SHARE)
    assert index.contexts([hit.row]) == {hit.row: ("a", heat(3))}
    alone = learn(says("a", heat(3)))
    assert alone.search("Umgebungswärme heizt", 5, name_share=SHARE)[0].score == pytest.approx(hit.score, abs=0.05)


def test_a_link_text_that_the_question_names_in_full_counts_more_than_one_named_in_part(learn: Learn) -> None:
    whole = LinkContext("whole", 1, "Blaue Mappe", "")
    part = LinkContext("part", 1, "Blaue Mappe der alten Verwaltung", "")
    index = learn(says("a", whole, part), filler())
    hits = index.search("Was steht in der blauen Mappe?", 5, name_share=1.0)
    assert [hit.note_id for hit in hits] == ["whole", "part"]
    assert hits[0].score > 2 * hits[1].score


def test_scores_are_shares_and_given_notes_score_as_in_the_search(learn: Learn) -> None:
    index = learn(says("a", heat(), heat(2, "other")), filler())
    hits = {hit.note_id: hit.score for hit in index.search("Umgebungswärme heizt Zoo", 9, name_share=SHARE)}
    assert set(hits) == {"pump", "other"}
    assert all(0 < score <= 1 for score in hits.values())
    given = index.score("Umgebungswärme heizt Zoo", ["pump", "unknown", "nobody"], name_share=SHARE)
    assert {note: hit.score for note, hit in given.items()} == {"pump": hits["pump"]}


def test_what_a_private_note_says_is_heard_only_if_asked_for(learn: Learn) -> None:
    index = learn(says("a", heat(), private=True), filler())
    assert found(index, "Umgebungswärme") == []
    assert found(index, "Umgebungswärme", include_private=True) == ["pump"]
    assert index.score("Umgebungswärme", ["pump"], name_share=SHARE) == {}


def test_only_allowed_notes_are_found_however_low_they_rank(learn: Learn) -> None:
    low = LinkContext("low", 1, "Anlage", "Wärme und vieles andere mehr steht hier.")
    index = learn(says("a", heat(), low), filler())
    hits = index.search("Umgebungswärme Wärme", 1, {"low"}, name_share=SHARE)
    assert [hit.note_id for hit in hits] == ["low"]


def test_equal_scores_come_by_note_id(learn: Learn) -> None:
    index = learn(says("a", heat(1, "n2"), heat(2, "n1"), heat(3, "n3")), filler())
    assert found(index, "Umgebungswärme") == ["n1", "n2", "n3"]
    assert [hit.note_id for hit in index.search("Umgebungswärme", 2, name_share=SHARE)] == ["n1", "n2"]


def test_a_note_that_changed_or_went_says_no_more_what_it_said(manifest: Manifest, learn: Learn) -> None:
    index = learn(says("a", heat()), says("b", heat(4, "other")), filler())
    manifest.commit([entry("a.md")], [], words=words_by_path([says("a", LinkContext("pump", 1, "Ding", "Ganz laut."))]))
    assert found(index, "Umgebungswärme") == ["other"]
    assert found(index, "laut") == ["pump"]
    manifest.commit([], ["b.md"])
    assert found(index, "Umgebungswärme") == []
    manifest.commit([entry("a.md", indexed=False)], [])
    assert found(index, "laut") == []


def test_an_index_that_grew_scores_like_one_built_at_once(manifest: Manifest) -> None:
    index = SaidIndex(manifest)
    for number in range(30):
        name = f"n{number % 12}"
        said = [LinkContext(f"t{number % 5}", number, "Anlage", f"Wärme {number} heizt Haus {number % 3}.")]
        manifest.commit([entry(f"{name}.md")], [], words=words_by_path([says(name, *said)]))
        index.search("Wärme", 3, name_share=SHARE)
    for query in ("Wärme Haus 2", "Anlage 17"):
        grown, built = (
            index.search(query, 99, name_share=SHARE),
            SaidIndex(manifest).search(query, 99, name_share=SHARE),
        )
        assert [(hit.note_id, hit.score) for hit in grown] == [(hit.note_id, hit.score) for hit in built]


def test_what_is_said_outlives_the_process(tmp_path: Path) -> None:
    first = Manifest.open(tmp_path / "kept.sqlite")
    first.commit([entry("a.md")], [], words=words_by_path([says("a", heat())]))
    first.close()
    second = Manifest.open(tmp_path / "kept.sqlite")
    assert found(SaidIndex(second), "Umgebungswärme") == ["pump"]
    second.close()
