"""Changes in a vault, as the system tells them: gathered, made quiet, and handed over as a set of paths."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path

from watchdog.events import FileSystemEvent, FileSystemEventHandler
from watchdog.observers import Observer
from watchdog.observers.api import BaseObserver
from watchdog.observers.polling import PollingObserver

from mindnet.errors import VaultError
from mindnet.vault.ignore import APP_CONFIG, IgnoreRules
from mindnet.vault.names import is_attachment_name, placeholder_of, vault_path
from mindnet.vault.presence import Presence

log = logging.getLogger(__name__)

#: Under a burst that never pauses, changes are handed over after this many debounce times at the latest.
LONGEST_WAIT = 10

#: So often is looked whether the vault's folder is still there, and the same.
LOOK_SECONDS = 1.0

#: The events that say something changed. Opening, reading and closing a file are events too: left out here,
#: since reading the vault would otherwise wake the reader again.
CHANGES = frozenset(("created", "modified", "deleted", "moved", "attrib"))


class Watcher(FileSystemEventHandler):
    """Watches a vault and reports what changed, until stopped.

    ``on_change`` gets a set of vault paths (NFC, ``/``) on the watcher's own thread, one call at a time,
    after ``debounce_ms`` milliseconds without a further change. A path may be a file or a folder, there or
    gone: for a folder the receiver looks at all that begins with it, and "" is the whole vault. A change of
    Obsidian's settings is reported as ``.obsidian/app.json``. Attachments and ignored places are not reported.
    ``polling`` compares listings instead of waiting for events (network drives).
    """

    def __init__(
        self,
        vault: Path,
        rules: IgnoreRules,
        on_change: Callable[[frozenset[str]], None],
        debounce_ms: int,
        polling: bool,
    ) -> None:
        self._root = os.path.realpath(vault)
        self._presence = Presence(Path(self._root))
        self._watched: tuple[int, int] | None = None
        self._rules = rules
        self._on_change = on_change
        self._quiet = debounce_ms / 1000
        self._polling = polling
        self._pending: set[str] = set()
        self._folders: set[str] = set()
        self._first = self._last = 0.0
        self._changed = threading.Condition()
        self._stopping = False
        self._observer: BaseObserver | None = None
        self._thread: threading.Thread | None = None

    def use(self, rules: IgnoreRules) -> None:
        """Leave out by other rules from the next event on."""
        self._rules = rules

    def start(self) -> None:
        """Begin to watch; when this returns, later changes are seen. Raises VaultError if the system refuses."""
        if self._observer is not None:
            raise RuntimeError("the watcher is already running")
        self._stopping = False
        self._observer = self._observe()
        self._watched = self._presence.identity()
        self._thread = threading.Thread(target=self._deliver, name="mindnet-watch", daemon=True)
        self._thread.start()

    def _observe(self) -> BaseObserver:
        observer: BaseObserver = PollingObserver(timeout=max(self._quiet, 0.05)) if self._polling else Observer()
        observer.schedule(self, self._root, recursive=True)
        try:
            observer.start()
        except OSError as error:
            raise VaultError(
                f"The vault cannot be watched: {error.strerror or error}.",
                hint="Set watch.polling to true, or raise the system's limit of watched folders.",
            ) from error
        return observer

    def _follow_the_vault(self) -> None:
        """Where the vault went away or came back, says that all may be different, and watches the new folder.

        The system reports neither: it watches the folder that was there, by whatever name.
        """
        found = self._presence.identity()
        if found == self._watched:
            return
        self._watched = found
        observer = self._observer
        if observer is None:
            return
        observer.stop()
        observer.join()
        try:
            if found is not None:
                self._observer = self._observe()
        except VaultError:
            log.warning("the vault is there again, and cannot be watched yet")
            self._watched = None
        with self._changed:
            self._first = self._last = time.monotonic()
            self._pending |= {"", APP_CONFIG}
            self._folders.add("")

    def stop(self) -> None:
        """End watching and wait for a running ``on_change``. What is pending is left for the next start's scan."""
        with self._changed:
            self._stopping = True
            self._changed.notify_all()
        thread, self._thread = self._thread, None
        # First the thread: it may be about to begin another observer.
        if thread is not None and thread is not threading.current_thread():
            thread.join()
        observer, self._observer = self._observer, None
        if observer is not None:
            observer.stop()
            observer.join()
        with self._changed:
            self._pending.clear()
            self._folders.clear()

    def on_any_event(self, event: FileSystemEvent) -> None:
        """Note the paths of one event of the observer (called on the observer's thread)."""
        if event.event_type not in CHANGES:
            return
        if event.is_directory and event.event_type in ("modified", "attrib"):
            return  # Every change inside a folder "modifies" the folder too; it says nothing of its own.
        for side in (event.src_path, event.dest_path):
            if side:
                self._add(os.fsdecode(side), event.is_directory)

    def _add(self, absolute: str, is_folder: bool) -> None:
        if absolute != self._root and not absolute.startswith(self._root + os.sep):
            return  # The other end of a move in or out of the vault.
        folder, name = os.path.split(absolute[len(self._root) + 1 :])
        # What happens to a placeholder of iCloud happens to its note.
        path = vault_path(os.path.join(folder, placeholder_of(name) or name))
        if path != APP_CONFIG and path and self._is_left_out(path, is_folder):
            return
        now = time.monotonic()
        with self._changed:
            if not self._pending:
                self._first = now
            self._last = now
            self._pending.add(path)
            if is_folder:
                self._folders.add(path)
            self._changed.notify_all()

    def _is_left_out(self, path: str, is_folder: bool) -> bool:
        if is_folder:
            return self._rules.prunes(path)
        return self._rules.ignores(path) or is_attachment_name(path)

    def _deliver(self) -> None:
        while True:
            self._follow_the_vault()
            with self._changed:
                while not self._stopping:
                    if not self._pending:
                        if not self._changed.wait(LOOK_SECONDS):
                            break
                        continue
                    due = min(self._last + self._quiet, self._first + LONGEST_WAIT * self._quiet)
                    left = due - time.monotonic()
                    if left <= 0:
                        break
                    self._changed.wait(left)
                if self._stopping:
                    return
                if not self._pending:
                    continue
                paths = _without_covered(self._pending, self._folders)
                self._pending.clear()
                self._folders.clear()
            try:
                self._on_change(paths)
            except Exception:  # One failed delivery must not end the watching.
                log.exception("a change of %d paths could not be handled", len(paths))


def _without_covered(paths: set[str], folders: set[str]) -> frozenset[str]:
    """Leave out what lies below a folder that is itself reported."""
    if "" in folders:
        return frozenset(("",)) | (paths & {APP_CONFIG})
    kept: set[str] = set()
    for path in paths:
        end = path.rfind("/")
        while end > 0 and path[:end] not in folders:
            end = path.rfind("/", 0, end)
        if end <= 0:
            kept.add(path)
    return frozenset(kept)
