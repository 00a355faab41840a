"""Which notes a vault holds: walks the folders and leaves out what is not to be read."""

from __future__ import annotations

import json
import os
import re
import stat
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pathspec

from mindnet.records import Fault, VaultFile

NOTE_SUFFIX = ".md"


@dataclass(frozen=True, slots=True)
class IgnoreRules:
    """What is left out: dot folders and dot files, Obsidian's excluded files, the user's patterns.

    ``prefixes`` and ``expressions`` are Obsidian's ``userIgnoreFilters`` (plain paths, and
    ``/regular expressions/``); ``patterns`` are gitignore patterns.
    """

    prefixes: tuple[str, ...] = ()
    expressions: tuple[re.Pattern[str], ...] = ()
    patterns: pathspec.GitIgnoreSpec | None = None

    def ignores(self, path: str) -> bool:
        """Whether the note at this vault-relative path is left out."""
        if path.startswith(".") or "/." in path:
            return True
        folded = path.casefold()
        if any(folded == prefix.rstrip("/") or folded.startswith(prefix) for prefix in self.prefixes):
            return True
        if any(expression.search(path) for expression in self.expressions):
            return True
        return self.patterns is not None and self.patterns.match_file(path)


def load_ignore_rules(vault: Path, exclude: Sequence[str] = ()) -> IgnoreRules:
    """The rules of a vault; an unreadable ``app.json`` counts as one without filters."""
    try:
        data = json.loads((vault / ".obsidian" / "app.json").read_text(encoding="utf-8-sig"))
        filters = data.get("userIgnoreFilters") or []
    except (OSError, ValueError, AttributeError):
        filters = []
    prefixes: list[str] = []
    expressions: list[re.Pattern[str]] = []
    for one in filters if isinstance(filters, list) else []:
        if not isinstance(one, str) or not one.strip():
            continue
        if len(one) > 2 and one.startswith("/") and one.endswith("/"):
            try:
                expressions.append(re.compile(one[1:-1], re.IGNORECASE))
            except re.error:
                continue  # Obsidian passes over an expression that does not compile
        else:
            prefixes.append(unicodedata.normalize("NFC", one.strip().lstrip("/")).casefold())
    patterns = pathspec.GitIgnoreSpec.from_lines(exclude) if exclude else None
    return IgnoreRules(tuple(prefixes), tuple(expressions), patterns)


def discover(vault: Path, rules: IgnoreRules, below: str = "") -> tuple[list[VaultFile], list[Fault]]:
    """Every note in path order (under the folder ``below`` if given), and what could not be looked at.

    Links out of the vault, and links in a circle, are not followed.
    """
    files: list[VaultFile] = []
    faults: list[Fault] = []
    root = os.path.realpath(vault)
    stack = [below]
    seen: set[tuple[int, int]] = set()
    while stack:
        folder = stack.pop()
        try:
            with os.scandir(os.path.join(root, folder)) as entries:
                listed = list(entries)
        except FileNotFoundError:
            continue
        except OSError as error:
            path = unicodedata.normalize("NFC", folder)
            faults.append(Fault(path, 0, "unreadable_folder", f"the folder cannot be read: {error.strerror}"))
            continue
        for entry in listed:
            if entry.name.startswith("."):
                continue
            disk_path = f"{folder}/{entry.name}" if folder else entry.name
            try:
                if entry.is_symlink() and not _inside(root, entry.path):
                    continue
                if entry.is_dir():
                    info = entry.stat()
                    if (info.st_dev, info.st_ino) not in seen:
                        seen.add((info.st_dev, info.st_ino))
                        stack.append(disk_path)
                elif entry.name.lower().endswith(NOTE_SUFFIX):
                    file = _file(disk_path, entry.stat())
                    if file is not None and not rules.ignores(file.path):
                        files.append(file)
            except OSError as error:
                path = unicodedata.normalize("NFC", disk_path)
                faults.append(Fault(path, 0, "unreadable", f"cannot be read: {error.strerror}"))
    files.sort(key=lambda file: file.path)
    return files, faults


def vault_file(vault: Path, path: str) -> VaultFile | None:
    """The note at this vault-relative path as it is on disk now, None when there is none.

    The name on disk may be decomposed (NFD) while ``path`` is composed.
    """
    if not path.lower().endswith(NOTE_SUFFIX):
        return None
    root = os.path.realpath(vault)
    for disk_path in _spellings(root, path):
        full = os.path.join(root, disk_path)
        try:
            if _inside(root, full) and (file := _file(disk_path, Path(full).stat())) is not None:
                return file
        except OSError:
            continue
    return None


def _spellings(root: str, path: str) -> list[str]:
    if os.path.exists(os.path.join(root, path)):
        return [path]
    folders = [""]
    for step in path.split("/"):
        nested = []
        for folder in folders:
            try:
                names = os.listdir(os.path.join(root, folder))
            except OSError:
                continue
            nested += [f"{folder}/{n}" if folder else n for n in names if unicodedata.normalize("NFC", n) == step]
        folders = nested
    return folders


def _file(disk_path: str, info: os.stat_result) -> VaultFile | None:
    if not stat.S_ISREG(info.st_mode):
        return None
    return VaultFile(unicodedata.normalize("NFC", disk_path), disk_path, info.st_size, info.st_mtime_ns)


def _inside(root: str, full: str) -> bool:
    real = os.path.realpath(full)
    return real == root or real.startswith(root + os.sep)
