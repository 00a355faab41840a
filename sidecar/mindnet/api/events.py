"""Events from worker threads to any number of listening clients."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import suppress

from mindnet.api.wire import IndexSwitchedEvent, NoteIndexedEvent, NoteRemovedEvent, StatusEvent

Event = StatusEvent | NoteIndexedEvent | NoteRemovedEvent | IndexSwitchedEvent
QUEUE_SIZE = 1_000


class Broadcast:
    """Hands each published event to every listener; ``publish`` may be called from any thread.

    A listener that falls ``QUEUE_SIZE`` events behind loses the oldest: the next status event
    tells it all that counts.
    """

    def __init__(self) -> None:
        self._loop: asyncio.AbstractEventLoop | None = None
        self._queues: set[asyncio.Queue[Event | None]] = set()

    def bind(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop

    def publish(self, event: Event) -> None:
        self._call(event)

    def close(self) -> None:
        """Ends every stream, so that the server can stop."""
        self._call(None)

    def _call(self, event: Event | None) -> None:
        if self._loop is not None:
            with suppress(RuntimeError):  # the loop is closed: nobody listens any more
                self._loop.call_soon_threadsafe(self._deliver, event)

    def _deliver(self, event: Event | None) -> None:
        for queue in self._queues:
            if queue.full():
                queue.get_nowait()
            queue.put_nowait(event)

    async def listen(self, first: Event) -> AsyncIterator[Event]:
        """``first``, then everything published from now on, until ``close``."""
        queue: asyncio.Queue[Event | None] = asyncio.Queue(QUEUE_SIZE)
        self._queues.add(queue)
        try:
            yield first
            while (event := await queue.get()) is not None:
                yield event
        finally:
            self._queues.discard(queue)
