"""Two folders of notes are held against each other: what is missing, what is too much, what differs and where."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mindnet.errors import VaultError
from mindnet.indexing.compare import Comparison, Focus, compare_folders
from mindnet.settings import load_settings
from mindnet.vault.discover import load_ignore_rules
from mindnet.workspace import registries
from workspaces import SMALL, write_vault

TYPES = registries(load_settings(None, env={}))[0]


def compare(one: Path, other: Path, focus: Focus = "all", exclude: tuple[str, ...] = ()) -> Comparison:
    return compare_folders(one, other, rules=load_ignore_rules(one, exclude), types=TYPES, focus=focus)


@pytest.fixture
def two(tmp_path: Path) -> tuple[Path, Path]:
    return write_vault(tmp_path / "one"), write_vault(tmp_path / "two")


def test_equal_folders_have_no_difference(two: tuple[Path, Path]) -> None:
    found = compare(*two)
    assert found.same
    assert found == Comparison(len(SMALL), (), (), (), (), ())


def test_missing_and_extra_notes_are_named(two: tuple[Path, Path]) -> None:
    (two[1] / "Hub.md").unlink()
    (two[1] / "New.md").write_text("new")
    found = compare(*two)
    assert not found.same
    assert (found.missing, found.extra, found.compared) == (("Hub.md",), ("New.md",), len(SMALL) - 1)


def test_a_missing_template_is_no_difference_a_changed_one_is(two: tuple[Path, Path]) -> None:
    (two[1] / "Template.md").unlink()
    found = compare(*two)
    assert found.same
    assert found.left_out == ("Template.md",)
    (two[1] / "Template.md").write_text("other")
    assert [one.path for one in compare(*two).differing] == ["Template.md"]


@pytest.mark.parametrize(
    ("left", "right", "line", "shown"),
    [
        (b"a\nb\nc\n", b"a\nX\nc\n", 2, ("b\\n", "X\\n")),
        (b"a\nb\n", b"a\nb", 2, ("b\\n", None)),
        (b"a\r\nb\r\n", b"a\r\nb\n", 2, ("b\\r\\n", "b\\n")),
        (b"a\n", b"a\nmore\n", 2, (None, "more\\n")),
        (b"", b"a", 1, (None, "a")),
        (b"a\xc2\xa0b", b"a b", 1, ("a\\xa0b", "a b")),
        (b"\xef\xbb\xbfa", b"a", 1, ("the file is utf-8 with a byte order mark", "the file is utf-8")),
        ("ä".encode("cp1252"), "ä".encode(), 1, ("the file is cp1252", "the file is utf-8")),
    ],
)
def test_the_first_differing_line_is_shown(
    tmp_path: Path, left: bytes, right: bytes, line: int, shown: tuple[str | None, str | None]
) -> None:
    one, other = write_vault(tmp_path / "one", {"a.md": left}), write_vault(tmp_path / "two", {"a.md": right})
    (found,) = compare(one, other).differing
    assert found.line == line
    assert (found.left, found.right) == shown


def test_a_long_line_is_cut_around_the_place(tmp_path: Path) -> None:
    one = write_vault(tmp_path / "one", {"a.md": "x" * 5000 + "A" + "y" * 5000})
    other = write_vault(tmp_path / "two", {"a.md": "x" * 5000 + "B" + "y" * 5000})
    (found,) = compare(one, other).differing
    assert found.left is not None
    assert "A" in found.left
    assert len(found.left) < 200


def test_focus_on_the_body_passes_over_frontmatter_and_encoding(tmp_path: Path) -> None:
    one = write_vault(tmp_path / "one", {"a.md": "---\ntitle: A\n---\n\nBödy\nlast\n"})
    other = write_vault(
        tmp_path / "two", {"a.md": b"\xef\xbb\xbf" + "---\ntitle: B\nmore: x\n---\n\nBödy\nlast\n".encode()}
    )
    assert compare(one, other, "body").same
    assert not compare(one, other).same
    (other / "a.md").write_text("---\ntitle: B\n---\n\nBödy\nLAST\n")
    (found,) = compare(one, other, "body").differing
    assert (found.line, found.left, found.right) == (6, "last\\n", "LAST\\n")


def test_what_is_not_read_is_passed_over_on_both_sides(two: tuple[Path, Path]) -> None:
    (two[0] / ".obsidian").mkdir()
    (two[0] / ".obsidian" / "app.json").write_text('{"userIgnoreFilters": ["Archive/"]}')
    write_vault(two[0], {"Archive/old.md": "old", ".trash/gone.md": "gone", "Draft/a.md": "a"})
    write_vault(two[1], {"Archive/other.md": "other", "picture.png": b"no note"})
    assert compare(*two, exclude=("Draft/",)).same
    assert compare(*two).missing == ("Draft/a.md",)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read anything")
def test_a_file_that_cannot_be_read_is_not_taken_for_equal(two: tuple[Path, Path]) -> None:
    (two[1] / "Hub.md").chmod(0)
    found = compare(*two)
    assert not found.same
    assert [(fault.path, fault.code) for fault in found.unread] == [("Hub.md", "permission")]


def test_names_are_the_same_in_either_unicode_form(tmp_path: Path) -> None:
    one = write_vault(tmp_path / "one", {"Größe.md": "x"})
    other = write_vault(tmp_path / "two", {"Gro\u0308\u00dfe.md": "x"})
    assert compare(one, other).same


def test_a_folder_that_is_not_there_is_said(two: tuple[Path, Path], tmp_path: Path) -> None:
    with pytest.raises(VaultError):
        compare(two[0], tmp_path / "nowhere")
