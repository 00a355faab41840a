"""Which notes a vault holds: a walk over its folders that is quick and never leaves the vault."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from mindnet.errors import VaultError
from mindnet.records import Fault, VaultFile
from mindnet.vault.ignore import IgnoreRules, load_ignore_rules
from mindnet.vault.names import is_note_name, placeholder_of, vault_path
from mindnet.vault.presence import AWAY

__all__ = ["UNREADABLE", "IgnoreRules", "discover", "link_target", "load_ignore_rules", "odd_file", "vault_file"]


#: Faults that hide what is at, or below, their path: nothing there may be taken for gone.
UNREADABLE = frozenset(("unreadable", "unreadable_folder", "placeholder"))


def discover(
    vault: Path, rules: IgnoreRules, below: str = "", links: dict[str, str] | None = None
) -> tuple[list[VaultFile], list[Fault]]:
    """Find every note's file that is not ignored, sorted by vault path, and what could not be looked into.

    ``below`` is a folder's vault path: only what lies in it is looked at, which is nothing if it is no folder.
    Symbolic links are followed inside the vault (each folder once on the way down) and reported, not
    followed, where they lead out, in a circle or to nothing; so are pipes, sockets and iCloud's placeholders. Two
    names that differ only in their Unicode form count as one path: the first on disk is taken and the other
    reported. ``links`` takes in each link that was followed, and where it leads, both as vault paths. Raises
    VaultError if the vault itself is unreadable.
    """
    faults = [] if below else list(rules.faults)
    try:
        root = os.path.realpath(vault, strict=True)
        os.scandir(root).close()
    except OSError as error:
        raise VaultError(f"The vault {vault} cannot be read: {error.strerror}.", hint=AWAY) from error
    starts = _folders(root, rules, below) if below else [""]
    links = {} if links is None else links
    for start in starts:
        real = os.path.realpath(os.path.join(root, start))
        if start and real != os.path.join(root, start):
            links[vault_path(start)] = _below(real, root)
    found = sorted((file for start in starts for file in _walk(root, rules, faults, start, links)), key=_by_spelling)
    files: list[VaultFile] = []
    for file in found:
        if files and files[-1].path == file.path:
            faults.append(Fault(file.path, 0, "duplicate_path", "Another file has this name in another Unicode form."))
        else:
            files.append(file)
    return files, sorted(faults, key=lambda fault: (fault.path, fault.code))


def vault_file(vault: Path, disk_path: str) -> VaultFile | None:
    """Look up one file by its path relative to the vault, as on disk or as a vault path (NFC).

    None if it does not exist, is no note's file, or is a link that leads out of the vault.
    """
    root = os.path.realpath(vault)
    relative = disk_path.replace("/", os.sep)
    if not is_note_name(relative) or os.path.isabs(relative) or ".." in relative.split(os.sep):
        return None
    try:
        status = os.stat(os.path.join(root, relative))
    except OSError:
        spelled = _spelling_on_disk(root, relative)
        return vault_file(vault, spelled) if spelled is not None and spelled != relative else None
    if not stat.S_ISREG(status.st_mode) or not _inside(os.path.realpath(os.path.join(root, relative)), root):
        return None
    return VaultFile(vault_path(relative), relative, status.st_size, status.st_mtime_ns)


def odd_file(vault: Path, path: str) -> Fault | None:
    """Say why there is nothing to read at a note's vault path though something is there; None where nothing is odd."""
    root = os.path.realpath(vault)
    if not is_note_name(path) or os.path.isabs(path) or ".." in path.split("/"):
        return None
    spelled = _spelling_on_disk(root, path.replace("/", os.sep))
    if spelled is not None:
        return _odd(root, spelled, path)
    folder, name = os.path.split(path)
    for found in _folders_at(root, folder):
        for one in _names_in(os.path.join(root, found)):
            own = placeholder_of(one)
            if own is not None and vault_path(own) == name:
                return _placeholder(path)
    return None


def _odd(root: str, disk_path: str, path: str) -> Fault | None:
    """What is wrong with an entry that is named like a note; None for a readable file or a folder in the vault."""
    full = os.path.join(root, disk_path)
    try:
        status = os.stat(full)
    except FileNotFoundError:
        return Fault(path, 0, "broken_link", "The link leads to no file.") if os.path.islink(full) else None
    except OSError as error:
        if error.errno == errno.ELOOP:
            return Fault(path, 0, "circular_link", "The link leads in a circle to itself, and to no file.")
        return Fault(path, 0, "unreadable", f"The file cannot be looked at: {error.strerror}.")
    if not _inside(os.path.realpath(full), root):
        return _outside(path)
    if stat.S_ISREG(status.st_mode) or stat.S_ISDIR(status.st_mode):
        return None
    return Fault(path, 0, "not_a_file", "It is named like a note, but is a pipe, a socket or a device: it is not read.")


def _outside(path: str) -> Fault:
    return Fault(path, 0, "link_outside", "A link out of the vault is not followed.")


def _placeholder(path: str) -> Fault:
    message = (
        "Its content is in iCloud and not on this machine. Download it in the Finder; until then the index keeps it."
    )
    return Fault(path, 0, "placeholder", message)


