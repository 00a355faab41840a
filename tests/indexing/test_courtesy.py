"""An answer goes before an import that runs beside it, and the import still gets on."""

from __future__ import annotations

import asyncio
import sys
import threading
from pathlib import Path

import pytest
from starlette.types import Message, Receive, Scope, Send

from indexing.test_incremental import EMBEDDER, index_of
from mindnet import courtesy
from mindnet.api.waiting import Waiting
from mindnet.courtesy import Courtesy, short_turns
from mindnet.store.memory import MemoryStore


def test_work_stands_still_while_somebody_waits_and_goes_on_at_once_after(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(courtesy, "PATIENCE", 600.0)
    turns = Courtesy()
    done = threading.Event()

    def work() -> None:
        turns.give_way()
        done.set()

    with turns.answering():
        with turns.answering():
            pass
        worker = threading.Thread(target=work)
        worker.start()
        assert not done.wait(0.1)
    worker.join(60)
    assert done.is_set()


def test_work_gets_half_of_the_time_when_there_is_always_somebody_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(courtesy, "PATIENCE", 0.01)
    now = [100.0]
    waits: list[float] = []
    turns = Courtesy(clock=lambda: now[0])

    def wait_for(predicate: object, timeout: float) -> bool:
        waits.append(timeout)
        now[0] += timeout
        return False

    monkeypatch.setattr(turns._condition, "wait_for", wait_for)
    with turns.answering():
        for _ in range(100):
            turns.give_way()
            now[0] += 0.002
    assert 0.1 < sum(waits) <= 100 * 0.002


def test_a_failed_answer_does_not_hold_up_the_import() -> None:
    turns = Courtesy()
    with pytest.raises(ValueError, match="broken"), turns.answering():
        raise ValueError("broken")
    assert not turns.is_answering


def test_an_import_asks_between_its_notes(tmp_path: Path) -> None:
    asked: list[int] = []

    class Counting(Courtesy):
        def give_way(self) -> None:
            asked.append(1)

    names = [f"n{number}.md" for number in range(10)]
    for name in names:
        (tmp_path / name).write_text(f"# {name}\n\nText.\n", encoding="utf-8")
    with index_of(tmp_path, MemoryStore(dimension=EMBEDDER.dimension)) as index:
        index.pipeline.courtesy = Counting()
        index.pipeline.update(None)
    assert len(asked) >= len(names)


@pytest.mark.parametrize(("path", "waits"), [("/query", True), ("/notes/related", True), ("/ingest", False)])
def test_a_request_is_waited_for_until_its_answer_is_sent(path: str, waits: bool) -> None:
    turns = Courtesy()
    seen: list[bool] = []

    async def answering(scope: Scope, receive: Receive, send: Send) -> None:
        seen.append(turns.is_answering)

    async def nothing(message: object) -> None:
        return None

    async def empty() -> Message:
        return {"type": "http.request"}

    asyncio.run(Waiting(answering, courtesy=turns)({"type": "http", "path": path}, empty, nothing))
    assert seen == [waits]
    assert not turns.is_answering


def test_turns_are_as_short_as_the_most_hurried_wishes_and_then_as_before() -> None:
    before = sys.getswitchinterval()
    first, second = short_turns(0.001), short_turns(0.0002)
    first.__enter__()
    second.__enter__()
    assert sys.getswitchinterval() == pytest.approx(0.0002)
    # Blocks of two threads end in any order.
    first.__exit__(None, None, None)
    assert sys.getswitchinterval() == pytest.approx(0.0002)
    second.__exit__(None, None, None)
    assert sys.getswitchinterval() == pytest.approx(before)
