"""What a link's text names: all names of a vault, and the way from a text to a note.

Resolution depends on the state of the vault alone: the same names in any order of events give the
same answers. Names are compared in NFC with case folded.
"""

from __future__ import annotations

import posixpath
import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal
from uuid import NAMESPACE_URL, uuid5

from mindnet.records import Fault

SUFFIX = ".md"
By = Literal["self", "path", "name", "id", "title", "alias"]


@dataclass(frozen=True, slots=True)
class NoteName:
    """All that a note can be called, and its type, on which the edges that lead to it depend."""

    path: str
    note_id_hint: str | None
    title: str
    aliases: tuple[str, ...]
    type: str


@dataclass(frozen=True, slots=True)
class Resolution:
    """Where a link leads: ``path`` None for nowhere. ``ambiguous`` lists the other notes that it could mean."""

    path: str | None
    by: By | None = None
    ambiguous: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Affected:
    """Link keys that may lead elsewhere now, and unchanged notes whose own id is another now."""

    keys: frozenset[str]
    paths: frozenset[str]


def fold(text: str) -> str:
    return unicodedata.normalize("NFC", text).casefold()


def strip_suffix(target: str) -> str:
    return target[: -len(SUFFIX)] if target.lower().endswith(SUFFIX) else target


def link_keys(target: str) -> frozenset[str]:
    """The keys under which a link must be looked at again when a note of such a name comes or goes."""
    key = fold(strip_suffix(target.strip()))
    return frozenset({key, posixpath.basename(key)} - {""})


def name_keys(name: NoteName) -> frozenset[str]:
    """The counterpart of ``link_keys``: a link to this note has one of these keys."""
    own = [posixpath.basename(strip_suffix(name.path)), name.title, *name.aliases]
    if name.note_id_hint:
        own.append(name.note_id_hint)
    return frozenset(fold(strip_suffix(text.strip())) for text in own if text.strip())


def path_id(path: str) -> str:
    """The id of a note without one of its own."""
    return str(uuid5(NAMESPACE_URL, f"mindnet:note:{path}"))


