"""What a link's text names: all names of a vault, and the way from a text to a note.

Resolution depends on the state of the vault alone: the same names in any order of events give
the same answers. Names are compared in NFC and lower case; ``ß`` and ``ss`` stay two letters, so
that *Maße* and *Masse* are two notes.
"""

from __future__ import annotations

import posixpath
from bisect import insort
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from mindnet.records import Fault
from mindnet.vault.keys import Index, NoteName, bare, fold, name_keys, path_id, stem_of, strip_suffix

By = Literal["self", "path", "name", "id", "title", "alias"]


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


class Catalog:
    """The names of all notes. Not for several threads at once."""

    def __init__(self) -> None:
        self._names: dict[str, NoteName] = {}
        self._ids: dict[str, str] = {}
        self._paths: dict[str, str] = {}
        self._by_path = Index()
        self._by_base = Index()
        self._by_id = Index()
        self._by_title = Index()
        self._by_alias = Index()
        self._claims: dict[str, list[str]] = {}
        self._path_ids: dict[str, str] = {}
        self._displaced: set[str] = set()
        self._beyond_doubt: dict[str, Resolution] = {}
        self._twins: set[str] = set()

    def __contains__(self, path: str) -> bool:
        return path in self._names

    def __len__(self) -> int:
        return len(self._names)

    @property
    def names(self) -> Mapping[str, NoteName]:
        return self._names

    def name_of(self, path: str) -> NoteName | None:
        return self._names.get(path)

    def note_id(self, path: str) -> str:
        """The id of a note that is in the catalog; ``KeyError`` for any other."""
        return self._ids[path]

    def path_of(self, note_id: str) -> str | None:
        return self._paths.get(note_id)

    # -------------------------------------------------------------- changes
    def apply(self, changed: Iterable[NoteName], removed: Iterable[str]) -> Affected:
        """Takes in new, changed and removed notes at once; says what this touches beyond them."""
        keys: set[str] = set()
        claims: set[str] = set()
        touched: set[str] = set()
        pairs = [(path, None) for path in removed] + [(name.path, name) for name in changed]
        for path, name in pairs:
            old = self._names.get(path)
            if old == name:
                continue
            touched.add(path)
            for one in (old, name):
                if one is not None:
                    keys |= name_keys(one)
                    claims |= {path_id(path), one.note_id_hint or path_id(path)}
            if old is not None:
                self._take_out(old)
            if name is not None:
                self._put_in(name)
        others: set[str] = set()
        for claim in claims:
            for path in self._claims.get(claim, ()):
                before = self._ids[path]
                self._assign(path)
                if self._ids[path] != before and path not in touched:
                    others.add(path)
                    keys |= name_keys(self._names[path])
        return Affected(frozenset(keys), frozenset(others))

    def fill(self, names: Iterable[NoteName]) -> None:
        """``apply`` for an empty catalog, where nothing else can be touched: much faster."""
        for name in names:
            self._put_in(name)
        # Whose an id is shows only when all claims and all paths are known.
        for paths in self._claims.values():
            for path in paths:
                self._assign(path)

    def _put_in(self, name: NoteName) -> None:
        self._beyond_doubt.clear()
        self._names[name.path] = name
        self._path_ids[path_id(name.path)] = name.path
        for index, key in self._entries(name):
            index.add(key, name.path)
        if name.note_id_hint:
            insort(self._claims.setdefault(name.note_id_hint, []), name.path)
        stem = stem_of(name.path)
        if len(self._by_path.get(stem)) > 1:
            self._twins.add(stem)
        self._assign(name.path)

    def _take_out(self, name: NoteName) -> None:
        self._beyond_doubt.clear()
        del self._names[name.path]
        del self._path_ids[path_id(name.path)]
        for index, key in self._entries(name):
            index.discard(key, name.path)
        if name.note_id_hint:
            claimants = self._claims[name.note_id_hint]
            claimants.remove(name.path)
            if not claimants:
                del self._claims[name.note_id_hint]
        if len(self._by_path.get(stem_of(name.path))) < 2:
            self._twins.discard(stem_of(name.path))
        self._displaced.discard(name.path)
        note_id = self._ids.pop(name.path)
        if self._paths.get(note_id) == name.path:
            del self._paths[note_id]

    def _entries(self, name: NoteName) -> list[tuple[Index, str]]:
        stem = stem_of(name.path)
        entries = [(self._by_path, stem), (self._by_base, stem.rpartition("/")[2])]
        if name.note_id_hint:
            entries.append((self._by_id, fold(name.note_id_hint)))
        entries.append((self._by_title, fold(name.title.strip())))
        entries += [(self._by_alias, alias) for alias in {fold(alias.strip()) for alias in name.aliases}]
        return [entry for entry in entries if entry[1]]

    def _assign(self, path: str) -> None:
        """Gives the note its id: its own if it is the first in path order to claim it, else its path's.

        An id that is the path id of another note is taken, so that no two notes are ever one.
        """
        claim = self._names[path].note_id_hint
        holder = None
        if claim:
            holder = self._path_ids.get(claim, self._claims[claim][0])
        note_id = claim if claim and holder == path else path_id(path)
        (self._displaced.add if claim and holder != path else self._displaced.discard)(path)
        old = self._ids.get(path)
        if old is not None and old != note_id and self._paths.get(old) == path:
            del self._paths[old]
        self._ids[path] = note_id
        self._paths[note_id] = path

    def duplicates(self) -> list[Fault]:
        """One fault for each note whose id another has already, or whose path differs from another's by case alone."""
        faults = []
        for path in sorted(self._displaced):
            claim = self._names[path].note_id_hint or ""
            message = f"the id {claim!r} is already that of {self._paths.get(claim)}; this note is known by its path"
            faults.append(Fault(path, 0, "duplicate_id", message))
        for stem in sorted(self._twins):
            first, *others = self._by_path.get(stem)
            for path in others:
                if fold(path) == fold(first):
                    message = (
                        f"The name differs from {first} in upper and lower case alone: on Windows, macOS and phones "
                        "only one of the two can be. Rename one."
                    )
                    faults.append(Fault(path, 0, "case_clash", message))
        return faults

    # -------------------------------------------------------------- resolution
    def resolve(self, source: str, target: str, *, relative: bool = False) -> Resolution:
        """Where ``target``, a link's text without section and label, leads from the note at ``source``.

        A path from the vault's root wins, for a ``relative`` one (a Markdown link's) a path from the
        folder of ``source``; ``./``, ``../`` and ``/`` allow nothing else. Then the file's name, with
        as many of its folders as are written. Then, beyond Obsidian, frontmatter id, title and alias.
        Of several notes the one in the folder of ``source`` is taken, else the one with the shortest
        path, else the first in order. A path leaves no doubt; a bare name that several notes have does.
        """
        written = target.strip()
        if not written:
            return Resolution(source, "self")
        if relative or written.startswith(("/", ".")):
            return self._resolve(source, written, relative=relative)
        found = self._beyond_doubt.get(written)
        if found is None:
            found = self._resolve(source, written, relative=False)
            # Only the choice among several notes depends on where the link stands.
            if not found.ambiguous:
                self._beyond_doubt[written] = found
        return found

    def _resolve(self, source: str, written: str, *, relative: bool) -> Resolution:
        text = bare(written)
        rooted = text.startswith(("/", "./", "../"))
        if text.startswith(".") and rooted:
            text = _joined(source, text)
        elif relative and not rooted and (beside := self._exact(source, _joined(source, text))):
            return beside
        text = text.lstrip("/")
        key = fold(text)
        exact = self._exact(source, text)
        if rooted or (exact and (relative or "/" in text)):
            return exact or Resolution(None)
        named = self._named(key)
        if exact:
            twins = self._by_path.get(key)
            return replace(exact, ambiguous=(*exact.ambiguous, *(path for path in named if path not in twins)))
        if named:
            return self._by_name(named, source, text)
        spellings = dict.fromkeys((fold(written), key))
        beyond: tuple[tuple[Index, By], ...] = (
            (self._by_id, "id"),
            (self._by_title, "title"),
            (self._by_alias, "alias"),
        )
        for index, by in beyond:
            for spelling in spellings:
                if found := index.get(spelling):
                    # Of notes with the same id only one is known by it.
                    known = [path for path in found if path not in self._displaced] if by == "id" else []
                    return self._choose(known or found, source, by)
        return Resolution(None)

    def _exact(self, source: str, text: str) -> Resolution | None:
        """The note at a path, if there is one."""
        paths = self._by_path.get(fold(text))
        # Several only where paths differ by case alone: the one spelt so leaves no doubt.
        spelt = [path for path in paths if strip_suffix(path) == text]
        return self._choose(spelt or paths, source, "path") if paths else None

    def _by_name(self, named: Sequence[str], source: str, text: str) -> Resolution:
        """Of the notes that have a name the one nearest to ``source``, spelt so where names differ by case."""
        found = self._choose(named, source, "name")
        twins = self._by_path.get(stem_of(found.path or ""))
        spelt = [path for path in twins if posixpath.basename(strip_suffix(path)) == posixpath.basename(text)]
        if len(twins) > 1 and spelt:
            return Resolution(spelt[0], "name", tuple(path for path in named if path not in twins))
        return found

    def _named(self, key: str) -> Sequence[str]:
        paths = self._by_base.get(posixpath.basename(key))
        if "/" not in key:
            return paths
        return [path for path in paths if stem_of(path).endswith(f"/{key}")]

    def _choose(self, paths: Sequence[str], source: str, by: By) -> Resolution:
        if len(paths) == 1:
            return Resolution(paths[0], by)
        folder = posixpath.dirname(source)
        place = next((i for i, path in enumerate(paths) if path.rpartition("/")[0] == folder), 0)
        return Resolution(paths[place], by, (*paths[:place], *paths[place + 1 :]))


def _joined(source: str, text: str) -> str:
    """A path that begins in the folder of the note at ``source``, from the vault's root."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(source), text))
