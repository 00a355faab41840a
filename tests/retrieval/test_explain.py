"""Reasons name their true cause and open the right line."""

from __future__ import annotations

import string

import pytest

from mindnet.records import Explanation
from mindnet.retrieval.search import Query
from mindnet.retrieval.sentences import SENTENCES, sentence
from retrieval.small_vault import SmallVault, hit_of, reasons

QUESTION = "copper kettle descaling"


def placeholders(sentence: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(sentence) if name}


def test_both_languages_have_the_same_sentences() -> None:
    assert SENTENCES["de"].keys() == SENTENCES["en"].keys()
    for key, english in SENTENCES["en"].items():
        assert placeholders(SENTENCES["de"][key]) == placeholders(english), key


def test_numbers_are_written_as_the_language_writes_them() -> None:
    assert "(similarity 0.56)" in sentence("en", "semantic", raw=0.5612)
    assert "(Ähnlichkeit 0,56)" in sentence("de", "semantic", raw=0.5612)
    said = sentence("de", "intent", intent="WHY", kind="v1.2", boost=1.5)
    assert "×1,5" in said
    assert "`v1.2`" in said


def test_words_are_those_of_the_passage_and_the_line_is_their_first() -> None:
    vault = SmallVault()
    vault.note("Care", "Nothing here.\nA kettle of copper.\nThe copper shines.", head="---\nid: Care\n---\n")
    (reason,) = reasons(hit_of(vault.ask(QUESTION), "Care"), "lexical")
    assert reason.text == "contains your words *copper*, *kettle*"
    assert (reason.path, reason.line) == ("Care.md", 5)


def test_words_that_stand_only_in_names_say_in_which() -> None:
    vault = SmallVault()
    head = "---\naliases: [Copper]\n---\n# Descaling\n"
    text = "Use vinegar."
    vault.note("Pot", text, head=head, title="Pots", aliases=["Copper"], headings=[("Descaling",)], tags=["kettle"])
    found = reasons(hit_of(vault.ask(QUESTION), "Pot"), "lexical")
    assert [(reason.text, reason.line) for reason in found] == [
        ("your question names it: *Copper*", 2),
        ("the heading above contains your word *descaling*", 4),
        ("its tags contain your word *kettle*", 5),
    ]


def test_a_name_that_the_question_has_in_part_says_which_word() -> None:
    vault = SmallVault()
    vault.note("Pot", "Use vinegar.", title="Copper pots", aliases=["Green kettle"], path="Descaling things.md")
    found = reasons(hit_of(vault.ask(QUESTION), "Pot"), "lexical")
    assert [reason.text for reason in found] == [
        "its title contains your word *copper*",
        "one of its aliases contains your word *kettle*",
        "its file name contains your word *descaling*",
    ]


def test_a_heading_matched_by_a_sentence_keeps_its_line() -> None:
    vault = SmallVault()
    vault.note("Pot", "A copper pot", head="# Kettle care\n", headings=[("Kettle care",)])
    found = reasons(hit_of(vault.ask(QUESTION), "Pot"), "lexical")
    assert [reason.line for reason in found] == [2, 1]


def test_a_relation_that_a_third_file_writes_names_that_file() -> None:
    vault = SmallVault()
    vault.note("Kettle", "copper kettle descaling")
    vault.note("Vinegar", "something sour")
    vault.note("Board", "a plan of the kitchen", path="Plans/Board.canvas")
    vault.link("Kettle", "Vinegar", "uses", line=9, owner="Board", rule_id="explicit:canvas")
    hit = hit_of(vault.ask(QUESTION), "Vinegar")
    (reason,) = reasons(hit, "edge")
    assert reason.text == "linked from *Kettle* by `uses`, written in *Board*, line 9"
    assert (reason.path, reason.line) == ("Plans/Board.canvas", 9)
    assert isinstance(hit.explanation, Explanation)
    (edge,) = hit.explanation.related_edges
    assert (edge.direction, edge.path, edge.line, edge.written_in) == ("in", "Kettle.md", 9, "Plans/Board.canvas")


def test_in_german_the_reasons_are_german() -> None:
    vault = SmallVault()
    vault.note("Kessel", "Den Kupferkessel entkalken wir mit Essig.")
    vault.note("Essig", "Säure aus Apfelwein.")
    vault.link("Kessel#c01", "Essig", "uses", line=7)
    result = vault.ask("Wie kann ich einen Kupferkessel entkalken?")
    assert result.language == "de"
    assert (
        reasons(hit_of(result, "Essig"), "edge")[0].text == "verlinkt von *Kessel* mit `uses`, geschrieben in Zeile 7"
    )
    assert reasons(hit_of(result, "Kessel"), "lexical")[0].text.startswith("enthält deine Wörter *Kupferkessel*")
    english = vault.ask("Wie kann ich einen Kupferkessel entkalken?", language="en")
    assert reasons(hit_of(english, "Essig"), "edge")[0].text.startswith("linked from")


