"""All that an index holds, read from its data folder, and where two indexes differ."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from mindnet.embedding.port import Vectors
from mindnet.store import files
from mindnet.store.bags import ordered
from mindnet.store.embedded import open_store
from mindnet.store.manifest import Manifest
from mindnet.store.port import Collection
from mindnet.workspace import Workspace, embedder_of, find_place
from soaking.daemon import environment

KEYS: Mapping[Collection, str] = {"notes": "note_id", "chunks": "chunk_id", "edges": "edge_id"}
ASIDE = frozenset({"created", "updated"})
"""Fields that come from the file's dates."""
TOLERANCE = 1e-5
SHOWN = 12


@dataclass(frozen=True, slots=True)
class Snapshot:
    """Records by key, in parts: the three collections, the words of chunks, the manifest's entries and links.

    ``doubled`` names keys that are stored more than once.
    """

    parts: Mapping[str, Mapping[str, Mapping[str, Any]]]
    vectors: Mapping[str, Vectors]
    doubled: tuple[str, ...]

    def counts(self) -> dict[str, int]:
        return {name: len(part) for name, part in self.parts.items()}


def fresh_index(vault: Path, data: Path, config: Path) -> None:
    """Imports the vault into an empty data folder."""
    env = environment()
    with Workspace(find_place(vault, data, config, env, {}), env) as workspace:
        workspace.update(None)


def read_index(vault: Path, data: Path, config: Path) -> Snapshot:
    """Reads a data folder that no process holds."""
    env = environment()
    settings = find_place(vault, data, config, env, {}).settings
    parts: dict[str, dict[str, Mapping[str, Any]]] = {}
    doubled: list[str] = []
    dimension = embedder_of(settings, env).dimension
    (index,) = files.index_folders(data).values()
    store = open_store(index / files.STORE, prefix=settings.mindnet.store.prefix, dimension=dimension)
    try:
        for collection, key in KEYS.items():
            part = parts.setdefault(collection, {})
            for payload in store.scroll(collection):
                if payload[key] in part:
                    doubled.append(f"{collection} {payload[key]}")
                part[payload[key]] = {name: value for name, value in payload.items() if name not in ASIDE}
        vectors = store.chunk_vectors(list(parts["chunks"]))
    finally:
        store.close()
    manifest = Manifest.open(index / files.MANIFEST)
    try:
        parts["words"] = {
            bag.chunk_id: {"note_id": bag.note_id, "length": bag.length, "bag": ordered(bag.bag).hex()}
            for bag in manifest.chunk_table.written(0)
        }
        parts["files"] = {path: _plain(asdict(entry)) for path, entry in manifest.entries().items()}
        with manifest.reading() as db:
            links = db.execute("SELECT key, path FROM links JOIN notes ON number = note").fetchall()
        parts["links"] = {f"{path} -> {key}": {} for key, path in links}
    finally:
        manifest.close()
    return Snapshot(parts, vectors, tuple(doubled))


def _plain(value: Mapping[str, Any]) -> Mapping[str, Any]:
    decoded: Mapping[str, Any] = json.loads(json.dumps(value, default=list))
    return decoded


def differences(found: Snapshot, wanted: Snapshot) -> Iterator[str]:
    """A line for each record that one index has otherwise than the other."""
    yield from (f"stored twice: {one}" for one in found.doubled)
    for name, part in wanted.parts.items():
        have = found.parts[name]
        yield from (f"{name}: missing {key}" for key in sorted(part.keys() - have.keys()))
        yield from (f"{name}: too much {key} {_short(have[key])}" for key in sorted(have.keys() - part.keys()))
        for key in sorted(part.keys() & have.keys()):
            if part[key] != have[key]:
                fields = sorted({*part[key], *have[key]})
                unlike = [field for field in fields if part[key].get(field) != have[key].get(field)]
                yield f"{name}: {key} differs: " + "; ".join(
                    f"{field} is {_short(have[key].get(field))}, should be {_short(part[key].get(field))}"
                    for field in unlike
                )
    for key in sorted(wanted.vectors.keys() & found.vectors.keys()):
        apart = float(np.abs(wanted.vectors[key] - found.vectors[key]).max())
        if apart > TOLERANCE:
            yield f"vectors: {key} is {apart:.1e} away"
    yield from (f"vectors: missing {key}" for key in sorted(wanted.vectors.keys() - found.vectors.keys()))


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) < 200 else f"{text[:200]}…"
