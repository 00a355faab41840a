"""Changes of a vault as they happen: events, debounced and coalesced into sets of paths."""

from __future__ import annotations

import os
import threading
import time
import unicodedata
from collections.abc import Callable
from pathlib import Path

from watchdog.events import (
    DirCreatedEvent,
    DirDeletedEvent,
    DirMovedEvent,
    FileSystemEvent,
    FileSystemEventHandler,
)
from watchdog.observers import Observer
from watchdog.observers.polling import PollingObserver

from mindnet.vault.discover import NOTE_SUFFIX, IgnoreRules

CHANGES = frozenset({"created", "modified", "deleted", "moved", "closed"})
"""Events that mean a change; mere reading causes others, which would never come to rest."""
LONGEST_BURST = 10
"""A burst that does not end is handed on after so many times the debounce."""
APP_SETTINGS = ".obsidian/app.json"


class Watcher(FileSystemEventHandler):
    """Calls ``on_change`` on a thread of its own with vault-relative NFC paths of files and folders."""

    def __init__(
        self,
        vault: Path,
        rules: IgnoreRules,
        on_change: Callable[[frozenset[str]], None],
        *,
        debounce_ms: int,
        polling: bool = False,
    ) -> None:
        self._vault = os.path.realpath(vault)
        self._rules = rules
        self._on_change = on_change
        self._debounce = debounce_ms / 1000
        self._observer = PollingObserver(timeout=1.0) if polling else Observer()
        self._condition = threading.Condition()
        self._paths: set[str] = set()
        self._first = self._last = 0.0
        self._stopping = False
        self._thread = threading.Thread(target=self._run, name="mindnet-watch", daemon=True)

    def start(self) -> None:
        self._observer.schedule(self, self._vault, recursive=True)
        self._observer.start()
        self._thread.start()

    def stop(self) -> None:
        self._observer.stop()
        self._observer.join()
        with self._condition:
            self._stopping = True
            self._condition.notify_all()
        self._thread.join()

    # -------------------------------------------------------------- events, on the observer's thread
    def on_any_event(self, event: FileSystemEvent) -> None:
        if event.event_type not in CHANGES:
            return
        folder = isinstance(event, DirCreatedEvent | DirDeletedEvent | DirMovedEvent)
        if event.is_directory and not folder:
            return  # a folder is "modified" whenever a file in it is
        found = {
            path
            for raw in (event.src_path, event.dest_path)
            if (path := self._relative(raw)) is not None and self._counts(path, folder=folder)
        }
        if not found:
            return
        with self._condition:
            now = time.monotonic()
            if not self._paths:
                self._first = now
            self._paths |= found
            self._last = now
            self._condition.notify_all()

    def _relative(self, raw: bytes | str) -> str | None:
        full = os.fsdecode(raw)
        if not full.startswith(self._vault + os.sep):
            return None
        return unicodedata.normalize("NFC", os.path.relpath(full, self._vault).replace(os.sep, "/"))

    def _counts(self, path: str, *, folder: bool) -> bool:
        if path == APP_SETTINGS:
            return True
        if path.startswith(".") or "/." in path:
            return False
        return folder or (path.lower().endswith(NOTE_SUFFIX) and not self._rules.ignores(path))

    # -------------------------------------------------------------- handing on
    def _run(self) -> None:
        while True:
            with self._condition:
                self._condition.wait_for(lambda: self._stopping or self._paths)
                while not self._stopping:
                    due = min(self._last + self._debounce, self._first + LONGEST_BURST * self._debounce)
                    left = due - time.monotonic()
                    if left <= 0:
                        break
                    self._condition.wait(left)
                if self._stopping:
                    return
                paths, self._paths = frozenset(self._paths), set()
            self._on_change(paths)
