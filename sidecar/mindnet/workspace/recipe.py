"""What an index is built with: of two different recipes, neither's index can be filled by the other."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from mindnet.embedding.port import Embedder
from mindnet.errors import StoreError
from mindnet.settings import Settings
from mindnet.settings.folders import write_private
from mindnet.settings.schema import EdgesFile, EmbeddingSection, TypesFile
from mindnet.store import files

INDEX_VERSION = 12
"""Rises when the same vault would give other payloads: the index is then built anew."""
READABLE_VERSIONS: frozenset[int] = frozenset()
"""Older ones whose index can still be searched while the new one is built. It is not written to any more, so it does
not learn of what is saved, deleted or made private meanwhile."""
BUILD_DIGITS = 12

_CHANGES: Mapping[str, str] = {
    "version": "this version of mindnet stores notes in another way",
    "embedder": "the embedding model has changed",
    "dimension": "the embedding model has changed",
    "max_tokens": "the embedding model is given more or fewer tokens at once",
    "types": "the types or chunk settings (types.yaml) have changed",
    "edges": "the rules of edges (edges.yaml) have changed",
    "private": "what is private (vault.private) has changed",
    "store": "the index is kept in another place (store.url)",
    "prefix": "the collections have another prefix (store.prefix)",
}


@dataclass(frozen=True)
class Recipe:
    """The settings that shape an index, as they are kept beside it.

    ``embedder`` names model and version, ``embedding`` is the section of the settings that loads it, ``max_tokens``
    what it is given at once (0 in recipes of versions that did not note it).
    """

    version: int
    embedder: str
    embedding: Mapping[str, Any]
    dimension: int
    store: str
    prefix: str
    private: list[str]
    types: Mapping[str, Any]
    edges: Mapping[str, Any]
    max_tokens: int = 0

    @classmethod
    def of(cls, settings: Settings, embedder: Embedder) -> Recipe:
        return cls(
            version=INDEX_VERSION,
            embedder=embedder.name,
            embedding=settings.mindnet.embedding.model_dump(),
            dimension=embedder.dimension,
            store=settings.mindnet.store.url,
            prefix=settings.mindnet.store.prefix,
            private=settings.mindnet.vault.private,
            types=settings.types.model_dump(),
            edges=settings.edges.model_dump(),
            max_tokens=embedder.max_tokens,
        )

    @classmethod
    def read(cls, folder: Path) -> Recipe | None:
        """The recipe of the index in ``folder``; None where there is none, or one of another program."""
        try:
            return cls(**json.loads((folder / files.RECIPE).read_text(encoding="utf-8")))
        except (OSError, ValueError, TypeError):
            return None

    def write(self, folder: Path) -> None:
        write_private(folder / files.RECIPE, json.dumps(asdict(self), ensure_ascii=False))

    @cached_property
    def fingerprint(self) -> str:
        """The same for two recipes exactly when they give the same index."""
        parts = {name: getattr(self, name) for name in _CHANGES}
        return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()

    @property
    def build(self) -> str:
        """The short form of the fingerprint, which stands in names of folders and collections."""
        return self.fingerprint[:BUILD_DIGITS]

    @property
    def is_current(self) -> bool:
        """Whether this version of mindnet can write to such an index."""
        return self.version == INDEX_VERSION

    @property
    def is_readable(self) -> bool:
        """Whether this version of mindnet can search such an index."""
        return self.is_current or self.version in READABLE_VERSIONS

    def unlike(self, other: Recipe) -> str:
        """Why an index of this recipe is none of the other's: a clause, or several; empty when it is."""
        changes = {text: None for name, text in _CHANGES.items() if getattr(self, name) != getattr(other, name)}
        return " and ".join(changes)

    def applied_to(self, settings: Settings) -> Settings:
        """The settings with this recipe's in their place; raises ``StoreError`` for those that are not understood."""
        try:
            types, edges = TypesFile.model_validate(self.types), EdgesFile.model_validate(self.edges)
            embedding = EmbeddingSection.model_validate(self.embedding)
        except ValidationError as error:
            raise StoreError("It was built with settings that this version of mindnet does not know.") from error
        own = settings.mindnet
        return replace(
            settings,
            types=types,
            edges=edges,
            mindnet=own.model_copy(
                update={
                    "vault": own.vault.model_copy(update={"private": self.private}),
                    "store": own.store.model_copy(update={"url": self.store, "prefix": self.prefix}),
                    "embedding": embedding,
                }
            ),
        )
