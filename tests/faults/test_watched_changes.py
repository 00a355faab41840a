"""What editors, file managers and git do to a vault while it is served, by events and by polling."""

from __future__ import annotations

import os
import shutil
import sys
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from serving import Served, serving, until
from workspaces import config_folder, write_vault

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="names that differ by case or form alone")

BURST = 500


@pytest.fixture(scope="module", params=["events", "polling"])
def served(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp(request.param)
    config_folder(folder / "config" / "mindnet")
    env = {"XDG_CONFIG_HOME": str(folder / "config"), "MINDNET_POLLING": str(request.param == "polling").lower()}
    with serving(write_vault(folder / "vault"), folder / "data", **env) as running:
        yield running


@pytest.fixture
def place(served: Served, request: pytest.FixtureRequest) -> Iterator[Path]:
    """A folder of the vault for this test alone, gone from the index after it."""
    folder = Path(served.vault) / f"Test {abs(hash(request.node.name))}"
    folder.mkdir()
    yield folder
    shutil.rmtree(folder)
    until(lambda: not indexed(served, folder))
    assert served.client.get("/check").json()["problems"] == []


def indexed(served: Served, folder: Path) -> dict[str, str]:
    """Text of every note that the index has below the folder, by its path from there."""
    below = folder.relative_to(served.vault).as_posix()
    found: dict[str, str] = {}
    after = ""
    while True:
        page: dict[str, Any] = served.client.get("/export", params={"below": below, "after": after}).json()
        found |= {note["path"].removeprefix(f"{below}/"): note["fulltext"] for note in page["notes"]}
        if page["last"] is None:
            return found
        after = page["last"]


def becomes(served: Served, folder: Path, expected: dict[str, str]) -> None:
    """Waits until the index has these notes and no others below the folder."""
    try:
        until(lambda: indexed(served, folder) == expected)
    except AssertionError:
        assert indexed(served, folder) == expected
    until(lambda: served.client.get("/status").json()["state"] == "idle")
    assert served.client.get("/check").json()["problems"] == []


def note_id(served: Served, file: Path) -> str:
    path = file.relative_to(served.vault).as_posix()
    answer: str = served.client.get("/notes", params={"path": path}).json()["note"]["note_id"]
    return answer


# ------------------------------------------------------------------ saving
def over_a_hidden_file(file: Path, text: str) -> None:
    hidden = file.with_name(f".{file.name}.swp")
    hidden.write_text(text)
    hidden.replace(file)


def over_a_file_beside(file: Path, text: str) -> None:
    beside = file.with_name(f"{file.name}.tmp.4711")
    beside.write_text(text)
    beside.replace(file)


def over_a_note_beside(file: Path, text: str) -> None:
    beside = file.with_name(f"~{file.name}")
    beside.write_text(text)
    beside.replace(file)


def with_a_backup(file: Path, text: str) -> None:
    file.rename(file.with_name(f"{file.name}~"))
    file.write_text(text)
    file.with_name(f"{file.name}~").unlink()


def from_outside_of_the_vault(file: Path, text: str) -> None:
    outside = file.parents[2] / "saved elsewhere"
    outside.write_text(text)
    outside.replace(file)


def deleted_and_written(file: Path, text: str) -> None:
    file.unlink()
    file.write_text(text)


def in_two_halves(file: Path, text: str) -> None:
    with file.open("w") as stream:
        stream.write(text[: len(text) // 2])
        stream.flush()
        stream.write(text[len(text) // 2 :])


@pytest.mark.parametrize(
    "save",
    [
        over_a_hidden_file,
        over_a_file_beside,
        over_a_note_beside,
        with_a_backup,
        from_outside_of_the_vault,
        deleted_and_written,
        in_two_halves,
    ],
)
def test_a_save_changes_the_note_and_nothing_beside(
    served: Served, place: Path, save: Callable[[Path, str], None]
) -> None:
    file = place / "Note.md"
    file.write_text("before")
    becomes(served, place, {"Note.md": "before"})
    known = note_id(served, file)
    save(file, "after, in more words")
    becomes(served, place, {"Note.md": "after, in more words"})
    assert note_id(served, file) == known


# ------------------------------------------------------------------ moving
def test_folders_that_move_within_into_and_out_of_the_vault(served: Served, place: Path) -> None:
    outside = Path(served.vault).parent / "outside"
    for name in ("A.md", "Deep/B.md", "Deep/Deeper/C.md"):
        (place / "From" / name).parent.mkdir(parents=True, exist_ok=True)
        (place / "From" / name).write_text(f"[[A]] {name}")
    notes = {name: f"[[A]] {name}" for name in ("A.md", "Deep/B.md", "Deep/Deeper/C.md")}
    becomes(served, place, {f"From/{name}": text for name, text in notes.items()})
    (place / "From").rename(place / "To")
    becomes(served, place, {f"To/{name}": text for name, text in notes.items()})
    (place / "To").rename(outside)
    becomes(served, place, {})
    outside.rename(place / "Back")
    becomes(served, place, {f"Back/{name}": text for name, text in notes.items()})
    (place / "Back/Deep").rename(place / "Deep")
    becomes(served, place, {"Back/A.md": notes["A.md"], **{n: t for n, t in notes.items() if n != "A.md"}})


def test_two_notes_and_two_folders_that_change_places(served: Served, place: Path) -> None:
    write_vault(place, {"A.md": "first", "B.md": "second", "X/N.md": "in x", "Y/N.md": "in y"})
    becomes(served, place, {"A.md": "first", "B.md": "second", "X/N.md": "in x", "Y/N.md": "in y"})
    for one, other in (("A.md", "B.md"), ("X", "Y")):
        (place / one).rename(place / "between")
        (place / other).rename(place / one)
        (place / "between").rename(place / other)
    becomes(served, place, {"A.md": "second", "B.md": "first", "X/N.md": "in y", "Y/N.md": "in x"})


def test_a_rename_of_case_alone(served: Served, place: Path) -> None:
    write_vault(place, {"notiz.md": "klein", "ordner/Darin.md": "darin"})
    becomes(served, place, {"notiz.md": "klein", "ordner/Darin.md": "darin"})
    (place / "notiz.md").rename(place / "Notiz.md")
    (place / "ordner").rename(place / "Ordner")
    becomes(served, place, {"Notiz.md": "klein", "Ordner/Darin.md": "darin"})


def test_a_rename_of_unicode_form_alone_changes_nothing(served: Served, place: Path) -> None:
    composed, other = "Küche/Öl.md", unicodedata.normalize("NFD", "Küche/Öl.md")
    write_vault(place, {composed: "ölig"})
    becomes(served, place, {composed: "ölig"})
    known = note_id(served, place / composed)
    (place / "Küche").rename(place / other.split("/")[0])
    (place / other.split("/")[0] / "Öl.md").rename(place / other)
    (place / other).write_text("noch öliger")
    becomes(served, place, {composed: "noch öliger"})
    assert note_id(served, place / composed) == known


# ------------------------------------------------------------------ links
def test_a_folder_that_is_linked_to_shows_every_change_at_both_places(served: Served, place: Path) -> None:
    write_vault(place, {"Real/N.md": "one"})
    becomes(served, place, {"Real/N.md": "one"})
    (place / "Linked").symlink_to("Real", target_is_directory=True)
    becomes(served, place, {"Real/N.md": "one", "Linked/N.md": "one"})
    (place / "Real/N.md").write_text("two, and longer")
    becomes(served, place, {"Real/N.md": "two, and longer", "Linked/N.md": "two, and longer"})
    (place / "Linked/M.md").write_text("new")
    expected = {"N.md": "two, and longer", "M.md": "new"}
    becomes(served, place, {f"{at}/{name}": text for at in ("Real", "Linked") for name, text in expected.items()})
    (place / "Real/N.md").unlink()
    becomes(served, place, {"Real/M.md": "new", "Linked/M.md": "new"})
    (place / "Linked").unlink()
    becomes(served, place, {"Real/M.md": "new"})


def test_a_note_that_is_linked_to_shows_every_change_at_both_places(served: Served, place: Path) -> None:
    write_vault(place, {"Real.md": "one"})
    (place / "Linked.md").symlink_to("Real.md")
    becomes(served, place, {"Real.md": "one", "Linked.md": "one"})
    over_a_hidden_file(place / "Real.md", "two, and longer")
    becomes(served, place, {"Real.md": "two, and longer", "Linked.md": "two, and longer"})
    (place / "Real.md").unlink()
    becomes(served, place, {})


# ------------------------------------------------------------------ bursts
def test_a_burst_of_new_changed_and_deleted_files(served: Served, place: Path) -> None:
    names = [f"{number % 7}/{number}.md" for number in range(BURST)]
    write_vault(place, {name: f"text of {name}" for name in names})
    becomes(served, place, {name: f"text of {name}" for name in names})
    for name in names[::2]:
        over_a_hidden_file(place / name, f"other text of {name}")
    for name in names[1::2]:
        (place / name).unlink()
    becomes(served, place, {name: f"other text of {name}" for name in names[::2]})


def test_a_checkout_of_another_branch(served: Served, place: Path) -> None:
    """Files change in place, come and go in any order, while a lock file lies beside."""
    write_vault(place, {f"{number}.md": f"main {number}" for number in range(BURST)})
    becomes(served, place, {f"{number}.md": f"main {number}" for number in range(BURST)})
    (place / "index.lock").touch()
    for number in range(0, BURST, 3):
        (place / f"{number}.md").unlink()
        (place / f"{number}.md").write_text(f"branch {number}")
    for number in range(1, BURST, 3):
        os.renames(place / f"{number}.md", place / f"branch/{number}.md")
    (place / "index.lock").unlink()
    becomes(
        served,
        place,
        {
            **{f"{number}.md": f"branch {number}" for number in range(0, BURST, 3)},
            **{f"branch/{number}.md": f"main {number}" for number in range(1, BURST, 3)},
            **{f"{number}.md": f"main {number}" for number in range(2, BURST, 3)},
        },
    )
