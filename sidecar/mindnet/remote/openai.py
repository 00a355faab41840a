"""The way to a server that speaks the OpenAI protocol: clients for one request, or for a few, and faults by kind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, TypeAlias

import httpx2
import openai
from openai import AsyncOpenAI as AsyncOpenAI
from openai import OpenAI as OpenAI

from mindnet.remote.faults import ServerError
from mindnet.remote.places import connect_seconds, is_local, tls

ChatStream: TypeAlias = openai.AsyncStream[openai.types.chat.ChatCompletionChunk]
NO_KEY = "none"
"""The client insists on a key; servers on this machine want none."""


def client(url: str, seconds: float, key: str = "") -> OpenAI:
    """To be closed by who takes it; ``seconds`` is the longest silence that is borne. It tries nothing again."""
    return OpenAI(
        api_key=key or NO_KEY, base_url=url, max_retries=0, http_client=httpx2.Client(**_connection(url, seconds))
    )


def async_client(url: str, seconds: float, key: str = "") -> AsyncOpenAI:
    """For one request: a pool of connections would belong to one event loop.

    Nothing is tried again: a second answer must not begin behind the first half of another.
    """
    return AsyncOpenAI(api_key=key or NO_KEY, base_url=url, max_retries=0, http_client=async_http_client(url, seconds))


def async_http_client(url: str, seconds: float) -> httpx2.AsyncClient:
    """For what is not in the protocol, and some servers have all the same."""
    return httpx2.AsyncClient(**_connection(url, seconds))


def _connection(url: str, seconds: float) -> dict[str, Any]:
    """Settings of a proxy are left aside for addresses on this machine."""
    return {
        "timeout": httpx2.Timeout(seconds, connect=connect_seconds(url)),
        "trust_env": not is_local(url),
        "verify": tls(),
        "follow_redirects": False,
    }


@contextmanager
def telling_faults() -> Iterator[None]:
    """Raises ``ServerError`` for whatever keeps the client from an answer."""
    try:
        yield
    except (openai.APITimeoutError, httpx2.TimeoutException) as error:
        connecting = isinstance(error.__cause__ or error, httpx2.ConnectTimeout)
        raise ServerError("down" if connecting else "slow") from error
    except openai.APIStatusError as error:
        raise refusal(error.status_code, _written(error)) from error
    except (openai.APIConnectionError, httpx2.TransportError) as error:
        cause = error.__cause__ or error
        text = str(cause) or type(cause).__name__
        raise ServerError("down" if isinstance(cause, httpx2.ConnectError) else "lost", text) from error
    except openai.APIError as error:
        # An error in the midst of a stream has no status of its own.
        raise refusal(_code(error.body), _written(error)) from error
    except (ValueError, TypeError, AttributeError) as error:
        raise ServerError("unreadable", (str(error).splitlines() or [""])[0]) from error


def refusal(status: int | None, text: str) -> ServerError:
    """What a server means that answers with ``status``, None where it is not known, and writes ``text``."""
    low = text.lower()
    if status == 413 or "exceed_context_size" in low or any(words in low for words in _TOO_LONG):
        return ServerError("too_long", text)
    if "context" in low and any(word in low for word in ("exceed", "maximum", "longer", "larger")):
        return ServerError("too_long", text)
    if status in (401, 403):
        return ServerError("key_refused", text)
    if status == 404:
        return ServerError("missing", text)
    return ServerError("busy" if status in (429, 503) else "refused", text)


_TOO_LONG = ("too large to process", "must have less than", "maximum input length")
"""How llama.cpp, Text Embeddings Inference and OpenAI refuse a text that they cannot embed whole."""


def _written(error: openai.APIError) -> str:
    """What the server wrote of the fault, its kind included, on one line."""
    body: Any = error.body
    if isinstance(body, Mapping) and isinstance(body.get("error"), Mapping):
        body = body["error"]
    if isinstance(body, Mapping):
        parts = [str(body[key]) for key in ("message", "type") if body.get(key)]
        if parts:
            return " / ".join(parts)[:300]
    return (str(body or error.message).splitlines() or [""])[0][:300]


def _code(body: object) -> int | None:
    code = body.get("code") if isinstance(body, Mapping) else None
    return code if isinstance(code, int) else None
