"""What was asked, and what it brought: an entry for each search and each chat.

Of notes an entry has ids and numbers, and nothing that they say: no text, no title, no path, no words. Of a question
that may be answered from private notes the words are left out too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from mindnet.feedback.jsonlines import Entry, JsonLines
from mindnet.records import Contribution, Language, Mode

FILE = "search_history.jsonl"
QUERY_ID = "query_id"


@dataclass(frozen=True, slots=True)
class Shown:
    """A hit of an answer, with the parts of its score."""

    rank: int
    note_id: str
    chunk_id: str
    total_score: float
    contributions: tuple[Contribution, ...]


@dataclass(frozen=True, slots=True)
class Search:
    """A question and what it brought.

    ``text`` is what was written, ``searched`` what was searched for where that is another. ``weights`` is the version
    of the weights that scored, ``options`` whatever else shaped the answer.
    """

    query_id: str
    kind: Literal["query", "chat"]
    text: str
    mode: Mode
    intent: str
    language: Language
    weights: str
    took_ms: float
    hits: Sequence[Shown]
    include_private: bool
    searched: str = ""
    session_id: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict)


class SearchHistory:
    """The questions of one vault, over a file of entries."""

    def __init__(self, lines: JsonLines) -> None:
        self._lines = lines

    def add(self, search: Search) -> None:
        """Raises what ``JsonLines.append`` does."""
        self._lines.append(entry_of(search))

    def node_ids(self, query_id: str) -> frozenset[str] | None:
        """The ids of the notes and chunks that a question has brought; None for one that is not known."""
        found = self._lines.find(QUERY_ID, query_id)
        if found is None:
            return None
        hits = [hit for hit in found.get("hits", ()) if isinstance(hit, dict)]
        return frozenset(str(hit.get(key)) for hit in hits for key in ("note_id", "chunk_id"))


def entry_of(search: Search) -> Entry:
    words: dict[str, Any] = {"text": None}
    if not search.include_private:
        words = {"text": search.text, **search.options}
        if search.searched not in ("", search.text):
            words["searched"] = search.searched
    session = {} if search.session_id is None else {"session_id": search.session_id}
    return {
        QUERY_ID: search.query_id,
        "kind": search.kind,
        **session,
        **words,
        "include_private": search.include_private,
        "mode": search.mode,
        "intent": search.intent,
        "language": search.language,
        "weights": search.weights,
        "took_ms": round(search.took_ms, 1),
        "hits": [
            {
                "rank": hit.rank,
                "note_id": hit.note_id,
                "chunk_id": hit.chunk_id,
                "total_score": hit.total_score,
                "contributions": [_part(part) for part in hit.contributions],
            }
            for hit in search.hits
        ],
    }


def _part(part: Contribution) -> dict[str, Any]:
    factors = {"factors": dict(part.factors)} if part.factors else {}
    return {"part": part.part, "weight": part.weight, "raw": part.raw, "points": part.points, **factors}
