"""Whose turn it is with the model: chats in the order they came, work in the background only between them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

Result = TypeVar("Result")


class Turns:
    """One call at a time, within one event loop.

    A chat that comes while work in the background runs ends that call, which is made again when no chat waits.
    """

    def __init__(self) -> None:
        self._lock = asyncio.Lock()
        self._chats = 0
        self._no_chats = asyncio.Event()
        self._no_chats.set()
        self._background: asyncio.Task[object] | None = None

    @property
    def waiting(self) -> int:
        """Chats that have the model or wait for it."""
        return self._chats

    @asynccontextmanager
    async def chat(self) -> AsyncIterator[None]:
        """The model for a chat, when those that came before are done."""
        self._chats += 1
        self._no_chats.clear()
        if self._background is not None:
            self._background.cancel()
        try:
            async with self._lock:
                yield
        finally:
            self._chats -= 1
            if not self._chats:
                self._no_chats.set()

    async def background(self, work: Callable[[], Awaitable[Result]]) -> Result:
        """The result of ``work``, begun while no chat is there; it is begun anew when a chat came in between."""
        while True:
            await self._no_chats.wait()
            async with self._lock:
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
