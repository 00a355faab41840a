"""Why a note is not among the hits: the filter that cut it, or its place in the order and in each search."""

from __future__ import annotations

import unicodedata
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass

from mindnet.embedding.port import Vectors
from mindnet.records import Language, Note
from mindnet.retrieval.copies import Folded
from mindnet.retrieval.filters import PRIVATE
from mindnet.retrieval.legs import LexicalLeg
from mindnet.retrieval.phrases import Holding
from mindnet.retrieval.score import Scored
from mindnet.retrieval.sentences import sentence
from mindnet.retrieval.understanding import Understood
from mindnet.store.port import All, AnyOf, Condition, Store

FURTHEST = 1_000
"""Passages of each search among which the note's place is looked for."""


@dataclass(frozen=True, slots=True)
class WhyNot:
    """``ranks`` gives the note's place in each leg and in all, None where it was not found."""

    note: str
    found: bool
    title: str | None
    ranks: Mapping[str, int | None]
    cut_by: str | None
    text: str


@dataclass(frozen=True, slots=True)
class Inquiry:
    """A search that has been answered, to be asked about what is missing from it.

    ``ranked`` holds the best chunk of each note found, ``vector`` is None where the mode has no
    meaning and ``words`` False where it has no words; ``filters`` are named conditions.
    """

    text: str
    vector: Vectors | None
    words: bool
    condition: Condition | None
    allowed: Container[str] | None
    filters: Sequence[tuple[str, Condition]]
    include_private: bool
    ranked: Sequence[Scored]
    top_k: int
    pool: int
    language: Language
    understood: Understood
    holding: Holding | None
    folded: Folded


def why_not(asked: Sequence[str], inquiry: Inquiry, *, store: Store, lexical: LexicalLeg) -> list[WhyNot]:
    """One answer for each path or note id asked for."""
    if not asked:
        return []
    legs = _legs(inquiry, store, lexical)
    return [_one(name, inquiry, store, legs) for name in asked]


def _legs(inquiry: Inquiry, store: Store, lexical: LexicalLeg) -> dict[str, dict[str, int]]:
    """The place of each note's best passage in each leg that the mode has, and in the order of all."""
    legs: dict[str, list[str]] = {}
    if inquiry.vector is not None:
        near = store.search_places(inquiry.vector, FURTHEST, inquiry.condition)
        legs["semantic"] = [one.place.note_id for one in near if one.score > 0]
    if inquiry.words:
        legs["lexical"] = [hit.note_id for hit in lexical.search(inquiry.text, FURTHEST, inquiry.allowed)]
    for part in ("links", "edge", "centrality"):
        order = sorted((-_raw(scored, part), *scored.order[1:], scored.note_id) for scored in inquiry.ranked)
        if any(one.part == part for scored in inquiry.ranked for one in scored.contributions):
            legs[part] = [key[-1] for key in order if key[0] < 0]
    legs["total"] = [scored.note_id for scored in inquiry.ranked]
    return {
        leg: {note_id: place for place, note_id in enumerate(dict.fromkeys(order), 1)} for leg, order in legs.items()
    }


def _raw(scored: Scored, part: str) -> float:
    return next((one.raw for one in scored.contributions if one.part == part), 0.0)


def _one(asked: str, inquiry: Inquiry, store: Store, legs: Mapping[str, Mapping[str, int]]) -> WhyNot:
    language = inquiry.language
    note = _find(store, asked)
    if note is None:
        return WhyNot(asked, False, None, {}, None, sentence(language, "why_not_missing"))
    own = AnyOf("note_id", (note.note_id,))
    if not inquiry.include_private and store.count("notes", All((own, PRIVATE))):
        # Not even its title is part of an answer.
        return WhyNot(asked, True, None, {}, "private", sentence(language, "why_not_private"))
    for name, condition in inquiry.filters:
        if not store.count("notes", All((own, condition))):
            return WhyNot(asked, True, note.title, {}, name, _cut(name, inquiry))
    if inquiry.holding is not None and (phrase := inquiry.holding.missing_in(note.note_id, store)) is not None:
        return WhyNot(asked, True, note.title, {}, "phrase", sentence(language, "why_not_phrase", phrase=phrase.text))
    place = inquiry.folded.stands_for(note.note_id, inquiry.top_k)
    if place is not None:
        title = inquiry.folded.shown[place - 1].chunk.title
        text = sentence(language, "why_not_copy", title=title, rank=place)
        return WhyNot(asked, True, note.title, {}, "copy", text)
    ranks = {leg: places.get(note.note_id) for leg, places in legs.items()}
    return WhyNot(asked, True, note.title, ranks, None, _text(note, ranks, inquiry, bool(store.count("chunks", own))))


def _cut(name: str, inquiry: Inquiry) -> str:
    """What a filter that leaves a note out is called; a time that was read in the question says what it was read as."""
    applied = inquiry.understood.applied
    if name == "time" and applied is not None:
        return sentence(inquiry.language, "why_not_time", said=applied.said)
    return sentence(inquiry.language, "why_not_filter", filter=name)


def _text(note: Note, ranks: Mapping[str, int | None], inquiry: Inquiry, has_text: bool) -> str:
    language, place = inquiry.language, ranks["total"]
    if not has_text:
        return sentence(language, "why_not_empty")
    if place is not None and place <= inquiry.top_k:
        return sentence(language, "why_not_hit", rank=place)
    if place is not None:
        total, last = inquiry.ranked[place - 1].total, inquiry.ranked[inquiry.top_k - 1].total
        return sentence(language, "why_not_rank", rank=place, total=total, last=last)
    legs = {leg: rank for leg, rank in ranks.items() if leg in ("semantic", "lexical")}
    if all(rank is None for rank in legs.values()):
        return sentence(language, "why_not_unfound")
    if note.retriever_weight <= 0:
        return sentence(language, "why_not_zero")
    said = (
        sentence(language, f"leg_{leg}_none", limit=FURTHEST)
        if rank is None
        else sentence(language, f"leg_{leg}", rank=rank)
        for leg, rank in legs.items()
    )
    text = sentence(language, "why_not_pool", legs=", ".join(said), pool=inquiry.pool)
    return text[0].upper() + text[1:]


def _find(store: Store, asked: str) -> Note | None:
    found = store.note(asked)
    if found is not None:
        return found
    ids = store.note_ids(AnyOf("path", (unicodedata.normalize("NFC", asked),)))
    return store.note(sorted(ids)[0]) if ids else None
