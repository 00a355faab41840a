"""Files are asked for before they are opened, and nothing that lies there makes that fail."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from mindnet.store import ahead

INDEX = "index-0123456789ab"


@pytest.mark.skipif(sys.platform != "linux", reason="what was asked for is seen in Linux's list of open files")
def test_every_file_of_an_index_is_asked_for_and_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (f"{INDEX}/index.sqlite", f"{INDEX}/store/a/b.dat", "vectors.sqlite", "token"):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"x" * 10)
    asked = _asked_for(tmp_path, monkeypatch)
    assert sorted(name for name, *_ in asked) == ["b.dat", "index.sqlite"]


@pytest.mark.skipif(sys.platform != "linux", reason="the length of what is read at once is Linux's")
def test_a_large_file_is_asked_for_to_its_end_in_pieces_that_are_read_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    size = 3 * ahead.PIECE + 1
    (tmp_path / INDEX).mkdir()
    (tmp_path / INDEX / "index.sqlite").write_bytes(b"x" * size)
    asked = _asked_for(tmp_path, monkeypatch)
    assert all(length <= 128 * 1024 for _, _, length in asked)
    covered = {byte for _, start, length in asked for byte in range(start, start + length, 1024)}
    assert covered >= set(range(0, size, 1024))


def _asked_for(folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, int, int]]:
    """Name of the file, start and length of everything that the system is asked to read."""
    asked: list[tuple[str, int, int]] = []
    real = os.posix_fadvise

    def advise(descriptor: int, start: int, length: int, advice: int) -> None:
        asked.append((Path(f"/proc/self/fd/{descriptor}").readlink().name, start, length))
        real(descriptor, start, length, advice)

    monkeypatch.setattr(os, "posix_fadvise", advise)
    _read(folder)
    return asked


def _read(folder: Path) -> None:
    thread = ahead.read_ahead(folder)
    if thread is not None:
        thread.join()


@pytest.mark.skipif(sys.platform == "win32", reason="pipes in folders are of POSIX")
def test_a_pipe_a_dangling_link_and_no_folder_are_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _read(tmp_path / "not there")
    folder = tmp_path / INDEX
    folder.mkdir()
    os.mkfifo(folder / "pipe")
    (folder / "dangling").symlink_to(tmp_path / "nowhere")
    (folder / "whole").write_bytes(b"x")
    assert [name for name, *_ in _asked_for(tmp_path, monkeypatch)] == ["whole"]