def _folders(root: str, rules: IgnoreRules, path: str) -> list[str]:
    """Find how the disk spells a folder of the vault; none if it is none, is ignored or leads out."""
    parts = path.split("/")
    if os.path.isabs(path) or ".." in parts:
        return []
    if any(rules.prunes("/".join(parts[:depth])) for depth in range(1, len(parts) + 1)):
        return []
    return _folders_at(root, path)


def _folders_at(root: str, path: str) -> list[str]:
    """Every folder of the vault whose path this is, as the disk spells it: several may differ in Unicode form."""
    spellings = _spellings(root, "", path.split("/")) if path else iter([""])
    found = [(spelled, os.path.join(root, spelled)) for spelled in spellings]
    return [spelled for spelled, full in found if os.path.isdir(full) and _inside(os.path.realpath(full), root)]


def link_target(vault: Path, file: VaultFile) -> str | None:
    """Give the vault path that a file leads to if it is a symbolic link itself, else None."""
    root = os.path.realpath(vault)
    full = os.path.join(root, file.disk_path)
    return _below(os.path.realpath(full), root) if os.path.islink(full) else None


def _walk(root: str, rules: IgnoreRules, faults: list[Fault], start: str, links: dict[str, str]) -> Iterator[VaultFile]:
    # Each entry: folder on disk (relative), its vault path, the real folders passed on the way (against loops).
    passed_before = frozenset((root, os.path.realpath(os.path.join(root, start))))
    stack: list[tuple[str, str, frozenset[str]]] = [(start, vault_path(start), passed_before)]
    while stack:
        folder, folder_path, passed = stack.pop()
        try:
            with os.scandir(os.path.join(root, folder)) as scan:
                entries = list(scan)
        except OSError as error:
            faults.append(Fault(folder_path, 0, "unreadable_folder", f"The folder cannot be read: {error.strerror}."))
            continue
        for entry in entries:
            name = entry.name
            disk_path = os.path.join(folder, name) if folder else name
            own = vault_path(name)
            path = f"{folder_path}/{own}" if folder_path else own
            try:
                if entry.is_symlink():
                    real, here = os.path.realpath(entry.path), os.path.realpath(os.path.join(root, folder))
                    if not _inside(real, root):
                        if (is_note_name(name) or entry.is_dir()) and not rules.ignores(path):
                            faults.append(_outside(path))
                        continue
                    if entry.is_dir():
                        if rules.prunes(path):
                            continue
                        if real not in passed and not _inside(here, real):
                            links[path] = _below(real, root)
                            stack.append((disk_path, path, passed | {real, here}))
                        elif passed is passed_before:
                            # Once only, and not again on each way that other links make to it.
                            message = "The link leads back to a folder that it lies in: what is there is read once."
                            faults.append(Fault(path, 0, "circular_link", message))
                        continue
                if entry.is_dir():
                    if not rules.prunes(path):
                        stack.append((disk_path, path, passed))
                elif is_note_name(name) and not rules.ignores(path):
                    if entry.is_file():
                        if entry.is_symlink():
                            links[path] = _below(os.path.realpath(entry.path), root)
                        status = entry.stat()
                        yield VaultFile(path, disk_path, status.st_size, status.st_mtime_ns)
                    elif odd := _odd(root, disk_path, path):
                        faults.append(odd)
                elif hidden := placeholder_of(name):
                    note = vault_path(os.path.join(folder, hidden))
                    if not rules.ignores(note):
                        faults.append(_placeholder(note))
            except OSError as error:
                if not rules.ignores(path):
                    odd = _odd(root, disk_path, path)
                    faults.append(odd or Fault(path, 0, "unreadable", f"It cannot be looked at: {error.strerror}."))


def _inside(real: str, root: str) -> bool:
    return real == root or real.startswith(root.rstrip(os.sep) + os.sep)


def _below(real: str, root: str) -> str:
    return vault_path(os.path.relpath(real, root))


def _by_spelling(file: VaultFile) -> tuple[str, tuple[tuple[bool, str], ...]]:
    """Files in path order; of several with one path, the one whose disk path is spelt as ``_spellings`` prefers."""
    return file.path, tuple((part != vault_path(part), part) for part in file.disk_path.split(os.sep))


def _spelling_on_disk(root: str, relative: str) -> str | None:
    """Find how the disk spells a path whose parts may differ from it in Unicode form or odd bytes."""
    return next(_spellings(root, "", relative.split(os.sep)), None)


def _spellings(root: str, found: str, parts: list[str]) -> Iterator[str]:
    """Ways to spell the rest of a path below ``found``, at each step the given spelling first, then in order."""
    if not parts:
        yield found
        return
    part, *rest = parts
    given = os.path.lexists(os.path.join(root, found, part))
    if given:
        yield from _spellings(root, os.path.join(found, part), rest)
        if part.isascii():
            return
    wanted = vault_path(part)
    for name in _names_in(os.path.join(root, found)):
        if vault_path(name) == wanted and not (given and name == part):
            yield from _spellings(root, os.path.join(found, name), rest)


def _names_in(folder: str) -> list[str]:
    """Names in a folder in order; none if it cannot be read."""
    try:
        return sorted(os.listdir(folder))
    except OSError:
        return []
