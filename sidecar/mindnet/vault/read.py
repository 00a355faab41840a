"""Bytes to text and back, without losing one byte."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

from mindnet.records import Fault, NoteText, VaultFile
from mindnet.vault.discover import vault_file
from mindnet.vault.regular import read_regular

#: Byte order marks and their codecs. UTF-32 stands before UTF-16, whose little-endian mark it begins with.
MARKS: tuple[tuple[bytes, str], ...] = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\x00\x00\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)

#: A note of so many bytes is read all the same, and its cost is named.
LARGE_BYTES = 10_000_000

#: Tried in order on a file that is neither UTF-8 nor marked. Latin-1 takes any byte, so one always fits.
FALLBACKS = ("cp1252", "latin-1")


def read_note(vault: Path, file: VaultFile) -> NoteText | Fault:
    """Read one note; a Fault if it vanished, may not be read, or its bytes do not arrive.

    A file that is neither UTF-8 nor UTF-16/32 with a mark is read as UTF-16 if its zero bytes say so, else as
    Windows-1252 (else Latin-1), with a fault ``encoding``; NUL characters are kept, with a fault ``nul``; ten
    megabytes and more are read, with a fault ``large``.
    ``encode_note`` gives the same bytes.
    """
    try:
        # The date comes first: of a file that is changed meanwhile, an older date is looked at again.
        status, data = read_regular(os.path.join(vault, file.disk_path))
    except FileNotFoundError:
        return Fault(file.path, 0, "vanished", "The file is gone since it was found.")
    except PermissionError:
        return Fault(file.path, 0, "permission", "The file may not be read. Check its permissions.")
    except OSError as error:
        # A cloud drive's placeholder ends here when its content cannot be fetched.
        return Fault(file.path, 0, "unreadable", f"The file's content does not arrive: {error.strerror or error}.")
    text, encoding, bom = decode_note(data)
    faults = []
    if len(data) >= LARGE_BYTES:
        message = (
            f"The file has {len(data) / 1_000_000:.0f} MB: indexing it takes minutes and much memory. "
            "Split it, or leave it out (Obsidian's excluded files, or vault.exclude)."
        )
        faults.append(Fault(file.path, 0, "large", message))
    if not bom and encoding != "utf-8":
        message = f"The file is not UTF-8; it was read as {encoding}. Save it as UTF-8 if letters look wrong."
        faults.append(Fault(file.path, 0, "encoding", message))
    if "\0" in text:
        line = text[: text.index("\0")].replace("\r\n", "\n").replace("\r", "\n").count("\n") + 1
        faults.append(Fault(file.path, line, "nul", "The file holds NUL characters; the rest of it is read."))
    return NoteText(
        path=file.path,
        text=text,
        encoding=encoding,
        bom=bom,
        sha256=hashlib.sha256(data).hexdigest(),
        size=len(data),
        mtime_ns=status.st_mtime_ns,
        birth_ns=_birth_ns(status),
        faults=tuple(faults),
    )


def read_bytes(vault: Path, path: str) -> bytes | Fault:
    """Give a note's bytes as they are on disk, by its vault path; a Fault if they cannot be had."""
    file = vault_file(vault, path)
    if file is None:
        return Fault(path, 0, "vanished", "There is no such note in the vault.")
    try:
        return read_regular(vault / file.disk_path)[1]
    except OSError as error:
        return Fault(path, 0, "unreadable", f"The file's content does not arrive: {error.strerror or error}.")


def decode_note(data: bytes) -> tuple[str, str, bool]:
    """Decode any bytes to ``(text, codec, bom)`` such that ``encode_note`` restores them exactly."""
    for mark, codec in MARKS:
        if data.startswith(mark):
            try:
                return data[len(mark) :].decode(codec), codec, True
            except UnicodeDecodeError:
                continue
    for codec in (*_unmarked_utf16(data), "utf-8", *FALLBACKS):
        try:
            return data.decode(codec), codec, False
        except UnicodeDecodeError:
            continue
    raise AssertionError("Latin-1 decodes every byte")


def _unmarked_utf16(data: bytes) -> tuple[str, ...]:
    """The codec if this can only be UTF-16 without a mark: most characters have a zero byte, all on one side."""
    if len(data) % 2 or b"\0" not in data:
        return ()
    zeros = data[0::2].count(0), data[1::2].count(0)
    if 0 not in zeros or max(zeros) * 4 < len(data):
        return ()
    return ("utf-16-be",) if zeros[0] else ("utf-16-le",)


def encode_note(text: str, encoding: str, bom: bool) -> bytes:
    """Give the bytes of a file from its text, codec and mark, as :func:`read_note` found them.

    ``LookupError`` for a codec that there is not or that has no mark, ``UnicodeError`` for a text that it cannot hold.
    """
    marks = {codec: mark for mark, codec in MARKS}
    return (marks[encoding] if bom else b"") + text.encode(encoding)


def _birth_ns(status: os.stat_result) -> int:
    """When the file was made, in ns; where the system does not say (Linux), when it was last changed."""
    birth = getattr(status, "st_birthtime_ns", None)
    if birth is not None:
        return int(birth)
    seconds = getattr(status, "st_birthtime", None)
    return status.st_mtime_ns if seconds is None else int(seconds * 1_000_000_000)
