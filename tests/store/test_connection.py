"""How the way to a Qdrant server bears with faults: real sockets, a server that does as it is told."""

from __future__ import annotations

import logging
import socket
import time

import pytest
from qdrant_client import QdrantClient  # noqa: TID251

from mindnet.errors import StoreError
from mindnet.remote.patience import Patience
from mindnet.store.connection import Connection, connect
from store.scripted import Step, scripted

SHORT = Patience(attempts=3, seconds=20, first_wait=0.01, longest_wait=0.02)
KEY = "a-secret-key"


def opened(url: str, *, seconds: int = 5, patience: Patience = SHORT) -> Connection:
    return connect(url, KEY, patience=patience, seconds=seconds)


def count(client: QdrantClient) -> int:
    return client.count("test_notes").count


@pytest.mark.parametrize("fault", ["hang up", "half", 429, 500, 502, 503, 504], ids=str)
def test_a_passing_fault_is_not_noticed(fault: Step) -> None:
    with scripted(fault, fault, "answer") as server:
        connection = opened(server.url)
        assert connection.ask(count) == 7
        assert len(server.asked) == 3
        assert connection.fault(count, older_than=60) is None
        connection.close()


@pytest.mark.parametrize(
    ("fault", "said"), [("hang up", "does not answer"), (503, "cannot answer now: 503 the fault of 503")], ids=str
)
def test_a_fault_that_stays_ends_after_so_many_tries(fault: Step, said: str) -> None:
    with scripted(*[fault] * 10) as server:
        connection = opened(server.url)
        with pytest.raises(StoreError, match=said) as raised:
            connection.ask(count)
        assert len(server.asked) == SHORT.attempts
        assert server.url in raised.value.message
        assert "store.url" in raised.value.hint
        connection.close()


def test_no_try_begins_after_the_time_that_is_given() -> None:
    with scripted("silence", "silence") as server:
        connection = opened(server.url, seconds=1, patience=Patience(attempts=3, seconds=0.5))
        started = time.monotonic()
        with pytest.raises(StoreError, match="it took too long"):
            connection.ask(count)
        assert time.monotonic() - started < 5
        assert len(server.asked) == 1
        connection.close()


@pytest.mark.parametrize(
    ("status", "said", "hint"),
    [
        (401, "refuses the API key", "QDRANT_API_KEY"),
        (403, "refuses the API key", "QDRANT_API_KEY"),
        (404, "has lost the collections: 404 the fault of 404", "builds them anew"),
        (413, "takes no request of this size", "max_request_size_mb"),
        (400, "refused a request: 400 the fault of 400", "log"),
    ],
)
def test_what_will_not_pass_is_said_at_once(status: int, said: str, hint: str) -> None:
    with scripted(status, status) as server:
        connection = opened(server.url)
        with pytest.raises(StoreError, match=said) as raised:
            connection.ask(count)
        assert len(server.asked) == 1
        assert hint in raised.value.hint
        assert KEY not in str(raised.value) + raised.value.hint
        connection.close()


def test_something_else_on_the_port_is_called_so() -> None:
    with scripted("web page") as server:
        connection = opened(server.url)
        with pytest.raises(StoreError, match="no Qdrant server"):
            connection.ask(count)
        connection.close()


def test_a_server_that_comes_back_is_asked_again_without_a_new_connection() -> None:
    with socket.socket() as taken:
        # Bound but not listening: whoever connects is refused, and nobody else gets the port.
        taken.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        connection = opened(f"http://127.0.0.1:{port}")
        with pytest.raises(StoreError, match="does not answer"):
            connection.ask(count)
        fault = connection.fault(count, older_than=60)
        assert fault is not None
        assert "does not answer" in fault.message
    with scripted("answer", "answer", port=port) as server:
        assert connection.fault(count, older_than=0) is None
        assert connection.ask(count) == 7
        assert len(server.asked) == 2
    connection.close()


def test_asking_for_the_state_makes_one_request_and_only_when_none_was_made_of_late() -> None:
    with scripted(503, 503) as server:
        connection = opened(server.url)
        assert connection.fault(count, older_than=60) is None
        assert server.asked == []
        fault = connection.fault(count, older_than=0)
        assert fault is not None
        assert len(server.asked) == 1
        connection.close()


def test_the_key_goes_in_its_header(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG, logger="mindnet"), scripted("hang up", "answer") as server:
        connection = opened(server.url)
        connection.ask(count)
        (_, (request, headers)) = server.asked
        assert headers["api-key"] == KEY
        assert KEY not in request
        assert KEY not in caplog.text
        connection.close()


def test_a_key_that_can_be_read_on_the_way_is_warned_of(caplog: pytest.LogCaptureFixture) -> None:
    connect("http://qdrant.example:6333", KEY).close()
    assert "not encrypted" in caplog.text
    caplog.clear()
    connect("https://qdrant.example:6333", KEY).close()
    connect("http://[::1]:6333", KEY).close()
    assert caplog.text == ""


def test_no_proxy_is_asked_for_an_address_on_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    with scripted("answer") as proxy, scripted("answer") as server:
        for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
            monkeypatch.setenv(name, proxy.url)
        for name in ("no_proxy", "NO_PROXY"):
            monkeypatch.delenv(name, raising=False)
        connection = opened(server.url)
        assert connection.ask(count) == 7
        assert (len(server.asked), len(proxy.asked)) == (1, 0)
        connection.close()
