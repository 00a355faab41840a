"""Who asks what the sidecar is doing is never told that it is idle while a change waits."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from mindnet.indexing.report import Report
from mindnet.indexing.worker import Progress, Worker

EMPTY = Report(0, 0, 0, {}, {}, {}, {}, (), 0, 0, 0, 0, 0.0, dry_run=False)


def state(worker: Worker) -> str:
    return worker.progress.state


class Slow:
    """A pipeline whose updates last until they are let go."""

    def __init__(self) -> None:
        self.began = threading.Semaphore(0)
        self.go = threading.Semaphore(0)

    def update(self, paths: frozenset[str] | None, **_: object) -> Report:
        self.began.release()
        assert self.go.acquire(timeout=20)
        return EMPTY

    def settle(self) -> None: ...


class Deaf:
    def progress(self, progress: Progress) -> None: ...

    def indexed(self, path: str, ms: float) -> None: ...

    def removed(self, path: str) -> None: ...


@pytest.fixture
def slow() -> Slow:
    return Slow()


@pytest.fixture
def worker(slow: Slow) -> Iterator[Worker]:
    worker = Worker(slow, Deaf())
    yield worker
    for _ in range(10):
        slow.go.release()
    worker.stop()


def test_a_change_that_waits_is_not_idle(slow: Slow, worker: Worker) -> None:
    first = worker.submit(None)
    assert state(worker) == "scanning"
    worker.start()
    assert slow.began.acquire(timeout=20)
    assert state(worker) == "scanning"
    second = worker.submit(frozenset({"A.md"}))
    slow.go.release()
    first.result(timeout=20)
    assert state(worker) == "scanning"
    slow.go.release()
    second.result(timeout=20)
    assert state(worker) == "idle"


def test_changes_that_come_during_an_update_are_one_update(slow: Slow, worker: Worker) -> None:
    worker.start()
    worker.submit(frozenset({"A.md"}))
    assert slow.began.acquire(timeout=20)
    waiting = [worker.submit(frozenset({name})) for name in ("B.md", "C.md")]
    for _ in range(2):
        slow.go.release()
    assert [future.result(timeout=20) for future in waiting] == [EMPTY, EMPTY]
    assert slow.began.acquire(timeout=20)
    assert not slow.began.acquire(blocking=False)
