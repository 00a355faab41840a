"""Shards of Qdrant's engine in the data folder: made small, opened, told apart from what is damaged.

The engine reads ``edge_config.json`` of a folder and makes what is missing in it. So a new shard
begins with that file, which holds two things that the engine's Python face cannot say: a
write-ahead log in small segments (by default 32 MB each, of which one stays behind after every
flush), and no vectors at all for notes and edges.

Payloads are kept in blocks, the last of which is half empty on average. While a shard is empty,
its blocks of 128 bytes are made those of 16 bytes that the engine has for its own indexes.
"""

from __future__ import annotations

import json
import os
import shutil
from pathlib import Path

import qdrant_edge as engine

from mindnet.store.engine_filters import field_indexes
from mindnet.store.port import Collection

VECTOR = "window"
LOG_SEGMENT = 128 * 1024
"""Bytes after which the log begins a new file; a larger operation gets a file of its own."""
_CONFIG, _SEGMENTS = "edge_config.json", "segments"
_BLOCK = 16
"""Bytes of a block of payloads."""


def open_shard(folder: Path, collection: Collection, dimension: int) -> engine.EdgeShard:
    """The shard in ``folder``, made if there is none, with every index; raises the engine's own errors."""
    if not (folder / _CONFIG).exists() and not (folder / _SEGMENTS).exists():
        _make(folder, collection, dimension)
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


def _make(folder: Path, collection: Collection, dimension: int) -> None:
    """Makes an empty shard beside the folder, and puts it there in one step: half of it would not open."""
    new = folder.with_name(f"{folder.name}.new")
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir(parents=True)
    (new / _CONFIG).write_text(json.dumps(_config(collection, dimension)), encoding="utf-8")
    engine.EdgeShard.load(str(new)).close()
    for payloads in new.glob(f"{_SEGMENTS}/*/payload_storage"):
        _narrow(payloads)
    if folder.exists() and any(folder.iterdir()):
        # Beside files of somebody else; the segments last, by which a shard is known.
        for part in sorted(new.iterdir(), key=lambda part: part.name == _SEGMENTS):
            part.replace(folder / part.name)
        new.rmdir()
        return
    if folder.exists():
        folder.rmdir()
    new.rename(folder)


def _narrow(payloads: Path) -> None:
    """Has an empty storage of payloads use smaller blocks, and as many of them in each of its files as before."""
    file, page = payloads / "config.json", payloads / "page_0.dat"
    config = json.loads(file.read_text(encoding="utf-8"))
    narrower = config["block_size_bytes"] // _BLOCK
    if narrower > 1:
        config["block_size_bytes"] //= narrower
        config["page_size_bytes"] //= narrower
        os.truncate(page, config["page_size_bytes"])
        file.write_text(json.dumps(config), encoding="utf-8")


def _config(collection: Collection, dimension: int) -> dict[str, object]:
    return {
        "vectors": {VECTOR: {"size": dimension, "distance": "Cosine"}} if collection == "chunks" else {},
        "sparse_vectors": {},
        "wal_options": {"segment_capacity": LOG_SEGMENT, "segment_queue_len": 0, "retain_closed": 1},
        "wal_enabled": True,
    }
