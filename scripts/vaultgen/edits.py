"""An endless stream of changes to a vault, as people and programs make them; the same for the same seed.

The stream reads from the disk what it changes: each edit has to be applied before the next is asked for.
"""

from __future__ import annotations

import json
import posixpath
import re
import unicodedata
from bisect import bisect
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from pathlib import Path
from random import Random

from vaultgen.changes import Burst, Change, Delete, Edit, Move, Saving, Touch, Write, apply, follow, read_tree, single
from vaultgen.note import note_text
from vaultgen.plan import Names, PlannedLink, fold, plan_note
from vaultgen.rewrite import Pen, change_body, change_property, pen, rewritten

__all__ = ["BURST", "apply", "edits", "follow", "read_tree"]
BURST = 200
_LINK = re.compile(r"\[\[(?:rel:[\w:]+[ |])?([^\[\]|#\\^:/]+)")
_ID = re.compile(r"^id: (\S+)$", re.MULTILINE)
_LOOKED_AT = 12
"""So many notes are read to find names that are linked to and ids that are taken."""


def edits(vault: Path, seed: int, *, burst: int = BURST) -> Iterator[Edit]:
    """Changes to the notes of ``vault``; ``burst`` is how many the largest holds.

    Notes come about as often as they go, so that the vault keeps its size.
    """
    stream = _Stream(vault, seed, burst)
    while True:
        edit = stream.draw()
        if edit is not None:
            stream.learn(edit)
            yield edit


class _Stream:
    """``paths`` are the notes as they are once every edit so far is applied."""

    def __init__(self, vault: Path, seed: int, burst: int) -> None:
        self.vault = vault
        self.seed = seed
        self.burst = burst
        self.rng = Random(f"edits {seed}")
        self.made = 0
        found = (path.relative_to(vault).as_posix() for path in vault.rglob("*.md"))
        self.paths = sorted(filter(_seen, found))
        self.trash: list[str] = []
        self.size = max(len(self.paths), 1)

    def draw(self) -> Edit | None:
        """The next edit, None when the drawn kind is not possible now."""
        make = _MAKERS[bisect(_SUMS, self.rng.random() * _SUMS[-1])][1]
        return make(self)

    def learn(self, edit: Edit) -> None:
        paths = set(self.paths)
        for change in single(edit):
            match change:
                case Write(path):
                    paths.add(path)
                case Delete(path):
                    paths.discard(path)
                case Move(old, new):
                    moved = {path for path in paths if path == old or path.startswith(f"{old}/")}
                    paths = (paths - moved) | {new + path[len(old) :] for path in moved}
                case Touch():
                    pass
        self.paths = sorted(filter(_seen, paths))

    # -------------------------------------------------------------- drawing
    def some_path(self) -> str | None:
        return self.paths[int(self.rng.random() * len(self.paths))] if self.paths else None

    def folders(self) -> list[str]:
        found = {""}
        for path in self.paths:
            folder = posixpath.dirname(path)
            while folder:
                found.add(folder)
                folder = posixpath.dirname(folder)
        return sorted(found)

    def some_folder(self) -> str:
        folders = self.folders()
        return folders[int(self.rng.random() * len(folders))]

    def pen(self) -> Pen:
        """Knows names that exist, names that only links know, and ids."""
        texts = [self.text(path) for path in filter(None, (self.some_path() for _ in range(_LOOKED_AT)))]
        linked = [name.strip() for text in texts for name in _LINK.findall(text)[:20]]
        stems = [posixpath.basename(path)[:-3] for path in filter(None, (self.some_path() for _ in range(_LOOKED_AT)))]
        ids = [own for text in texts for own in _ID.findall(text)]
        return pen(self.rng, [name for name in (*linked, *stems) if name] or ["Nichts"], ids)

    def text(self, path: str) -> str:
        return (self.vault / path).read_bytes().decode("utf-8", "replace")

    def free(self, path: str) -> bool:
        """Whether no other note has this path, in whatever case or Unicode form."""
        wanted = fold(path)
        return all(wanted != fold(other) for other in self.paths)

    def new_note(self, name: str | None = None) -> Write | None:
        """A whole note, with links to others."""
        self.made += 1
        number = 1_000_000 * (self.seed % 1_000 + 1) + self.made
        planned = plan_note(number, self.rng, Names(), "both")
        if self.rng.random() < 0.5:
            planned.folder = self.some_folder()
        if name is not None:
            planned.stem = planned.title = name
        using = self.pen()
        names = [using.name() for _ in range(int(self.rng.random() * 6))]
        planned.links = [PlannedLink(one, "", "", resolves=False) for one in names]
        if not self.free(planned.path):
            return None
        return Write(planned.path, note_text(planned, self.seed).encode("utf-8"))


