"""Whatever happens to a vault, in whatever order: the index equals one that is built afresh."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from mindnet.embedding.cache import VectorCache
from mindnet.embedding.hashing import HashingEmbedder
from mindnet.errors import StoreError
from mindnet.feedback.decisions import Decision, Decisions
from mindnet.indexing.pipeline import Pipeline
from mindnet.indexing.report import Report
from mindnet.records import Verdict
from mindnet.settings import load_settings
from mindnet.store.embedded import open_store
from mindnet.store.manifest import Manifest
from mindnet.store.memory import MemoryStore
from mindnet.store.payload import edge_of
from mindnet.store.port import Collection, Store
from mindnet.workspace import make_source

EMBEDDER = HashingEmbedder()
SETTINGS = load_settings(env={})
Dump = dict[tuple[Collection, str], Any]

NAMES = ["Apfel", "Birne", "Ordner/Apfel", "Ordner/Dorn"]
CALLED = ["Apfel", "Birne", "Ordner/Apfel", "Dorn", "Apfel", "Birne", "Obst", "Strauch", "n1", "Dorn.md", "Efeu"]
KINDS = ["depends_on", "enforced_by", "depends_on", "enforced_by", "uses", "related_to", "next", "kennt"]


# ------------------------------------------------------------------ what can be in a vault
@st.composite
def notes(draw: st.DrawFn) -> str:
    """A note that may have an id, a title, aliases, a type and links in several forms."""
    front = []
    for key, values in (
        ("id", ["n1", "n2"]),
        ("title", ["Obst", "Strauch"]),
        ("aliases", ["[Strauch]", "[Obst, Dorn]"]),
        ("type", ["project", "decision", "value"]),
        ("status", ["draft", "template"]),
        ("edge_defaults", ["[depends_on, uses]"]),
    ):
        if draw(st.integers(0, 4)) == 0:
            front.append(f"{key}: {draw(st.sampled_from(values))}")
    target, kind = st.sampled_from(CALLED), st.sampled_from(KINDS)
    if draw(st.booleans()):
        front.append(f"{draw(kind)}: '[[{draw(target)}]]'")
    lines = [f"# {draw(st.sampled_from(['Obst', 'Beet', 'Efeu']))}", ""] if draw(st.booleans()) else []
    for _ in range(draw(st.integers(0, 3))):
        to, of = draw(target), draw(kind)
        lines += [draw(st.sampled_from([
            f"Siehe [[{to}]].", f"rel: {of} [[{to}]]", f"> [!edge] {of}: [[{to}#Beet]]", f"## Smart Edges\n\n[[{to}]]",
            f"[[rel:{of} {to}]]", f"{of}:: [[{to}|Name]]", f"[so]({to.replace('.md', '')}.md)",
            f"rel: candidate:{of} [[{to}]]", f"## Unassigned Edges\n\n[[{to}]]",
        ])), ""]  # fmt: skip
    head = ["---", *front, "---"] if front else []
    return "\n".join([*head, *lines, f"Wort{draw(st.integers(0, 3))}"]) + "\n"


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("write"), st.sampled_from(NAMES), notes()),
        st.tuples(st.just("rename"), st.sampled_from(NAMES), st.sampled_from(NAMES)),
        st.tuples(st.just("delete"), st.sampled_from(NAMES), st.just("")),
        st.tuples(st.just("reject"), st.sampled_from("0123456789"), st.just("")),
        st.tuples(st.just("confirm"), st.sampled_from("0123456789"), st.just("")),
        st.tuples(st.just("undo"), st.sampled_from("0123456789"), st.just("")),
        st.tuples(st.just("restart"), st.just(""), st.just("")),
        st.tuples(st.just("index"), st.just(""), st.just("")),
    ),
    min_size=1,
    max_size=14,
)


# ------------------------------------------------------------------ an index of it
class Index:
    """A pipeline that can be closed and opened again over the same store."""

    def __init__(self, vault: Path, data: Path, store: Store, resources: ExitStack) -> None:
        self.vault, self.store, self._data, self._resources = vault, store, data, resources
        self.decisions = Decisions(data / "decisions.json")
        self.open()

    def open(self) -> None:
        self._resources.close()
        manifest = Manifest.open(self._data / "index.sqlite")
        self._resources.callback(manifest.close)
        vectors = VectorCache(self._data / "vectors.sqlite", EMBEDDER.name, EMBEDDER.dimension)
        self._resources.callback(vectors.close)
        source = make_source(self.vault, SETTINGS, EMBEDDER, self.decisions.verdicts)
        self.pipeline = Pipeline(
            source,
            store=self.store,
            manifest=manifest,
            embedder=EMBEDDER,
            vectors=vectors,
            on_moved=self.decisions.moved,
        )
        self.pipeline.reconcile()

    def decide(self, verdict: str, number: int) -> None:
        """What the user has to say of one of the edges that nobody wrote, or of a relation that they decided before."""
        held = [
            edge_of(one) for one in self.store.scroll("edges") if one["provenance"] not in ("explicit", "structure")
        ]
        edges = sorted(held, key=lambda one: one.edge_id)
        known = self.decisions.all()
        if verdict == "undo" and known:
            decision = known[number % len(known)]
            self.decisions.remove(decision.relation)
        elif verdict in ("confirm", "reject") and edges:
            edge = edges[number % len(edges)]
            owners = tuple(one.note_id for one in edges if one.relation == edge.relation)
            said: Verdict = "confirm" if verdict == "confirm" else "reject"
            decision = Decision(
                *edge.relation, said, (edge.edge_id,), owners, edge.rule_id, edge.provenance, decided_at=0
            )
            self.decisions.put(decision)
        else:
            return
        self.pipeline.update(self.pipeline.reconsider(decision.owners, [decision.relation]))

    def dump(self) -> Dump:
        """Every point, without the times of its file, and every vector."""
        points: Dump = {}
        for collection in ("notes", "chunks", "edges"):
            for payload in self.store.scroll(collection):
                kept = {key: value for key, value in payload.items() if key not in ("created", "updated")}
                points[collection, payload[f"{collection[:-1]}_id"]] = kept
        chunks = [key for collection, key in points if collection == "chunks"]
        for key, vector in self.store.chunk_vectors(chunks).items():
            points["chunks", key]["vector"] = [round(float(value), 5) for value in vector]
        return points

    def state(self) -> tuple[Dump, Report]:
        """All that is stored, and what a report says of it."""
        return self.dump(), self.pipeline.report()


@contextmanager
def index_of(vault: Path, store: Store) -> Iterator[Index]:
    with tempfile.TemporaryDirectory() as data, ExitStack() as resources:
        yield Index(vault, Path(data), store, resources)


def afresh(vault: Path, decided: Sequence[Decision] = ()) -> tuple[Dump, Report]:
    with index_of(vault, MemoryStore(dimension=EMBEDDER.dimension)) as fresh:
        for decision in decided:
            fresh.decisions.put(decision)
        fresh.pipeline.update(None)
        return fresh.state()


def replay(vault: Path, index: Index, steps: list[tuple[str, str, str]]) -> None:
    """Does the steps; changes gather until one says that they are indexed, as a watcher would deliver them.

    Each time that nothing is left to index, the index must equal a fresh one.
    """
    changed: set[str] = set()
    for step, name, other in steps:
        file = vault / f"{name}.md"
        if step == "write":
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(other, encoding="utf-8")
            changed.add(f"{name}.md")
        elif step == "delete":
            file.unlink(missing_ok=True)
            changed.add(f"{name}.md")
        elif step == "rename" and file.exists():
            to = vault / f"{other}.md"
            to.parent.mkdir(parents=True, exist_ok=True)
            file.replace(to)
            changed |= {f"{name}.md", f"{other}.md"}
        elif step in ("reject", "confirm", "undo"):
            index.decide(step, int(name))
        elif step == "index":
            index.pipeline.update(frozenset(changed))
            changed.clear()
            assert index.state() == afresh(vault, index.decisions.all())
        elif step == "restart":
            index.open()
            index.pipeline.update(None)
            changed.clear()
            assert index.state() == afresh(vault, index.decisions.all())
    index.pipeline.update(frozenset(changed))
    assert index.state() == afresh(vault, index.decisions.all())


@settings(max_examples=100, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
@given(STEPS)
def test_the_index_depends_on_the_vault_and_on_what_was_decided_alone(steps: list[tuple[str, str, str]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        vault = Path(folder) / "vault"
        vault.mkdir()
        with index_of(vault, MemoryStore(dimension=EMBEDDER.dimension)) as index:
            replay(vault, index, steps)
            assert index.pipeline.update(None).written == 0


@pytest.mark.parametrize("number", range(3))
def test_the_same_holds_on_the_engine(number: int, tmp_path: Path) -> None:
    """One long history on one store, since the engine takes longer to open."""
    rounds: list[list[tuple[str, str, str]]] = []

    @seed(number)
    @settings(max_examples=10, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(STEPS)
    def draw(found: list[tuple[str, str, str]]) -> None:
        rounds.append(found)

    draw()
    vault = tmp_path / "vault"
    vault.mkdir()
    store = open_store(tmp_path / "store", prefix="mindnet", dimension=EMBEDDER.dimension)
    with index_of(vault, store) as index:
        for found in rounds:
            replay(vault, index, found)
    store.close()
    shutil.rmtree(tmp_path / "store")


@pytest.mark.parametrize("changed", ["A.md", "B.md"])
def test_what_a_failure_left_in_the_store_goes_though_the_file_is_as_it_was(
    changed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    vault = tmp_path / "vault"
    vault.mkdir()
    before = {"A.md": "To [[B]] and [[C]].\n", "B.md": "# Title\n\nText.\n"}
    after = {"A.md": "Other text.\n", "B.md": "---\naliases: [C]\n---\n\nText.\n"}
    for name, text in before.items():
        (vault / name).write_text(text)
    with index_of(vault, MemoryStore(dimension=EMBEDDER.dimension)) as index:
        index.pipeline.update(None)
        (vault / changed).write_text(after[changed])
        with monkeypatch.context() as patched:

            def fails(*_: object, **__: object) -> None:
                raise StoreError("the disk is full")

            patched.setattr(index.pipeline.manifest, "commit", fails)
            with pytest.raises(StoreError):
                index.pipeline.update(frozenset([changed]))
        (vault / changed).write_text(before[changed])
        index.pipeline.update(frozenset([changed]))
        assert index.state() == afresh(vault)
