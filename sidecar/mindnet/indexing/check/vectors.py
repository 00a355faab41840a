"""Rules on vectors: each chunk has one, and it is that of its window."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from mindnet.embedding.cache import window_hash
from mindnet.embedding.port import Vectors
from mindnet.indexing.check.problem import Problem, place
from mindnet.indexing.check.rebuilt import Rebuilt
from mindnet.indexing.pipeline import Pipeline
from mindnet.records import Chunk

NEAR = 1e-5
"""So far may a number of a unit vector be off: stores bring vectors to length one."""


def vectors_fit(some: Sequence[Rebuilt], pipeline: Pipeline) -> Iterator[Problem]:
    """Each chunk has a vector of the model's length, not all zeros, equal to the one that is kept for its window."""
    chunks = [chunk for one in some if one.graph for chunk in one.graph.chunks]
    stored = pipeline.store.chunk_vectors([chunk.chunk_id for chunk in chunks])
    hashes = {chunk.chunk_id: window_hash(chunk.window) for chunk in chunks}
    known = pipeline.vectors.get_many(list(dict.fromkeys(hashes.values())))
    held = {chunk["chunk_id"] for one in some for chunk in one.stored.get("chunks", ()) if "chunk_id" in chunk}
    for chunk in chunks:
        if chunk.chunk_id in held:
            wrong = _wrong(chunk, stored, known.get(hashes[chunk.chunk_id]), pipeline.embedder.dimension)
            if wrong is not None:
                code, message = wrong
                yield Problem(code, place(chunk.path, chunk.start_line), f"chunk {chunk.ord}: {message}")


def _wrong(chunk: Chunk, stored: Mapping[str, Vectors], due: Vectors | None, dimension: int) -> tuple[str, str] | None:
    vector = stored.get(chunk.chunk_id)
    if vector is None:
        return "vector_missing", "it is stored without a vector"
    if vector.shape != (dimension,):
        return "vector_differs", f"its vector has {vector.size} numbers, the model gives {dimension}"
    if due is not None:
        far = float(np.abs(_unit(vector) - _unit(due)).max(initial=0.0))
        return None if far <= NEAR else ("vector_differs", f"its vector is not that of its window (off by {far:.2g})")
    return None if vector.any() else ("vector_differs", "its vector is all zeros")


def _unit(vector: Vectors) -> Vectors:
    length = float(np.linalg.norm(vector))
    return vector / np.float32(length) if length else vector
