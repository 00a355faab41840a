"""The thread that writes takes a saved note in between the batches of a long import."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from indexing.test_between import vault_of
from indexing.test_incremental import EMBEDDER, Index, afresh, index_of
from mindnet.indexing.worker import Progress, Worker
from mindnet.store.memory import MemoryStore


class Holding:
    """A listener that holds the import at its first note until it is told to go on."""

    def __init__(self) -> None:
        self.first = threading.Event()
        self.go_on = threading.Event()
        self.indexed_paths: list[str] = []

    def progress(self, progress: Progress) -> None: ...

    def indexed(self, path: str, ms: float) -> None:
        self.indexed_paths.append(path)
        self.first.set()
        assert self.go_on.wait(60)

    def removed(self, path: str) -> None: ...


@pytest.fixture
def index(tmp_path: Path) -> Iterator[Index]:
    with index_of(vault_of(tmp_path), MemoryStore(dimension=EMBEDDER.dimension)) as made:
        yield made


def test_a_saved_note_does_not_wait_for_the_end_of_an_import(index: Index) -> None:
    listener = Holding()
    worker = Worker(index.pipeline, listener)
    worker.start()
    try:
        whole = worker.submit(None)
        assert listener.first.wait(60)
        (index.vault / "Fresh.md").write_text("# Fresh\n\n[[Late]]\n", encoding="utf-8")
        saved = worker.submit(frozenset({"Fresh.md"}))
        listener.go_on.set()
        assert saved.result(60).written == 1
        whole.result(60)
    finally:
        listener.go_on.set()
        worker.stop()
    assert listener.indexed_paths.index("Fresh.md") < listener.indexed_paths.index("Late.md")
    assert index.state() == afresh(index.vault)
