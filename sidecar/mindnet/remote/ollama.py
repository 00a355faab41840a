"""The way to an Ollama server: clients for one request, or for a few, and its faults by kind."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import httpx
import ollama
from ollama import AsyncClient as AsyncClient
from ollama import Client as Client
from ollama import ShowResponse as ShowResponse

from mindnet.remote.faults import ServerError
from mindnet.remote.places import connect_seconds, is_local, tls


def base_url(url: str) -> str:
    """The address of Ollama's own API, whether or not its OpenAI-compatible one was given."""
    return url.rstrip("/").removesuffix("/v1")


def client(url: str, seconds: float, key: str = "") -> Client:
    """To be closed by who takes it; ``seconds`` is the longest silence that is borne."""
    return Client(url, headers={"authorization": f"Bearer {key}"} if key else None, **_connection(url, seconds))


def async_client(url: str, seconds: float) -> AsyncClient:
    """For one request: a pool of connections would belong to one event loop."""
    return AsyncClient(url, **_connection(url, seconds))


def _connection(url: str, seconds: float) -> dict[str, Any]:
    """Settings of a proxy are left aside for addresses on this machine."""
    return {
        "follow_redirects": False,
        "timeout": httpx.Timeout(seconds, connect=connect_seconds(url)),
        "trust_env": not is_local(url),
        "verify": tls(),
    }


@contextmanager
def telling_faults() -> Iterator[None]:
    """Raises ``ServerError`` for whatever keeps the client from an answer."""
    try:
        yield
    except ollama.ResponseError as error:
        raise _refusal(error) from error
    except (httpx.ConnectError, httpx.ConnectTimeout, ConnectionError) as error:
        raise ServerError("down", str(error)) from error
    except httpx.TimeoutException as error:
        raise ServerError("slow") from error
    except httpx.HTTPError as error:
        raise ServerError("lost", str(error) or type(error).__name__) from error
    except (ValueError, TypeError, AttributeError) as error:
        # The client parses each line as it comes: anything but an object of the right shape ends here.
        raise ServerError("unreadable", (str(error).splitlines() or [""])[0]) from error


def _refusal(error: ollama.ResponseError) -> ServerError:
    text = str(error.error)
    low = text.lower()
    if error.status_code in (401, 403):
        return ServerError("key_refused", text)
    if error.status_code == 404:
        return ServerError("missing", text)
    if error.status_code in (429, 503) or "loading model" in low:
        return ServerError("busy", text)
    if "context" in low and any(word in low for word in ("exceed", "too long", "length", "limit")):
        return ServerError("too_long", text)
    return ServerError("no_memory" if "memory" in low else "refused", text)
