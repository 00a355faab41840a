"""The stores that the contract is run on."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

from qdrant_client import QdrantClient, models

from contract.rest import answering
from contract.samples import DIMENSION, vectors
from mindnet.records import NoteGraph
from mindnet.store.connection import Connection, connect
from mindnet.store.embedded import open_store
from mindnet.store.memory import MemoryStore
from mindnet.store.port import Store
from mindnet.store.schema import INDEXES
from mindnet.store.server import ServerStore

SERVER = os.environ.get("MINDNET_TEST_QDRANT_URL", "")
SERVER_KEY = os.environ.get("MINDNET_TEST_QDRANT_API_KEY")
BUILD = "0123456789ab"


class LocalClient(QdrantClient):
    """The client's local mode: it answers as a server does, but warns of what it has no use for.

    Payload indexes are remembered here; it would forget them. Its searches are exact in any case.
    """

    def __init__(self) -> None:
        super().__init__(":memory:")
        self._schemas: dict[str, dict[str, models.PayloadIndexInfo]] = {}

    def create_payload_index(  # type: ignore[override]
        self, collection_name: str, field_name: str, field_schema: Any = None, **_: Any
    ) -> models.UpdateResult:
        kind = field_schema.type if isinstance(field_schema, models.KeywordIndexParams) else field_schema
        info = models.PayloadIndexInfo(data_type=models.PayloadSchemaType(kind), points=0)
        self._schemas.setdefault(collection_name, {})[field_name] = info
        return models.UpdateResult(status=models.UpdateStatus.COMPLETED)

    def get_collection(self, collection_name: str, **_: Any) -> models.CollectionInfo:
        info = super().get_collection(collection_name)
        return info.model_copy(update={"payload_schema": dict(self._schemas.get(collection_name, {}))})

    def query_points(self, collection_name: str, **asked: Any) -> models.QueryResponse:  # type: ignore[override]
        return super().query_points(collection_name, **{**asked, "search_params": None})

    def delete_collection(self, collection_name: str, timeout: int | None = None, **_: Any) -> bool:
        self._schemas.pop(collection_name, None)
        return super().delete_collection(collection_name)


def memory(_: Path) -> AbstractContextManager[Store]:
    return closing(MemoryStore(dimension=DIMENSION))


def embedded(folder: Path) -> AbstractContextManager[Store]:
    return closing(open_store(folder / "store", prefix="test", dimension=DIMENSION))


def client(_: Path) -> AbstractContextManager[Store]:
    connection = Connection(LocalClient(), "the client's local mode")
    return closing(ServerStore(connection, prefix="test", build=BUILD, dimension=DIMENSION, owner="vault"))


@contextmanager
def http(_: Path) -> Iterator[Store]:
    with answering(LocalClient()) as url:
        store = ServerStore(connect(url, None), prefix="test", build=BUILD, dimension=DIMENSION, owner="vault")
        yield store
        store.close()


@contextmanager
def server(_: Path) -> Iterator[Store]:
    """A store under a prefix that nobody else has, whose collections go when it is closed."""
    prefix = f"mindnet-test-{uuid4().hex}"
    connection = connect(SERVER, SERVER_KEY)
    try:
        store = ServerStore(connection, prefix=prefix, build=BUILD, dimension=DIMENSION, owner="vault")
        yield store
        store.close()
    finally:
        cleaning = connect(SERVER, SERVER_KEY)
        for collection in INDEXES:
            cleaning.ask(lambda one, name=f"{prefix}_{BUILD}_{collection}": one.delete_collection(name))  # type: ignore[misc]
        cleaning.close()


KINDS: dict[str, Callable[[Path], AbstractContextManager[Store]]] = {
    "memory": memory,
    "embedded": embedded,
    "client": client,
    "http": http,
    **({"server": server} if SERVER else {}),
}


def put(store: Store, *graphs: NoteGraph) -> None:
    for one in graphs:
        store.replace_note(one, vectors(len(one.chunks), seed=len(one.note.note_id)))
