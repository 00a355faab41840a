"""Whose turn it is with the model: chats in the order they came, work in the background only between them."""

from __future__ import annotations

import asyncio
import heapq
import itertools
import math
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

Result = TypeVar("Result")


class Turns:
    """One call at a time, within one event loop.

    A chat that comes while work in the background runs ends that call, which is made again when no chat waits.
    """

    def __init__(self) -> None:
        self._taken = False
        self._queue: list[tuple[float, int, asyncio.Future[None]]] = []
        self._numbers = itertools.count()
        self._chats = 0
        self._no_chats = asyncio.Event()
        self._no_chats.set()
        self._background: asyncio.Task[object] | None = None

    @property
    def waiting(self) -> int:
        """Chats that have the model or wait for it."""
        return self._chats

    def place(self) -> int:
        """The place of a chat that comes now, before all that come later, for every call that it makes."""
        return next(self._numbers)

    @asynccontextmanager
    async def chat(self, place: int | None = None) -> AsyncIterator[None]:
        """The model for a chat: of those that wait, the one that came first has it next."""
        self._chats += 1
        self._no_chats.clear()
        if self._background is not None:
            self._background.cancel()
        try:
            async with self._turn(self.place() if place is None else place):
                yield
        finally:
            self._chats -= 1
            if not self._chats:
                self._no_chats.set()

    @asynccontextmanager
    async def _turn(self, place: float) -> AsyncIterator[None]:
        if self._taken:
            called = asyncio.get_running_loop().create_future()
            heapq.heappush(self._queue, (place, next(self._numbers), called))
            try:
                await called
            except asyncio.CancelledError:
                if not called.cancelled():
                    # It was called and stopped at once: the next one must not wait for it.
                    self._call()
                raise
        self._taken = True
        try:
            yield
        finally:
            self._call()

    def _call(self) -> None:
        """Calls whoever is next; the model stays taken for them."""
        while self._queue:
            _, _, called = heapq.heappop(self._queue)
            if not called.done():
                called.set_result(None)
                return
        self._taken = False

    async def background(self, work: Callable[[], Awaitable[Result]]) -> Result:
        """The result of ``work``, begun while no chat is there; it is begun anew when a chat came in between."""
        while True:
            await self._no_chats.wait()
            async with self._turn(math.inf):
                if self._chats:
                    continue
                task: asyncio.Task[Result] = asyncio.ensure_future(_run(work))
                self._background = task
                try:
                    await asyncio.wait([task])
                finally:
                    self._background = None
                    if not task.done():
                        task.cancel()
                        await asyncio.wait([task])
                if not task.cancelled():
                    return task.result()


async def _run(work: Callable[[], Awaitable[Result]]) -> Result:
    return await work()
