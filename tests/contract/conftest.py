from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from contract.stores import KINDS
from mindnet.store.port import Store


@pytest.fixture(params=sorted(KINDS))
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Store]:
    """An empty store; each test that takes it runs on every kind."""
    with KINDS[request.param](tmp_path) as made:
        yield made
