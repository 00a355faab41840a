"""Why a note is not among the hits: the filter that cut it, or its place in the order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mindnet.records import Language, Note
from mindnet.retrieval.score import Scored
from mindnet.retrieval.sentences import sentence
from mindnet.store.port import All, AnyOf, Condition, Store


@dataclass(frozen=True, slots=True)
class WhyNot:
    """``ranks`` gives the note's place in each leg and in all, None where it was not found."""

    note: str
    found: bool
    title: str | None
    ranks: Mapping[str, int | None]
    cut_by: str | None
    text: str


def why_not(
    asked: Sequence[str],
    *,
    store: Store,
    ranked: Sequence[Scored],
    top_k: int,
    filters: Sequence[tuple[str, Condition]],
    private: Condition | None,
    language: Language,
) -> list[WhyNot]:
    """One answer for each path or note id asked for; ``ranked`` holds the best chunk of each note found."""
    return [_one(name, store, ranked, top_k, filters, private, language) for name in asked]


def _one(
    asked: str,
    store: Store,
    ranked: Sequence[Scored],
    top_k: int,
    filters: Sequence[tuple[str, Condition]],
    private: Condition | None,
    language: Language,
) -> WhyNot:
    note = _find(store, asked)
    if note is None:
        return WhyNot(asked, False, None, {}, None, sentence(language, "why_not_missing"))
    own = AnyOf("note_id", (note.note_id,))
    if private is not None and store.count("notes", All((own, private))):
        return WhyNot(asked, True, note.title, {}, "private", sentence(language, "why_not_private"))
    for name, condition in filters:
        if not store.count("notes", All((own, condition))):
            return WhyNot(asked, True, note.title, {}, name, sentence(language, "why_not_filter", filter=name))
    ranks = _ranks(note.note_id, ranked)
    place = ranks["total"]
    if not store.count("chunks", own):
        text = sentence(language, "why_not_empty")
    elif place is None:
        text = sentence(language, "why_not_unfound")
    elif place <= top_k:
        text = sentence(language, "why_not_hit", rank=place)
    else:
        last = ranked[min(top_k, len(ranked)) - 1].total
        text = sentence(language, "why_not_rank", rank=place, total=ranked[place - 1].total, last=last)
    return WhyNot(asked, True, note.title, ranks, None, text)


def _find(store: Store, asked: str) -> Note | None:
    found = store.note(asked)
    if found is not None:
        return found
    ids = store.note_ids(AnyOf("path", (asked,)))
    return store.note(ids[0]) if ids else None


def _ranks(note_id: str, ranked: Sequence[Scored]) -> dict[str, int | None]:
    ranks: dict[str, int | None] = {}
    for part in ("semantic", "lexical", "edge", "centrality"):
        values = [
            (next((one.raw for one in scored.contributions if one.part == part), 0.0), scored.candidate.chunk.note_id)
            for scored in ranked
        ]
        order = [owner for raw, owner in sorted(values, key=lambda value: (-value[0], value[1])) if raw > 0]
        ranks[part] = order.index(note_id) + 1 if note_id in order else None
    order = [scored.candidate.chunk.note_id for scored in ranked]
    ranks["total"] = order.index(note_id) + 1 if note_id in order else None
    return ranks
