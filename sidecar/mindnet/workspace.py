"""A vault with everything that serves it, put together from the settings: what the command line and the API share."""

from __future__ import annotations

import hashlib
import json
import logging
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from mindnet.embedding.cache import VectorCache
from mindnet.embedding.load import load_embedder
from mindnet.embedding.port import Embedder
from mindnet.errors import StoreError
from mindnet.indexing.check import Problem, check_index
from mindnet.indexing.pipeline import Pipeline
from mindnet.indexing.source import Privacy, VaultSource
from mindnet.knowledge.kinds import KindRegistry
from mindnet.knowledge.types import TypeRegistry
from mindnet.records import Chunk
from mindnet.retrieval.intents import Intents
from mindnet.retrieval.search import Query, Searcher, SearchResult
from mindnet.retrieval.settings import RetrieverSettings
from mindnet.settings import Settings, load_settings
from mindnet.settings.folders import config_folder, data_folder, folder_name, hold, vault_folder, write_private
from mindnet.settings.reload import Reloading
from mindnet.store import files
from mindnet.store.embedded import open_store
from mindnet.store.lexical import LexicalIndex
from mindnet.store.manifest import Manifest
from mindnet.store.port import Store
from mindnet.store.said import SaidIndex
from mindnet.talk import open_chat
from mindnet.vault.discover import IgnoreRules, load_ignore_rules

log = logging.getLogger(__name__)
INDEX_VERSION = 7
"""Rises when the same vault would give other payloads: the index is then built anew."""


@dataclass(frozen=True, slots=True)
class Place:
    """A vault, where its data is, and the settings that apply to it."""

    vault: Path
    data_dir: Path
    config_dir: Path
    settings: Settings


def find_place(
    vault: Path, data_dir: Path | None, config_dir: Path | None, env: Mapping[str, str], flags: Mapping[str, Any]
) -> Place:
    """Resolves the folders and loads the settings; raises ``UsageError`` for what is wrong with them."""
    real = vault_folder(vault)
    config = config_folder(config_dir)
    settings = load_settings(config, env=env, flags=flags)
    given = data_dir or (Path(env["MINDNET_DATA_DIR"]) if env.get("MINDNET_DATA_DIR") else None)
    return Place(real, data_folder(real, given), config, settings)


def registries(settings: Settings) -> tuple[TypeRegistry, KindRegistry]:
    return (
        TypeRegistry.from_mapping(settings.types.model_dump(exclude_none=True)),
        KindRegistry.from_mapping(settings.edges.model_dump(exclude_none=True)),
    )


def make_source(vault: Path, settings: Settings, embedder: Embedder) -> VaultSource:
    types, kinds = registries(settings)
    return VaultSource(
        vault,
        rules=load_ignore_rules(vault, settings.mindnet.vault.exclude),
        types=types,
        kinds=kinds,
        privacy=Privacy(settings.mindnet.vault.private),
        tokenizer=embedder.tokenizer,
        max_tokens=embedder.max_tokens,
    )


def embedder_of(settings: Settings) -> Embedder:
    section = settings.mindnet.embedding
    return load_embedder(section.model or section.provider)


