"""The means to measure: figures, sets, hidden links, shuffled edges."""

from __future__ import annotations

import json
import math
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from evaluation.fit import Parts, cross_fit
from evaluation.hidden import copy_vault, draw_hidden, hiding
from evaluation.metrics import METRICS, interval, scores
from evaluation.report import Summary, floors_table
from evaluation.run import spread
from evaluation.sets import Passage, QuestionSet, notes_of, read_set, write_vault
from evaluation.shuffled import Exchange, ShuffledStore
from retrieval.small_vault import SmallVault


def figures(ranking: list[str], relevant: set[str]) -> dict[str, float]:
    return dict(zip(METRICS, scores(ranking, relevant), strict=True))


def test_recall_counts_the_share_of_right_answers_within_the_cut() -> None:
    found = figures(["x", "a", "y", "b"], {"a", "b"})
    assert [found[f"recall@{cut}"] for cut in (1, 2, 5, 10)] == [0.0, 0.5, 1.0, 1.0]
    assert found["mrr@10"] == 0.5
    ideal = 1 + 1 / math.log2(3)
    assert found["ndcg@10"] == pytest.approx((1 / math.log2(3) + 1 / math.log2(5)) / ideal)


def test_what_stands_behind_the_tenth_place_counts_nothing() -> None:
    assert set(scores([*map(str, range(10)), "a"], {"a"})) == {0.0}


def test_a_question_without_an_answer_is_refused() -> None:
    with pytest.raises(ValueError, match="without a right answer"):
        scores(["a"], frozenset())


def test_an_interval_holds_its_mean_and_excludes_zero_only_for_a_clear_difference() -> None:
    mean, low, high = interval(np.array([0.1] * 90 + [0.0] * 10))
    assert low <= mean <= high
    assert low > 0
    _, low, high = interval(np.array([1.0, -1.0] * 50))
    assert low < 0 < high


# ------------------------------------------------------------------ sets
def test_a_set_becomes_notes_linked_by_the_titles_they_name() -> None:
    passages = [
        Passage("p1", "Ada Lovelace", "Ada Lovelace wrote for Charles Babbage; Charles Babbage built."),
        Passage("p2", "Charles Babbage", "He knew the AC/DC band."),
        Passage("p3", "AC/DC", "Not Charles Babbages."),
    ]
    notes = notes_of(QuestionSet("s", passages, []))
    assert notes["Ada Lovelace.md"] == "Ada Lovelace wrote for [[Charles Babbage]]; Charles Babbage built.\n"
    assert "[[AC DC|AC/DC]]" in notes["Charles Babbage.md"]
    assert notes["AC DC.md"] == '---\ntitle: "AC/DC"\n---\nNot Charles Babbages.\n'


def test_two_passages_of_one_title_are_two_notes() -> None:
    notes = notes_of(QuestionSet("s", [Passage("p1", "Same", "one"), Passage("p2", "same", "two")], []))
    assert set(notes) == {"Same.md", "same (p2).md"}


def test_reading_a_set_keeps_questions_with_an_answer(tmp_path: Path) -> None:
    (tmp_path / "corpus.jsonl").write_text('{"_id": "p1", "title": "", "text": "t"}\n')
    (tmp_path / "queries.jsonl").write_text('{"_id": "q1", "text": "?"}\n{"_id": "q2", "text": "??"}\n')
    (tmp_path / "qrels.tsv").write_text("query-id\tcorpus-id\tscore\nq1\tp1\t1\nq2\tp1\t0\n")
    found = read_set(tmp_path)
    assert [(question.text, set(question.relevant)) for question in found.questions] == [("?", {"p1.md"})]
    assert not found.linked


def test_writing_a_vault_twice_touches_nothing_and_removes_what_is_left_over(tmp_path: Path) -> None:
    write_vault(tmp_path, {"a.md": "A", "b.md": "B"})
    before = (tmp_path / "a.md").stat().st_mtime_ns
    write_vault(tmp_path, {"a.md": "A"})
    assert (tmp_path / "a.md").stat().st_mtime_ns == before
    assert not (tmp_path / "b.md").exists()


# ------------------------------------------------------------------ hidden links
def small(folder: Path) -> Path:
    folder.mkdir()
    (folder / "Kessel.md").write_text(
        "# Kessel\n\nMan reinigt ihn am besten mit [[Essig|etwas Essig]] und Wasser. Gut.\n"
    )
    (folder / "Essig.md").write_text("Säure. Siehe [[Kessel]].\n")
    return folder


