"""An append-only log: what a crash, a full disk, its size and its age do to it."""

from __future__ import annotations

import json
import logging
import resource
import signal
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from mindnet.errors import MindnetError
from mindnet.feedback.jsonlines import JsonLines, Keeping

AMPLE = Keeping(1_000_000, 5, 0)
START = datetime(2026, 3, 14, 9, 26, 53, 589_000, tzinfo=UTC)


class Clock:
    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now


def log_in(folder: Path, keeping: Keeping = AMPLE, clock: Clock | None = None) -> JsonLines:
    return JsonLines(folder / "logs" / "said.jsonl", keeping, clock=clock or Clock())


def numbers(lines: JsonLines) -> list[int]:
    return [entry["n"] for entry in lines.entries()]


@contextmanager
def files_no_larger_than(size: int) -> Iterator[None]:
    """Writing beyond that fails in this process, as on a disk that has no room."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    before = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        signal.signal(signal.SIGXFSZ, before)


def test_entries_come_back_in_order_each_with_its_time(tmp_path: Path) -> None:
    lines = log_in(tmp_path)
    for n in range(3):
        lines.append({"n": n, "text": 'zwei\nZeilen, "Ä" \u2028 😀'})
    assert list(log_in(tmp_path).entries()) == [
        {"time": "2026-03-14T09:26:53.589Z", "n": n, "text": 'zwei\nZeilen, "Ä" \u2028 😀'} for n in range(3)
    ]


def test_every_line_is_json_whatever_was_typed(tmp_path: Path) -> None:
    lines = log_in(tmp_path)
    lines.append({"text": "half a pair \udce4"})
    (line,) = lines.file.read_bytes().splitlines()
    assert json.loads(line)["text"] == "half a pair \udce4"


def test_only_the_user_can_read_it_even_if_that_was_not_so_before(tmp_path: Path) -> None:
    lines = log_in(tmp_path)
    lines.append({"n": 1})
    assert stat.S_IMODE(lines.file.stat().st_mode) == 0o600
    assert stat.S_IMODE(lines.file.parent.stat().st_mode) == 0o700
    lines.file.chmod(0o644)
    lines.append({"n": 2})
    assert stat.S_IMODE(lines.file.stat().st_mode) == 0o600


@pytest.mark.parametrize("torn", [b'{"time":"2026', b'{"n":7', b"\xff\xfe\x00", b"[1]", b'{"n":"\xc3'])
def test_a_line_torn_by_a_crash_is_skipped_and_said_and_the_next_one_is_whole(
    tmp_path: Path, torn: bytes, caplog: pytest.LogCaptureFixture
) -> None:
    log_in(tmp_path).append({"n": 1})
    file = log_in(tmp_path).file
    file.write_bytes(file.read_bytes() + torn)
    with caplog.at_level(logging.WARNING):
        again = log_in(tmp_path)
    assert again.skipped == 1
    assert str(file) in caplog.text
    again.append({"n": 2})
    assert numbers(again) == [1, 2]
    assert again.find("n", "x") is None
    assert again.skipped == 1


def test_a_last_line_that_lacks_only_its_end_is_kept(tmp_path: Path) -> None:
    log_in(tmp_path).append({"n": 1})
    file = log_in(tmp_path).file
    file.write_bytes(file.read_bytes().rstrip(b"\n"))
    again = log_in(tmp_path)
    again.append({"n": 2})
    assert numbers(again) == [1, 2]
    assert again.skipped == 0


def test_an_entry_that_has_no_room_fails_and_leaves_nothing_of_itself(tmp_path: Path) -> None:
    lines = log_in(tmp_path)
    lines.append({"n": 1})
    held = lines.file.read_bytes()
    with files_no_larger_than(len(held) + 20), pytest.raises(MindnetError, match=r"said\.jsonl"):
        lines.append({"n": 2, "text": "x" * 100})
    assert lines.file.read_bytes() == held
    lines.append({"n": 3})
    assert numbers(lines) == [1, 3]


def test_a_full_log_is_set_aside_and_the_oldest_go(tmp_path: Path) -> None:
    lines = log_in(tmp_path, Keeping(200, 3, 0))
    for n in range(40):
        lines.append({"n": n})
    files = sorted(lines.file.parent.iterdir())
    assert len(files) == 3
    assert all(file.stat().st_size <= 200 for file in files)
    kept = numbers(lines)
    assert kept == list(range(kept[0], 40))
    assert len(kept) > 6
    again = log_in(tmp_path, Keeping(200, 3, 0))
    assert numbers(again) == kept


def test_with_one_file_alone_only_the_new_one_stays(tmp_path: Path) -> None:
    lines = log_in(tmp_path, Keeping(200, 1, 0))
    for n in range(20):
        lines.append({"n": n})
    assert [file.name for file in lines.file.parent.iterdir()] == ["said.jsonl"]
    assert numbers(lines)[-1] == 19


def test_entries_older_than_asked_for_are_erased(tmp_path: Path) -> None:
    clock = Clock()
    lines = log_in(tmp_path, Keeping(300, 9, 30), clock)
    for n in range(20):
        lines.append({"n": n})
        clock.now += timedelta(days=5)
    # The last one came on day 95; what is from before day 65 has gone.
    assert numbers(lines) == list(range(13, 20))
    clock.now += timedelta(days=1)
    log_in(tmp_path, Keeping(300, 9, 30), clock).sweep()
    assert numbers(lines) == list(range(15, 20))
    assert b'"n":14' not in b"".join(file.read_bytes() for file in lines.file.parent.iterdir())
    assert all(stat.S_IMODE(file.stat().st_mode) == 0o600 for file in lines.file.parent.iterdir())
    clock.now += timedelta(days=365)
    log_in(tmp_path, Keeping(300, 9, 30), clock).sweep()
    assert list(lines.file.parent.iterdir()) == []


def test_the_latest_entry_with_a_value_is_found_in_whatever_file_it_is(tmp_path: Path) -> None:
    lines = log_in(tmp_path, Keeping(200, 100, 0))
    for n in range(30):
        lines.append({"id": f"q{n % 20}", "n": n, "text": f'"id":"q{(n + 1) % 20}"', "in": {"id": f"q{(n + 2) % 20}"}})
    assert [lines.find("id", f"q{n}")["n"] for n in range(20)] == [*range(20, 30), *range(10, 20)]  # type: ignore[index]
    assert lines.find("id", "q20") is None
    assert lines.find("id", 'q1","n') is None


def test_files_that_are_deleted_while_it_runs_are_begun_anew(tmp_path: Path) -> None:
    lines = log_in(tmp_path)
    lines.append({"n": 1})
    lines.file.unlink()
    assert numbers(lines) == []
    lines.append({"n": 2})
    assert numbers(lines) == [2]
