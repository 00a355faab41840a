"""What one update has to do, and which files it is about."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Set
from dataclasses import dataclass, field
from pathlib import Path

from mindnet.errors import VaultError
from mindnet.indexing.source import Loaded, VaultSource
from mindnet.records import Fault, VaultFile
from mindnet.store.manifest import ManifestEntry
from mindnet.vault.discover import UNREADABLE
from mindnet.vault.keys import NoteName


@dataclass(frozen=True, slots=True)
class Plan:
    """``todo`` is newest first; those of it that are not ``changed`` are built anew because of other notes.

    ``changed`` has the SHA-256 of each file's bytes. ``touched`` have another time of change and the
    same content. ``held`` are parsed already.
    """

    todo: list[VaultFile]
    changed: Mapping[str, str] = field(default_factory=dict)
    removed: tuple[str, ...] = ()
    touched: tuple[ManifestEntry, ...] = ()
    held: dict[str, Loaded] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Known:
    """The paths that the manifest or the catalog knows: a note is named before it is stored."""

    entries: Mapping[str, ManifestEntry]
    names: Mapping[str, NoteName]

    def __contains__(self, path: str) -> bool:
        return path in self.entries or path in self.names

    def __len__(self) -> int:
        return max(len(self.entries), len(self.names))

    def __iter__(self) -> Iterator[str]:
        yield from self.entries
        yield from (path for path in self.names if path not in self.entries)


@dataclass(frozen=True, slots=True)
class Looked:
    """What a look at the vault found: the files that it was about, known paths that are gone, what could not be seen.

    ``asked`` are the paths that it was about, None for the whole vault; ``whole`` has every file of the vault where all
    of it was walked through.
    """

    asked: frozenset[str] | None
    files: dict[str, VaultFile]
    gone: set[str]
    faults: list[Fault]
    whole: Mapping[str, VaultFile] | None = None


MANY = 16
"""More paths than so many, and than one for every ``MANY_OF`` known ones, are looked for in one walk."""
MANY_OF = 200


def candidates(source: VaultSource, known: Known, paths: frozenset[str] | None) -> Looked:
    """``paths`` are files or folders; None stands for the whole vault.

    Each path that is gone is looked for in its folder, as it may be spelt in another way there: for a
    burst (a folder moved, a branch checked out) one walk through the vault costs far less.
    """
    if paths is not None and len(paths) <= max(MANY, len(known) // MANY_OF):
        return _one_by_one(source, known, paths)
    found, faults = source.discover()
    whole = {file.path: file for file in found}
    gone = missing(known, whole, faults)
    if paths is None:
        return Looked(paths, whole, gone, faults, whole)
    above = {""} | {folder for path in paths for folder in _folders_above(path)}
    return Looked(
        paths,
        {path: file for path, file in whole.items() if lies_in(path, paths)},
        {path for path in gone if lies_in(path, paths)},
        [fault for fault in faults if fault.path in above or lies_in(fault.path, paths)],
        whole,
    )


def _one_by_one(source: VaultSource, known: Known, paths: frozenset[str]) -> Looked:
    files: dict[str, VaultFile] = {}
    gone: set[str] = set()
    faults: list[Fault] = []
    for path in paths:
        file = source.file(path)
        if file is not None:
            files[file.path] = file
            continue
        odd = source.odd(path)
        if odd is not None:
            faults.append(odd)
        if path in known and (odd is None or odd.code not in UNREADABLE):
            gone.add(path)
        inside, unread = source.discover_below(path)
        files.update({one.path: one for one in inside})
        faults += unread
        gone |= missing((one for one in known if one.startswith(f"{path}/")), files, unread)
    return Looked(paths, files, gone, faults)


def _folders_above(path: str) -> Iterator[str]:
    while "/" in path:
        path = path.rpartition("/")[0]
        yield path


def emptied(vault: Path, notes: int) -> VaultError:
    """Why an index of so many notes is kept though none of them is there any more."""
    return VaultError(
        f"There is no note left in the vault {vault}, and the index has {notes}: it is kept as it is.",
        hint="Is its drive connected, is it synced? If all notes are to go: `mindnet import --apply --prune-all`.",
    )


def missing(known: Iterable[str], files: Mapping[str, VaultFile], faults: Iterable[Fault]) -> set[str]:
    """Known paths that were not found again, except where something could not be looked at."""
    hidden = [fault.path for fault in faults if fault.code in UNREADABLE]
    return {
        path
        for path in known
        if path not in files and not any(path == at or not at or path.startswith(f"{at}/") for at in hidden)
    }


def newest_first(file: VaultFile) -> tuple[int, str]:
    return -file.mtime_ns, file.path


def lies_in(path: str, places: Set[str]) -> bool:
    """Whether the path is one of the places or below one."""
    while places and path:
        if path in places:
            return True
        path = path.rpartition("/")[0]
    return False
