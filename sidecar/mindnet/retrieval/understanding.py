"""What is read out of a question before it is asked: its phrases in quotes, and a time as a filter.

Both show in the answer with what was made of them, and a request can insist on them or leave them off.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Literal

from mindnet.records import Language
from mindnet.retrieval.dates import Stamp, Time, times_of, without
from mindnet.retrieval.filters import DateRange, Filters, conditions, where
from mindnet.retrieval.legs import LexicalLeg
from mindnet.retrieval.phrases import Holding, Phrase, Quoting, field_of, phrases_of
from mindnet.retrieval.sentences import sentence, written_date
from mindnet.store.analysis import words
from mindnet.store.port import Condition, Store

Dating = Literal["auto", "apply", "ignore"]
Outcome = Literal["applied", "empty", "content", "offered", "second"]
NEAREST = 10
"""Among so many passages with words of the question it is seen whether a time is what they are about."""

_ASKING_FOR_NOTES = frozenset(
    """note notes notiz notizen entry entries eintrag eintraege eintraegen journal tagebuch text texts texte
    write writes wrote written writing schrieb schreibe geschrieben noted notiert recorded festgehalten added
    hinzugefuegt created angelegt erstellt changed geaendert edited bearbeitet updated ueberarbeitet happened
    happen passiert geschehen los work worked gearbeitet gemacht getan done new neu neue neues summarise
    summarize summary sum fass fasse fassen zusammen zusammenfassung zusammenfassen overview ueberblick
    uebersicht list liste tell erzaehl erzaehle show zeig zeige give gib say says said sagt steht please bitte
    everything things going geht gibt learned learnt gelernt
    """.split()  # noqa: SIM905
)
"""Words that ask for notes, whatever these are about."""


@dataclass(frozen=True, slots=True)
class ReadTime:
    """A time in the question: whole days, both ends inclusive, None for an open end, and what was made of it."""

    text: str
    stamp: Stamp
    first: date
    last: date | None
    outcome: Outcome
    said: str


@dataclass(frozen=True, slots=True)
class ReadPhrase:
    """A phrase in quotes; ``notes`` is how many hold it, None where it is not required."""

    text: str
    notes: int | None
    said: str


@dataclass(frozen=True, slots=True)
class Understood:
    """A question as it is searched for: ``text`` is without the time that is applied, which is in ``filters``.

    ``everything``: beside its time and filters it says nothing of what the notes are about.
    """

    text: str
    filters: Filters
    phrases: tuple[Phrase, ...]
    times: tuple[ReadTime, ...]
    everything: bool = False

    @property
    def applied(self) -> ReadTime | None:
        return next((time for time in self.times if time.outcome == "applied"), None)


@dataclass(frozen=True, slots=True)
class Reading:
    """What a question is read with; ``now`` without a zone is the machine's own time."""

    store: Store
    lexical: LexicalLeg
    now: datetime
    language: Language

    def understand(
        self, text: str, filters: Filters, *, quoting: Quoting, dating: Dating, include_private: bool
    ) -> Understood:
        """The question and its filters, with a time in it as one more; a range that is given has the last word."""
        phrases = phrases_of(text, quoting)
        given = filters.created != DateRange() or filters.updated != DateRange()
        if dating == "ignore" or given:
            return Understood(text, filters, phrases, (), _asks_for_everything(text, filters))
        quoted = [(phrase.start, phrase.end) for phrase in phrases_of(text)]
        condition = where(filters, include_private=include_private)
        read: list[ReadTime] = []
        asked, chosen, rest = text, filters, text
        for time in times_of(text, self.now.date(), quoted):
            own = _ranges(time, self.now)
            outcome = self._outcome(time, text, condition, replace(filters, time=own), dating, include_private)
            if outcome == "applied" and chosen is not filters:
                outcome = "second"
            if outcome == "applied":
                asked, chosen = without(text, time), replace(filters, time=own)
                rest = f"{text[: time.start]} {text[time.end :]}"
            if outcome != "empty" or time.strength == "clear":
                read.append(self._said(time, outcome))
        return Understood(asked, chosen, phrases, tuple(read), _asks_for_everything(rest, chosen))

    def _outcome(
        self,
        time: Time,
        text: str,
        condition: Condition | None,
        filters: Filters,
        dating: Dating,
        include_private: bool,
    ) -> Outcome:
        # A time that none of the notes has would leave nothing, whatever is asked.
        if not self.store.count("notes", where(filters, include_private=include_private)):
            return "empty"
        if time.strength == "clear" or dating == "apply":
            return "applied"
        if time.strength == "possible":
            return "offered"
        return "content" if self._is_content(time, text, condition) else "applied"

    def _is_content(self, time: Time, text: str, condition: Condition | None) -> bool:
        """Whether notes about the rest of the question have the very words of the time."""
        allowed = None if condition is None else frozenset(self.store.note_ids(condition))
        hits = self.lexical.search(text, NEAREST, allowed)
        phrase = Phrase(time.text, tuple(word.folded for word in words(time.text, stop_words=True)), 0, 0, "required")
        rest = without(text, time)
        for chunk in self.store.chunks([hit.chunk_id for hit in hits]).values():
            names = "\n".join((chunk.title, chunk.text, *chunk.heading_path, *chunk.aliases))
            if field_of(phrase, chunk) is not None and (rest == text or self.lexical.matched_words(rest, names)):
                return True
        return False

    def _said(self, time: Time, outcome: Outcome) -> ReadTime:
        first, last = time.span.first, time.span.last
        said = sentence(
            self.language,
            f"time_{outcome}",
            text=time.text,
            stamp=sentence(self.language, f"stamp_{time.stamp}"),
            span=_span(first, last, self.language),
        )
        return ReadTime(time.text, time.stamp, first, last, outcome, said)


