"""A build that is killed goes on where it was: what was embedded and stored is not done again."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from mindnet.workspace import shelf
from serving import environment
from workspace.builds import BATCH, NOTES, SMALL_CHUNKS, Site, counted

BUILD = """
import json, os, signal, sys
from pathlib import Path
from mindnet.embedding.hashing import HashingEmbedder
from mindnet.indexing import pipeline
from mindnet.workspace import Workspace, find_place

pipeline.BATCH_NOTES = {batch}
embed, batches = HashingEmbedder.embed_passages, []

def counting(self, texts):
    if list(texts) != ["mindnet"]:
        batches.append(texts)
        # In one piece: two threads may be here at once.
        os.write(1, json.dumps(list(texts)).encode() + bytes([10]))
        if len(batches) >= {kill_at}:
            os.kill(os.getpid(), signal.SIGKILL)
    return embed(self, texts)

HashingEmbedder.embed_passages = counting
vault, data, config = map(Path, sys.argv[1:])
with Workspace(find_place(vault, data, config, {{}}, {{}}), {{}}) as workspace:
    workspace.update(None)
"""


def killed(site: Site, kill_at: int) -> list[str]:
    """Builds in a process of its own, which kills itself as it begins a batch; what it had embedded before."""
    command = [
        sys.executable,
        "-c",
        BUILD.format(kill_at=kill_at, batch=BATCH),
        str(site.vault),
        str(site.data),
        str(site.config),
    ]
    path = os.pathsep.join(sys.path)
    done = subprocess.run(
        command, env=environment(PYTHONPATH=path), capture_output=True, text=True, timeout=120, check=False
    )
    assert done.returncode == -signal.SIGKILL, done.stderr
    batches: list[list[str]] = [json.loads(line) for line in done.stdout.splitlines()]
    return [text for batch in batches[:-1] for text in batch]


def test_a_killed_build_goes_on_and_embeds_nothing_twice(indexed: Site) -> None:
    (old,) = indexed.builds()
    indexed.settings(types=SMALL_CHUNKS)
    before = killed(indexed, kill_at=3)
    assert before
    with counted() as given, indexed.open() as workspace:
        assert workspace.index.recipe.build == old
        rebuild = workspace.rebuild()
        assert rebuild is not None
        assert 0 < rebuild.notes < NOTES
        assert rebuild.beside
        report = workspace.update(None)
        passages = [text for text in given if text != "mindnet"]
        assert passages
        assert set(passages).isdisjoint(before)
        assert report.written < NOTES
    indexed.assert_clean(workspace.index.recipe.build)


def test_a_killed_build_is_given_up_for_the_old_settings(indexed: Site) -> None:
    (old,) = indexed.builds()
    indexed.settings(types=SMALL_CHUNKS)
    killed(indexed, kill_at=2)
    assert len(indexed.builds()) == 2
    indexed.settings()
    with counted() as given:
        assert indexed.indexed() == old
    assert given == []
    indexed.assert_clean(old)


class Killed(BaseException):
    """Stands for the end of the process between two steps."""


@pytest.mark.parametrize("step", ["before the pointer", "after the pointer", "while the old one is deleted"])
def test_a_kill_at_the_switch_leaves_an_index_that_serves(
    indexed: Site, step: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (old,) = indexed.builds()
    indexed.settings(types=SMALL_CHUNKS)

    def end(*_: object) -> None:
        raise Killed

    def half(path: Path) -> None:
        next(file for file in path.rglob("*") if file.is_file()).unlink()
        raise Killed

    with monkeypatch.context() as patch, indexed.open() as workspace:
        if step == "before the pointer":
            patch.setattr(shelf, "write_private", end)
        elif step == "after the pointer":
            patch.setattr(shelf.Shelf, "keep", end)
        else:
            patch.setattr(shutil, "rmtree", half)
        with pytest.raises(Killed):
            workspace.update(None)
    with indexed.open() as workspace, counted() as given:
        assert (workspace.index.recipe.build == old) == (step == "before the pointer")
        assert workspace.update(None).written == 0
        assert [text for text in given if text != "mindnet"] == []
    indexed.assert_clean(workspace.index.recipe.build)
