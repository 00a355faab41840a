"""Sizes of folders that somebody else is writing to."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mindnet.store.files import size


def test_a_file_that_goes_while_it_is_looked_at_takes_no_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "kept").write_bytes(b"x" * 5_000)
    kept = size(tmp_path)
    walk = os.walk

    def with_a_ghost(folder: Path) -> object:
        for place, folders, names in walk(folder):
            yield place, folders, [*names, "gone"]

    monkeypatch.setattr(os, "walk", with_a_ghost)
    assert size(tmp_path) == kept > 0
    assert size(tmp_path / "inner" / "gone") == 0
