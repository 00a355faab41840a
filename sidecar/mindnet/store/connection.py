"""The way to a Qdrant server: one HTTP client, passing faults tried again within bounds, the rest said plainly.

A fault is passing when the request may not have been heard (no connection, cut off, timed out) or
the server says that it is not able now (429, 5xx). All requests can be made twice: reads change
nothing, an upsert or a deletion done again leads to the same points.
"""

from __future__ import annotations

import contextlib
import logging
import time
from collections.abc import Callable
from json import JSONDecodeError
from typing import TypeVar
from urllib.parse import urlsplit

import httpx
from qdrant_client import QdrantClient
from qdrant_client.common.client_exceptions import QdrantException, ResourceExhaustedResponse
from qdrant_client.http.exceptions import ApiException, ResponseHandlingException, UnexpectedResponse

from mindnet.errors import StoreError
from mindnet.remote.patience import Patience
from mindnet.remote.places import is_local

log = logging.getLogger(__name__)
T = TypeVar("T")

WAIT_FOR_ANSWER = 30
"""Seconds until a request counts as lost."""
_PASSING = frozenset({429, 500, 502, 503, 504})
_FAULTS = (ApiException, QdrantException, JSONDecodeError, UnicodeDecodeError)
"""What the client raises for an answer that it did not get, or cannot read."""


class Connection:
    """A client, the address for messages, and what the last request said of the server."""

    def __init__(self, client: QdrantClient, address: str, patience: Patience | None = None) -> None:
        self.address = address
        self._client = client
        self._patience = patience or Patience()
        self._fault: StoreError | None = None
        self._heard = time.monotonic()

    def ask(self, request: Callable[[QdrantClient], T]) -> T:
        """The answer to ``request``; raises ``StoreError`` when it is refused or cannot be had."""
        try:
            answer = self._patience.ask(
                lambda: request(self._client), is_passing=_is_passing, say_again=self._say_again
            )
        except _FAULTS as error:
            fault = self._explain(error)
            self._note(fault if _is_passing(error) or _status(error) in (401, 403) else None)
            raise fault from error
        self._note(None)
        return answer

    def fault(self, ping: Callable[[QdrantClient], object], older_than: float) -> StoreError | None:
        """What keeps the server from answering, None when it answers.

        The last request says it; if that is more than ``older_than`` seconds ago, ``ping`` is made once.
        """
        if time.monotonic() - self._heard > older_than:
            once = Connection(self._client, self.address, Patience(attempts=1))
            with contextlib.suppress(StoreError):
                once.ask(ping)
            self._note(once._fault)
        return self._fault

    def close(self) -> None:
        self._client.close()

    def _note(self, fault: StoreError | None) -> None:
        self._fault, self._heard = fault, time.monotonic()

    def _say_again(self, reason: BaseException | None) -> None:
        log.info("the Qdrant server at %s: %s; trying again", self.address, _reason(reason))

    def _explain(self, error: Exception) -> StoreError:
        status = _status(error)
        if status in (401, 403):
            return StoreError(
                f"The Qdrant server at {self.address} refuses the API key.",
                hint="Give the right one in QDRANT_API_KEY.",
            )
        if status == 404 and _written(error):
            return StoreError(
                f"The Qdrant server at {self.address} has lost the collections: {_reason(error)}.",
                hint="Start mindnet again: it builds them anew from the vault.",
            )
        if status == 413:
            return StoreError(
                f"The Qdrant server at {self.address} takes no request of this size.",
                hint="Raise service.max_request_size_mb there, or exclude the largest notes.",
            )
        if _is_passing(error):
            state = "does not answer" if status is None else "cannot answer now"
            return StoreError(
                f"The Qdrant server at {self.address} {state}: {_reason(error)}.",
                hint="Start it, or correct store.url; mindnet goes on by itself when it answers.",
            )
        if status is None or not _written(error):
            return StoreError(
                f"What answers at {self.address} is no Qdrant server: {_reason(error)}.",
                hint="Correct store.url (QDRANT_URL); the port is 6333 where none is given.",
            )
        return StoreError(
            f"The Qdrant server at {self.address} refused a request: {_reason(error)}.", hint="Its log says more."
        )


def _status(error: BaseException) -> int | None:
    return error.status_code if isinstance(error, UnexpectedResponse) else None


def _is_passing(error: BaseException) -> bool:
    if isinstance(error, ResponseHandlingException):
        return isinstance(error.source, httpx.TransportError)
    return isinstance(error, ResourceExhaustedResponse) or _status(error) in _PASSING


def _reason(error: BaseException | None) -> str:
    """One line for a person: what the server wrote, or what the connection met."""
    if isinstance(error, UnexpectedResponse):
        return f"{error.status_code} {_written(error) or error.reason_phrase}".strip()
    if isinstance(error, ResponseHandlingException):
        source = error.source
        if isinstance(source, httpx.TimeoutException):
            return "it took too long"
        # Validation of an answer prints pages; its first line tells what was expected.
        return (str(source).splitlines() or [""])[0] or type(source).__name__
    return str(error)


def _written(error: BaseException) -> str:
    """What a Qdrant server wrote of the fault; empty where somebody else answered."""
    if not isinstance(error, UnexpectedResponse):
        return ""
    try:
        text = error.structured()["status"]["error"]
    except (ValueError, KeyError, TypeError):
        return ""
    return str(text)[:300]


def connect(
    url: str, api_key: str | None, *, patience: Patience | None = None, seconds: int = WAIT_FOR_ANSWER
) -> Connection:
    """A connection to the server at ``url``; nothing is sent yet.

    Settings of a proxy are left aside for addresses on this machine. The key goes in a header of
    its own, so over plain HTTP to another machine everybody between can read it: that is logged.
    """
    here = is_local(url)
    if api_key and not here and urlsplit(url).scheme == "http":
        log.warning("%s is not encrypted: the API key and the notes can be read on the way; use https", url)
    client = QdrantClient(
        url=url,
        headers={"api-key": api_key} if api_key else None,
        timeout=seconds,
        check_compatibility=False,
        trust_env=not here,
    )
    return Connection(client, url, patience)
