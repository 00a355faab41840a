"""What is known of each file, and that it is written all or not at all."""

from __future__ import annotations

import sqlite3
import threading
from dataclasses import replace
from pathlib import Path

import pytest

from contract.samples import graph
from mindnet.errors import DamagedError, StoreError
from mindnet.records import Fault
from mindnet.store.kept_words import words_by_path
from mindnet.store.lexical import LexicalIndex
from mindnet.store.manifest import Manifest, ManifestEntry

ENTRY = ManifestEntry(
    path="Ordner/Ä.md",
    note_id="n1",
    size=10,
    mtime_ns=1_700_000_000_123_456_789,
    file_hash="f" * 64,
    body_hash="b" * 64,
    front_hash="h" * 64,
    body_line=4,
    payload_hash="p" * 64,
    chunks=2,
    edges=3,
    fm_id="n1",
    title="Ä",
    aliases=("Alias", "Ö"),
    type="concept",
    faults=(Fault("Ordner/Ä.md", 3, "code", "message"),),
    indexed=True,
    counts={"kind": {"references": 3}},
    stake={"says": ["e1"], "claims": {"e1": [True, 0.9, 1, False, True]}},
    link_keys=frozenset({"b", "c"}),
)


def test_entries_come_back_after_opening_again(tmp_path: Path, manifest: Manifest) -> None:
    manifest.commit([ENTRY], [])
    manifest.close()
    again = Manifest.open(tmp_path / "index.sqlite")
    assert again.entries() == {ENTRY.path: replace(ENTRY, link_keys=None)}
    assert again.paths_linking(["b"]) == {ENTRY.path}
    again.close()


def test_links_are_looked_up_by_any_key(manifest: Manifest) -> None:
    other = replace(ENTRY, path="other.md", link_keys=frozenset({"c"}))
    manifest.commit([ENTRY, other], [])
    assert manifest.paths_linking(["c"]) == {ENTRY.path, "other.md"}
    assert manifest.paths_linking(frozenset({"b", "nothing"})) == {ENTRY.path}
    assert manifest.paths_linking([]) == set()
    assert manifest.paths_linking([f"k{number}" for number in range(2_000)] + ["b"]) == {ENTRY.path}


def test_a_changed_note_links_as_it_does_now(manifest: Manifest) -> None:
    manifest.commit([ENTRY], [])
    manifest.commit([replace(ENTRY, link_keys=frozenset({"d"}))], [])
    assert manifest.paths_linking(["b", "c"]) == set()
    assert manifest.paths_linking(["d"]) == {ENTRY.path}


def test_an_entry_that_was_read_back_keeps_its_links(manifest: Manifest) -> None:
    manifest.commit([ENTRY], [])
    touched = manifest.entries()[ENTRY.path].with_stat(11, 12)
    manifest.commit([touched], [])
    assert manifest.entries()[ENTRY.path].size == 11
    assert manifest.paths_linking(["b"]) == {ENTRY.path}


def test_a_removed_file_is_forgotten(manifest: Manifest) -> None:
    manifest.commit([ENTRY], [])
    manifest.commit([], [ENTRY.path, "never seen.md"])
    assert manifest.entries() == {}
    assert manifest.paths_linking(["b", "c"]) == set()


def test_a_batch_that_fails_leaves_nothing_behind(manifest: Manifest) -> None:
    manifest.commit([ENTRY], [])
    bad = replace(ENTRY, path="bad \ud800.md")
    one = graph("good", "Strom", path="good.md")
    with pytest.raises(Exception):  # noqa: B017, PT011
        manifest.commit([replace(ENTRY, path="good.md"), bad], [ENTRY.path], words=words_by_path([one]))
    assert set(manifest.entries()) == {ENTRY.path}
    assert manifest.paths_linking(["b"]) == {ENTRY.path}
    assert list(LexicalIndex(manifest).chunk_ids()) == []
    manifest.commit([replace(ENTRY, path="good.md")], [], words=words_by_path([one]))
    assert list(LexicalIndex(manifest).chunk_ids()) == ["good#c01"]


def test_a_file_that_is_no_manifest_says_so(tmp_path: Path) -> None:
    (tmp_path / "index.sqlite").write_bytes(b"no database at all" * 100)
    with pytest.raises(DamagedError, match="is damaged"):
        Manifest.open(tmp_path / "index.sqlite")


def test_a_manifest_of_another_version_says_so(tmp_path: Path) -> None:
    older = sqlite3.connect(tmp_path / "index.sqlite")
    older.execute("CREATE TABLE notes (path TEXT)")
    older.execute("PRAGMA user_version = 1")
    older.close()
    with pytest.raises(StoreError, match="another version"):
        Manifest.open(tmp_path / "index.sqlite")


def test_a_closed_manifest_says_so(tmp_path: Path) -> None:
    closed = Manifest.open(tmp_path / "index.sqlite")
    closed.close()
    with pytest.raises(StoreError):
        closed.entries()


def test_several_threads_may_write_and_read(manifest: Manifest) -> None:
    failures: list[BaseException] = []

    def work(name: str) -> None:
        try:
            for round_ in range(20):
                manifest.commit(
                    [replace(ENTRY, path=f"{name}.md", size=round_)],
                    [],
                    words=words_by_path([graph(name, f"Strom {round_}")]),
                )
                assert manifest.entries()[f"{name}.md"].size == round_
                LexicalIndex(manifest).search("Strom", 5)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(f"n{number}",)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
    assert failures == []
    assert len(manifest.entries()) == 4


def test_another_reader_sees_whole_batches(tmp_path: Path, manifest: Manifest) -> None:
    manifest.commit([ENTRY, replace(ENTRY, path="b.md")], [])
    reader = sqlite3.connect(tmp_path / "index.sqlite")
    assert reader.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert reader.execute("SELECT count(*) FROM notes").fetchone() == (2,)
    reader.close()


def test_what_was_announced_is_pending_until_it_is_committed(tmp_path: Path, manifest: Manifest) -> None:
    manifest.announce(["a.md", "b.md", "gone.md", ENTRY.path])
    manifest.announce(["a.md"])
    manifest.close()
    again = Manifest.open(tmp_path / "index.sqlite")
    again.commit([ENTRY], ["gone.md"], settled=["b.md"])
    assert again.pending() == {"a.md"}
    again.close()
