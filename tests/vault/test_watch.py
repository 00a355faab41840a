from __future__ import annotations

import shutil
import threading
import time
import unicodedata
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mindnet.vault.discover import load_ignore_rules
from mindnet.vault.watch import Watcher, _without_covered

LONGEST = 20.0


class Inbox:
    """Collects what a watcher reports and lets a test wait for it."""

    def __init__(self) -> None:
        self.calls: list[frozenset[str]] = []
        self.threads: set[str] = set()
        self._arrived = threading.Condition()

    def __call__(self, paths: frozenset[str]) -> None:
        with self._arrived:
            self.calls.append(paths)
            self.threads.add(threading.current_thread().name)
            self._arrived.notify_all()

    def wait_for(self, *paths: str) -> None:
        with self._arrived:
            assert self._arrived.wait_for(lambda: set(paths) <= self.seen(), LONGEST), f"only {self.seen()} came"

    def seen(self) -> set[str]:
        return {path for call in self.calls for path in call}


@pytest.fixture(params=[False, True], ids=["events", "polling"])
def polling(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


@pytest.fixture
def watch(tmp_path: Path) -> Iterator[Callable[..., Inbox]]:
    running: list[Watcher] = []

    def start(polling: bool = False, debounce_ms: int = 50) -> Inbox:
        inbox = Inbox()
        watcher = Watcher(tmp_path, load_ignore_rules(tmp_path, ["tmp/"]), inbox, debounce_ms, polling)
        watcher.start()
        running.append(watcher)
        return inbox

    yield start
    for watcher in running:
        watcher.stop()
    assert not [thread for thread in threading.enumerate() if thread.name == "mindnet-watch"]


def test_files_made_changed_moved_and_deleted_are_reported(
    tmp_path: Path, watch: Callable[..., Inbox], polling: bool
) -> None:
    (tmp_path / "alt.md").write_text("x")
    (tmp_path / "weg.md").write_text("x")
    (tmp_path / "von.md").write_text("x")
    inbox = watch(polling)
    (tmp_path / "neu.md").write_text("x")
    (tmp_path / "alt.md").write_text("xyz")
    (tmp_path / "von.md").rename(tmp_path / "nach.md")
    (tmp_path / "weg.md").unlink()
    inbox.wait_for("neu.md", "alt.md", "von.md", "nach.md", "weg.md")
    assert inbox.threads == {"mindnet-watch"}


def test_a_save_by_rename_reports_the_note(tmp_path: Path, watch: Callable[..., Inbox]) -> None:
    (tmp_path / "a.md").write_text("x")
    inbox = watch()
    (tmp_path / ".a.md.tmp").write_text("neu")
    (tmp_path / ".a.md.tmp").replace(tmp_path / "a.md")
    inbox.wait_for("a.md")
    assert inbox.seen() == {"a.md"}


def test_folders_made_moved_and_deleted_are_reported(
    tmp_path: Path, watch: Callable[..., Inbox], polling: bool
) -> None:
    (tmp_path / "von").mkdir()
    (tmp_path / "von/x.md").write_text("x")
    (tmp_path / "weg/tief").mkdir(parents=True)
    (tmp_path / "weg/tief/y.md").write_text("x")
    inbox = watch(polling)
    (tmp_path / "von").rename(tmp_path / "nach")
    shutil.rmtree(tmp_path / "weg")
    (tmp_path / "neu").mkdir()
    inbox.wait_for("von", "nach", "weg", "neu")


def test_ignored_places_and_attachments_are_quiet_and_settings_are_not(
    tmp_path: Path, watch: Callable[..., Inbox]
) -> None:
    for folder in (".obsidian", ".trash", "tmp"):
        (tmp_path / folder).mkdir()
    inbox = watch()
    for name in (".obsidian/workspace.json", ".trash/x.md", "tmp/x.md", "bild.png", ".x.md.swp"):
        (tmp_path / name).write_text("x")
    (tmp_path / ".obsidian/app.json").write_text("{}")
    (tmp_path / "ende.md").write_text("x")
    inbox.wait_for("ende.md", ".obsidian/app.json")
    assert inbox.seen() == {"ende.md", ".obsidian/app.json"}


def test_reading_wakes_nobody(tmp_path: Path, watch: Callable[..., Inbox]) -> None:
    (tmp_path / "a.md").write_text("x")
    inbox = watch()
    assert (tmp_path / "a.md").read_text() == "x"
    assert list(tmp_path.iterdir()) == [tmp_path / "a.md"]
    (tmp_path / "ende.md").write_text("x")
    inbox.wait_for("ende.md")
    assert inbox.seen() == {"ende.md"}


def test_names_are_reported_composed(tmp_path: Path, watch: Callable[..., Inbox]) -> None:
    inbox = watch()
    (tmp_path / unicodedata.normalize("NFD", "Grün.md")).write_text("x")
    inbox.wait_for("Grün.md")


def test_a_burst_comes_in_few_calls_and_none_of_it_is_lost(tmp_path: Path, watch: Callable[..., Inbox]) -> None:
    inbox = watch(debounce_ms=200)
    names = [f"{number}.md" for number in range(300)]
    for name in names:
        (tmp_path / name).write_text("x")
        (tmp_path / name).write_text("xy")
    inbox.wait_for(*names)
    assert len(inbox.calls) <= 5


def test_changes_without_a_pause_are_handed_over_all_the_same(tmp_path: Path, watch: Callable[..., Inbox]) -> None:
    inbox = watch(debounce_ms=100)
    start = time.monotonic()
    while not inbox.calls:
        (tmp_path / "a.md").write_text("x")
        assert time.monotonic() - start < LONGEST
    assert inbox.calls[0] == {"a.md"}


def test_a_receiver_that_fails_is_called_again(tmp_path: Path) -> None:
    inbox = Inbox()

    def fail_first(paths: frozenset[str]) -> None:
        inbox(paths)
        if len(inbox.calls) == 1:
            raise RuntimeError("first")

    watcher = Watcher(tmp_path, load_ignore_rules(tmp_path, []), fail_first, 20, False)
    watcher.start()
    try:
        (tmp_path / "a.md").write_text("x")
        inbox.wait_for("a.md")
        (tmp_path / "b.md").write_text("x")
        inbox.wait_for("b.md")
    finally:
        watcher.stop()


def test_after_stop_nothing_is_reported_and_it_can_start_again(tmp_path: Path) -> None:
    inbox = Inbox()
    watcher = Watcher(tmp_path, load_ignore_rules(tmp_path, []), inbox, 20, False)
    watcher.start()
    watcher.stop()
    watcher.stop()
    (tmp_path / "a.md").write_text("x")
    watcher.start()
    (tmp_path / "b.md").write_text("x")
    inbox.wait_for("b.md")
    watcher.stop()
    assert "a.md" not in inbox.seen()


def test_what_lies_below_a_reported_folder_is_left_out() -> None:
    paths = {"a", "a/b.md", "a/c/d.md", "ab.md", "x/y.md"}
    assert _without_covered(paths, {"a"}) == {"a", "ab.md", "x/y.md"}
    assert _without_covered({"", "a.md", ".obsidian/app.json"}, {""}) == {"", ".obsidian/app.json"}
