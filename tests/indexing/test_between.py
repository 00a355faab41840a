"""What is saved while a long import runs is indexed at once, and the import does not undo it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from indexing.test_incremental import EMBEDDER, Index, afresh, index_of
from mindnet.indexing.pipeline import BATCH_NOTES, Update
from mindnet.store.memory import MemoryStore


def vault_of(folder: Path) -> Path:
    """Enough notes for three batches, all of one age but the last, which a scan takes last."""
    vault = folder / "vault"
    vault.mkdir()
    for number in range(2 * BATCH_NOTES + 10):
        (vault / f"N{number:03}.md").write_text(f"# N{number:03}\n\nrel: uses [[Late]]\n", encoding="utf-8")
    write(vault / "Late.md", "# Late\n\nold words\n", age=100)
    return vault


def write(file: Path, text: str, age: int = 0) -> None:
    file.write_text(text, encoding="utf-8")
    if age:
        os.utime(file, (file.stat().st_mtime - age, file.stat().st_mtime - age))


def change(vault: Path) -> set[str]:
    (vault / "Late.md").write_text("# Late\n\nnew words\n\nrel: used_by [[N000]]\n", encoding="utf-8")
    return {"Late.md"}


def remove(vault: Path) -> set[str]:
    (vault / "Late.md").unlink()
    return {"Late.md"}


def rename(vault: Path) -> set[str]:
    (vault / "Late.md").replace(vault / "Later.md")
    return {"Late.md", "Later.md"}


def create(vault: Path) -> set[str]:
    (vault / "folder").mkdir()
    (vault / "folder" / "Late.md").write_text("# Other\n\n[[N001]]\n", encoding="utf-8")
    return {"folder"}


@pytest.mark.parametrize("event", [change, remove, rename, create])
@pytest.mark.parametrize("known", [False, True])
def test_the_newest_state_is_searchable_first_and_stays(
    tmp_path: Path, event: Callable[[Path], set[str]], known: bool
) -> None:
    vault = vault_of(tmp_path)
    seen: list[int] = []

    def between(update: Update) -> None:
        if not seen:
            report = update(frozenset(event(vault)), True)
            assert report is not None
            seen.append(report.notes)
            assert index.store.count("notes") == report.notes

    with index_of(vault, MemoryStore(dimension=EMBEDDER.dimension)) as index:
        if known:
            index.pipeline.update(None)
            for file in sorted(vault.glob("N*.md")):
                write(file, file.read_text(encoding="utf-8") + "more\n")
        index.pipeline.update(None, between=between)
        assert seen
        assert index.state() == afresh(vault)
        assert settled(index)


def settled(index: Index) -> bool:
    return index.pipeline.update(None).written == 0
