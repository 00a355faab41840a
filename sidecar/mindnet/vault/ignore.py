"""What in a vault is not read: dot folders, Obsidian's excluded files, the user's globs."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pathspec

from mindnet.records import Fault
from mindnet.vault.names import nfc
from mindnet.vault.regular import read_regular

APP_CONFIG = ".obsidian/app.json"


@dataclass(frozen=True)
class IgnoreRules:
    """Which vault paths are left out; ask with :meth:`ignores`.

    ``prefixes`` are beginnings of paths in lower case, ``patterns`` regular expressions that are
    searched in the whole path, ``globs`` the user's patterns in the style of ``.gitignore``.
    ``faults`` are settings that could not be understood; they exclude nothing.
    """

    prefixes: tuple[str, ...] = ()
    patterns: tuple[re.Pattern[str], ...] = ()
    globs: pathspec.GitIgnoreSpec | None = None
    faults: tuple[Fault, ...] = ()

    def ignores(self, path: str) -> bool:
        """Whether the file or folder at this vault path (NFC, ``/``) is not read."""
        if path.startswith(".") or "/." in path:
            return True
        if self.prefixes and f"{path.lower()}/".startswith(self.prefixes):
            return True
        if any(pattern.search(path) for pattern in self.patterns):
            return True
        return self.globs is not None and self.globs.match_file(path)

    def prunes(self, folder: str) -> bool:
        """Whether everything below a folder is ignored, so that nobody has to look inside.

        A glob with a ``!`` in the list may take something below back in: then globs prune nothing.
        """
        if folder.startswith(".") or "/." in folder:
            return True
        if self.prefixes and f"{folder.lower()}/".startswith(self.prefixes):
            return True
        if self.globs is None or any(pattern.include is False for pattern in self.globs.patterns):
            return False
        return self.globs.match_file(folder + "/")


def load_ignore_rules(vault: Path, exclude: Sequence[str]) -> IgnoreRules:
    """Read what the vault's own settings and the user's globs exclude.

    ``exclude`` holds lines as in a ``.gitignore``. Obsidian's ``userIgnoreFilters`` are plain text that a path
    begins with (``Archiv`` also takes ``Archive.md``, ``Archiv/`` does not) or ``/regex/`` searched in the path,
    both regardless of case.
    Never raises for what the settings hold: a broken ``app.json`` or expression becomes a fault.
    """
    filters, faults = _obsidian_filters(vault)
    prefixes: list[str] = []
    patterns: list[re.Pattern[str]] = []
    for entry in filters:
        if len(entry) > 2 and entry.startswith("/") and entry.endswith("/"):
            try:
                patterns.append(re.compile(_python_regex(nfc(entry[1:-1])), re.IGNORECASE))
            except re.error as error:
                message = f"The excluded-files expression {entry} is not understood ({error}); it excludes nothing."
                faults.append(Fault(APP_CONFIG, 0, "ignore_filter", message))
        elif plain := nfc(entry.strip()).lstrip("/"):
            prefixes.append(plain.lower())
    return IgnoreRules(tuple(prefixes), tuple(patterns), _globs(exclude, faults), tuple(faults))


def _globs(exclude: Sequence[str], faults: list[Fault]) -> pathspec.GitIgnoreSpec | None:
    kept: list[str] = []
    for line in exclude:
        try:
            pathspec.GitIgnoreSpec.from_lines([nfc(line)])
        except ValueError as error:
            faults.append(Fault("", 0, "ignore_glob", f"The exclude pattern {line!r} is not understood ({error})."))
        else:
            kept.append(nfc(line))
    return pathspec.GitIgnoreSpec.from_lines(kept) if kept else None


def _obsidian_filters(vault: Path) -> tuple[list[str], list[Fault]]:
    try:
        settings = json.loads(read_regular(vault / APP_CONFIG)[1].decode("utf-8-sig"))
    except FileNotFoundError:
        return [], []
    except (OSError, ValueError, RecursionError) as error:
        message = f"Obsidian's settings could not be read ({error}); its excluded files are not applied."
        return [], [Fault(APP_CONFIG, 0, "ignore_settings", message)]
    filters = settings.get("userIgnoreFilters") if isinstance(settings, dict) else None
    return [entry for entry in filters if isinstance(entry, str)] if isinstance(filters, list) else [], []


def _python_regex(source: str) -> str:
    """Turn JavaScript's spelling of a named group into Python's; the rest of the syntax is shared."""
    return re.sub(r"\(\?<(?![=!])", "(?P<", source)