def _seen(path: str) -> bool:
    """Whether a path is a note's: no folder on it is hidden."""
    return path.endswith(".md") and not path.startswith(".") and "/." not in path


# ------------------------------------------------------------------ kinds of edits
def _change(stream: _Stream, how: Callable[[str, Pen], str], saving: Saving) -> Write | None:
    path = stream.some_path()
    if path is None:
        return None
    return Write(path, rewritten((stream.vault / path).read_bytes(), how, stream.pen()), saving)


def change_text(stream: _Stream) -> Write | None:
    return _change(stream, change_body, "in place")


def save_by_rename(stream: _Stream) -> Write | None:
    return _change(stream, change_body, "by rename" if stream.rng.random() < 0.6 else "with backup")


def change_properties(stream: _Stream) -> Write | None:
    return _change(stream, change_property, "in place")


def create(stream: _Stream) -> Write | None:
    return stream.new_note()


def create_wanted(stream: _Stream) -> Write | None:
    """A note of a name that is linked to already, whether or not it exists elsewhere."""
    return stream.new_note(stream.pen().name())


def copy(stream: _Stream) -> Write | None:
    """The same text once more, id and all, as *Make a copy* does; or under the same name in another Unicode form."""
    path = stream.some_path()
    if path is None:
        return None
    other_form = unicodedata.normalize("NFD" if unicodedata.is_normalized("NFC", path) else "NFC", path)
    if other_form != path and stream.rng.random() < 0.3:
        return (
            Write(other_form, (stream.vault / path).read_bytes() + b"\nTwin.\n")
            if other_form not in stream.paths
            else None
        )
    fresh = f"{path[:-3]} 1.md"
    if not stream.free(fresh):
        return None
    return Write(fresh, (stream.vault / path).read_bytes())


def delete(stream: _Stream) -> Delete | None:
    path = stream.some_path()
    return Delete(path) if path and len(stream.paths) > stream.size * 0.8 else None


def rename(stream: _Stream) -> Move | None:
    """To another name, now and then one that is linked to already, or one that differs by case alone."""
    path = stream.some_path()
    if path is None:
        return None
    folder, stem = posixpath.split(path[:-3])
    chance = stream.rng.random()
    if chance < 0.15 and stem.swapcase() != stem:
        return Move(path, posixpath.join(folder, f"{stem.swapcase()}.md"))
    if chance < 0.20:
        # As other systems spell it: the same name to a person.
        spelt = posixpath.join(folder, f"{unicodedata.normalize('NFD', stem)}.md")
        return Move(path, spelt) if spelt != path else None
    using = stream.pen()
    name = using.name() if chance < 0.4 else using.voice.title()[0]
    fresh = posixpath.join(folder, f"{name}.md")
    return Move(path, fresh) if stream.free(fresh) else None


def move(stream: _Stream) -> Move | None:
    path = stream.some_path()
    if path is None:
        return None
    fresh = posixpath.join(stream.some_folder(), posixpath.basename(path))
    return Move(path, fresh) if stream.free(fresh) else None


def move_folder(stream: _Stream) -> Move | None:
    """A folder with all its notes, to another name or into another folder."""
    folder = stream.some_folder()
    if not folder:
        return None
    above = posixpath.dirname(folder) if stream.rng.random() < 0.6 else stream.some_folder()
    if above == folder or above.startswith(f"{folder}/"):
        return None
    name = (
        f"Ordner {int(stream.rng.random() * 1e6)}" if above == posixpath.dirname(folder) else posixpath.basename(folder)
    )
    fresh = posixpath.join(above, name)
    if (stream.vault / fresh).exists() or not (stream.vault / folder).is_dir():
        return None
    return Move(folder, fresh)


