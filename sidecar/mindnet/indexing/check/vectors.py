"""Rules on vectors: each chunk has one, and it is that of its window."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from mindnet.embedding.cache import window_hash
from mindnet.embedding.port import Vectors
from mindnet.indexing.check.problem import Problem, place
from mindnet.indexing.check.rebuilt import Rebuilt
from mindnet.indexing.pipeline import Pipeline

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
        if chunk.chunk_id not in held:
            continue
        at = place(chunk.path, chunk.start_line)
        vector = stored.get(chunk.chunk_id)
        if vector is None:
            yield Problem("vector_missing", at, f"chunk {chunk.ord} is stored without a vector")
        elif wrong := _wrong(vector, known.get(hashes[chunk.chunk_id]), pipeline.embedder.dimension):
            yield Problem("vector_differs", at, f"the vector of chunk {chunk.ord} {wrong}")


def _wrong(vector: Vectors, due: Vectors | None, dimension: int) -> str:
    """What is wrong with a vector, as the end of a sentence; ``due`` is the one that is known for its window."""
    if vector.shape != (dimension,):
        return f"has {vector.size} numbers, the model gives {dimension}"
    if due is None:
        return "" if vector.any() else "is all zeros"
    far = float(np.abs(_unit(vector) - _unit(due)).max(initial=0.0))
    return "" if far <= NEAR else f"is not that of its window (off by {far:.2g})"


def _unit(vector: Vectors) -> Vectors:
    length = float(np.linalg.norm(vector))
    return vector / np.float32(length) if length else vector
