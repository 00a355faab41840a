"""Files are asked for before they are opened, and nothing that lies there makes that fail."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from mindnet.store import ahead

INDEX = "index-0123456789ab"


@pytest.mark.skipif(not hasattr(os, "posix_fadvise"), reason="the system cannot be asked")
def test_every_file_of_an_index_is_asked_for_and_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (f"{INDEX}/index.sqlite", f"{INDEX}/store/a/b.dat", "vectors.sqlite", "token"):
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"x" * 10)
    asked: list[str] = []
    real = os.posix_fadvise

    def advise(descriptor: int, start: int, length: int, advice: int) -> None:
        asked.append(Path(f"/proc/self/fd/{descriptor}").readlink().name if sys.platform == "linux" else "")
        real(descriptor, start, length, advice)

    monkeypatch.setattr(os, "posix_fadvise", advise)
    assert ahead.read_ahead(tmp_path) == 2
    if sys.platform == "linux":
        assert sorted(asked) == ["b.dat", "index.sqlite"]


@pytest.mark.skipif(sys.platform == "win32", reason="pipes in folders are of POSIX")
def test_a_pipe_a_dangling_link_and_no_folder_are_passed_over(tmp_path: Path) -> None:
    assert ahead.read_ahead(tmp_path / "not there") == 0
    folder = tmp_path / INDEX
    folder.mkdir()
    os.mkfifo(folder / "pipe")
    (folder / "dangling").symlink_to(tmp_path / "nowhere")
    assert ahead.read_ahead(tmp_path) == 0
