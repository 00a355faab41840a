"""Runs a set of questions, or the hidden links of a vault, through the real pipeline and searches."""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import mindnet
from evaluation.fit import Parts
from evaluation.hidden import VARIANTS as HIDDEN
from evaluation.hidden import HiddenLink, copy_vault, hiding
from evaluation.metrics import scores
from evaluation.ranking import Rankings
from evaluation.sets import Question, QuestionSet, notes_of, write_vault
from evaluation.variants import variants
from mindnet.embedding.cache import VectorCache, rounded, window_hash
from mindnet.embedding.port import Embedder, Tokenizer, Vectors
from mindnet.retrieval.search import Query
from mindnet.retrieval.settings import RetrieverSettings
from mindnet.settings.schema import AUTO
from mindnet.store import files
from mindnet.workspace import Workspace, find_place

Item = TypeVar("Item")

CHECKED = 8
"""So many questions of each set are answered by the product too, variant by variant."""
TIMED = 40


@dataclass(slots=True)
class Outcome:
    """The figures of one set: by variant a row for each question; times in milliseconds."""

    name: str
    group: str
    notes: int
    chunks: int
    edges: int
    questions: list[str] = field(default_factory=list)
    figures: dict[str, list[tuple[float, ...]]] = field(default_factory=dict)
    times: list[float] = field(default_factory=list)
    marks: list[bool] = field(default_factory=list)
    """For hidden links: whether the target links back."""
    parts: list[Parts] = field(default_factory=list)
    settings: RetrieverSettings | None = None
    embedder: str = ""

    def add(
        self, question: Question, rankings: Mapping[str, list[str]], parts: Parts | None, mark: bool = False
    ) -> None:
        if parts is not None:
            self.parts.append(parts)
        self.questions.append(question.question_id)
        self.marks.append(mark)
        for name, ranking in rankings.items():
            self.figures.setdefault(name, []).append(scores(ranking, question.relevant))


class RememberedQuestions:
    """An embedder that keeps the vectors of questions, so that a second run needs none."""

    def __init__(self, embedder: Embedder, file: Path) -> None:
        self._embedder = embedder
        self._cache = VectorCache(file, f"{embedder.name} questions", embedder.dimension)

    @property
    def name(self) -> str:
        return self._embedder.name

    @property
    def dimension(self) -> int:
        return self._embedder.dimension

    @property
    def max_tokens(self) -> int:
        return self._embedder.max_tokens

    @property
    def floor(self) -> float:
        return self._embedder.floor

    @property
    def tokenizer(self) -> Tokenizer:
        return self._embedder.tokenizer

    def prepare(self) -> None:
        self._embedder.prepare()

    def many(self, expected: int = 0) -> AbstractContextManager[None]:
        return self._embedder.many(expected)

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        return self._embedder.embed_passages(texts)

    def embed_query(self, text: str) -> Vectors:
        key = window_hash(text)
        known = self._cache.get_many([key]).get(key)
        if known is None:
            # As it is kept: near ties would be in another order the second time.
            known = rounded(self._embedder.embed_query(text))
            self._cache.put_many({key: known})
        return known

    def close(self) -> None:
        self._cache.close()


@dataclass(frozen=True, slots=True)
class Embedding:
    """Which embedding is measured, as ``mindnet.yaml`` names it."""

    provider: str = AUTO
    model: str = ""

    @property
    def flags(self) -> dict[str, str]:
        return {"embedding.provider": self.provider, "embedding.model": self.model}

    @property
    def folder(self) -> str:
        """Each has a data folder of its own."""
        return f"data-{self.provider}-{re.sub(r'[^a-z0-9]+', '-', self.model.casefold())}".rstrip("-")


