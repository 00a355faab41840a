"""A chat on the command line: answers come from an event loop of their own, so that they can be stopped at any time."""

from __future__ import annotations

import asyncio
import contextlib
import queue
import threading
from collections.abc import AsyncGenerator, Callable, Iterator
from dataclasses import dataclass

from mindnet.api import chat_wire as wire
from mindnet.api.chat_convert import event_out, question
from mindnet.client import Daemon
from mindnet.errors import MindnetError
from mindnet.workspace import Workspace

Events = AsyncGenerator[wire.AnyChatEvent, None]


@dataclass(frozen=True, slots=True)
class Ended:
    """The answer is over; ``error`` is what kept it from being asked at all."""

    error: MindnetError | None = None


@dataclass(frozen=True, slots=True)
class Typed:
    """A line that the user typed; None when there will be no more."""

    line: str | None


Incoming = wire.AnyChatEvent | Ended | Typed


class Conversation:
    """Asks one question at a time; everything that comes in is read from one queue, in its order."""

    def __init__(self, ask: Callable[[wire.ChatRequest], Events]) -> None:
        self.incoming: queue.SimpleQueue[Incoming] = queue.SimpleQueue()
        self._ask = ask
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="mindnet-chat", daemon=True)
        self._thread.start()
        self._task: asyncio.Task[None] | None = None

    def ask(self, request: wire.ChatRequest) -> None:
        asyncio.run_coroutine_threadsafe(self._begin(request), self._loop).result()

    def stop(self) -> None:
        """Ends the answer; ``Ended`` comes when the model has been told."""
        if self._task is not None:
            self._loop.call_soon_threadsafe(self._task.cancel)

    def close(self) -> None:
        asyncio.run_coroutine_threadsafe(self._finish(), self._loop).result()
        # What was left before its end, such as a stream of a client, is closed before the loop is.
        asyncio.run_coroutine_threadsafe(self._loop.shutdown_asyncgens(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _begin(self, request: wire.ChatRequest) -> None:
        self._task = asyncio.create_task(self._follow(self._ask(request)))

    async def _follow(self, events: Events) -> None:
        error: MindnetError | None = None
        try:
            async with contextlib.aclosing(events):
                async for event in events:
                    self.incoming.put(event)
        except MindnetError as caught:
            error = caught
        finally:
            self.incoming.put(Ended(error))

    async def _finish(self) -> None:
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task


@contextlib.contextmanager
def conversation(index: Daemon | Workspace) -> Iterator[Conversation]:
    """A conversation with the daemon, or with the index itself."""
    talk = Conversation(index.chat if isinstance(index, Daemon) else lambda request: _local(index, request))
    try:
        yield talk
    finally:
        talk.close()


async def _local(index: Workspace, request: wire.ChatRequest) -> Events:
    try:
        async with contextlib.aclosing(index.chat.ask(question(request))) as events:
            async for event in events:
                yield event_out(event)
    finally:
        await index.chat.stopped()