def _asks_for_everything(rest: str, filters: Filters) -> bool:
    """Whether what is left of a question beside its time only asks for the notes that the filters let through."""
    return bool(conditions(filters)) and says_no_topic(rest)


def says_no_topic(text: str) -> bool:
    """Whether a text only asks for notes, and not for any on something."""
    return all(word.folded in _ASKING_FOR_NOTES for word in words(text))


def read_phrases(phrases: Sequence[Phrase], holding: Holding | None, language: Language) -> tuple[ReadPhrase, ...]:
    """The phrases as the answer shows them."""
    found = []
    for phrase in phrases:
        if holding is not None and phrase in holding.notes:
            notes: int | None = len(holding.notes[phrase])
            key = "phrase_many" if phrase in holding.more else "phrase_required"
            said = sentence(language, key, phrase=phrase.text, notes=notes)
        else:
            notes, said = None, sentence(language, "phrase_loose", phrase=phrase.text)
        found.append(ReadPhrase(phrase.text, notes, said))
    return tuple(found)


def _span(first: date, last: date | None, language: Language) -> str:
    key = "span_since" if last is None else "span_day" if last == first else "span_days"
    return sentence(language, key, first=written_date(language, first), last=written_date(language, last or first))


def _ranges(time: Time, now: datetime) -> tuple[tuple[Literal["created", "updated"], DateRange], ...]:
    """The days as the fields hold them. ``updated`` is the file's time; ``created`` is mostly a day without a clock,
    written by the author's calendar: its border is the earlier of both, so that no such day falls out.
    """
    low, high = time.span.moments(now)
    first = int(f"{time.span.first:%Y%m%d}000000")
    updated = DateRange(int(f"{low:%Y%m%d%H%M%S}"), int(f"{high:%Y%m%d%H%M%S}") if high is not None else None)
    assert updated.low is not None
    last = int(f"{time.span.last:%Y%m%d}235959") if time.span.last is not None else None
    created = DateRange(min(first, updated.low), last)
    fields: tuple[tuple[Literal["created", "updated"], DateRange], ...] = (("created", created), ("updated", updated))
    return tuple(one for one in fields if time.stamp in (one[0], "either"))
