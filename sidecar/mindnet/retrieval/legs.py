"""The searches and what they find: candidates with their raw scores."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from mindnet.embedding.port import Vectors
from mindnet.records import Chunk, LinkContext, Mode, Pier, Place
from mindnet.retrieval.settings import LinkContexts
from mindnet.store.port import Condition, ScoredPlace, Store


class LexicalHit(Protocol):
    """A chunk that has words of the question; ``score`` is 0..1."""

    @property
    def chunk_id(self) -> str: ...

    @property
    def note_id(self) -> str: ...

    @property
    def score(self) -> float: ...


class BridgeHit(LexicalHit, Protocol):
    """A chunk that shares names with a passage that was found; ``pier`` is the number of that passage."""

    @property
    def pier(self) -> int: ...


class LexicalLeg(Protocol):
    """The words of all chunks; scores are 0..1."""

    def search(self, query: str, limit: int, allowed: Container[str] | None = None) -> Sequence[LexicalHit]:
        """The best chunks, best first; only of the notes in ``allowed`` if given."""

    def score(self, query: str, chunk_ids: Sequence[str]) -> Mapping[str, float]:
        """The score of each of these chunks, 0 for those that share no word with the query."""

    def bridges(
        self, query: str, piers: Sequence[Pier], limit: int, allowed: Container[str] | None = None
    ) -> Sequence[BridgeHit]:
        """The best chunks that share names with a pier of another note and have more of the question, best first."""

    def having(self, text: str, allowed: Container[str] | None = None) -> Sequence[str]:
        """The ids of the chunks that have every word of the text, function words too, in any order and field."""

    def shared_names(self, query: str, pier: Pier, text: str) -> tuple[str, ...]:
        """The names, as the pier writes them, that make a bridge to the text, the rarest first."""

    def in_series(self, query: str, note_id: str) -> Sequence[tuple[str, int]]:
        """The notes near this one in a series, if the query has its number; each with how many places away."""

    def matched_words(self, query: str, text: str) -> tuple[str, ...]:
        """The words of the query, as typed, that the text has in some form."""

    def alike_words(self, query: str, text: str) -> tuple[str, ...]:
        """The words of the query, as typed, of which the text has only words that begin alike."""

    def near_words(self, query: str, text: str) -> tuple[tuple[str, str], ...]:
        """Words of the query that no chunk has, as typed, each with the one of the text that it may stand for."""


class SaidHit(Protocol):
    """A note and the best that links say of it: 0..1, and the number of the place."""

    @property
    def note_id(self) -> str: ...

    @property
    def score(self) -> float: ...

    @property
    def row(self) -> int: ...


class SaidLeg(Protocol):
    """What notes say of others where they link to them; what private ones say is heard only if asked for."""

    def search(
        self,
        query: str,
        limit: int,
        allowed: Container[str] | None = None,
        *,
        name_share: float,
        include_private: bool = False,
    ) -> Sequence[SaidHit]:
        """The notes of which the best is said, best first; only those in ``allowed`` if given."""

    def score(
        self, query: str, note_ids: Sequence[str], *, name_share: float, include_private: bool = False
    ) -> Mapping[str, SaidHit]:
        """The best that is said of each of these notes; those of which nothing fits are left out."""

    def contexts(self, rows: Sequence[int]) -> Mapping[int, tuple[str, LinkContext]]:
        """The places of these numbers, each with the id of the note that it stands in."""


@dataclass(frozen=True, slots=True)
class Said:
    """How a search listens to what links say."""

    leg: SaidLeg
    settings: LinkContexts
    include_private: bool

    def search(self, text: str, allowed: Container[str] | None) -> Sequence[SaidHit]:
        return self.leg.search(
            text,
            self.settings.notes,
            allowed,
            name_share=self.settings.name_share,
            include_private=self.include_private,
        )

    def score(self, text: str, note_ids: Sequence[str]) -> Mapping[str, SaidHit]:
        return self.leg.score(text, note_ids, name_share=self.settings.name_share, include_private=self.include_private)


class Texts:
    """Chunks by their ids, read when they are asked for: most of what a question weighs is never shown."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._read: dict[str, Chunk] = {}

    def read(self, chunk_ids: Iterable[str]) -> None:
        """Several at once, which takes less time than one by one."""
        missing = [chunk_id for chunk_id in chunk_ids if chunk_id not in self._read]
        self._read |= self._store.chunks(missing) if missing else {}

    def __getitem__(self, chunk_id: str) -> Chunk:
        self.read((chunk_id,))
        return self._read[chunk_id]


@dataclass(slots=True)
class Candidate:
    """A chunk with its raw scores, 0..1; ``links`` is its note's, ``edge`` and ``centrality`` come from the graph.

    ``said`` is the number of the place where a link says the most of its note, 0 for none; ``bridge`` is the worth of
    the names that the chunk shares with ``pier``, a passage found before.
    """

    place: Place
    texts: Texts = field(repr=False)
    semantic: float = 0.0
    lexical: float = 0.0
    links: float = 0.0
    said: int = 0
    bridge: float = 0.0
    pier: Pier | None = None
    edge: float = 0.0
    centrality: float = 0.0
    found_by: set[str] = field(default_factory=set)

    @property
    def chunk(self) -> Chunk:
        """The chunk itself, which is read if nobody has asked for it yet."""
        return self.texts[self.place.chunk_id]


def nearness(cosine: float, floor: float) -> float:
    """How near in meaning, 0..1: the part of what is above the embedding model's floor that the cosine reaches."""
    return min(1.0, max(0.0, (cosine - floor) / (1.0 - floor)))


