"""Bytes to text, so that the same bytes can be written again."""

from __future__ import annotations

import codecs
import hashlib
import os
import unicodedata
from pathlib import Path

from mindnet.records import Fault, NoteText, VaultFile

_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_FALLBACK = "latin-1"


def read_note(vault: Path, file: VaultFile) -> NoteText | Fault:
    """The text of a note; a fault when it cannot be read. Undecodable bytes are read as Latin-1 and reported."""
    full = vault / file.disk_path
    try:
        with full.open("rb") as stream:
            info = os.fstat(stream.fileno())
            content = stream.read()
    except FileNotFoundError:
        return Fault(file.path, 0, "vanished", "the file was deleted while it was being read")
    except OSError as error:
        return Fault(file.path, 0, "unreadable", f"the file cannot be read: {error.strerror}")
    text, encoding, bom = decode(content)
    faults = []
    if encoding == _FALLBACK:
        faults.append(Fault(file.path, 1, "encoding", "the file is not UTF-8; it is read as Latin-1: save it as UTF-8"))
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        faults.append(Fault(file.path, line, "nul", "the file holds NUL bytes"))
    birth = getattr(info, "st_birthtime_ns", min(info.st_ctime_ns, info.st_mtime_ns))
    return NoteText(
        path=file.path,
        text=text,
        encoding=encoding,
        bom=bom,
        sha256=hashlib.sha256(content).hexdigest(),
        size=len(content),
        mtime_ns=info.st_mtime_ns,
        birth_ns=birth,
        faults=tuple(faults),
    )


def decode(content: bytes) -> tuple[str, str, bool]:
    """Text, codec and whether a byte order mark stood first; ``encode_note`` gives ``content`` back."""
    for mark, codec in _MARKS:
        if content.startswith(mark):
            try:
                return content[len(mark) :].decode(codec), codec, True
            except UnicodeDecodeError:
                break
    try:
        return content.decode("utf-8"), "utf-8", False
    except UnicodeDecodeError:
        return content.decode(_FALLBACK), _FALLBACK, False


def encode_note(text: str, encoding: str, bom: bool) -> bytes:
    """The bytes of a file from its text, codec and mark."""
    mark = next((mark for mark, codec in _MARKS if codec == encoding), b"") if bom else b""
    return mark + text.encode(encoding)


def read_bytes(vault: Path, path: str) -> bytes | Fault:
    """A note's bytes as they are on disk."""
    full = vault / path
    try:
        return full.read_bytes()
    except OSError as error:
        return Fault(unicodedata.normalize("NFC", path), 0, "unreadable", f"cannot be read: {error.strerror}")
