"""What comes out of an export is the vault, byte for byte, and nothing is written over."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mindnet.errors import MissingError, UsageError
from mindnet.indexing import export as export_module
from mindnet.indexing.export import Page, StoredText, export_folder, pages, stored_page, write_notes
from mindnet.vault.read import decode_note
from mindnet.workspace import Workspace
from workspaces import SMALL, open_workspace, write_vault

ODD: dict[str, str | bytes] = {
    "crlf.md": b"# CRLF\r\n\r\nline\r\n",
    "old mac.md": b"# CR\r\rline\rno end",
    "mixed.md": b"a\r\nb\nc\rd",
    "bom.md": b"\xef\xbb\xbf# BOM\n",
    "utf16.md": b"\xff\xfe" + "# Größe\r\n😀".encode("utf-16-le"),
    "utf16be.md": b"\xfe\xff" + "Größe".encode("utf-16-be"),
    "latin.md": "Größe – „so“".encode("cp1252"),
    "binary.md": bytes(range(256)),
    "empty.md": b"",
    "nul.md": b"a\0b\n",
    "Ordner/Ünter/ß 😀.md": "tief\u2028innen\x0c",
    "frontmatter.md": b"---\ntitle: [broken\n---\r\nbody \t \n\n\n",
}


@pytest.fixture
def workspace(tmp_path: Path) -> Iterator[Workspace]:
    vault = write_vault(tmp_path / "vault", {**SMALL, **ODD})
    with open_workspace(vault, tmp_path / "data") as opened:
        opened.pipeline.update(None)
        yield opened


def files(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*.md")}


def exported(workspace: Workspace, folder: Path, below: str = "") -> dict[str, bytes]:
    done = write_notes(pages(lambda after: stored_page(workspace.pipeline, below, after)), folder)
    assert done.faults == ()
    written = files(folder)
    assert (done.notes, done.size) == (len(written), sum(map(len, written.values())))
    return written


def test_every_indexed_note_comes_back_as_its_file_was(workspace: Workspace, tmp_path: Path) -> None:
    vault = files(tmp_path / "vault")
    del vault["Template.md"]
    assert exported(workspace, tmp_path / "out") == vault


def test_it_is_the_store_that_is_written_not_the_file(workspace: Workspace, tmp_path: Path) -> None:
    (tmp_path / "vault" / "Hub.md").unlink()
    assert exported(workspace, tmp_path / "out")["Hub.md"] == str(SMALL["Hub.md"]).encode()


@pytest.mark.parametrize("below", ["Folder", "Folder/", "/Folder"])
def test_one_folder_alone(workspace: Workspace, tmp_path: Path, below: str) -> None:
    assert list(exported(workspace, tmp_path / "out", below)) == ["Folder/Deep.md"]


def test_a_folder_is_not_the_beginning_of_a_name(workspace: Workspace, tmp_path: Path) -> None:
    assert exported(workspace, tmp_path / "out", "Fold") == {}


@pytest.mark.parametrize(("notes", "size"), [(1, 10**9), (4, 10**9), (200, 1)])
def test_pages_lose_and_double_nothing(
    workspace: Workspace, monkeypatch: pytest.MonkeyPatch, notes: int, size: int
) -> None:
    monkeypatch.setattr(export_module, "PAGE_NOTES", notes)
    monkeypatch.setattr(export_module, "PAGE_BYTES", size)
    found = list(pages(lambda after: stored_page(workspace.pipeline, "", after)))
    paths = [note.path for page in found for note in page.notes]
    indexed = sorted(entry.path for entry in workspace.pipeline.entries.values() if entry.indexed)
    assert paths == indexed
    assert {page.total for page in found} == {len(indexed)}
    assert len(found) > 2


def test_a_note_that_the_store_lost_is_named(workspace: Workspace, tmp_path: Path) -> None:
    workspace.store.remove_notes([workspace.pipeline.entries["Hub.md"].note_id])
    done = write_notes(pages(lambda after: stored_page(workspace.pipeline, "", after)), tmp_path / "out")
    assert [(fault.path, fault.code) for fault in done.faults] == [("Hub.md", "not_stored")]
    assert not (tmp_path / "out" / "Hub.md").exists()


# ------------------------------------------------------------------ where to
def test_a_folder_in_the_vault_is_refused(tmp_path: Path) -> None:
    vault = write_vault(tmp_path / "vault")
    (tmp_path / "door").symlink_to(vault, target_is_directory=True)
    for inside in (vault, vault / "new", vault / "a" / "b", tmp_path / "door" / "new", vault / "a" / ".." / "b"):
        with pytest.raises(UsageError, match="in the vault"):
            export_folder(inside, vault)
    assert not (vault / "new").exists()


def test_a_folder_with_something_in_it_is_refused(tmp_path: Path) -> None:
    vault = write_vault(tmp_path / "vault")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / ".hidden").write_text("mine")
    (tmp_path / "file").write_text("mine")
    for taken in (tmp_path / "full", tmp_path / "file", tmp_path):
        with pytest.raises(UsageError):
            export_folder(taken, vault)


def test_a_new_and_an_empty_folder_are_taken(tmp_path: Path) -> None:
    vault = write_vault(tmp_path / "vault")
    (tmp_path / "empty").mkdir()
    assert export_folder(tmp_path / "empty", vault) == tmp_path / "empty"
    assert export_folder(tmp_path / "vault two" / "new", vault) == tmp_path / "vault two" / "new"


# ------------------------------------------------------------------ what cannot be written
NOTE = StoredText("a.md", "text", "utf-8", bom=False)


def write(folder: Path, *notes: StoredText) -> list[tuple[str, str]]:
    done = write_notes([Page(notes, (), None, len(notes))], folder)
    return [(fault.path, fault.code) for fault in done.faults]


@pytest.mark.parametrize("path", ["../out.md", "/out.md", "a/../../out.md"])
def test_no_path_leads_out_of_the_folder(tmp_path: Path, path: str) -> None:
    assert write(tmp_path / "in", replace(NOTE, path=path), NOTE) == [(path, "outside")]
    assert [file.name for file in tmp_path.rglob("*.md")] == ["a.md"]


def test_a_taken_name_is_never_written_over(tmp_path: Path) -> None:
    assert write(tmp_path, NOTE, replace(NOTE, fulltext="other")) == [("a.md", "name_taken")]
    assert (tmp_path / "a.md").read_text() == "text"


def test_a_name_that_the_disk_refuses_stops_nothing(tmp_path: Path) -> None:
    long = f"{'x' * 300}.md"
    assert write(tmp_path, replace(NOTE, path=long), NOTE) == [(long, "name_refused")]
    assert (tmp_path / "a.md").exists()


@pytest.mark.parametrize(("encoding", "bom"), [("ascii", False), ("no-such", False), ("cp1252", True)])
def test_a_text_that_does_not_fit_its_encoding_is_named(tmp_path: Path, encoding: str, bom: bool) -> None:
    assert write(tmp_path, StoredText("a.md", "ä", encoding, bom)) == [("a.md", "not_encoded")]
    assert not (tmp_path / "a.md").exists()


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_without_permission_is_said_once(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(MissingError, match="cannot be made"):
        write(tmp_path / "out", NOTE)


def test_a_file_in_the_place_of_the_folder_is_said(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(MissingError, match="cannot be made"):
        write(tmp_path / "file" / "out", NOTE)


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=200))
def test_any_bytes_come_back(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    folder = tmp_path_factory.getbasetemp() / "any-bytes"
    text, encoding, bom = decode_note(data)
    assert write(folder, StoredText("a.md", text, encoding, bom)) == []
    assert (folder / "a.md").read_bytes() == data
    (folder / "a.md").unlink()
