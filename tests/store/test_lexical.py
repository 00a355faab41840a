"""The lexical leg: what is found by its words, in which order, with which score."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contract.samples import graph
from manifests import entry
from mindnet.records import NoteGraph
from mindnet.store import word_tables
from mindnet.store.kept_words import words_by_path
from mindnet.store.lexical import LexicalIndex
from mindnet.store.manifest import Manifest


@pytest.fixture
def learn(manifest: Manifest) -> Callable[..., LexicalIndex]:
    def put(*graphs: NoteGraph) -> LexicalIndex:
        manifest.commit([entry(one.note.path) for one in graphs], [], words=words_by_path(graphs))
        return LexicalIndex(manifest)

    return put


Learn = Callable[..., LexicalIndex]


def filler(number: int) -> list[NoteGraph]:
    return [graph(f"zz{index:03d}", f"nichts davon {index}") for index in range(number)]


def found(index: LexicalIndex, query: str, limit: int = 10) -> list[str]:
    return [hit.chunk_id for hit in index.search(query, limit)]


def test_notes_are_found_by_any_form_of_a_word(learn: Learn) -> None:
    index = learn(graph("a", "Die Häuser am Fluss"), graph("b", "Ein Garten"), *filler(8))
    assert found(index, "Haus") == ["a#c01"]
    assert found(index, "HAEUSER") == ["a#c01"]
    assert found(index, "Gärten") == ["b#c01"]
    assert found(index, "Fahrrad") == []
    assert found(index, "") == []


def test_a_score_is_the_part_of_the_question_that_is_covered(learn: Learn) -> None:
    index = learn(
        graph("all", "Wärmepumpe Strom Förderung"), graph("two", "Wärmepumpe Strom"), graph("one", "Strom"), *filler(20)
    )
    scores = {hit.note_id: hit.score for hit in index.search("Wärmepumpe Strom Förderung", 10)}
    assert 1 >= scores["all"] > scores["two"] > scores["one"] > 0
    assert scores["all"] > 0.35


def test_a_word_that_nobody_has_counts_against_the_score(learn: Learn) -> None:
    index = learn(graph("a", "Strom"), *filler(20))
    (alone,) = index.search("Strom", 5)
    (diluted,) = index.search("Strom Quantenchromodynamik", 5)
    assert diluted.score < 0.6 * alone.score


def test_a_rare_word_weighs_more_than_a_common_one(learn: Learn) -> None:
    common = [graph(f"c{index}", "Strom") for index in range(6)]
    index = learn(graph("rare", "Wärmepumpe"), *common, *filler(20))
    assert found(index, "Strom Wärmepumpe")[0] == "rare#c01"


def test_both_stems_of_a_word_count_once(learn: Learn) -> None:
    index = learn(graph("a", "Backup"), graph("b", "Backups"), *filler(20))
    for query in ("backup", "backups"):
        assert all(hit.score <= 1 for hit in index.search(query, 5))
        assert len(found(index, query)) == 2


def test_a_title_weighs_more_than_the_text(learn: Learn) -> None:
    index = learn(graph("strom", "über etwas anderes"), graph("x", "über den Strom"), *filler(20))
    assert found(index, "Strom") == ["strom#c01", "x#c01"]


def test_names_tags_and_headings_are_searched(learn: Learn) -> None:
    one, two, three = graph("a", "text"), graph("b", "text"), graph("c", "text")
    index = learn(
        replace(one, chunks=(replace(one.chunks[0], aliases=("Wärmepumpe",)),)),
        replace(two, chunks=(replace(two.chunks[0], tags=("energie/wärmepumpe",)),)),
        replace(three, chunks=(replace(three.chunks[0], heading_path=("Kosten", "Die Wärmepumpe")),)),
        *filler(9),
    )
    assert sorted(found(index, "Wärmepumpen")) == ["a#c01", "b#c01", "c#c01"]


def test_a_note_that_the_question_names_in_full_comes_before_those_it_names_in_part(learn: Learn) -> None:
    whole, part = graph("a", "text"), graph("b", "text")
    index = learn(
        replace(whole, note=replace(whole.note, title="Blaue Mappe")),
        replace(part, note=replace(part.note, title="Blaue Mappe der alten Verwaltung")),
        graph("c", "Die blaue Mappe steht hier"),
        *filler(20),
    )
    named = index.score("Wo ist die blaue Mappe?", ["a#c01", "b#c01"])
    assert named["a#c01"] > 2 * named["b#c01"] > 0
    assert index.score("Wo ist die gelbe Tasche?", ["a#c01"]) == {"a#c01": 0.0}


def test_a_note_is_named_by_its_aliases_and_its_file_too(learn: Learn) -> None:
    alias, file = graph("a", "text"), graph("b", "text", path="Blaue Mappe.md")
    index = learn(replace(alias, note=replace(alias.note, aliases=("Blaue Mappe",))), file, *filler(20))
    named = index.score("Blaue Mappe", ["a#c01", "b#c01", "zz001#c01"])
    assert named["b#c01"] > named["a#c01"] > 0.1
    assert named["zz001#c01"] == 0


def test_a_renamed_note_is_no_longer_named_as_it_was(manifest: Manifest, learn: Learn) -> None:
    made = graph("a", "text")
    index = learn(replace(made, note=replace(made.note, title="Blaue Mappe")), *filler(20))
    assert index.score("Blaue Mappe", ["a#c01"])["a#c01"] > 0
    manifest.commit(
        [entry("a.md")], [], words=words_by_path([replace(made, note=replace(made.note, title="Rote Tasche"))])
    )
    assert index.score("Blaue Mappe", ["a#c01"])["a#c01"] == 0
    assert index.score("Rote Tasche", ["a#c01"])["a#c01"] > 0


def test_equal_scores_come_by_chunk_id(learn: Learn) -> None:
    index = learn(*(graph(name, "Strom", path=f"{name}.md") for name in ("n3", "n1", "n2")), *filler(20))
    assert found(index, "Strom") == ["n1#c01", "n2#c01", "n3#c01"]
    assert found(index, "Strom", 2) == ["n1#c01", "n2#c01"]
    assert found(index, "Strom", 0) == []


def test_only_allowed_notes_are_found_however_low_they_rank(learn: Learn) -> None:
    index = learn(*(graph(f"n{number:02d}", "Strom " * (30 - number)) for number in range(30)), *filler(40))
    assert [hit.note_id for hit in index.search("Strom", 2, {"n28", "n29"})] == ["n28", "n29"]
    assert list(index.search("Strom", 5, set())) == []


def test_scores_of_given_chunks_are_those_of_the_search(learn: Learn) -> None:
    index = learn(graph("a", "Strom", "anderes"), graph("b", "Strom Wärmepumpe"), *filler(20))
    ids = ["a#c01", "a#c02", "b#c01", "nobody#c01"]
    scores = index.score("Strom Wärmepumpe", ids)
    searched = {hit.chunk_id: hit.score for hit in index.search("Strom Wärmepumpe", 10)}
    assert scores == {**dict.fromkeys(ids, 0.0), **searched}
    assert index.score("Strom", []) == {}


def test_a_changed_note_is_found_by_its_new_words_alone(manifest: Manifest, learn: Learn) -> None:
    index = learn(graph("a", "Strom", "Gas"), *filler(5))
    assert found(index, "Strom") == ["a#c01"]
    manifest.commit([entry("a.md")], [], words=words_by_path([graph("a", "Wasser")]))
    assert found(index, "Strom") == []
    assert found(index, "Gas") == []
    assert found(index, "Wasser") == ["a#c01"]


def test_a_removed_note_is_not_found(manifest: Manifest, learn: Learn) -> None:
    index = learn(graph("a", "Strom"), *filler(5))
    manifest.commit([], ["a.md"])
    assert found(index, "Strom") == []
    assert "a#c01" not in set(index.chunk_ids())


def test_a_note_that_is_no_longer_indexed_is_not_found(manifest: Manifest, learn: Learn) -> None:
    index = learn(graph("a", "Strom"), *filler(5))
    manifest.commit([entry("a.md", indexed=False)], [])
    assert found(index, "Strom") == []


def test_a_touched_note_keeps_its_words(manifest: Manifest, learn: Learn) -> None:
    index = learn(graph("a", "Strom"), *filler(5))
    manifest.commit([entry("a.md").with_stat(9, 9)], [])
    assert found(index, "Strom") == ["a#c01"]


def test_a_moved_note_with_an_id_is_found_once(manifest: Manifest, learn: Learn) -> None:
    index = learn(graph("a", "Strom", path="old.md"), *filler(5))
    manifest.commit([entry("new.md")], ["old.md"], words=words_by_path([graph("a", "Strom", path="new.md")]))
    assert found(index, "Strom") == ["a#c01"]
    manifest.commit([], ["old.md"])
    assert found(index, "Strom") == ["a#c01"]


def test_an_index_that_grew_and_changed_scores_like_one_built_at_once(tmp_path: Path) -> None:
    grown = Manifest.open(tmp_path / "grown.sqlite")
    index = LexicalIndex(grown)
    texts = ["Strom Gas", "Strom", "Wasser Strom Strom", "Gas Wasser", "Haus und Garten", "Garten Strom"]
    for round_ in range(3):
        for number in range(40):
            one = graph(f"n{number:02d}", texts[(number + round_) % len(texts)], *(["Gas"] if round_ == 1 else []))
            grown.commit([entry(one.note.path)], [], words=words_by_path([one]))
            index.search("Strom", 3)
    grown.commit([], ["n07.md", "n08.md"])
    graphs = [graph(f"n{number:02d}", texts[(number + 2) % len(texts)]) for number in range(40) if number not in (7, 8)]
    built = Manifest.open(tmp_path / "built.sqlite")
    built.commit([entry(one.note.path) for one in graphs], [], words=words_by_path(graphs))
    for query in ("Strom", "Gas im Haus", "Wasser Garten Zoo"):
        assert index.search(query, 100) == LexicalIndex(built).search(query, 100)
    assert set(index.chunk_ids()) == set(LexicalIndex(built).chunk_ids())
    grown.close()
    built.close()


def test_an_index_that_was_not_asked_for_long_scores_like_one_built_at_once(
    manifest: Manifest, learn: Learn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(word_tables, "REMEMBERED", 4)
    notes = [graph(f"n{number:02d}", "Strom Gas") for number in range(12)]
    asked_often, asked_seldom = learn(*notes), LexicalIndex(manifest)
    asked_seldom.search("Strom", 99)
    for number in range(9):
        one = graph(f"n{number:02d}", "Wasser")
        manifest.commit([entry(one.note.path)], [], words=words_by_path([one]))
        asked_often.search("Strom", 99)
    assert found(asked_seldom, "Strom", 99) == ["n09#c01", "n10#c01", "n11#c01"]
    for query in ("Strom", "Wasser Gas"):
        built = LexicalIndex(manifest).search(query, 99)
        assert asked_often.search(query, 99) == asked_seldom.search(query, 99) == built


def test_words_that_were_taken_out_by_another_hand_are_not_found(manifest: Manifest, learn: Learn) -> None:
    index = learn(graph("a", "Strom"), graph("b", "Strom"), *filler(5))
    assert found(index, "Strom") == ["a#c01", "b#c01"]
    with manifest.reading() as db:
        db.execute("DELETE FROM chunks WHERE note_id = 'a'")
    assert found(index, "Strom") == ["b#c01"]
    manifest.commit([], ["b.md"])
    assert found(index, "Strom") == []


def test_words_outlive_the_process(tmp_path: Path) -> None:
    first = Manifest.open(tmp_path / "index.sqlite")
    first.commit([entry("a.md")], [], words=words_by_path([graph("a", "Strom")]))
    first.close()
    second = Manifest.open(tmp_path / "index.sqlite")
    assert found(LexicalIndex(second), "Strom") == ["a#c01"]
    second.close()


def test_matched_words_are_given_as_typed(learn: Learn) -> None:
    index = learn()
    text = "Die Häuser und das Backup."
    assert index.matched_words("HAUS der Backups Garten", text) == ("HAUS", "Backups")
    assert index.matched_words("", text) == ()


def test_words_that_begin_alike_are_found_behind_the_word_itself(learn: Learn) -> None:
    index = learn(
        graph("compound", "Die Wärmepumpenförderung"),
        graph("itself", "Die Wärmepumpe"),
        graph("other", "Die Wärmer"),
        *filler(9),
    )
    assert found(index, "Wärmepumpe") == ["itself#c01", "compound#c01", "other#c01"]
    assert index.alike_words("Wärmepumpe Strom", "Eine Wärmepumpenförderung") == ("Wärmepumpe",)
    assert index.alike_words("Wärmepumpe", "Wärmepumpen und Wärmepumpenförderung") == ()


def test_a_long_text_with_the_word_itself_is_found_before_short_ones_with_words_that_begin_alike(learn: Learn) -> None:
    long = "Die Wärmepumpe " + " ".join(f"und dazu {number} anderes" for number in range(60))
    index = learn(graph("alike", "Wärmer"), graph("itself", long), graph("other", "Wärmepumpenförderung"), *filler(9))
    assert found(index, "Wärmepumpe")[0] == "itself#c01"


def test_short_words_and_numbers_are_never_alike(learn: Learn) -> None:
    index = learn(graph("a", "Strom 1234567"), *filler(9))
    assert found(index, "Stroh 1234599") == []


@pytest.mark.parametrize(
    "slip", ["Vorschus", "Vorshuss", "Vorschusss", "Vorschuzs", "Vrschuss", "Vroschuss", "Voschuß"]
)
def test_a_slip_of_the_keyboard_finds_the_word_before_others_that_begin_alike(learn: Learn, slip: str) -> None:
    index = learn(graph("a", "Vorschrift"), graph("b", "Vorschuss"), *filler(9))
    assert found(index, slip)[0] == "b#c01"


def test_a_word_that_is_there_is_no_slip(learn: Learn) -> None:
    index = learn(graph("a", "Gartenbau"), graph("b", "Gartenlaube"), graph("c", "Karten"), *filler(9))
    assert index.near_words("Gartenbau", "Gartenlaube") == ()
    assert index.near_words("Gartenbai", "Gartenbau") == (("Gartenbai", "Gartenbau"),)
    assert index.near_words("Garten", "Karten") == ()


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("Kündigungsschutzgesetz", "Kündigungsschutz"),
        ("Gartenpumpe", "Pumpe"),
        ("houseplant", "plant"),
        ("Zahnarzttermin", "Zahnarzt"),
        ("Mülltonnenbox", "Mülltonnen"),
    ],
)
def test_a_compound_that_no_note_has_finds_its_half(learn: Learn, question: str, text: str) -> None:
    index = learn(graph("a", text), graph("b", "Kündigungsfrist, Gartenlaube, horse, Zahnrad, Mühle"), *filler(9))
    assert found(index, question)[0] == "a#c01"
    assert index.near_words(question, text) == ((question, text),)


def test_a_longer_half_counts_more(learn: Learn) -> None:
    index = learn(graph("a", "Schutz"), graph("b", "Kündigungsschutz"), *filler(9))
    assert found(index, "Kündigungsschutzverfahren")[0] == "b#c01"


def test_in_a_long_question_other_words_make_up_for_a_slip(learn: Learn) -> None:
    index = learn(graph("a", "Vorschuss"), *filler(9))
    assert found(index, "Anwalt verlangt Geld Voraus Vorshuss") == []


def test_names_in_code_are_found_by_their_parts(learn: Learn) -> None:
    index = learn(graph("a", "const getUserById = parse_frontmatter(text)"), graph("b", "Useless"), *filler(9))
    for question in ("user by id", "getUserById", "getuserbyid", "frontmatter"):
        assert found(index, question)[0] == "a#c01", question
    assert index.matched_words("user by id", "getUserById()") == ("user", "id")


def test_a_name_is_found_in_the_other_language_by_its_beginning(learn: Learn) -> None:
    index = learn(graph("a", "The University of California"), *filler(9))
    assert found(index, "Universität in Kalifornien") == ["a#c01"]


def test_a_question_of_a_paragraph_is_answered(learn: Learn) -> None:
    index = learn(graph("a", "Strom"), *filler(20))
    paragraph = "Strom " + " ".join(f"wort{number}" for number in range(300))
    (hit,) = index.search(paragraph, 5)
    assert 0 < hit.score < 0.05


@pytest.mark.parametrize("query", ['"', "AND OR NOT", "NEAR(a b)", "title:x", "a* ^b", "'; DROP TABLE notes; --", "\0"])
def test_no_question_is_a_command(learn: Learn, query: str) -> None:
    index = learn(graph("a", "Strom"))
    index.search(query, 5)
    assert found(index, "Strom") == ["a#c01"]


vocabulary = st.sampled_from("Strom Ströme Haus Häuser Backup backups Recht rechtlich 823 der the Zoo".split())  # noqa: SIM905


@given(st.lists(st.lists(vocabulary, max_size=8), min_size=1, max_size=6), st.lists(vocabulary, max_size=5))
@settings(max_examples=40, deadline=None)
def test_scores_are_shares_and_what_scores_has_a_matched_word(texts: list[list[str]], query: list[str]) -> None:
    manifest = Manifest.open(Path(":memory:"))
    graphs = [graph(f"n{number}", " ".join(words)) for number, words in enumerate(texts)]
    manifest.commit([entry(one.note.path) for one in graphs], [], words=words_by_path(graphs))
    index = LexicalIndex(manifest)
    hits = index.search(" ".join(query), 100)
    assert all(0 <= hit.score <= 1 for hit in hits)
    by_id = {chunk.chunk_id: chunk.text for one in graphs for chunk in one.chunks}
    asked = " ".join(query)
    matched = {
        chunk_id
        for chunk_id, text in by_id.items()
        if index.matched_words(asked, text) or index.alike_words(asked, text) or index.near_words(asked, text)
    }
    assert {hit.chunk_id for hit in hits} == matched
    manifest.close()


class _AllBut:
    def __init__(self, few: set[str]) -> None:
        self._few = few

    def __contains__(self, item: object) -> bool:
        return item not in self._few


@pytest.mark.parametrize("limit", [1, 3, 40])
def test_where_the_best_may_not_answer_the_next_best_do(learn: Learn, limit: int) -> None:
    notes = [graph(f"n{number:02d}", f"Strom {'und mehr davon ' * number}") for number in range(30)]
    index = learn(*notes, *filler(5))
    every = index.search("Strom", 100)
    hidden = {hit.note_id for hit in every[:20]}
    expected = [hit for hit in every if hit.note_id not in hidden][:limit]
    assert list(index.search("Strom", limit, _AllBut(hidden))) == expected
    assert index.search("Strom", limit, ()) == []