@dataclass(frozen=True, slots=True)
class Bench:
    """Where things are kept, and what is changed from the default configuration."""

    cache: Path
    config_dir: Path
    limit: int | None = None
    """At most so many questions of each set, and ``links`` of each vault, evenly spread."""
    links: int | None = None
    embedding: Embedding = field(default_factory=Embedding)

    def _folder(self, name: str) -> Path:
        return self.cache / name

    @contextmanager
    def open(self, name: str, vault: Path) -> Iterator[tuple[Workspace, Rankings]]:
        data = self._folder(name) / self.embedding.folder
        data.mkdir(parents=True, exist_ok=True)
        _discard_stale(data)
        env: dict[str, str] = {}
        place = find_place(vault, data, self.config_dir, env, self.embedding.flags)
        with Workspace(place, env) as workspace:
            workspace.update(None)
            questions = RememberedQuestions(workspace.embedder, self._folder(name) / "questions.sqlite")
            try:
                yield workspace, Rankings(workspace, questions, workspace.retriever())
            finally:
                questions.close()

    # -------------------------------------------------------------- sets
    def run_set(self, questions: QuestionSet) -> Outcome:
        vault = self._folder(questions.name) / "vault"
        write_vault(vault, notes_of(questions))
        with self.open(questions.name, vault) as (workspace, rankings):
            asked = spread(questions.questions, self.limit)
            many = any(len(question.relevant) > 1 for question in asked)
            outcome = _outcome(questions.name, "multi-hop" if questions.linked and many else "passages", workspace)
            step = max(1, len(asked) // CHECKED)
            for number, question in enumerate(asked):
                ranked = rankings.rank(question, variants())
                if number % step == 0:
                    rankings.check(question, ranked, variants())
                outcome.add(question, ranked, rankings.parts)
            outcome.times = _times(workspace, [question.text for question in asked])
        return outcome

    # -------------------------------------------------------------- hidden links
    def run_hidden(self, original: Path, links: Sequence[HiddenLink]) -> list[Outcome]:
        """The outcomes of each way to ask, with one link hidden at a time."""
        name = f"linkhide-{original.name}"
        vault = self._folder(name) / "vault"
        copy_vault(original, vault)
        with self.open(name, vault) as (workspace, rankings), hiding(original, vault) as hidden:
            outcomes = {
                variant: _outcome(f"{original.name} {variant}", f"linkhide {variant}", workspace) for variant in HIDDEN
            }
            asked = spread(links, self.links)
            step = max(1, len(asked) // CHECKED)
            for number, link in enumerate(asked):
                workspace.pipeline.update(hidden.hide(link))
                for variant, outcome in outcomes.items():
                    text, right = link.queries[variant], frozenset({link.target_path})
                    if not text.strip(" ….,;:!?"):
                        continue
                    question = Question(f"{link.link_id}-{variant}", text, right, hidden=link.source_path)
                    ranked = rankings.rank(question, variants())
                    if number % step == 0:
                        rankings.check(question, ranked, variants())
                    outcome.add(question, ranked, rankings.parts, link.links_back)
            workspace.pipeline.update(hidden.restore())
            for variant, outcome in outcomes.items():
                outcome.times = _times(workspace, [link.queries[variant] for link in asked])
        return list(outcomes.values())


def spread(many: Sequence[Item], number: int | None) -> Sequence[Item]:
    """At most ``number`` of many, evenly spread."""
    if not number or number >= len(many):
        return many
    return [many[place * len(many) // number] for place in range(number)]


def _outcome(name: str, group: str, workspace: Workspace) -> Outcome:
    embedder = workspace.embedder.name
    return Outcome(name, group, *workspace.pipeline.size(), settings=workspace.retriever(), embedder=embedder)


def _times(workspace: Workspace, texts: Sequence[str]) -> list[float]:
    """Of the product as it is, embedding of the question and explanation included."""
    some = [text for text in texts[:: max(1, len(texts) // TIMED)] if text.strip()]
    for text in some[:3]:
        workspace.searcher.search(Query(text, explain=True))
    started = time.perf_counter()
    found = [workspace.searcher.search(Query(text, explain=True)).took_ms for text in some]
    assert sum(found) <= (time.perf_counter() - started) * 1000
    return found


def _discard_stale(data: Path) -> None:
    """An index that another state of the code wrote is built anew; its vectors stay."""
    stamp = data / "code.sha256"
    current = _code()
    if not stamp.is_file() or stamp.read_text() != current:
        files.remove(files.index_parts(data))
        stamp.write_text(current)


def _code() -> str:
    """SHA-256 over the source of everything that writes an index."""
    root = Path(mindnet.__file__).parent
    folders = ("vault", "markdown", "knowledge", "store", "indexing")
    files = sorted(file for folder in folders for file in (root / folder).rglob("*.py"))
    return hashlib.sha256(b"".join(file.read_bytes() for file in (*files, root / "records.py"))).hexdigest()
