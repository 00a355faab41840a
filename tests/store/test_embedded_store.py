"""What only the store on disk can show: that it opens again, refuses what is not its own, and survives a kill."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from secrets import token_hex

import pytest
import qdrant_edge as engine  # noqa: TID251

from contract.samples import DIMENSION, graph, vectors
from mindnet.errors import BusyError, StoreError
from mindnet.store.embedded import FLUSH_AFTER, EmbeddedStore, open_store
from mindnet.store.packed import STORED
from mindnet.store.schema import INDEXES

ROOT = Path(__file__).resolve().parents[2]


def opened(folder: Path, dimension: int = DIMENSION) -> EmbeddedStore:
    return open_store(folder, prefix="test", dimension=dimension)


def test_a_store_opens_again_with_all_it_held(tmp_path: Path) -> None:
    one = graph("alpha", "a", "b", links=["beta"], tags=["x"])
    store = opened(tmp_path)
    store.replace_note(one, vectors(2))
    store.close()
    store = opened(tmp_path)
    assert store.note("alpha") == one.note
    assert store.chunks_of(["alpha"]) == list(one.chunks)
    assert store.edges_from(["alpha"]) == list(one.edges)
    assert all(store.indexes(collection) == frozenset(fields) for collection, fields in INDEXES.items())
    store.close()


def test_the_collections_carry_the_prefix(tmp_path: Path) -> None:
    opened(tmp_path).close()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["test_chunks", "test_edges", "test_notes"]


def test_what_was_written_without_a_flush_is_there_after_a_kill(tmp_path: Path) -> None:
    program = (
        "import sys, os, signal\n"
        "from pathlib import Path\n"
        "from contract.samples import DIMENSION, graph, vectors\n"
        "from mindnet.store.embedded import open_store\n"
        "store = open_store(Path(sys.argv[1]), prefix='test', dimension=DIMENSION)\n"
        "for number in range(20):\n"
        "    store.replace_note(graph(f'n{number:02d}', 'a', 'b', links=['hub']), vectors(2))\n"
        "os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    paths = os.pathsep.join([str(ROOT / "sidecar"), str(ROOT / "tests")])
    done = subprocess.run(
        [sys.executable, "-c", program, str(tmp_path)], env={**os.environ, "PYTHONPATH": paths}, check=False
    )
    assert done.returncode == -signal.SIGKILL
    store = opened(tmp_path)
    assert [store.count(collection) for collection in INDEXES] == [20, 40, 20]
    store.close()


def test_a_second_opening_is_told_who_is_in_the_way(tmp_path: Path) -> None:
    store = opened(tmp_path)
    with pytest.raises(BusyError, match="another process"):
        opened(tmp_path)
    assert store.count("notes") == 0
    store.close()


def test_vectors_of_another_length_do_not_open(tmp_path: Path) -> None:
    store = opened(tmp_path)
    store.replace_note(graph("alpha", "a"), vectors(1))
    store.close()
    with pytest.raises(StoreError, match="does not open"):
        opened(tmp_path, DIMENSION + 1)
    store = opened(tmp_path)
    assert store.count("chunks") == 1
    store.close()


@pytest.mark.parametrize("name", ["edge_config.json", "segments/*/segment.json", "wal/first-index"])
def test_a_damaged_store_says_that_it_does_not_open(tmp_path: Path, name: str) -> None:
    store = opened(tmp_path)
    store.replace_note(graph("alpha", "a"), vectors(1))
    store.close()
    (file, *_) = (tmp_path / "test_edges").glob(name)
    file.write_bytes(b"\xff" * 100)
    with pytest.raises(StoreError, match="does not open"):
        opened(tmp_path)


def test_files_of_somebody_else_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "test_notes").mkdir()
    (tmp_path / "test_notes" / "letter.txt").write_text("not a shard")
    store = opened(tmp_path)
    store.replace_note(graph("alpha", "a"), vectors(1))
    store.close()
    store = opened(tmp_path)
    assert store.note_ids() == ["alpha"]
    store.close()
    assert (tmp_path / "test_notes" / "letter.txt").read_text() == "not a shard"


def test_an_index_that_is_missing_is_made_on_opening(tmp_path: Path) -> None:
    opened(tmp_path).close()
    shard = engine.EdgeShard.load(str(tmp_path / "test_chunks"))
    shard.update(engine.UpdateOperation.delete_field_index(STORED["path"]))
    assert STORED["path"] not in shard.info().payload_schema
    shard.close()
    store = opened(tmp_path)
    assert "path" in store.indexes("chunks")
    store.close()


def log_size(folder: Path) -> int:
    return sum(file.stat().st_blocks * 512 for file in folder.glob("*/wal/*"))


def test_the_log_gives_its_room_back_with_every_flush(tmp_path: Path) -> None:
    """Also after the store was opened again, and after an operation that is larger than one of its files."""
    for round_ in range(2):
        store = opened(tmp_path)
        for number in range(8):
            store.replace_note(graph(f"n{number}", f"{round_}" + token_hex(50_000)), vectors(1))
        store.replace_note(graph("large", token_hex(1_000_000)), vectors(1))
        assert log_size(tmp_path) > 3_000_000
        store.flush()
        for number in range(8):
            store.replace_note(graph(f"n{number}", token_hex(50_000)), vectors(1))
        store.close()
        assert log_size(tmp_path) < 1_500_000


def payload_size(folder: Path, collection: str) -> int:
    return sum(
        file.stat().st_blocks * 512 for file in folder.glob(f"test_{collection}/segments/*/payload_storage/page*")
    )


def test_an_edge_takes_no_more_room_than_it_fills(tmp_path: Path) -> None:
    store = opened(tmp_path)
    number = 2_000
    for start in range(0, number, 100):
        linked = graph(f"n{start}", "a", links=[f"m{start + link:05d}" for link in range(100)])
        store.replace_note(linked, vectors(1))
    store.close()
    # Of blocks of 128 bytes, as is usual, each edge would fill two.
    assert payload_size(tmp_path, "edges") < 200 * number


def test_a_note_that_is_larger_than_a_file_of_payloads_comes_back(tmp_path: Path) -> None:
    large = graph("large", token_hex(4_000_000))
    store = opened(tmp_path)
    store.replace_note(large, vectors(1))
    store.close()
    store = opened(tmp_path)
    assert store.note("large") == large.note
    store.close()


class CountingShard:
    """Stands in for a shard and counts its flushes."""

    def __init__(self, shard: engine.EdgeShard) -> None:
        self._shard = shard
        self.flushes = 0

    def flush(self) -> None:
        self.flushes += 1
        self._shard.flush()

    def __getattr__(self, name: str) -> object:
        return getattr(self._shard, name)


def test_the_log_is_flushed_every_so_many_notes(tmp_path: Path) -> None:
    store = opened(tmp_path)
    shard = CountingShard(store._shards["chunks"])
    store._shards["chunks"] = shard  # type: ignore[assignment]
    for _ in range(FLUSH_AFTER - 1):
        store.remove_notes(["nobody"])
    assert shard.flushes == 0
    store.remove_notes(["nobody"])
    assert shard.flushes == 1
    store.close()
    assert shard.flushes == 2
