"""From seeds over the graph to candidates: what edges and centrality give to which chunk, and by what cause."""

from __future__ import annotations

import re
from collections.abc import Collection, Container, Mapping, Sequence
from dataclasses import dataclass, field

from mindnet.records import Chunk, Edge
from mindnet.retrieval.expand import (
    ADJACENT,
    Arrival,
    Kinds,
    Neighbourhood,
    Seed,
    centrality,
    expand,
    in_series,
    saturate,
)
from mindnet.retrieval.legs import Candidate, Pool
from mindnet.retrieval.score import Scorer
from mindnet.store.port import Store

SHARPNESS = 4
"""Power of a seed's score beside the best one's: a middling hit says little of what its neighbours are worth."""

FAINTEST = 0.01
"""A hit of less strength is no seed: it would give nothing, and as a seed could not be reached and passed through."""

_IN_LINKS = re.compile(r"[#^|:\[\]%\\\s]+")
"""What a link to a heading leaves out of the heading's text."""


@dataclass(frozen=True, slots=True)
class Causes:
    """What the graph knows of one search: its seeds, arrivals by chunk and by note, and what flows between notes.

    ``edges`` are all relations of the notes in ``read``.
    """

    seeds: frozenset[str]
    by_chunk: Mapping[str, Sequence[Arrival]]
    by_note: Mapping[str, Sequence[Arrival]]
    flow: Mapping[tuple[str, str], float]
    edges: Mapping[str, Edge] = field(default_factory=dict)
    read: Collection[str] = ()

    def chain(self, arrival: Arrival) -> tuple[Arrival, ...]:
        """The strongest way from a seed that ends with this arrival."""
        chain = [arrival]
        while chain[0].step > 1:
            before = [
                one
                for one in self.by_note.get(chain[0].source, ())
                if one.step == chain[0].step - 1 and one.source != chain[0].target
            ]
            if not before:
                break
            chain.insert(0, min(before, key=lambda one: (-one.value, one.edge.edge_id)))
        return tuple(chain)


NO_CAUSES = Causes(frozenset(), {}, {}, {})


def walk(
    pool: Pool,
    scorer: Scorer,
    *,
    store: Store,
    kinds: Kinds,
    depth: int,
    boosts: Mapping[str, float],
    allowed: Container[str] | None,
) -> Causes:
    """Fills in what the graph adds to each candidate, neighbours that no search found included."""
    settings = scorer.settings
    seeds = _seeds(pool, scorer, settings.expand.seeds)
    if not seeds:
        return NO_CAUSES
    found = expand(store, seeds, depth=depth, settings=settings, kinds=kinds, boosts=boosts, allowed=allowed)
    _bring_in(pool, found)
    # A series only raises what was found otherwise: its notes have nothing in common but their place.
    held = {candidate.place.note_id for candidate in pool.by_id.values()}
    for arrival in in_series(seeds, pool.in_series, settings.expand.series):
        if arrival.target in held:
            found.arrivals[arrival.target].append(arrival)
    central = centrality({note_id: seed.strength for note_id, seed in seeds.items()}, found.walk)
    by_chunk = _land(pool, scorer, found, central.ranks)
    return Causes(frozenset(seeds), by_chunk, found.arrivals, central.flow, found.edges, found.read)


def _seeds(pool: Pool, scorer: Scorer, number: int) -> dict[str, Seed]:
    best: dict[str, Candidate] = {}
    for candidate in sorted(pool.by_id.values(), key=scorer.order):
        if len(best) >= number or scorer.found(candidate) <= 0:
            break
        best.setdefault(candidate.place.note_id, candidate)
    if not best:
        return {}
    top = scorer.found(next(iter(best.values())))
    strengths = {note_id: (scorer.found(candidate) / top) ** SHARPNESS for note_id, candidate in best.items()}
    return {
        note_id: Seed(strength, best[note_id].place.chunk_id)
        for note_id, strength in strengths.items()
        if strength >= FAINTEST
    }


def _bring_in(pool: Pool, found: Neighbourhood) -> None:
    """Adds the notes that no search found, and those chunks of the others that an edge points at."""
    held: dict[str, list[Candidate]] = {}
    for candidate in pool.by_id.values():
        held.setdefault(candidate.place.note_id, []).append(candidate)
    whole, chunks = set(found.arrivals.keys() - held.keys()), set()
    within = [note_id for note_id in held if any(map(_section, found.arrivals.get(note_id, ())))]
    pool.read(one for note_id in within for one in held[note_id])
    for note_id in found.arrivals.keys() & held.keys():
        for arrival in found.arrivals[note_id]:
            named = _named_chunk(arrival)
            if named is not None and named not in pool.by_id:
                chunks.add(named)
            section = _section(arrival)
            if section and not any(_within(one.chunk, section) for one in held[note_id]):
                whole.add(note_id)
    pool.bring_in(sorted(whole), sorted(chunks))


def _land(pool: Pool, scorer: Scorer, found: Neighbourhood, ranks: Mapping[str, float]) -> dict[str, list[Arrival]]:
    """Gives each arrival to the chunks of its section, or, followed backwards, to the chunk that it stands in.

    What names no place goes to the note's best chunk, and so does the centrality.
    """
    of_note: dict[str, list[Candidate]] = {}
    for candidate in pool.by_id.values():
        if candidate.place.note_id in found.arrivals:
            of_note.setdefault(candidate.place.note_id, []).append(candidate)
    by_chunk: dict[str, list[Arrival]] = {}
    pool.read(one for note_id, own in of_note.items() if any(map(_section, found.arrivals[note_id])) for one in own)
    for note_id, candidates in of_note.items():
        candidates.sort(key=scorer.order)
        for arrival in found.arrivals[note_id]:
            for candidate in _ends(arrival, candidates):
                by_chunk.setdefault(candidate.place.chunk_id, []).append(arrival)
        candidates[0].centrality = ranks.get(note_id, 0.0)
    for chunk_id, arrivals in by_chunk.items():
        pool.by_id[chunk_id].edge = saturate([arrival.value for arrival in arrivals])
    return by_chunk


def _ends(arrival: Arrival, candidates: Sequence[Candidate]) -> list[Candidate]:
    named = _named_chunk(arrival)
    if named is not None:
        here = [one for one in candidates if one.place.chunk_id == named]
        # The chunk before or behind is that one or none; a link stands in a note, whatever became of its chunk.
        return here if here or arrival.edge.kind in ADJACENT else [candidates[0]]
    section = _section(arrival)
    inside = [one for one in candidates if _within(one.chunk, section)] if section else []
    return inside or [candidates[0]]


def _named_chunk(arrival: Arrival) -> str | None:
    if arrival.edge.kind in ADJACENT:
        return arrival.edge.target_id
    return arrival.edge.source_id if arrival.direction == "in" and arrival.edge.scope == "chunk" else None


def _section(arrival: Arrival) -> str:
    return arrival.edge.target_section if arrival.direction == "out" else ""


def _within(chunk: Chunk, section: str) -> bool:
    """Whether the chunk lies in the section, given by headings joined by ``#`` or as ``^block``."""
    if section.startswith("^"):
        return re.search(rf"{re.escape(section)}\s*$", chunk.text, re.MULTILINE) is not None
    inner = (line.lstrip("#") for line in chunk.text.splitlines() if line.startswith("#"))
    headings = {_plain(heading) for heading in (*chunk.heading_path, *inner)}
    return all(_plain(part) in headings for part in section.split("#") if part.strip())


def _plain(heading: str) -> str:
    return _IN_LINKS.sub(" ", heading).strip().casefold()
