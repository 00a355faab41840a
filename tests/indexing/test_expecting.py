"""What embeds many notes is started while they are read, and only if they will have to be embedded."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path

import pytest

from indexing.test_incremental import EMBEDDER, index_of
from mindnet.embedding.hashing import HashingEmbedder
from mindnet.indexing.pipeline import BATCH_NOTES
from mindnet.store.memory import MemoryStore


class Expecting(HashingEmbedder):
    def __init__(self) -> None:
        super().__init__()
        self.expected: list[int] = []

    def many(self, expected: int = 0) -> AbstractContextManager[None]:
        self.expected.append(expected)
        return super().many(expected)


@pytest.mark.parametrize("notes", [BATCH_NOTES, BATCH_NOTES + 1])
def test_many_notes_that_were_never_seen_are_expected(tmp_path: Path, notes: int) -> None:
    for number in range(notes):
        (tmp_path / f"n{number}.md").write_text(f"# N\n\nText {number}.\n", encoding="utf-8")
    embedder = Expecting()
    with index_of(tmp_path, MemoryStore(dimension=EMBEDDER.dimension)) as index:
        index.pipeline.embedder = embedder
        index.pipeline.update(None)
        assert embedder.expected[:1] == ([notes] if notes > BATCH_NOTES else [])
        embedder.expected.clear()
        # Nothing is new, and their vectors are known.
        index.pipeline.redo([f"n{number}.md" for number in range(notes)])
        index.pipeline.update(None)
        assert not any(embedder.expected)
        # New paths, but a model whose vectors are known: perhaps these very ones.
        for number in range(notes):
            (tmp_path / f"n{number}.md").rename(tmp_path / f"m{number}.md")
        index.pipeline.update(None)
        assert not any(embedder.expected)
