"""Ids of notes and chunks in little room: as numbers, by which is filtered, and as short texts, which can be read back.

A number is the first 48 bits of the id's BLAKE2b hash (of 200,000 ids, two share one with a chance of 10⁻⁴). What an
edge says of its own note's chunks is their number alone; of ids that are UUIDs, the 16 bytes are kept.
"""

from __future__ import annotations

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from functools import lru_cache
from hashlib import blake2b

_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
_PLAIN = "="
"""Begins an id that is no UUID; in the 22 characters of the others it does not occur."""
_KNOWN = 16_384
_CHUNK = "#c"


@lru_cache(_KNOWN)
def number_of(text: str) -> int:
    """What an id is filtered by."""
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=6).digest(), "little")


@lru_cache(_KNOWN)
def short(text: str) -> str:
    """An id as it is kept; ``long`` gives it back."""
    if _UUID.fullmatch(text) is None:
        return _PLAIN + text
    return urlsafe_b64encode(bytes.fromhex(text.replace("-", ""))).decode()[:22]


@lru_cache(_KNOWN)
def long(kept: str) -> str:
    if kept.startswith(_PLAIN):
        return kept[len(_PLAIN) :]
    digits = urlsafe_b64decode(f"{kept}==").hex()
    return f"{digits[:8]}-{digits[8:12]}-{digits[12:16]}-{digits[16:20]}-{digits[20:]}"


def end(text: str, note_id: str) -> int | str:
    """What an id is kept as beside that of a note: 0 for the note itself, from 1 the number of one of its chunks."""
    if text == note_id:
        return 0
    if text.startswith(note_id):
        digits = text[len(note_id) + len(_CHUNK) :]
        if digits.isdecimal() and (number := int(digits)) and text == chunk_id(note_id, number):
            return number
    return short(text)


def end_of(kept: int | str, note_id: str) -> str:
    """The id that was kept."""
    if isinstance(kept, str):
        return long(kept)
    return chunk_id(note_id, kept) if kept else note_id


def chunk_id(note_id: str, number: int) -> str:
    return f"{note_id}{_CHUNK}{number:02d}"
