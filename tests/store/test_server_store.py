"""What only the store on a server can show: whose collections it takes, and that it outlives the server's absence."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from httpx import Headers
from qdrant_client import QdrantClient, models  # noqa: TID251
from qdrant_client.http.exceptions import UnexpectedResponse  # noqa: TID251

from contract.rest import answering
from contract.samples import DIMENSION, graph, vector, vectors
from contract.stores import BUILD, LocalClient, put
from mindnet.errors import StoreError
from mindnet.remote.patience import Patience
from mindnet.store import server_points
from mindnet.store.connection import Connection, connect
from mindnet.store.port import StoreState
from mindnet.store.schema import INDEXES
from mindnet.store.server import ServerStore, open_server

SHORT = Patience(attempts=3, seconds=20, first_wait=0.01, longest_wait=0.02)


@pytest.fixture
def client() -> Iterator[LocalClient]:
    made = LocalClient()
    yield made
    made.close()


def opened(client: QdrantClient, **more: Any) -> ServerStore:
    given = {"prefix": "test", "build": BUILD, "dimension": DIMENSION, "owner": "a-vault", **more}
    return ServerStore(Connection(client, "here", SHORT), **given)


@pytest.mark.skipif(
    not os.environ.get("MINDNET_TEST_QDRANT_URL"),
    reason="the contract ran on the client's local mode only; MINDNET_TEST_QDRANT_URL names a server to run it on",
)
def test_the_contract_runs_on_a_real_server() -> None:
    url = os.environ["MINDNET_TEST_QDRANT_URL"]
    connection = connect(url, os.environ.get("MINDNET_TEST_QDRANT_API_KEY"))
    assert connection.ask(lambda one: one.info()).version
    connection.close()


def test_the_collections_carry_the_prefix_and_every_index(client: LocalClient) -> None:
    store = opened(client, prefix="mine")
    assert sorted(one.name for one in client.get_collections().collections) == [
        f"mine_{BUILD}_chunks",
        f"mine_{BUILD}_edges",
        f"mine_{BUILD}_notes",
    ]
    assert all(store.indexes(collection) == frozenset(fields) for collection, fields in INDEXES.items())


def test_what_was_stored_is_there_after_a_restart(client: LocalClient) -> None:
    one = graph("alpha", "a", "b", links=["beta"], tags=["x"])
    put(opened(client), one)
    again = opened(client)
    assert again.note("alpha") == one.note
    assert again.chunks_of(["alpha"]) == list(one.chunks)
    assert again.edges_from(["alpha"]) == list(one.edges)


def test_collections_of_another_vault_are_refused_and_left_as_they_are(client: LocalClient) -> None:
    put(opened(client), graph("alpha", "a"))
    for fresh in (False, True):
        with pytest.raises(StoreError, match="belongs to the vault a-vault") as raised:
            opened(client, owner="another-vault", fresh=fresh)
        assert "store.prefix" in raised.value.hint
    assert opened(client).note_ids() == ["alpha"]
    assert opened(client, owner="another-vault", prefix="other").note_ids() == []


def test_a_collection_that_is_not_of_mindnet_is_refused_and_left_as_it_is(client: LocalClient) -> None:
    client.create_collection("test_edges", vectors_config={})
    client.upsert("test_edges", [models.PointStruct(id=1, vector={}, payload={"own": True})])
    with pytest.raises(StoreError, match="was not made by mindnet"):
        opened(client, fresh=True)
    assert client.count("test_edges").count == 1
    assert [one.name for one in client.get_collections().collections if one.name != "test_edges"] == []


def test_vectors_of_another_length_are_refused(client: LocalClient) -> None:
    put(opened(client), graph("alpha", "a"))
    with pytest.raises(StoreError, match=rf"vectors of {DIMENSION} numbers.*makes {DIMENSION + 1}"):
        opened(client, dimension=DIMENSION + 1)
    assert opened(client).count("chunks") == 1


def test_an_index_that_is_built_anew_starts_empty_and_may_have_another_length(client: LocalClient) -> None:
    put(opened(client), graph("alpha", "a"))
    store = opened(client, dimension=DIMENSION + 1, fresh=True)
    assert [store.count(collection) for collection in INDEXES] == [0, 0, 0]
    store.replace_note(graph("beta", "b"), vectors(1).repeat(2, axis=1)[:, : DIMENSION + 1])
    assert store.count("chunks") == 1


def test_an_index_that_is_missing_is_made_on_opening(client: LocalClient) -> None:
    opened(client)
    del client._schemas[f"test_{BUILD}_chunks"]["path"]
    assert "path" in opened(client).indexes("chunks")


def test_a_server_that_is_too_old_is_refused(client: LocalClient, monkeypatch: pytest.MonkeyPatch) -> None:
    def old(**_: Any) -> models.VersionInfo:
        return models.VersionInfo(title="qdrant", version="1.9.2")

    monkeypatch.setattr(client, "info", old)
    with pytest.raises(StoreError, match=r"version 1\.9\.2") as raised:
        opened(client)
    assert "1.19" in raised.value.hint
    assert [one.name for one in client.get_collections().collections if one.name != "test_edges"] == []


def test_a_large_note_goes_in_several_requests_and_leaves_no_ghosts(
    client: LocalClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[list[str]] = []
    update = client.batch_update_points

    def counted(name: str, operations: Any, **more: Any) -> Any:
        sizes.append([type(one).__name__ for one in operations])
        return update(name, operations, **more)

    monkeypatch.setattr(client, "batch_update_points", counted)
    monkeypatch.setattr(server_points, "REQUEST_BYTES", 3_000)
    store = opened(client)
    put(store, graph("alpha", *[f"old {number}" for number in range(9)]))
    sizes.clear()
    new = graph("alpha", *[f"new {number} " + "x" * 1_000 for number in range(5)], links=["beta"])
    put(store, new)
    assert len(sizes) > 3
    assert all("DeleteOperation" not in some or some[-1] == "DeleteOperation" for some in sizes)
    assert sum(some.count("DeleteOperation") for some in sizes) == 3
    assert store.chunks_of(["alpha"]) == list(new.chunks)
    assert [store.count(collection) for collection in INDEXES] == [1, 5, 1]


def test_a_collection_whose_making_was_answered_too_late_is_taken(client: LocalClient) -> None:
    """The first request did its work, but its answer was lost: the second finds the collection there."""
    lost = iter([True, False, False])
    create = client.create_collection

    def losing(*given: Any, **more: Any) -> bool:
        create(*given, **more)
        if next(lost):
            raise UnexpectedResponse(504, "Gateway Timeout", b"", Headers())
        return True

    client.create_collection = losing  # type: ignore[method-assign]
    assert opened(client).count("notes") == 0


def test_a_search_fails_while_the_server_is_away_and_answers_when_it_is_back(client: LocalClient) -> None:
    one = graph("alpha", "a", links=["beta"])
    with answering(client) as url:
        port = int(url.rpartition(":")[2])
        store = ServerStore(
            connect(url, None, patience=SHORT), prefix="test", build=BUILD, dimension=DIMENSION, owner="a-vault"
        )
        put(store, one)
        assert store.state() == StoreState("qdrant", url)
    with pytest.raises(StoreError, match="does not answer") as raised:
        store.search_chunks(vector(1), 5)
    assert "goes on by itself" in raised.value.hint
    with pytest.raises(StoreError, match="does not answer"):
        put(store, graph("beta", "b"))
    assert "does not answer" in (store.state().fault or "")
    with answering(client, port):
        assert [hit.chunk.text for hit in store.search_chunks(vector(1), 5)] == ["a"]
        put(store, replace(one, edges=()))
        assert store.count("edges") == 0
        assert store.state().fault is None
    store.close()


def test_a_server_that_is_not_there_is_said_on_opening() -> None:
    with answering(LocalClient()) as url:
        pass
    with pytest.raises(StoreError, match=f"{url} does not answer") as raised:
        open_server(url, api_key=None, prefix="test", build=BUILD, dimension=DIMENSION, owner="a-vault")
    assert raised.value.exit_code == 3