class Workspace:
    """An open index: holds the data folder until it is closed."""

    def __init__(self, place: Place, env: Mapping[str, str]) -> None:
        self.place = place
        self._resources = ExitStack()
        try:
            self._open(env)
        except BaseException:
            self._resources.close()
            raise

    def _open(self, env: Mapping[str, str]) -> None:
        place, keep = self.place, self._resources
        lock = hold(place.data_dir)
        keep.callback(lock.release)
        self.embedder = embedder_of(place.settings)
        source = make_source(place.vault, place.settings, self.embedder)
        remote = bool(place.settings.mindnet.store.url)
        self.rebuilt = _discard_outdated(place.data_dir, fingerprint(place.settings, self.embedder), remote=remote)
        try:
            self.store: Store = self._open_store(env)
        except StoreError as error:
            if remote:
                raise
            self.rebuilt = _set_aside(place.data_dir, error)
            self.store = self._open_store(env)
        keep.callback(self.store.close)
        self.manifest = Manifest.open(place.data_dir / files.MANIFEST)
        keep.callback(self.manifest.close)
        vectors = VectorCache(place.data_dir / files.VECTORS, self.embedder.name, self.embedder.dimension)
        keep.callback(vectors.close)
        self.lexical = LexicalIndex(self.manifest)
        self.said = SaidIndex(self.manifest)
        self.pipeline = Pipeline(
            source,
            store=self.store,
            manifest=self.manifest,
            embedder=self.embedder,
            vectors=vectors,
            hash_compare=place.settings.mindnet.indexing.hash_compare,
        )
        self.pipeline.reconcile()
        self.retriever = Reloading("retriever", place.config_dir, env, RetrieverSettings.from_mapping)
        self.intents = Reloading("intents", place.config_dir, env, Intents.from_mapping)
        self.searcher = Searcher(
            self.store,
            self.embedder,
            self.lexical,
            self.said,
            settings=self.retriever,
            kinds=source.kinds,
            status_scores=source.types.status_scores,
            intents=self.intents,
        )
        self.chat = open_chat(place.data_dir, place.config_dir, env, self, self._scoring, keep)

    def _scoring(self) -> tuple[int, object]:
        return self.pipeline.size()[0], (self.retriever(), self.embedder.name)

    def search(self, query: Query) -> SearchResult:
        return self.searcher.search(query)

    def chunks(self, chunk_ids: Sequence[str]) -> Mapping[str, Chunk]:
        return self.store.chunks(chunk_ids)

    def _open_store(self, env: Mapping[str, str]) -> Store:
        place, dimension = self.place, self.embedder.dimension
        settings = place.settings.mindnet.store
        if not settings.url:
            return open_store(place.data_dir / files.STORE, prefix=settings.prefix, dimension=dimension)
        # Here, since the client takes a second to import.
        from mindnet.store.server import open_server

        return open_server(
            settings.url,
            api_key=env.get("QDRANT_API_KEY") or None,
            prefix=settings.prefix,
            dimension=dimension,
            owner=folder_name(place.vault),
            fresh=not (place.data_dir / "index.sqlite").exists(),
        )

    def reload_rules(self) -> IgnoreRules:
        """Reads anew what the vault's own settings leave out; the next scan goes by it."""
        rules = load_ignore_rules(self.place.vault, self.place.settings.mindnet.vault.exclude)
        self.pipeline.source.rules = rules
        return rules

    def check(self) -> list[Problem]:
        return check_index(self.pipeline, self.lexical)

    def close(self) -> None:
        self._resources.close()

    def __enter__(self) -> Workspace:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def fingerprint(settings: Settings, embedder: Embedder) -> str:
    """What an index was built with: of two different ones, neither can read the other's."""
    parts = {
        "version": INDEX_VERSION,
        "embedder": embedder.name,
        "dimension": embedder.dimension,
        "store": settings.mindnet.store.url,
        "prefix": settings.mindnet.store.prefix,
        "private": settings.mindnet.vault.private,
        "types": settings.types.model_dump(),
        "edges": settings.edges.model_dump(),
    }
    return hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def _discard_outdated(folder: Path, current: str, *, remote: bool) -> str | None:
    """Removes an index that was built otherwise or is incomplete; says why, None when it stays.

    Vectors are kept apart from it, by model and window, so that a rebuild embeds nothing twice.
    """
    stamp = folder / files.STAMP
    parts = (folder / files.STORE, folder / files.MANIFEST)
    if not any(part.exists() for part in parts):
        reason = None
    elif not all(part.exists() for part in (parts[1:] if remote else parts)):
        reason = "the index is incomplete"
    elif _stamped(stamp) != current:
        reason = "the settings or the embedding model have changed"
    else:
        return None
    files.remove(files.present(folder, files.INDEX_FILES))
    write_private(stamp, json.dumps({"fingerprint": current}))
    return reason


def _stamped(stamp: Path) -> str | None:
    try:
        data = json.loads(stamp.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return data.get("fingerprint") if isinstance(data, dict) else None


def _set_aside(folder: Path, error: StoreError) -> str:
    """Moves a store that does not open beside itself, so that nothing is lost, and its manifest with it."""
    stamp = time.strftime("%Y%m%d-%H%M%S")
    for part in files.present(folder, files.INDEX_FILES):
        part.rename(folder / f"damaged-{stamp}-{part.name}")
    kept = f"damaged-{stamp}-{files.STORE}"
    return f"the store was damaged ({error.message}) and is built anew; the old one is kept as {kept}"
