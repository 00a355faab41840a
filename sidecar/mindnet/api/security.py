"""Who may call: literal hosts, listed origins, a bearer token, bodies of a bounded size.

One ASGI layer in front of everything, so that no route can forget it.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable
from contextlib import suppress
from http import HTTPStatus

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mindnet.api.wire import Problem

APP_ORIGINS = ("app://obsidian.md", "capacitor://localhost")
HOSTS = ("127.0.0.1", "localhost", "[::1]")
OPEN_PATHS = frozenset({"/health"})
MAX_BODY = 1_000_000


def problem(status: int, code: str, detail: str, hint: str) -> Problem:
    return Problem(title=HTTPStatus(status).phrase, status=status, detail=detail, code=code, hint=hint)


class _BodyTooLargeError(Exception):
    pass


class Guard:
    """Refuses what does not come from this machine's user.

    A foreign ``Host`` (DNS rebinding) or ``Origin`` is 403, a missing or wrong token 401, a
    body of more than ``MAX_BODY`` bytes 413. Preflights pass: they carry no token, and the
    CORS layer behind answers them.
    """

    def __init__(self, app: ASGIApp, *, token: str, origins: Iterable[str], hosts: Iterable[str] = HOSTS) -> None:
        self.app = app
        self.authorization = f"Bearer {token}".encode()
        self.origins = frozenset(origins)
        self.hosts = frozenset(hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            # Only HTTP is spoken: a websocket is closed before it opens, lifespan goes through.
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            else:
                await send({"type": "websocket.close", "code": 1008})
            return
        refusal = self.refusal(scope)
        if refusal is not None:
            await respond(send, refusal)
            return
        received = 0

        async def limited() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > MAX_BODY:
                raise _BodyTooLargeError
            return message

        async def watched(message: Message) -> None:
            # Whatever the application makes of a body that was cut off, the caller is told of the size.
            if received <= MAX_BODY:
                await send(message)

        with suppress(_BodyTooLargeError):
            await self.app(scope, limited, watched)
        if received > MAX_BODY:
            await respond(send, too_large())

    def refusal(self, scope: Scope) -> Problem | None:
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        name = host.rsplit(":", 1)[0] if not host.endswith("]") else host
        if name not in self.hosts or len(headers.getlist("host")) != 1:
            return problem(
                403, "host", f"The host {host!r} is not served.", "Call the sidecar by 127.0.0.1 or localhost."
            )
        origin = headers.get("origin")
        if origin is not None and origin not in self.origins:
            return problem(
                403, "origin", f"Pages of {origin!r} may not call the sidecar.", "Add it to api.allowed_origins."
            )
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > MAX_BODY:
            return too_large()
        if scope["method"] == "OPTIONS" and "access-control-request-method" in headers:
            return None
        if scope["path"] in OPEN_PATHS:
            return None
        if not secrets.compare_digest(headers.get("authorization", "").encode(), self.authorization):
            return problem(
                401, "token", "The bearer token is missing or wrong.", "Send the token of run.json in the data folder."
            )
        return None


def too_large() -> Problem:
    return problem(413, "body_too_large", f"The body is larger than {MAX_BODY} bytes.", "Send less at once.")


async def respond(send: Send, refusal: Problem) -> None:
    body = json.dumps(refusal.model_dump()).encode()
    headers = [(b"content-type", b"application/problem+json"), (b"content-length", str(len(body)).encode())]
    if refusal.status == 401:
        headers.append((b"www-authenticate", b"Bearer"))
    await send({"type": "http.response.start", "status": refusal.status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