def test_an_edge_reason_opens_the_note_in_which_the_line_stands() -> None:
    vault = SmallVault()
    vault.note("Seed", "copper kettle")
    vault.note("Target", "something")
    vault.note("Backlink", "anything")
    vault.link("Seed#c01", "Target", "depends_on", line=12)
    vault.link("Backlink#c01", "Seed", "solves", line=3)
    result = vault.ask(QUESTION)
    (out,) = reasons(hit_of(result, "Target"), "edge")
    assert out.text == "linked from *Seed* by `depends_on`, written in line 12"
    assert (out.path, out.line) == ("Seed.md", 12)
    (back,) = reasons(hit_of(result, "Backlink"), "edge")
    assert back.text == "links to *Seed* by `solves`, written in line 3"
    assert (back.path, back.line) == ("Backlink.md", 3)


@pytest.mark.parametrize(
    ("provenance", "rule_id", "says"),
    [
        ("rule", "edge_defaults:project:depends_on", "by its type's default"),
        ("rule", "matrix:a:b", "by the rule `matrix:a:b`"),
        ("smart", "smart:allocation", "confirmed by the language model"),
    ],
)
def test_an_edge_that_nobody_wrote_says_so(provenance: str, rule_id: str, says: str) -> None:
    vault = SmallVault()
    vault.note("Seed", "copper kettle")
    vault.note("Target", "something")
    vault.link("Seed#c01", "Target", "depends_on", provenance=provenance, rule_id=rule_id)
    assert says in reasons(hit_of(vault.ask(QUESTION), "Target"), "edge")[0].text


def test_two_steps_name_the_whole_way() -> None:
    vault = SmallVault()
    for name, text in (("Seed", "copper kettle"), ("Mid", "one"), ("Far", "two"), ("Back", "three")):
        vault.note(name, text)
    vault.link("Seed#c01", "Mid", "depends_on", line=1)
    vault.link("Mid#c01", "Far", "uses", line=9)
    vault.link("Back#c01", "Mid", "solves", line=4)
    result = vault.ask(QUESTION, depth=2)
    assert reasons(hit_of(result, "Far"), "edge")[0].text == (
        "found through *Seed* → `depends_on` → *Mid* → `uses` → this, written in line 9"
    )
    assert reasons(hit_of(result, "Back"), "edge")[0].text == (
        "found through *Seed* → `depends_on` → *Mid* ← `solves` ← this, written in line 4"
    )


def test_a_well_connected_note_names_the_hits_it_is_connected_with() -> None:
    vault = SmallVault()
    vault.note("One", "copper kettle")
    vault.note("Two", "copper kettle")
    vault.note("Middle", "something")
    vault.link("One#c01", "Middle")
    vault.link("Two#c01", "Middle")
    (reason,) = reasons(hit_of(vault.ask(QUESTION), "Middle"), "centrality")
    assert reason.text == "well connected with the best hits: *One*, *Two*"


def test_a_note_behind_one_that_was_not_found_is_connected_by_way_of_it() -> None:
    vault = SmallVault()
    for name, text in (("Seed", "copper kettle"), ("Mid", "one"), ("Far", "two")):
        vault.note(name, text)
    vault.link("Seed#c01", "Mid")
    vault.link("Mid#c01", "Far")
    searcher = vault.searcher(expand={"seeds": 1})
    result = searcher.search(Query(QUESTION, explain=True, depth=2))
    (reason,) = reasons(hit_of(result, "Far"), "centrality")
    assert reason.text == "well connected with the best hits by way of *Mid*"


def test_a_status_that_lowers_the_score_is_named() -> None:
    vault = SmallVault()
    vault.note("Draft", "copper kettle", status="draft")
    vault.note("Plain", "copper kettle")
    result = vault.ask(QUESTION)
    assert "its status *draft* counts ×0.8" in reasons(hit_of(result, "Draft"), "semantic")[0].text
    assert "status" not in reasons(hit_of(result, "Plain"), "semantic")[0].text


def test_every_reason_of_a_written_cause_has_path_and_line() -> None:
    vault = SmallVault()
    vault.note("Seed", "copper kettle")
    vault.note("Target", "kettle")
    vault.link("Seed#c01", "Target", line=1)
    for hit in vault.ask(QUESTION).hits:
        for part in ("semantic", "lexical", "edge"):
            assert all(reason.path and reason.line for reason in reasons(hit, part))


def test_related_edges_show_both_directions_without_structure_and_mirrors() -> None:
    vault = SmallVault()
    vault.note("Seed", "copper kettle", "second passage")
    vault.note("Other", "something")
    out = vault.link("Seed#c01", "Other", "depends_on", line=2)
    back = vault.link("Other#c01", "Seed", line=5)
    lost = vault.link("Seed#c01", "Missing Note", line=3, resolved=False)
    vault.link("Other", "Seed", "enforced_by", owner="Seed", provenance="rule", confidence=0.9, mirror_of=out.edge_id)
    explanation = hit_of(vault.ask(QUESTION), "Seed").explanation
    assert isinstance(explanation, Explanation)
    shown = {edge.edge_id: (edge.direction, edge.title, edge.path, edge.line) for edge in explanation.related_edges}
    assert shown == {
        out.edge_id: ("out", "Other", "Other.md", 2),
        back.edge_id: ("in", "Other", "Other.md", 5),
        lost.edge_id: ("out", "Missing Note", "", 3),
    }


def test_without_being_asked_nothing_is_explained() -> None:
    vault = SmallVault()
    vault.note("Seed", "copper kettle")
    assert vault.ask(QUESTION, explain=False).hits[0].explanation is None
