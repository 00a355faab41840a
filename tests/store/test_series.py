"""Numbered notes stand near each other in the order of their numbers."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from contract.samples import graph
from manifests import entry
from mindnet.store.kept_words import words_by_path
from mindnet.store.lexical import LexicalIndex
from mindnet.store.manifest import Manifest
from mindnet.store.series import REACH, Series


def series(*paths: str) -> Series:
    return Series((path, path) for path in paths)


def test_paragraphs_stand_in_the_order_of_their_numbers() -> None:
    found = series("Code § 10 Ende.md", "Code § 9a Frist.md", "Code § 2 Umfang.md", "Code § 9 Antrag.md")
    assert found.near("Code § 9 Antrag.md") == [
        ("Code § 2 Umfang.md", 1),
        ("Code § 9a Frist.md", 1),
        ("Code § 10 Ende.md", 2),
    ]


def test_only_the_next_few_are_near() -> None:
    found = series(*(f"Chapter {number}.md" for number in range(1, 30)))
    assert {away for _, away in found.near("Chapter 15.md")} == set(range(1, REACH + 1))
    assert len(found.near("Chapter 15.md")) == 2 * REACH
    assert len(found.near("Chapter 29.md")) == REACH


def test_days_follow_each_other_over_the_end_of_a_month() -> None:
    found = series("Daily/2024-02-01.md", "Daily/2024-01-31.md", "Daily/2024-01-30.md", "Daily/2024-01-30 call.md")
    assert found.near("Daily/2024-01-31.md") == [("Daily/2024-01-30.md", 1), ("Daily/2024-02-01.md", 1)]


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
    assert all(series(*paths).near(path) == [] for path in paths)


def test_a_note_that_is_added_takes_its_place(manifest: Manifest) -> None:
    def put(*names: str) -> None:
        made = [graph(name, "text") for name in names]
        manifest.commit([entry(one.note.path, one.note.note_id) for one in made], [], words=words_by_path(made))

    index: Callable[[str], object] = LexicalIndex(manifest).in_series
    put("part 1", "part 3", "part 4")
    assert index("part 1") == [("part 3", 1), ("part 4", 2)]
    put("part 2")
    assert index("part 1") == [("part 2", 1), ("part 3", 2), ("part 4", 3)]
    manifest.commit([], ["part 3.md"])
    assert index("part 1") == [("part 2", 1), ("part 4", 2)]
