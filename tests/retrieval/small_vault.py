"""A vault of a few notes in memory, with a searcher over it."""

from __future__ import annotations

import random
import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any
from uuid import NAMESPACE_URL, uuid5

from manifests import entry
from mindnet.embedding.hashing import HashingEmbedder
from mindnet.records import Chunk, Edge, Evidence, Hit, LinkContext, Note, NoteGraph, Pier, Reason, Scope
from mindnet.retrieval.intents import Intents
from mindnet.retrieval.search import Query, Searcher, SearchResult
from mindnet.retrieval.settings import RetrieverSettings
from mindnet.store.bridges import BridgeHit
from mindnet.store.kept_words import words_by_path
from mindnet.store.lexical import LexicalIndex
from mindnet.store.manifest import Manifest
from mindnet.store.memory import MemoryStore
from mindnet.store.said import SaidIndex

SETTINGS: dict[str, dict[str, Any]] = {
    "scoring": {
        "semantic_weight": 1.0,
        "lexical_weight": 0.8,
        "links_weight": 1.0,
        "edge_weight": 0.7,
        "centrality_weight": 0.5,
        "recency_weight": 0.0,
    },
    "provenance": {"explicit": 1.0, "smart": 0.9, "rule": 0.8, "default_resolved": 0.6, "default_unresolved": 0.2},
    "expand": {
        "depth": 1,
        "seeds": 10,
        "max_neighbours": 60,
        "reverse_weight": 0.5,
        "decay": 0.5,
        "edge_scale": 0.3,
        "series": 0.3,
        "pool": 100,
    },
    "link_context": {"notes": 30, "name_share": 0.25},
    "bridges": {"piers": 0, "chunks": 50, "share": 2.0},
    "recency": {"half_life_days": 90},
}
INTENTS = {
    "WHY": {"patterns": [r"\b(why|warum)\b"], "boosts": {"caused_by": 2.0}},
    "FACT": {"patterns": [], "boosts": {}},
}


def settings(**changes: Mapping[str, Any]) -> RetrieverSettings:
    """The settings above, with ``section={key: value}`` changed."""
    return RetrieverSettings.from_mapping({name: {**part, **changes.get(name, {})} for name, part in SETTINGS.items()})


@dataclass(frozen=True)
class SmallKinds:
    weights: Mapping[str, float] = field(default_factory=lambda: {"next": 0.1, "prev": 0.1, "belongs_to": 0.0})

    def weight(self, kind: str) -> float:
        return self.weights.get(kind, 1.0)

    def symmetric(self, kind: str) -> bool:
        return kind in ("related_to", "similar_to")


@dataclass(frozen=True)
class WordHit:
    chunk_id: str
    note_id: str
    score: float


class WordLeg:
    """The share of a question's words (of four letters and more) that a passage or its names have."""

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        self._chunks = {chunk.chunk_id: chunk for chunk in chunks}

    @staticmethod
    def _words(text: str) -> list[str]:
        return [word for word in re.findall(r"\w+", text) if len(word) > 3]

    def search(self, query: str, limit: int, allowed: Container[str] | None = None) -> Sequence[WordHit]:
        scores = self.score(query, list(self._chunks))
        hits = [WordHit(one, self._chunks[one].note_id, score) for one, score in scores.items() if score > 0]
        hits = [hit for hit in hits if allowed is None or hit.note_id in allowed]
        return sorted(hits, key=lambda hit: (-hit.score, hit.chunk_id))[:limit]

    def score(self, query: str, chunk_ids: Sequence[str]) -> Mapping[str, float]:
        asked = max(len(self._words(query)), 1)
        found = {}
        for chunk_id in chunk_ids:
            chunk = self._chunks[chunk_id]
            names = [chunk.text, chunk.title, *chunk.aliases, *chunk.heading_path, *chunk.tags]
            found[chunk_id] = len(self.matched_words(query, "\n".join(names))) / asked
        return found

    def bridges(
        self, query: str, piers: Sequence[Pier], limit: int, allowed: Container[str] | None = None
    ) -> Sequence[BridgeHit]:
        return ()

    def having(self, text: str, allowed: Container[str] | None = None) -> Sequence[str]:
        raise AssertionError("phrases are asked of the real words")

    def shared_names(self, query: str, pier: Pier, text: str) -> tuple[str, ...]:
        return ()

    def near_words(self, query: str, text: str) -> tuple[tuple[str, str], ...]:
        return ()

    def in_series(self, query: str, note_id: str) -> Sequence[tuple[str, int]]:
        return ()

    def alike_words(self, query: str, text: str) -> tuple[str, ...]:
        return ()

    def matched_words(self, query: str, text: str) -> tuple[str, ...]:
        present = {word.casefold() for word in self._words(text)}
        return tuple(word for word in self._words(query) if word.casefold() in present)


