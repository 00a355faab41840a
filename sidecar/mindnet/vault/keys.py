"""Names as they are compared: in NFC and lower case; and indexes of the notes that have them.

``ß`` and ``ss`` stay two letters, so that *Maße* and *Masse* are two notes.
"""

from __future__ import annotations

import posixpath
import unicodedata
from bisect import bisect_left, insort
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from mindnet.name_uuid import name_uuid

SUFFIX = ".md"
_BLANKS = str.maketrans("\u00a0\u202f", "  ")


@dataclass(frozen=True, slots=True)
class NoteName:
    """All that a note can be called, and its type, on which the edges that lead to it depend.

    ``note_id_hint`` is the ``id`` of its frontmatter, which counts only while no other note has it.
    """

    path: str
    note_id_hint: str | None
    title: str
    aliases: tuple[str, ...]
    type: str


def fold(text: str) -> str:
    """``text`` as names are compared: NFC, lower case, with plain blanks, as Obsidian reads paths."""
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", text).lower()).translate(_BLANKS)


def strip_suffix(target: str) -> str:
    return target[: -len(SUFFIX)] if target.lower().endswith(SUFFIX) else target


def bare(text: str) -> str:
    return strip_suffix(text.strip()).strip()


def link_keys(target: str) -> frozenset[str]:
    """The keys under which a link must be looked at again when a note of such a name comes or goes."""
    key = fold(bare(target))
    return frozenset({key, posixpath.basename(key)} - {""})


def name_keys(name: NoteName) -> frozenset[str]:
    """The counterpart of ``link_keys``: every link that can lead to this note has one of these keys."""
    own = [posixpath.basename(name.path), name.title, *name.aliases, name.note_id_hint or ""]
    return frozenset({fold(bare(text)) for text in own} - {""})


@lru_cache(100_000)
def path_id(path: str) -> str:
    """The id of a note without one of its own."""
    return name_uuid(f"mindnet:note:{path}")


class Index:
    """Folded names to the paths that have them, the shortest first, then in order."""

    def __init__(self) -> None:
        self._paths: dict[str, list[str]] = {}

    def get(self, key: str) -> Sequence[str]:
        return self._paths.get(key, ())

    def add(self, key: str, path: str) -> None:
        paths = self._paths.get(key)
        if paths is None:
            self._paths[key] = [path]
        else:
            insort(paths, path, key=_rank)

    def discard(self, key: str, path: str) -> None:
        paths = self._paths[key]
        del paths[bisect_left(paths, _rank(path), key=_rank)]
        if not paths:
            del self._paths[key]


def _rank(path: str) -> tuple[int, str]:
    return len(path), path


@lru_cache(100_000)
def stem_of(path: str) -> str:
    """A path as links write it: folded, without suffix, without white space at its ends."""
    return fold(bare(path))
