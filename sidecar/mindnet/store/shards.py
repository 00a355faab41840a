"""Shards of Qdrant's engine in the data folder: made small, opened, told apart from what is damaged.

The engine reads ``edge_config.json`` of a folder and makes what is missing in it. So a new shard
begins with that file, which holds two things that the engine's Python face cannot say: a
write-ahead log in small segments (by default 32 MB each, of which one stays behind after every
flush), and no vectors at all for notes and edges.
"""

from __future__ import annotations

import json
from pathlib import Path

import qdrant_edge as engine

from mindnet.store.engine_filters import field_indexes
from mindnet.store.port import Collection

VECTOR = "window"
LOG_SEGMENT = 128 * 1024
"""Bytes after which the log begins a new file; a larger operation gets a file of its own."""
_CONFIG = "edge_config.json"


def open_shard(folder: Path, collection: Collection, dimension: int) -> engine.EdgeShard:
    """The shard in ``folder``, made if there is none, with every index; raises the engine's own errors."""
    folder.mkdir(parents=True, exist_ok=True)
    if not (folder / _CONFIG).exists() and not (folder / "segments").exists():
        _write_config(folder, collection, dimension)
    shard = engine.EdgeShard.load(str(folder), _expected(dimension) if collection == "chunks" else None)
    present = shard.info().payload_schema
    for name, kind in field_indexes(collection).items():
        if name not in present:
            shard.update(engine.UpdateOperation.create_field_index(name, kind))
    return shard


def _expected(dimension: int) -> engine.EdgeConfig:
    """With it, the engine refuses vectors of another length when it opens."""
    size = engine.EdgeVectorParams(size=dimension, distance=engine.Distance.Cosine)
    return engine.EdgeConfig(vectors={VECTOR: size}, wal_enabled=True)


def _write_config(folder: Path, collection: Collection, dimension: int) -> None:
    config = {
        "vectors": {VECTOR: {"size": dimension, "distance": "Cosine"}} if collection == "chunks" else {},
        "sparse_vectors": {},
        "wal_options": {"segment_capacity": LOG_SEGMENT, "segment_queue_len": 0, "retain_closed": 1},
        "wal_enabled": True,
    }
    # In one step: half of it would be a shard that does not open.
    half = folder / f"{_CONFIG}.new"
    half.write_text(json.dumps(config), encoding="utf-8")
    half.replace(folder / _CONFIG)
