"""The collections on a Qdrant server: made where missing, refused where they are not ours, named and removed."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True)
class Family:
    """The collections of one vault: three for each build of its index, and three plain names for the one that serves.

    ``<prefix>_<build>_notes`` is a collection, ``<prefix>_notes`` an alias of one.
    """

    prefix: str
    owner: str

    def names(self, build: str) -> dict[Collection, str]:
        return {collection: f"{self.prefix}_{build}_{collection}" for collection in INDEXES}

    def plain(self, collection: Collection) -> str:
        return f"{self.prefix}_{collection}"

    def build_of(self, name: str) -> str | None:
        """The build that a collection's name tells, empty for a plain name, None for one outside of the family."""
        middle = "|".join(INDEXES)
        found = re.fullmatch(rf"{re.escape(self.prefix)}_(?:([0-9a-f]{{12}})_)?(?:{middle})", name)
        return None if found is None else found.group(1) or ""


def prepare(connection: Connection, family: Family, build: str, *, dimension: int, fresh: bool) -> None:
    """Brings the collections of a build to the shape that the store needs; ``fresh`` empties them first.

    Raises ``StoreError`` for a server that is too old, for collections of another vault under this prefix and for
    vectors of another length; nothing has been changed then.
    """
    _check_version(connection)
    names = family.names(build)
    found = _members(connection, family)
    for name, info in found.items():
        _check_owner(connection, name, info, family.owner)
    held = {collection: found[name] for collection, name in names.items() if name in found}
    if fresh:
        for collection in held:
            _delete(connection, names[collection])
        held = {}
    if "chunks" in held:
        _check_vectors(connection, names["chunks"], held["chunks"], dimension)
    for collection, name in names.items():
        if collection not in held:
            _create(connection, name, dimension if collection == "chunks" else None, family.owner)
        present = held[collection].payload_schema if collection in held else {}
        for field, kind in INDEXES[collection].items():
            if field not in present:
                _create_index(connection, name, field, kind)


def publish(connection: Connection, family: Family, names: Mapping[Collection, str]) -> None:
    """Lets the plain names lead to these collections, all three in one step."""
    for name, info in _members(connection, family).items():
        if family.build_of(name) == "":
            # An alias cannot have the name of a collection: that of a version before there were builds goes.
            _check_owner(connection, name, info, family.owner)
            _delete(connection, name)
    found = connection.ask(lambda client: client.get_aliases()).aliases
    leading = {one.alias_name: one.collection_name for one in found}
    steps: list[models.AliasOperations] = []
    for collection, name in names.items():
        plain = family.plain(collection)
        if plain in leading:
            if family.build_of(leading[plain]) is None:
                raise _refused(connection, plain, "is an alias that was not made by mindnet")
            steps.append(models.DeleteAliasOperation(delete_alias=models.DeleteAlias(alias_name=plain)))
        create = models.CreateAlias(collection_name=name, alias_name=plain)
        steps.append(models.CreateAliasOperation(create_alias=create))
    connection.ask(lambda client: client.update_collection_aliases(steps))


def remove(connection: Connection, family: Family, keep: Container[str]) -> list[str]:
    """Deletes the owner's collections of all builds but these, with their aliases; gives their names."""
    gone = []
    for name, info in _members(connection, family).items():
        if family.build_of(name) not in keep and _owner(info) == family.owner:
            _delete(connection, name)
            gone.append(name)
    return gone


def _members(connection: Connection, family: Family) -> dict[str, models.CollectionInfo]:
    """The collections whose names are in the family, whosever they are."""
    found = connection.ask(lambda client: client.get_collections()).collections
    names = sorted(one.name for one in found if family.build_of(one.name) is not None)
    return {name: info for name in names if (info := _info(connection, name))}


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
        raise _refused(connection, name, whose)


def _refused(connection: Connection, name: str, why: str) -> StoreError:
    return StoreError(
        f"The collection {name} on the Qdrant server at {connection.address} {why}.",
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
