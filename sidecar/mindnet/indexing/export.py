"""The way back: from the store to the files, byte for byte."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from mindnet.errors import MissingError, UsageError
from mindnet.indexing.pipeline import Pipeline
from mindnet.records import Fault
from mindnet.vault.read import encode_note

PAGE_NOTES = 200
PAGE_BYTES = 8_000_000
"""A page ends with the note that reaches either: it travels as one answer."""
NAME_ERRORS = frozenset({errno.ENAMETOOLONG, errno.EINVAL, errno.EILSEQ, errno.ENOTDIR, errno.EISDIR, errno.EEXIST})
"""What the name of one note does not get past; any other error stops the export."""


@dataclass(frozen=True, slots=True)
class StoredText:
    """A note as the store holds it: enough to write its file again."""

    path: str
    fulltext: str
    encoding: str
    bom: bool


@dataclass(frozen=True, slots=True)
class Page:
    """Some of the indexed notes in path order. ``lost`` has a fault for each that the store does not hold.

    The next page begins behind ``last``, None on the last page. ``total`` counts all notes asked for.
    """

    notes: tuple[StoredText, ...]
    lost: tuple[Fault, ...]
    last: str | None
    total: int


@dataclass(frozen=True, slots=True)
class Exported:
    """What an export wrote into ``folder``; a fault for each note that it could not write."""

    folder: Path
    notes: int
    size: int
    faults: tuple[Fault, ...]


# ------------------------------------------------------------------ reading
def stored_page(pipeline: Pipeline, below: str = "", after: str = "") -> Page:
    """The indexed notes in the folder ``below`` ("": all) behind the path ``after``, at most a page of them."""
    start = f"{below.strip('/')}/" if below.strip("/") else ""
    with pipeline.store.exclusive():
        asked = sorted(
            (entry.path, entry.note_id, entry.size)
            for entry in tuple(pipeline.entries.values())
            if entry.indexed and entry.path.startswith(start)
        )
        wanted: dict[str, str] = {}
        size = 0
        rest = [one for one in asked if one[0] > after]
        for path, note_id, number in rest:
            wanted[path] = note_id
            size += number
            if len(wanted) == PAGE_NOTES or size >= PAGE_BYTES:
                break
        found = pipeline.store.notes(list(wanted.values()))
    held = {path: found[note_id] for path, note_id in wanted.items() if note_id in found}
    notes = [StoredText(note.path, note.fulltext, note.encoding, note.bom) for note in held.values()]
    lost = [Fault(path, 0, "not_stored", "The store does not hold this note.") for path in wanted.keys() - held.keys()]
    last = None if len(wanted) == len(rest) else next(reversed(wanted))
    return Page(tuple(notes), tuple(sorted(lost, key=lambda fault: fault.path)), last, len(asked))


def pages(fetch: Callable[[str], Page]) -> Iterator[Page]:
    """Every page in order; ``fetch`` gives the one behind a path."""
    after: str | None = ""
    while after is not None:
        page = fetch(after)
        yield page
        after = page.last


# ------------------------------------------------------------------ writing
def export_folder(out: Path, vault: Path) -> Path:
    """The real path of a folder to export into; raises ``UsageError`` for one in the vault or with anything in it."""
    real = Path(os.path.realpath(out.expanduser()))
    if any(above.exists() and above.samefile(vault) for above in (real, *real.parents)):
        raise UsageError(f"{real} is in the vault.", hint="Export into a folder outside of it.")
    if real.exists() and not real.is_dir():
        raise UsageError(f"{real} is a file.", hint="Name a new or an empty folder.")
    if real.is_dir() and any(real.iterdir()):
        raise UsageError(f"The folder {real} is not empty.", hint="Name a new or an empty folder.")
    return real


def write_notes(
    found: Iterable[Page],
    folder: Path,
    *,
    on_total: Callable[[int], None] = lambda _: None,
    on_written: Callable[[str], None] = lambda _: None,
) -> Exported:
    """Writes each note under its path; nothing that is there already is written over.

    Raises ``MissingError`` where the folder or the disk takes no more.
    """
    notes = size = 0
    faults: list[Fault] = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise MissingError(f"The folder {folder} cannot be made: {error.strerror}.") from error
    for page in found:
        on_total(page.total)
        faults += page.lost
        for note in page.notes:
            wrote = _write(folder, note)
            if isinstance(wrote, Fault):
                faults.append(wrote)
            else:
                notes, size = notes + 1, size + wrote
            on_written(note.path)
    return Exported(folder, notes, size, tuple(faults))


def _write(folder: Path, note: StoredText) -> int | Fault:
    """The number of bytes written, or why the note could not be."""
    pure = PurePosixPath(note.path)
    if pure.is_absolute() or ".." in pure.parts:
        return Fault(note.path, 0, "outside", "The stored path leads out of the folder.")
    try:
        data = encode_note(note.fulltext, note.encoding, note.bom)
    except (LookupError, UnicodeError) as error:
        return Fault(note.path, 0, "not_encoded", f"The stored text does not fit its encoding ({error}).")
    try:
        (folder / pure).parent.mkdir(parents=True, exist_ok=True)
        with (folder / pure).open("xb") as stream:
            return stream.write(data)
    except FileExistsError:
        return Fault(note.path, 0, "name_taken", "Another note has this name here: upper and lower case are one.")
    except OSError as error:
        if error.errno in NAME_ERRORS:
            return Fault(note.path, 0, "name_refused", f"The disk does not take this name: {error.strerror}.")
        raise MissingError(f"{folder / pure} cannot be written: {error.strerror}.") from error
