"""The control: the same graph with its ends exchanged, so that links lead to notes that nobody meant."""

from __future__ import annotations

import random
from collections.abc import Container, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from typing import Any

from mindnet.records import Edge, LinkContext
from mindnet.retrieval.legs import LexicalLeg, SaidHit, SaidLeg
from mindnet.store.port import Store
from mindnet.store.said import SaidHit as Place


class Exchange:
    """Notes that links lead to, and which of them takes whose place: as many links lead to one note as to another."""

    def __init__(self, targets: Sequence[str], seed: int = 0) -> None:
        shuffled = list(targets)
        random.Random(seed).shuffle(shuffled)
        self.to: Mapping[str, str] = dict(zip(targets, shuffled, strict=True))
        self.back: Mapping[str, str] = {new: old for old, new in self.to.items()}

    @classmethod
    def of(cls, store: Store, seed: int = 0) -> Exchange:
        targets = {
            edge["target_id"]
            for edge in store.scroll("edges")
            if edge["resolved"] and edge["provenance"] != "structure" and edge["target_id"] != edge["note_id"]
        }
        return cls(sorted(targets), seed)


class ShuffledStore:
    """A store whose relations end where the exchange says; everything else is the store's own."""

    def __init__(self, store: Store, exchange: Exchange) -> None:
        self._store = store
        self._exchange = exchange

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    def exclusive(self) -> AbstractContextManager[None]:
        return self._store.exclusive()

    def edges_from(self, note_ids: Sequence[str], *, structure: bool | None = None) -> Sequence[Edge]:
        return [self._moved(edge) for edge in self._store.edges_from(note_ids, structure=structure)]

    def edges_to(self, target_ids: Sequence[str], *, structure: bool | None = None) -> Sequence[Edge]:
        asked = [self._exchange.back.get(target, target) for target in target_ids]
        return [self._moved(edge) for edge in self._store.edges_to(asked, structure=structure)]

    def _moved(self, edge: Edge) -> Edge:
        if not edge.resolved or edge.provenance == "structure" or edge.source_note == edge.target_id:
            return edge
        if edge.mirror_of is not None:
            # A mirror starts where its original ends.
            return replace(edge, source_id=self._exchange.to.get(edge.source_id, edge.source_id))
        return replace(edge, target_id=self._exchange.to.get(edge.target_id, edge.target_id))


class ShuffledSeries:
    """The words as they are, but with other notes near in a series, those that have taken their place."""

    def __init__(self, lexical: LexicalLeg, exchange: Exchange) -> None:
        self._lexical = lexical
        self._exchange = exchange

    def __getattr__(self, name: str) -> Any:
        return getattr(self._lexical, name)

    def in_series(self, query: str, note_id: str) -> Sequence[tuple[str, int]]:
        return [(self._exchange.to.get(other, other), away) for other, away in self._lexical.in_series(query, note_id)]


class ShuffledSaid:
    """What links say, said of the notes that they lead to by the exchange."""

    def __init__(self, said: SaidLeg, exchange: Exchange) -> None:
        self._said = said
        self._exchange = exchange

    def search(
        self,
        query: str,
        limit: int,
        allowed: Container[str] | None = None,
        *,
        name_share: float,
        include_private: bool = False,
    ) -> Sequence[SaidHit]:
        every = self._said.search(query, 10**9, None, name_share=name_share, include_private=include_private)
        moved = [self._moved(hit) for hit in every]
        fit = [hit for hit in moved if allowed is None or hit.note_id in allowed]
        return sorted(fit, key=lambda hit: (-hit.score, hit.note_id))[:limit]

    def score(
        self, query: str, note_ids: Sequence[str], *, name_share: float, include_private: bool = False
    ) -> Mapping[str, SaidHit]:
        asked = [self._exchange.back.get(note_id, note_id) for note_id in note_ids]
        found = self._said.score(query, asked, name_share=name_share, include_private=include_private)
        return {hit.note_id: hit for hit in map(self._moved, found.values())}

    def contexts(self, rows: Sequence[int]) -> Mapping[int, tuple[str, LinkContext]]:
        return self._said.contexts(rows)

    def _moved(self, hit: SaidHit) -> SaidHit:
        return Place(self._exchange.to.get(hit.note_id, hit.note_id), hit.score, hit.row)
