"""A request, and what became of it."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from mindnet.models.port import Finished, LanguageModel, Message, Request, Token

REQUEST = Request("small", (Message("user", "Hello?"),), num_ctx=2048, max_tokens=64, temperature=0.0, timeout_s=20.0)


@dataclass
class Heard:
    """Every piece of the answer, up to where it broke off if it did."""

    tokens: list[Token]
    finished: Finished | None = None

    @property
    def text(self) -> str:
        return "".join(token.text for token in self.tokens if not token.thinking)

    @property
    def thinking(self) -> str:
        return "".join(token.text for token in self.tokens if token.thinking)


async def listen(server: LanguageModel, request: Request = REQUEST, heard: Heard | None = None) -> Heard:
    heard = heard or Heard([])
    async for piece in server.stream(request):
        if isinstance(piece, Finished):
            heard.finished = piece
        else:
            heard.tokens.append(piece)
    return heard


def hear(server: LanguageModel, request: Request = REQUEST, heard: Heard | None = None) -> Heard:
    return asyncio.run(listen(server, request, heard))