class Pool:
    """Candidates by chunk id, each with the scores of all searches, as far as the mode asks for them.

    ``floor`` is the cosine from which nearness in meaning counts; without ``said`` nobody listens to what links say.
    """

    def __init__(
        self,
        store: Store,
        lexical: LexicalLeg,
        *,
        text: str,
        vector: Vectors | None,
        mode: Mode,
        condition: Condition | None,
        floor: float,
        said: Said | None = None,
    ) -> None:
        self._said = said
        self._store = store
        self._lexical = lexical
        self._text = text
        self._vector = vector
        self._mode = mode
        self._condition = condition
        self._floor = floor
        self._texts = Texts(store)
        self.by_id: dict[str, Candidate] = {}

    def read(self, candidates: Iterable[Candidate]) -> None:
        """Reads the chunks of several candidates at once."""
        self._texts.read([one.place.chunk_id for one in candidates])

    def search(self, limit: int, allowed: Container[str] | None) -> None:
        """All searches; what one of them found gets the others' scores too."""
        words = list(self._lexical.search(self._text, limit, allowed)) if self._mode != "semantic" else []
        named = {hit.note_id for hit in self._said.search(self._text, allowed)} if self._said is not None else set()
        if self._vector is not None:
            self._add(self._store.search_places(self._vector, limit, self._condition), "semantic")
            # Of the notes that links name every passage, of the others those that have the words.
            wanted = {hit.chunk_id for hit in words} - self.by_id.keys()
            scored = self._score(sorted(named), sorted(wanted))
            self._add([one for one in scored if one.place.note_id in named], "links")
            self._add([one for one in scored if one.place.note_id not in named], "")
        else:
            self._take(self._store.places([hit.chunk_id for hit in words]))
        for hit in words:
            if (candidate := self.by_id.get(hit.chunk_id)) is not None:
                candidate.lexical = hit.score
                candidate.found_by.add("lexical")
        self._complete_words([one for one in self.by_id.values() if "lexical" not in one.found_by])
        self._listen(list(self.by_id.values()))

    def follow(self, piers: Sequence[Pier], limit: int, allowed: Container[str] | None) -> None:
        """The second round: passages that share names with these and have more of the question."""
        found = self._lexical.bridges(self._text, piers, limit, allowed) if piers else []
        self._bring_chunks([hit for hit in found if hit.chunk_id not in self.by_id])
        for hit in found:
            if (candidate := self.by_id.get(hit.chunk_id)) is not None:
                candidate.bridge, candidate.pier = hit.score, piers[hit.pier]
                candidate.found_by.add("lexical")

    def _bring_chunks(self, hits: Sequence[LexicalHit]) -> None:
        if self._vector is not None:
            self.bring_in((), sorted(hit.chunk_id for hit in hits))
            return
        self._complete_words(self._take(self._store.places([hit.chunk_id for hit in hits])))

    def in_series(self, note_id: str) -> Sequence[tuple[str, int]]:
        """The notes near this one in a series, if the question has its number; each with how many places away."""
        return self._lexical.in_series(self._text, note_id)

    def copy(self, legs: Container[str]) -> Pool:
        """What these legs alone found, with all raw scores and without the graph's."""
        other = Pool(
            self._store,
            self._lexical,
            text=self._text,
            vector=self._vector,
            mode=self._mode,
            condition=self._condition,
            floor=self._floor,
            said=self._said,
        )
        other.by_id = {
            chunk_id: replace(one, edge=0.0, centrality=0.0, found_by=set(one.found_by))
            for chunk_id, one in self.by_id.items()
            if any(leg in legs for leg in one.found_by)
        }
        return other

    def bring_in(self, note_ids: Sequence[str], chunk_ids: Sequence[str]) -> None:
        """All chunks of these notes, and these chunks, that neither search found, with their own scores."""
        fresh = self._add(self._score(note_ids, chunk_ids), "")
        self._complete_words(fresh)
        self._listen(fresh)

    def _score(self, note_ids: Sequence[str], chunk_ids: Sequence[str]) -> Sequence[ScoredPlace]:
        if self._vector is None or not (note_ids or chunk_ids):
            return ()
        return self._store.score_places(self._vector, note_ids, chunk_ids, self._condition)

    def _listen(self, candidates: Sequence[Candidate]) -> None:
        """Gives each candidate the best that links say of its note."""
        if self._said is None:
            return
        best = self._said.score(self._text, sorted({candidate.place.note_id for candidate in candidates}))
        for candidate in candidates:
            if (hit := best.get(candidate.place.note_id)) is not None:
                candidate.links, candidate.said = hit.score, hit.row

    def _take(self, places: Mapping[str, Place]) -> list[Candidate]:
        fresh = {chunk_id: Candidate(place, self._texts) for chunk_id, place in places.items()}
        self.by_id |= fresh
        return list(fresh.values())

    def _add(self, scored: Sequence[ScoredPlace], leg: str) -> list[Candidate]:
        fresh = []
        for one in scored:
            candidate = self.by_id.get(one.place.chunk_id)
            if candidate is None:
                candidate = self.by_id[one.place.chunk_id] = Candidate(one.place, self._texts)
                fresh.append(candidate)
            candidate.semantic = nearness(one.score, self._floor)
            if leg:
                candidate.found_by.add(leg)
        return fresh

    def _complete_words(self, candidates: Sequence[Candidate]) -> None:
        if self._mode == "semantic" or not candidates:
            return
        scores = self._lexical.score(self._text, [candidate.place.chunk_id for candidate in candidates])
        for candidate in candidates:
            candidate.lexical = scores.get(candidate.place.chunk_id, 0.0)