def test_a_hidden_link_is_cut_out_and_put_back(tmp_path: Path) -> None:
    original = small(tmp_path / "vault")
    copy = tmp_path / "copy"
    copy_vault(original, copy)
    (link,) = [one for one in draw_hidden(original) if one.source_path == "Kessel.md"]
    assert link.queries == {
        "masked": "Man reinigt ihn am besten mit … und Wasser.",
        "anchor": "Man reinigt ihn am besten mit etwas Essig und Wasser.",
    }
    assert link.links_back
    with hiding(original, copy) as hidden:
        assert hidden.hide(link) == {"Kessel.md"}
        assert (copy / "Kessel.md").read_text() == "# Kessel\n\n Gut.\n"
        assert "Essig" in (original / "Kessel.md").read_text()
    assert (copy / "Kessel.md").read_bytes() == (original / "Kessel.md").read_bytes()


def test_a_copy_that_was_left_changed_is_mended(tmp_path: Path) -> None:
    original = small(tmp_path / "vault")
    copy = tmp_path / "copy"
    copy_vault(original, copy)
    (copy / "Kessel.md").write_text("cut")
    (copy / "stray.md").write_text("")
    copy_vault(original, copy)
    assert {file.name: file.read_bytes() for file in copy.iterdir()} == {
        file.name: file.read_bytes() for file in original.iterdir()
    }


def test_a_part_of_the_questions_is_evenly_spread() -> None:
    assert list(spread(range(10), 4)) == [0, 2, 5, 7]
    assert list(spread(range(3), 4)) == list(spread(range(3), None)) == [0, 1, 2]


# ------------------------------------------------------------------ weights
def test_weights_are_chosen_on_the_other_half() -> None:
    # Six wrong notes lead by the edge as much as the right one does by words: only less of it lets it in.
    raw = np.array([[0, 1.0, 0, 0, 0, 0], *[[0, 0, 0, 0, 1.2, 0]] * 6], dtype=np.float32)
    parts = Parts(raw, np.arange(7), np.array([0]), wanted=1)
    fit = cross_fit({"set": [parts] * 4}, np.ones(6))
    assert fit.default["set"] == 0
    assert fit.fitted["set"] == 100
    assert all(one["edge"] < one["lexical"] for one in fit.chosen)


# ------------------------------------------------------------------ the control
def test_shuffled_edges_lead_elsewhere_as_often_and_agree_in_both_directions() -> None:
    vault = SmallVault()
    names = [f"n{number}" for number in range(8)]
    for name in names:
        vault.note(name, "text")
    for one, two in pairwise(names):
        vault.link(f"{one}#c01", two)
    store = vault.store()
    shuffled = ShuffledStore(store, Exchange.of(store))
    out = [edge for edge in shuffled.edges_from(names) if edge.kind == "references"]
    assert sorted(edge.target_id for edge in out) == names[1:]
    assert {(edge.note_id, edge.target_id) for edge in out} != set(pairwise(names))
    into = [edge for edge in shuffled.edges_to(names) if edge.kind == "references"]
    assert {edge.edge_id: edge.target_id for edge in out} == {edge.edge_id: edge.target_id for edge in into}
    assert json.dumps(sorted(edge.edge_id for edge in out)) == json.dumps(sorted(edge.edge_id for edge in into))


# ------------------------------------------------------------------ the report
def summary(name: str, **recalls: float) -> Summary:
    shown = {variant: dict.fromkeys(METRICS, value) for variant, value in recalls.items()}
    return Summary(
        name=name, questions=1, notes=1, chunks=1, edges=0, figures=shown, differences=[], p50_ms=None, p95_ms=None
    )


@pytest.mark.parametrize(
    ("hybrid", "lexical", "outcome"),
    [
        (70.0, 60.0, "kept"),
        (69.0, 60.0, "1.0 below the floor"),
        (70.0, 70.5, "kept"),
        (70.0, 71.0, "1.0 below its best leg"),
    ],
)
def test_the_report_says_which_floor_is_missed_and_by_how_much(hybrid: float, lexical: float, outcome: str) -> None:
    rows = floors_table([summary("set", hybrid=hybrid, lexical=lexical, semantic=50.0)], {"set": 70.0}).splitlines()
    assert [cell.strip() for cell in rows[-1].strip("|").split("|")] == [
        "set", "70.0", f"{hybrid:.1f}", f"{lexical:.1f}", outcome,
    ]  # fmt: skip
