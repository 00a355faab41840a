"""Tells the work in the background when a caller waits for an answer."""

from __future__ import annotations

from contextlib import nullcontext

from starlette.types import ASGIApp, Receive, Scope, Send

from mindnet.courtesy import Courtesy

ANSWERS = frozenset({"/query", "/notes", "/notes/edges", "/notes/related"})
"""What somebody waits for in front of a screen. Not what waits for the work in the background itself."""


class Waiting:
    """From the first byte of a question to the last of its answer: reading and writing JSON takes turns too."""

    def __init__(self, app: ASGIApp, *, courtesy: Courtesy) -> None:
        self.app = app
        self.courtesy = courtesy

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        waits = scope["type"] == "http" and scope["path"] in ANSWERS
        with self.courtesy.answering() if waits else nullcontext():
            await self.app(scope, receive, send)
