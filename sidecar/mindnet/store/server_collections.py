"""The three collections of a Qdrant server: made where they are missing, refused where they are not ours."""

from __future__ import annotations

from collections.abc import Mapping

from qdrant_client import QdrantClient, models

from mindnet.errors import StoreError
from mindnet.store.connection import Connection
from mindnet.store.port import Collection
from mindnet.store.schema import INDEXES, FieldIndex
from mindnet.store.server_filters import FIELD_INDEXES

VECTOR = "window"
OLDEST = (1, 19)
"""The first version that finds texts by their beginning."""
_OWNER = "mindnet_vault"


def prepare(
    connection: Connection, names: Mapping[Collection, str], *, dimension: int, owner: str, fresh: bool
) -> None:
    """Brings the collections to the shape that the store needs; ``fresh`` empties them first.

    Raises ``StoreError`` for a server that is too old, for collections of another vault and for
    vectors of another length; nothing has been changed then.
    """
    _check_version(connection)
    held = {collection: info for collection, name in names.items() if (info := _info(connection, name))}
    for collection, info in held.items():
        _check_owner(connection, names[collection], info, owner)
    if fresh:
        for collection in held:
            _delete(connection, names[collection])
        held = {}
    if "chunks" in held:
        _check_vectors(connection, names["chunks"], held["chunks"], dimension)
    for collection, name in names.items():
        if collection not in held:
            _create(connection, name, dimension if collection == "chunks" else None, owner)
        present = held[collection].payload_schema if collection in held else {}
        for field, kind in INDEXES[collection].items():
            if field not in present:
                _create_index(connection, name, field, kind)


def _info(connection: Connection, name: str) -> models.CollectionInfo | None:
    if not connection.ask(lambda client: client.collection_exists(name)):
        return None
    return connection.ask(lambda client: client.get_collection(name))


def _delete(connection: Connection, name: str) -> None:
    connection.ask(lambda client: client.delete_collection(name))


def _create(connection: Connection, name: str, dimension: int | None, owner: str) -> None:
    vectors = (
        {} if dimension is None else {VECTOR: models.VectorParams(size=dimension, distance=models.Distance.COSINE)}
    )

    def create(client: QdrantClient) -> None:
        # Of a request whose answer was lost, the collection may be there.
        if not client.collection_exists(name):
            client.create_collection(
                name,
                vectors_config=vectors,
                # Searches are exact: links between vectors would be built for nobody.
                hnsw_config=models.HnswConfigDiff(m=0),
                metadata={_OWNER: owner},
            )

    connection.ask(create)


def _create_index(connection: Connection, name: str, field: str, kind: FieldIndex) -> None:
    connection.ask(lambda client: client.create_payload_index(name, field, field_schema=FIELD_INDEXES[kind], wait=True))


def _check_version(connection: Connection) -> None:
    version = connection.ask(lambda client: client.info()).version
    numbers = tuple(int(part) for part in version.split(".")[:2] if part.isdigit())
    if numbers < OLDEST:
        raise StoreError(
            f"The Qdrant server at {connection.address} is version {version}.",
            hint=f"mindnet needs {'.'.join(map(str, OLDEST))} or later.",
        )


def _owner(info: models.CollectionInfo) -> str | None:
    owner = (info.config.metadata or {}).get(_OWNER)
    return owner if isinstance(owner, str) else None


def _check_owner(connection: Connection, name: str, info: models.CollectionInfo, owner: str) -> None:
    if _owner(info) != owner:
        whose = f"belongs to the vault {_owner(info)}" if _owner(info) else "was not made by mindnet"
        raise StoreError(
            f"The collection {name} on the Qdrant server at {connection.address} {whose}.",
            hint="Give this vault a prefix of its own: store.prefix (COLLECTION_PREFIX).",
        )


def _check_vectors(connection: Connection, name: str, info: models.CollectionInfo, dimension: int) -> None:
    vectors = info.config.params.vectors
    own = vectors.get(VECTOR) if isinstance(vectors, dict) else None
    if own is None or own.size != dimension or own.distance != models.Distance.COSINE:
        holds = f"{own.size} numbers ({own.distance.value})" if own else "another shape"
        raise StoreError(
            f"The collection {name} on the Qdrant server at {connection.address} holds vectors of {holds}; "
            f"the embedding model makes {dimension} (Cosine).",
            hint="Delete the collection, or give another prefix: store.prefix (COLLECTION_PREFIX).",
        )
