"""An empty manifest in a file of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from mindnet.store.manifest import Manifest


@pytest.fixture
def manifest(tmp_path: Path) -> Iterator[Manifest]:
    made = Manifest.open(tmp_path / "index.sqlite")
    yield made
    made.close()
