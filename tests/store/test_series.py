"""Numbered notes stand near each other in the order of their numbers."""

from __future__ import annotations

from functools import partial

import pytest

from contract.samples import graph
from manifests import entry
from mindnet.store.kept_words import words_by_path
from mindnet.store.lexical import LexicalIndex
from mindnet.store.manifest import Manifest
from mindnet.store.series import REACH, Series


class Everything:
    """The words of a question that has every number."""

    def __contains__(self, word: object) -> bool:
        return True


def series(*paths: str) -> Series:
    return Series((path, path) for path in paths)


def test_paragraphs_stand_in_the_order_of_their_numbers() -> None:
    found = series("Code § 10 Ende.md", "Code § 9a Frist.md", "Code § 2 Umfang.md", "Code § 9 Antrag.md")
    assert found.near("Code § 9 Antrag.md", {"9"}) == [
        ("Code § 2 Umfang.md", 1),
        ("Code § 9a Frist.md", 1),
        ("Code § 10 Ende.md", 2),
    ]


def test_only_the_next_few_are_near() -> None:
    found = series(*(f"Chapter {number}.md" for number in range(1, 30)))
    assert {away for _, away in found.near("Chapter 15.md", {"15"})} == set(range(1, REACH + 1))
    assert len(found.near("Chapter 15.md", {"15"})) == 2 * REACH
    assert len(found.near("Chapter 29.md", {"29"})) == REACH


def test_days_follow_each_other_over_the_end_of_a_month() -> None:
    found = series("Daily/2024-02-01.md", "Daily/2024-01-31.md", "Daily/2024-01-30.md", "Daily/2024-01-30 call.md")
    assert found.near("Daily/2024-01-31.md", {"2024", "01", "31"}) == [
        ("Daily/2024-01-30.md", 1),
        ("Daily/2024-02-01.md", 1),
    ]


@pytest.mark.parametrize(
    "paths",
    [
        ("Chapter 1.md", "Chapter 2.md"),
        ("One.md", "Two.md", "Three.md"),
        ("a/Part 1.md", "b/Part 2.md", "c/Part 3.md"),
        ("1984.md", "3 Musketeers.md", "12 Monkeys.md", "39 Steps.md"),
    ],
    ids=["two", "no numbers", "other folders", "names that happen to begin with a number"],
)
def test_these_are_no_series(paths: tuple[str, ...]) -> None:
    assert all(series(*paths).near(path, Everything()) == [] for path in paths)


def test_a_note_that_is_added_takes_its_place(manifest: Manifest) -> None:
    def put(*names: str) -> None:
        made = [graph(name, "text") for name in names]
        manifest.commit([entry(one.note.path, one.note.note_id) for one in made], [], words=words_by_path(made))

    index = partial(LexicalIndex(manifest).in_series, "after Part 1")
    put("part 1", "part 3", "part 4")
    assert index("part 1") == [("part 3", 1), ("part 4", 2)]
    put("part 2")
    assert index("part 1") == [("part 2", 1), ("part 3", 2), ("part 4", 3)]
    manifest.commit([], ["part 3.md"])
    assert index("part 1") == [("part 2", 1), ("part 4", 2)]


@pytest.mark.parametrize(
    ("path", "asked"),
    [
        ("Code § 9a Frist.md", {"9", "a", "frist"}),
        ("Code § 9 Antrag.md", {"9a", "10"}),
        ("Daily/2024-01-31.md", {"2024", "31"}),
    ],
)
def test_a_question_without_its_number_has_nothing_to_do_with_its_place(path: str, asked: set[str]) -> None:
    days = [f"Daily/2024-01-{day}.md" for day in (29, 30, 31)]
    found = series("Code § 9 Antrag.md", "Code § 9a Frist.md", "Code § 10 Ende.md", *days)
    assert found.near(path, Everything())
    assert found.near(path, asked) == []
