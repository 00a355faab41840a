"""A vault whose settings change, and embedders that wait, or end the process, in the midst of a build."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

from mindnet.embedding.hashing import HashingEmbedder
from mindnet.embedding.port import Vectors
from mindnet.indexing import pipeline
from mindnet.store import files
from mindnet.workspace import Workspace, find_place
from soaking.snapshot import differences, fresh_index, read_index
from workspaces import write_vault

NOTES = 12
BATCH = 3
SMALL_CHUNKS = "chunk_profiles: {medium: {max_tokens: 24, split_level: 2, overlap_tokens: 0}}\n"
OTHER_EDGES = "note_scope_headings: [Anders]\n"


def notes(number: int = NOTES) -> dict[str, str]:
    """Notes of two passages, each with a word that no other has, linked in a ring."""
    return {
        f"Note {n}.md": f"# Note {n}\n\nThe word{n} stands here, next to [[Note {(n + 1) % number}]].\n\n## Second\n\n"
        + f"A second passage of number {n} that says a good deal more than the first one did. " * 3
        + "\n"
        for n in range(number)
    }


def after_a_batch() -> Callable[[], bool]:
    """Lets an update, which asks before each note, do one batch."""
    stops = iter([False] * BATCH)
    return lambda: next(stops, True)


@dataclass(frozen=True)
class Site:
    vault: Path
    data: Path
    config: Path

    def settings(self, *, model: str = "hashing", types: str = "", edges: str = "", private: str = "[]") -> None:
        """Puts these settings in the place of those before."""
        self.config.mkdir(exist_ok=True)
        for name, text in (
            ("mindnet", f"embedding: {{model: {model}}}\nvault: {{private: {private}}}\nwatch: {{debounce_ms: 30}}\n"),
            ("types", types),
            ("edges", edges),
        ):
            (self.config / f"{name}.yaml").write_text(text, encoding="utf-8")

    def open(self, *, building: bool = True, **env: str) -> Workspace:
        return Workspace(find_place(self.vault, self.data, self.config, env, {}), env, building=building)

    def indexed(self) -> str:
        """Brings the index up to date; gives its build."""
        with self.open() as workspace:
            workspace.update(None)
            return workspace.index.recipe.build

    def begun(self) -> str:
        """Updates, but stops after a batch; gives the build that was begun."""
        with self.open() as workspace:
            workspace.update(None, stop=after_a_batch())
            rebuild = workspace.rebuild()
            assert rebuild is not None
            assert 0 < rebuild.notes < rebuild.total
            return next(name for name in self.builds() if name != workspace.index.recipe.build)

    def builds(self) -> list[str]:
        return list(files.index_folders(self.data))

    def assert_clean(self, build: str) -> None:
        """One index and no other part of one is there, and it is the same as one that is built from nothing."""
        names = {path.name.removesuffix("-wal").removesuffix("-shm") for path in self.data.iterdir()}
        assert names - {"lock", "lock.pid", "token", "logs"} == {f"index-{build}", files.POINTER, files.VECTORS}
        fresh = self.data.with_name("fresh")
        fresh_index(self.vault, fresh, self.config)
        found, wanted = (read_index(self.vault, data, self.config) for data in (self.data, fresh))
        assert list(differences(found, wanted)) == []
        assert found.counts()["chunks"] > 0


def make_site(folder: Path) -> Site:
    site = Site(write_vault(folder / "vault", notes()), folder / "data", folder / "config")
    site.settings()
    return site


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    """Not indexed yet; an import of it takes several batches."""
    monkeypatch.setattr(pipeline, "BATCH_NOTES", BATCH)
    return make_site(tmp_path)


@pytest.fixture
def indexed(site: Site) -> Site:
    site.indexed()
    return site


class Gate:
    """Holds whoever comes to it until it is opened."""

    def __init__(self) -> None:
        self.reached = threading.Event()
        self._opened = threading.Event()

    def open(self) -> None:
        self._opened.set()

    def pass_through(self) -> None:
        self.reached.set()
        assert self._opened.wait(60)


@contextmanager
def held(kind: type) -> Iterator[Gate]:
    """Every embedding of passages by this kind of embedder waits at a gate."""
    gate = Gate()
    embed = kind.embed_passages  # type: ignore[attr-defined]

    def wait(self: object, texts: Sequence[str]) -> Vectors:
        gate.pass_through()
        vectors: Vectors = embed(self, texts)
        return vectors

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kind, "embed_passages", wait)
        try:
            yield gate
        finally:
            gate.open()


@contextmanager
def counted() -> Iterator[list[str]]:
    """The passages that the embedder without a model is given."""
    given: list[str] = []
    embed = HashingEmbedder.embed_passages

    def count(self: HashingEmbedder, texts: Sequence[str]) -> Vectors:
        given.extend(texts)
        return embed(self, texts)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(HashingEmbedder, "embed_passages", count)
        yield given