@dataclass
class SmallVault:
    """Notes by id; ``note`` and ``link`` fill it, ``ask`` searches it."""

    notes: dict[str, tuple[Note, tuple[Chunk, ...]]] = field(default_factory=dict)
    edges: list[Edge] = field(default_factory=list)
    contexts: dict[str, list[LinkContext]] = field(default_factory=dict)
    embedder: HashingEmbedder = field(default_factory=lambda: HashingEmbedder(dimension=256))
    real_words: bool = False
    """Whether questions go to the real words, which know of stems, names and phrases."""
    now: datetime = datetime(2024, 6, 12, 15, 0, tzinfo=UTC)
    """A Wednesday."""

    def note(
        self,
        note_id: str,
        *passages: str,
        headings: Sequence[tuple[str, ...]] = (),
        head: str = "",
        weight: float = 1.0,
        private: bool = False,
        **values: Any,
    ) -> None:
        """A note whose passages follow each other, a blank line between, behind the lines of ``head``."""
        values = {"title": note_id, "path": f"{note_id}.md", "type": "concept", "status": None, **values}
        shared = {
            **values,
            "tags": tuple(values.pop("tags", ())),
            "aliases": tuple(values.pop("aliases", ())),
            "created": values.pop("created", 20240101000000),
            "updated": values.pop("updated", 20240601000000),
        }
        shared |= {"private": private, "retriever_weight": weight, "chunk_profile": "medium", "edge_defaults": ()}
        chunks, line = [], head.count("\n") + 1
        ids = [f"{note_id}#c{number:02d}" for number in range(1, len(passages) + 1)]
        for number, text in enumerate(passages):
            end = line + text.count("\n")
            chunks.append(
                Chunk(
                    chunk_id=ids[number],
                    note_id=note_id,
                    ord=number + 1,
                    text=text,
                    window=f"{values['title']}\n{text}",
                    heading_path=headings[number] if number < len(headings) else (),
                    start_line=line,
                    end_line=end,
                    neighbors_prev=ids[number - 1] if number else None,
                    neighbors_next=ids[number + 1] if number + 1 < len(ids) else None,
                    **shared,
                )
            )
            line = end + 2
        note = Note(
            note_id=note_id,
            hashes={},
            fulltext=head + "\n\n".join(passages),
            encoding="utf-8",
            bom=False,
            frontmatter={},
            headings=(),
            **shared,
        )
        self.notes[note_id] = (note, tuple(chunks))
        for one, two in pairwise(ids):
            self.link(one, two, "next", provenance="structure", rule_id="structure:next")
            self.link(two, one, "prev", provenance="structure", rule_id="structure:prev")

    def link(
        self,
        source: str,
        target: str,
        kind: str = "references",
        *,
        line: int = 1,
        section: str = "",
        provenance: str = "explicit",
        rule_id: str = "explicit:wikilink",
        confidence: float = 1.0,
        resolved: bool = True,
        owner: str = "",
        mirror_of: str | None = None,
        label: str = "",
        sentence: str = "",
    ) -> Edge:
        """An edge from a chunk (or a note, for note scope) to a note; it says something only if told what."""
        scope: Scope = "chunk" if "#c" in source else "note"
        edge = Edge(
            edge_id=str(uuid5(NAMESPACE_URL, f"{source}->{target}:{kind}@{section}")),
            source_id=source,
            target_id=target,
            target_section=section,
            note_id=owner or source.split("#")[0],
            kind=kind,
            scope=scope,
            rule_id=rule_id,
            provenance=provenance,
            confidence=confidence,
            evidence=(Evidence(rule_id, line),),
            resolved=resolved,
            mirror_of=mirror_of,
        )
        self.edges.append(edge)
        if label or sentence:
            said = LinkContext(target, line, label, sentence)
            self.contexts.setdefault(edge.note_id, []).append(said)
        return edge

    def store(self, *, seed: int = 0) -> MemoryStore:
        """The notes written in an order that depends on the seed."""
        store = MemoryStore(dimension=self.embedder.dimension)
        order = sorted(self.notes)
        random.Random(seed).shuffle(order)
        for note_id in order:
            note, chunks = self.notes[note_id]
            edges = [edge for edge in self.edges if edge.note_id == note_id]
            random.Random(seed).shuffle(edges)
            vectors = self.embedder.embed_passages([chunk.window for chunk in chunks])
            store.replace_note(NoteGraph(note, chunks, tuple(edges)), vectors)
        return store

    def manifest(self) -> Manifest:
        """What is kept of these notes."""
        manifest = Manifest.open(Path(":memory:"))
        graphs = [
            NoteGraph(note, chunks, (), contexts=tuple(self.contexts.get(note_id, ())))
            for note_id, (note, chunks) in sorted(self.notes.items())
        ]
        manifest.commit([entry(note.note.path, note.note.note_id) for note in graphs], [], words=words_by_path(graphs))
        return manifest

    def searcher(self, *, seed: int = 0, **changes: Mapping[str, Any]) -> Searcher:
        chosen = settings(**changes)
        intents = Intents.from_mapping(INTENTS)
        chunks = [chunk for _, chunks in self.notes.values() for chunk in chunks]
        manifest = self.manifest()
        return Searcher(
            self.store(seed=seed),
            self.embedder,
            LexicalIndex(manifest) if chosen.bridges.piers or self.real_words else WordLeg(chunks),
            SaidIndex(manifest),
            settings=lambda: chosen,
            kinds=SmallKinds(),
            status_scores={"stable": 1.0, "draft": 0.8},
            intents=lambda: intents,
            now=lambda: self.now,
        )

    def ask(self, text: str, *, seed: int = 0, **query: Any) -> SearchResult:
        return self.searcher(seed=seed).search(Query(text, **{"explain": True, **query}))


def found(result: SearchResult) -> list[str]:
    return [hit.chunk.note_id for hit in result.hits]


def hit_of(result: SearchResult, note_id: str) -> Hit:
    return next(hit for hit in result.hits if hit.chunk.note_id == note_id)


def reasons(hit: Hit, part: str) -> list[Reason]:
    assert hit.explanation is not None
    return [reason for reason in hit.explanation.reasons if reason.part == part]


def raw(hit: Hit, part: str) -> float:
    assert hit.explanation is not None
    return next(one.raw for one in hit.explanation.contributions if one.part == part)