class Catalog:
    """The names of all notes. Not for several threads at once."""

    def __init__(self) -> None:
        self._names: dict[str, NoteName] = {}
        self._ids: dict[str, str] = {}
        self._paths: dict[str, str] = {}
        self._by_path: defaultdict[str, set[str]] = defaultdict(set)
        self._by_base: defaultdict[str, set[str]] = defaultdict(set)
        self._by_id: defaultdict[str, set[str]] = defaultdict(set)
        self._by_title: defaultdict[str, set[str]] = defaultdict(set)
        self._by_alias: defaultdict[str, set[str]] = defaultdict(set)
        self._claims: defaultdict[str, set[str]] = defaultdict(set)

    def __contains__(self, path: str) -> bool:
        return path in self._names

    def __len__(self) -> int:
        return len(self._names)

    def name_of(self, path: str) -> NoteName | None:
        return self._names.get(path)

    def note_id(self, path: str) -> str:
        """The id of a note that is in the catalog."""
        return self._ids[path]

    def path_of(self, note_id: str) -> str | None:
        return self._paths.get(note_id)

    # -------------------------------------------------------------- changes
    def apply(self, changed: Iterable[NoteName], removed: Iterable[str]) -> Affected:
        """Takes in new, changed and removed notes at once; says what this touches beyond them."""
        keys: set[str] = set()
        claims: set[str] = set()
        own = set()
        for path in removed:
            if (old := self._names.get(path)) is not None:
                self._take_out(old)
                keys |= name_keys(old)
                claims |= {old.note_id_hint} if old.note_id_hint else set()
            own.add(path)
        for name in changed:
            own.add(name.path)
            old = self._names.get(name.path)
            if old == name:
                continue
            for one in (old, name):
                if one is not None:
                    keys |= name_keys(one)
                    claims |= {one.note_id_hint} if one.note_id_hint else set()
            if old is not None:
                self._take_out(old)
            self._put_in(name)
        others = set()
        for claim in claims:
            for path in self._claims.get(claim, ()):
                before = self._ids.get(path)
                self._assign(path)
                if self._ids[path] != before and path not in own:
                    others.add(path)
                    keys |= name_keys(self._names[path])
        return Affected(frozenset(keys), frozenset(others))

    def _put_in(self, name: NoteName) -> None:
        self._names[name.path] = name
        for index, key in self._entries(name):
            index[key].add(name.path)
        if name.note_id_hint:
            self._claims[name.note_id_hint].add(name.path)
        self._assign(name.path)

    def _take_out(self, name: NoteName) -> None:
        del self._names[name.path]
        for index, key in self._entries(name):
            index[key].discard(name.path)
            if not index[key]:
                del index[key]
        if name.note_id_hint:
            self._claims[name.note_id_hint].discard(name.path)
        note_id = self._ids.pop(name.path)
        if self._paths.get(note_id) == name.path:
            del self._paths[note_id]

    def _entries(self, name: NoteName) -> list[tuple[defaultdict[str, set[str]], str]]:
        stem = fold(strip_suffix(name.path))
        entries = [(self._by_path, stem), (self._by_base, posixpath.basename(stem))]
        if name.note_id_hint:
            entries.append((self._by_id, fold(name.note_id_hint)))
        if name.title.strip():
            entries.append((self._by_title, fold(name.title.strip())))
        entries += [(self._by_alias, fold(alias.strip())) for alias in dict.fromkeys(name.aliases) if alias.strip()]
        return entries

    def _assign(self, path: str) -> None:
        """Gives the note its id: its own if it is the first in path order to claim it, else its path's."""
        claim = self._names[path].note_id_hint
        first = claim is not None and min(self._claims[claim]) == path
        note_id = claim if claim is not None and first else path_id(path)
        old = self._ids.get(path)
        if old is not None and old != note_id and self._paths.get(old) == path:
            del self._paths[old]
        self._ids[path] = note_id
        self._paths[note_id] = path

    def duplicates(self) -> list[Fault]:
        """One fault for each note whose id another note has already."""
        faults = []
        for claim, paths in self._claims.items():
            first, *others = sorted(paths) or [""]
            for path in others:
                message = f"the id {claim!r} is already that of {first}; this note is known by its path"
                faults.append(Fault(path, 0, "duplicate_id", message))
        return faults

    # -------------------------------------------------------------- resolution
    def resolve(self, source: str, target: str) -> Resolution:
        """Where ``target``, a link's text without section and label, leads from the note at ``source``."""
        written = target.strip()
        if not written:
            return Resolution(source, "self")
        text = strip_suffix(written)
        if text.startswith(("./", "../")):
            text = posixpath.normpath(posixpath.join(posixpath.dirname(source), text))
        key = fold(text.lstrip("/"))
        if exact := self._by_path.get(key):
            return self._choose(exact, source, "path", text.lstrip("/"))
        named = self._by_base.get(posixpath.basename(key), set())
        if "/" in key:
            named = {path for path in named if fold(strip_suffix(path)).endswith(f"/{key}")}
        if named:
            return self._choose(named, source, "name", text)
        beyond: tuple[tuple[defaultdict[str, set[str]], By], ...] = (
            (self._by_id, "id"),
            (self._by_title, "title"),
            (self._by_alias, "alias"),
        )
        for index, by in beyond:
            for spelling in (fold(written), fold(text)):
                if found := index.get(spelling):
                    return self._choose(found, source, by, text)
        return Resolution(None)

    def _choose(self, paths: set[str], source: str, by: By, text: str) -> Resolution:
        if len(paths) == 1:
            return Resolution(next(iter(paths)), by)
        folder = posixpath.dirname(source)
        ranked = sorted(
            paths,
            key=lambda path: (
                strip_suffix(path) != text if by == "path" else False,
                posixpath.dirname(path) != folder,
                len(path),
                path,
            ),
        )
        return Resolution(ranked[0], by, tuple(ranked[1:]))
