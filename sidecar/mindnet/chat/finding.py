"""The passages that an answer may rest on: a search as any other, of which no hit is a source by chance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Protocol

from mindnet.chat.context import Source
from mindnet.chat.question import Question
from mindnet.chat.relevance import JUDGED, Relevance
from mindnet.chat.sessions import Turn
from mindnet.records import Chunk, Language
from mindnet.retrieval.filters import where
from mindnet.retrieval.phrases import Quoting, phrases_of
from mindnet.retrieval.search import Query, SearchResult
from mindnet.retrieval.understanding import says_no_topic
from mindnet.store.filters import matches


class Passages(Protocol):
    """The index, as far as a chat needs it."""

    def search(self, query: Query) -> SearchResult: ...

    def chunks(self, chunk_ids: Sequence[str]) -> Mapping[str, Chunk]: ...


@dataclass(frozen=True, slots=True)
class Finder:
    """Searches for what is asked. Each call takes its time: not for an event loop."""

    passages: Passages
    relevance: Relevance

    def find(
        self, question: Question, wanted: str, language: Language, earlier: Sequence[Turn]
    ) -> tuple[SearchResult, list[Source]]:
        """What the words ``wanted`` find, and what of it may be cited, the best first.

        "Say that in one sentence" is about what was found before: where nothing is found, these are the sources
        again, unless the question itself names a phrase or a time that they need not have.
        """
        found = self.passages.search(
            Query(
                wanted,
                top_k=max(question.top_k, JUDGED),
                group_by="chunk",
                filters=question.filters,
                phrases=_quoting(question),
                dates=question.dates,
                fold_copies=question.fold_copies,
                explain=True,
                include_private=question.include_private,
                language=language,
            )
        )
        if _asks_for_an_empty_time(wanted, found):
            return found, []
        hits = found.hits if _is_chosen(question, found) else self.relevance.chance(language).relevant(found.hits)
        sources = [
            Source(number, hit.chunk, hit.total_score, hit.explanation, hit.also_in)
            for number, hit in enumerate(hits[: question.top_k], 1)
        ]
        if not sources and not _demands(question, found):
            sources = self._again(question, earlier)
        return found, sources

    def _again(self, question: Question, earlier: Sequence[Turn]) -> list[Source]:
        """The sources of the last turn that had any, as far as they may be sources of this question."""
        ids = next((turn.sources for turn in reversed(earlier) if turn.sources), ())
        known = self.passages.chunks(ids)
        allowed = where(question.filters, include_private=question.include_private)
        kept = [known[one] for one in ids if one in known and matches(allowed, asdict(known[one]))]
        return [Source(number, chunk, 0.0) for number, chunk in enumerate(kept, 1)]


def _quoting(question: Question) -> Quoting:
    """A follow-up is put into a longer question: what its phrases demand is read where the user wrote them."""
    own = phrases_of(question.message, question.phrases)
    return "require" if question.phrases == "auto" and own and own[0].demand == "required" else question.phrases


def _is_chosen(question: Question, found: SearchResult) -> bool:
    """Whether the user has named the passages by other things than by what they are about.

    That is a phrase that they hold, one note, or a time or filter of which everything is asked for. What such
    passages score says nothing of whether they are meant.
    """
    one_note = len(question.filters.path) == 1 and question.filters.path[0].endswith(".md")
    return found.everything or one_note or any(phrase.notes for phrase in found.phrases)


def _asks_for_an_empty_time(wanted: str, found: SearchResult) -> bool:
    """Whether all notes of a time are asked for, of which there are none: others are no answer."""
    rest, empty = wanted, [time.text for time in found.times if time.outcome == "empty"]
    for text in empty:
        rest = rest.replace(text, " ")
    return bool(empty) and not found.everything and says_no_topic(rest)


def _demands(question: Question, found: SearchResult) -> bool:
    """Whether the question's own words, not those of earlier ones, keep passages out."""
    read = [phrase.text for phrase in found.phrases if phrase.notes is not None]
    read += [time.text for time in found.times if time.outcome == "applied"]
    return any(text in question.message for text in read)