def swap(stream: _Stream) -> Burst | None:
    """Two notes take each other's name."""
    one, two = stream.some_path(), stream.some_path()
    if one is None or two is None or one == two:
        return None
    aside = f"{one[:-3]} beiseite.md"
    return Burst((Move(one, aside), Move(two, one), Move(aside, two))) if stream.free(aside) else None


def touch(stream: _Stream) -> Touch | None:
    path = stream.some_path()
    return Touch(path) if path else None


def throw_away(stream: _Stream) -> Move | None:
    """A note, or a folder, into the vault's own trash."""
    thrown = stream.some_folder() if stream.rng.random() < 0.4 else stream.some_path()
    inside = [path for path in stream.paths if path == thrown or path.startswith(f"{thrown}/")]
    if not thrown or len(stream.paths) - len(inside) < stream.size * 0.7:
        return None
    stream.made += 1
    bin_place = f".trash/{stream.made}/{posixpath.basename(thrown)}"
    stream.trash.append(bin_place)
    return Move(thrown, bin_place)


def restore(stream: _Stream) -> Move | None:
    """Something from the trash, into any folder."""
    if not stream.trash:
        return None
    thrown = stream.trash.pop(int(stream.rng.random() * len(stream.trash)))
    fresh = posixpath.join(stream.some_folder(), posixpath.basename(thrown))
    return None if (stream.vault / fresh).exists() or not stream.free(fresh) else Move(thrown, fresh)


def exclude(stream: _Stream) -> Write:
    """Obsidian's setting of what is left out: a folder, or nothing again."""
    chosen = [f"{stream.some_folder()}/"] if stream.rng.random() < 0.6 else []
    settings = {"userIgnoreFilters": [folder for folder in chosen if folder != "/"]}
    return Write(".obsidian/app.json", json.dumps(settings, ensure_ascii=False).encode("utf-8"))


def encode(stream: _Stream) -> Write | None:
    """The same text in another encoding or with other line ends."""
    path = stream.some_path()
    if path is None:
        return None
    text = stream.text(path).replace("\r\n", "\n").lstrip("\ufeff")
    codec, end = (("utf-8", "\r\n"), ("cp1252", "\n"), ("utf-16", "\n"), ("utf-8-sig", "\n"))[
        int(stream.rng.random() * 4)
    ]
    return Write(path, text.replace("\n", end).encode(codec, "replace"))


def many(stream: _Stream) -> Burst:
    """Many notes at once, each changed once: new and gone ones, changed, touched and moved ones."""
    paths = list(stream.paths)
    stream.rng.shuffle(paths)
    count = min(stream.burst, max(len(paths), 4))
    changes: list[Change] = []
    taken: set[str] = set()
    for path in paths[: count * 3 // 4]:
        chance = stream.rng.random()
        fresh = posixpath.join(stream.some_folder(), posixpath.basename(path))
        if chance < 0.6:
            content = (stream.vault / path).read_bytes()
            saving: Saving = "by rename" if stream.rng.random() < 0.5 else "in place"
            changes.append(Write(path, rewritten(content, change_body, stream.pen()), saving))
        elif chance < 0.7:
            changes.append(Touch(path))
        elif chance < 0.85 and stream.free(fresh) and fold(fresh) not in taken:
            taken.add(fold(fresh))
            changes.append(Move(path, fresh))
        elif len(stream.paths) > stream.size * 0.7:
            changes.append(Delete(path))
    for _ in range(count // 4 + 1):
        made = stream.new_note()
        if made is not None and fold(made.path) not in taken:
            taken.add(fold(made.path))
            changes.append(made)
    return Burst(tuple(changes))


_MAKERS: Sequence[tuple[float, Callable[[_Stream], Edit | None]]] = (
    (26, change_text),
    (12, save_by_rename),
    (14, change_properties),
    (9, create),
    (5, create_wanted),
    (2, copy),
    (9, delete),
    (8, rename),
    (5, move),
    (3, move_folder),
    (2, swap),
    (4, touch),
    (3, throw_away),
    (2, restore),
    (1, exclude),
    (1, encode),
    (1, many),
)
"""How often each kind of edit is drawn, beside the others."""
_SUMS = list(accumulate(weight for weight, _ in _MAKERS))
