"""Windows that were embedded once are not embedded again."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest

from mindnet.embedding.cache import VectorCache, embed_cached, rounded, window_hash
from mindnet.embedding.hashing import HashingEmbedder
from mindnet.embedding.port import Vectors


class CountingEmbedder(HashingEmbedder):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        self.seen += texts
        return super().embed_passages(texts)


@pytest.fixture
def embedder() -> CountingEmbedder:
    return CountingEmbedder()


@pytest.fixture
def cache(tmp_path: Path, embedder: CountingEmbedder) -> Iterator[VectorCache]:
    made = VectorCache(tmp_path / "vectors.sqlite", embedder.name, embedder.dimension)
    yield made
    made.close()


def test_vectors_come_in_the_order_of_the_windows(cache: VectorCache, embedder: CountingEmbedder) -> None:
    windows = ["a longer window than the others", "short", "middle one", "short"]
    made, embedded, reused = embed_cached(embedder, cache, windows)
    assert np.allclose(made, HashingEmbedder().embed_passages(windows), atol=8e-6, rtol=0)
    assert (embedded, reused) == (3, 1)
    assert sorted(embedder.seen) == sorted(set(windows))


def test_a_known_window_costs_nothing(cache: VectorCache, embedder: CountingEmbedder) -> None:
    first, *_ = embed_cached(embedder, cache, ["one", "two"])
    second, embedded, reused = embed_cached(embedder, cache, ["two", "three", "one"])
    assert (embedded, reused) == (1, 2)
    assert embedder.seen.count("one") == embedder.seen.count("two") == 1
    assert np.array_equal(second[[2, 0]], first)


def test_no_windows_are_no_vectors(cache: VectorCache, embedder: CountingEmbedder) -> None:
    made, embedded, reused = embed_cached(embedder, cache, [])
    assert made.shape == (0, embedder.dimension)
    assert (embedded, reused) == (0, 0)
    assert embedder.seen == []


def test_vectors_outlive_the_process_and_are_kept_by_model(tmp_path: Path) -> None:
    file = tmp_path / "vectors.sqlite"
    vector = np.arange(3, dtype=np.float32)
    key = window_hash("text")
    cache = VectorCache(file, "model one", 3)
    cache.put_many({key: vector})
    cache.close()
    again, other, longer = (
        VectorCache(file, "model one", 3),
        VectorCache(file, "model two", 3),
        VectorCache(file, "model one", 4),
    )
    assert np.array_equal(again.get_many([key])[key], vector)
    assert other.get_many([key]) == {}
    assert longer.get_many([key]) == {}
    for one in (again, other, longer):
        one.close()


def test_more_hashes_than_one_statement_takes(cache: VectorCache, embedder: CountingEmbedder) -> None:
    windows = [f"window {number}" for number in range(1_234)]
    embed_cached(embedder, cache, windows)
    assert len(cache.get_many([window_hash(one) for one in windows])) == 1_234


def test_windows_with_broken_characters_have_a_hash() -> None:
    assert window_hash("a\ud800") != window_hash("a\ud801")


@pytest.mark.parametrize("largest", [0.001, 0.2499, 0.24999999, 0.25, 0.4999, 0.49999999, 0.5, 1.0, 300.0])
def test_what_is_kept_is_near_what_was_given_and_does_not_move_again(tmp_path: Path, largest: float) -> None:
    given = np.random.default_rng(1).uniform(-largest, largest, (50, 64)).astype(np.float32)
    given[:, 0] = largest
    given[0] = 0.0
    kept = rounded(given)
    assert np.abs(kept - given).max() <= 8e-6
    assert np.array_equal(rounded(kept), kept)
    cache = VectorCache(tmp_path / "vectors.sqlite", "model", 64)
    keys = [window_hash(str(number)) for number in range(50)]
    cache.put_many(dict(zip(keys, given, strict=True)))
    found = cache.get_many(keys)
    assert np.array_equal(np.stack([found[key] for key in keys]), kept)
    cache.close()


def test_vectors_take_little_more_than_half_of_their_room(tmp_path: Path) -> None:
    file = tmp_path / "vectors.sqlite"
    cache = VectorCache(file, "model", 512)
    made = np.random.default_rng(1).normal(size=(2_000, 512)).astype(np.float32)
    made /= np.linalg.norm(made, axis=1, keepdims=True)
    cache.put_many({window_hash(str(number)): row for number, row in enumerate(made)})
    cache.close()
    assert file.stat().st_size < 0.6 * made.nbytes


def test_a_file_of_another_layout_is_begun_anew(tmp_path: Path) -> None:
    file = tmp_path / "vectors.sqlite"
    older = sqlite3.connect(file)
    older.execute("CREATE TABLE vectors (model TEXT, window_hash BLOB, vector BLOB)")
    older.execute("INSERT INTO vectors VALUES ('model', x'00', x'00')")
    older.commit()
    older.close()
    key = window_hash("text")
    cache = VectorCache(file, "model", 3)
    assert cache.get_many([key, b"\0"]) == {}
    cache.put_many({key: np.array([0.5, 0.25, 0.0], dtype=np.float32)})
    cache.close()
    again = VectorCache(file, "model", 3)
    assert again.get_many([key]).keys() == {key}
    again.close()


def test_vectors_of_models_that_are_not_used_any_more_give_their_room_back(tmp_path: Path) -> None:
    file = tmp_path / "vectors.sqlite"
    vectors = {window_hash(str(number)): np.full(512, number / 9_000, dtype=np.float32) for number in range(6_000)}
    few = dict(list(vectors.items())[:300])
    caches = [VectorCache(file, name, 512) for name in ("old", "older", "used")]
    for cache, own in zip(caches, (vectors, few, few), strict=True):
        cache.put_many(own)
    before = file.stat().st_size
    *_, used = caches
    assert used.keep(["used"]) == 6_300
    assert file.stat().st_size < before / 10
    assert used.get_many(list(vectors)).keys() == few.keys()
    assert used.keep(["used"]) == 0
    for cache in caches:
        cache.close()
    again = VectorCache(file, "old", 512)
    assert again.get_many(list(vectors)) == {}
    again.close()


@pytest.mark.parametrize("start", [0, 16_384], ids=["its head", "a page"])
def test_a_damaged_file_is_kept_aside_and_vectors_are_made_anew(
    tmp_path: Path, start: int, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "vectors.sqlite"
    vectors = {window_hash(str(number)): np.full(512, number / 500, dtype=np.float32) for number in range(200)}
    cache = VectorCache(file, "model", 512)
    cache.put_many(vectors)
    cache.close()
    content = bytearray(file.read_bytes())
    content[start:] = b"\xa5" * (len(content) - start)
    file.write_bytes(content)
    again = VectorCache(file, "model", 512)
    assert again.get_many(list(vectors)) == {}
    again.put_many(vectors)
    assert again.get_many(list(vectors)).keys() == vectors.keys()
    again.close()
    (kept,) = tmp_path.glob("vectors-damaged-*.sqlite")
    assert kept.read_bytes()[start:] == content[start:]
    assert "is damaged" in caplog.text
