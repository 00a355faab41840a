from __future__ import annotations

import hashlib
import os
import unicodedata
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mindnet.records import Fault, NoteText, VaultFile
from mindnet.vault.discover import vault_file
from mindnet.vault.read import decode_note, encode_note, read_bytes, read_note


def read(vault: Path, data: bytes) -> NoteText:
    (vault / "Note.md").write_bytes(data)
    file = vault_file(vault, "Note.md")
    assert file is not None
    note = read_note(vault, file)
    assert isinstance(note, NoteText)
    assert encode_note(note.text, note.encoding, note.bom) == data
    assert note.sha256 == hashlib.sha256(data).hexdigest()
    assert note.size == len(data)
    return note


@pytest.mark.parametrize(
    ("data", "text", "encoding", "bom", "codes"),
    [
        (b"", "", "utf-8", False, []),
        ("# Grüße 🌏\r\n".encode(), "# Grüße 🌏\r\n", "utf-8", False, []),
        (b"\xef\xbb\xbf---\n", "---\n", "utf-8", True, []),
        (b"\xff\xfe" + "# ä".encode("utf-16-le"), "# ä", "utf-16-le", True, []),
        (b"\xfe\xff" + "# ä".encode("utf-16-be"), "# ä", "utf-16-be", True, []),
        ("Straße “x”".encode("cp1252"), "Straße “x”", "cp1252", False, ["encoding"]),
        (b"\xe4\x81", "ä\x81", "latin-1", False, ["encoding"]),
        (b"a\r\nb\rc\x00d", "a\r\nb\rc\x00d", "utf-8", False, ["nul"]),
        (b"\xff\xfea", "ÿþa", "cp1252", False, ["encoding"]),
    ],
)
def test_a_file_is_read_whatever_its_encoding(
    tmp_path: Path, data: bytes, text: str, encoding: str, bom: bool, codes: list[str]
) -> None:
    note = read(tmp_path, data)
    assert (note.text, note.encoding, note.bom) == (text, encoding, bom)
    assert [fault.code for fault in note.faults] == codes


def test_the_fault_names_the_line_of_the_first_nul(tmp_path: Path) -> None:
    assert [fault.line for fault in read(tmp_path, b"a\r\nb\rc\x00d\x00").faults] == [3]


@given(
    st.one_of(
        st.binary(), st.tuples(st.sampled_from([b"\xff\xfe", b"\xfe\xff", b"\xef\xbb\xbf"]), st.binary()).map(b"".join)
    )
)
@example(b"\xff\xfe\x00\x00a\x00\x00\x00")
@example(b"\xff\xfe\x00\xd8")
@example(b"\xef\xbb\xbf\xef\xbb\xbf")
def test_any_bytes_come_back_as_they_were(data: bytes) -> None:
    assert encode_note(*decode_note(data)) == data


def test_a_file_that_vanished_is_a_fault(tmp_path: Path) -> None:
    fault = read_note(tmp_path, VaultFile("Weg.md", "Weg.md", 1, 1))
    assert isinstance(fault, Fault)
    assert (fault.path, fault.code) == ("Weg.md", "vanished")


def test_what_cannot_be_read_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "Ordner.md").mkdir()
    fault = read_note(tmp_path, VaultFile("Ordner.md", "Ordner.md", 1, 1))
    assert isinstance(fault, Fault)
    assert fault.code in ("unreadable", "permission")


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="permissions do not bind this user")
def test_a_forbidden_file_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "Zu.md").write_text("x")
    (tmp_path / "Zu.md").chmod(0)
    fault = read_note(tmp_path, VaultFile("Zu.md", "Zu.md", 1, 1))
    assert isinstance(fault, Fault)
    assert fault.code == "permission"


def test_bytes_are_those_on_disk_and_only_of_notes_in_the_vault(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    vault.mkdir()
    (vault / unicodedata.normalize("NFD", "Öl.md")).write_bytes(b"\xff\r\n")
    (tmp_path / "other.md").write_bytes(b"x")
    assert read_bytes(vault, "Öl.md") == b"\xff\r\n"
    for path in ("gone.md", "../other.md"):
        fault = read_bytes(vault, path)
        assert isinstance(fault, Fault)
        assert (fault.path, fault.code) == (path, "vanished")


def test_a_file_that_is_changed_while_it_is_read_is_looked_at_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is kept as its date must never be newer than what was read: the change would go unseen for good."""
    disk = tmp_path / "Note.md"
    disk.write_bytes(b"old text")
    os.utime(disk, ns=(1, 1))
    file = vault_file(tmp_path, "Note.md")
    assert file is not None
    date = os.fstat

    def changed_meanwhile(handle: int) -> os.stat_result:
        disk.write_bytes(b"new text")
        return date(handle)

    monkeypatch.setattr(os, "fstat", changed_meanwhile)
    note = read_note(tmp_path, file)
    assert isinstance(note, NoteText)
    assert note.text == "new text" or note.mtime_ns != disk.stat().st_mtime_ns
