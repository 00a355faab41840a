"""Phrases in quotation marks: a passage has to hold their words next to each other.

Words are compared as they are folded (case, umlauts, accents), in their full form and not by their stem, as whoever
takes the trouble of quoting means these words; punctuation and markup between them do not count, and of a link
either the shown text or what is written.
"""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from mindnet.markdown.lines import split_lines
from mindnet.records import Chunk, Language, Note, Pier, Reason
from mindnet.retrieval.legs import BridgeHit, LexicalHit, LexicalLeg
from mindnet.retrieval.sentences import sentence
from mindnet.store.analysis import STOP_WORDS, content_words, path_stem, words
from mindnet.store.port import All, AnyOf, Condition, Store

Quoting = Literal["auto", "require", "ignore"]
Demand = Literal["required", "if_held", "loose"]

# An opening mark stands before a word and behind none, a closing one the other way round: 5" and 3" are inches.
_MARKS = (('"', '"'), ("“", "”"), ("„", '“”"'), ("«", "»"), ("»", "«"), ("‹", "›"), ("›", "‹"))
_QUOTED = re.compile(
    "|".join(rf"(?<![\w{one}]){one} ?(?=\S)([^{one}{two}\n]+?)(?<=\S) ?[{two}](?!\w)" for one, two in _MARKS)
)
_SHOWN_LINK = re.compile(r"!?\[\[[^\]\n|]*\|([^\]\n]*)\]\]|(?<=\])\([^)\s]*(?:\s[^)\n]*)?\)")
PROSE = 3
"""So many words of meaning besides make a sentence that is about more than its phrase."""
_ABOUT_SEARCHING = frozenset(
    """note notes notiz notizen contain contains containing enthalten enthaelt mention mentions erwaehnt erwaehnen word
    words wort worte woerter phrase phrases sentence satz text exact exactly genau genauer find finde finden search
    suche show zeige say says said stand stands stehen steht write writes wrote written schrieb schreibe geschrieben
    """.split()  # noqa: SIM905
)
MOST_READ = 1_000
"""So many passages that have all words of a phrase are read, the best first: hardly anybody means *of the* by it."""


@dataclass(frozen=True, slots=True)
class Phrase:
    """What stands between quotation marks, and its words, folded; ``start`` and ``end`` are its place, marks included.

    ``demand`` says whether hits have to hold it: in a sentence the marks may be those of a title or a term.
    """

    text: str
    folded: tuple[str, ...]
    start: int
    end: int
    demand: Demand

    def stands_in(self, text: str) -> bool:
        """Whether a text has the words one behind the other."""
        wanted = f" {' '.join(self.folded)} "
        return wanted in _folded(text) or (("](" in text or "[[" in text) and wanted in _folded(_shown(text)))


@dataclass(frozen=True, slots=True)
class Holding:
    """The passages that hold what they have to of a question's phrases: of notes that hold them all, those with one.

    ``chunks`` gives the note of each; ``notes`` are by phrase all notes that hold it, or those that were read where
    it is one of ``more``, whose words are in too many passages to read them all.
    """

    phrases: tuple[Phrase, ...]
    chunks: Mapping[str, str]
    notes: Mapping[Phrase, frozenset[str]]
    more: frozenset[Phrase] = frozenset()

    @property
    def all_notes(self) -> frozenset[str]:
        return frozenset(self.chunks.values())

    def within(self, condition: Condition | None) -> Condition:
        """The condition, of these passages alone."""
        held = AnyOf("chunk_id", tuple(self.chunks))
        return held if condition is None else All((condition, held))

    def missing_in(self, note_id: str, store: Store) -> Phrase | None:
        """The first phrase that a note does not hold."""
        for phrase in self.phrases:
            unread = phrase in self.more and any(field_of(phrase, chunk) for chunk in store.chunks_of([note_id]))
            if note_id not in self.notes[phrase] and not unread:
                return phrase
        return None


def phrases_of(question: str, quoting: Quoting = "auto") -> tuple[Phrase, ...]:
    """The phrases of a question, in order; one without a word is none.

    By default they are required. A sentence uses the marks for titles and terms too: one that says much besides ("Who
    did the singer of “Hurt” marry in 1968?") may be answered by a note without it, and one that says little requires
    it if there is a note that holds it.
    """
    if quoting == "ignore":
        return ()
    demand: Demand = "required" if quoting == "require" else _demand(_QUOTED.sub(" ", question))
    found = []
    for match in _QUOTED.finditer(question):
        text = next(group for group in match.groups() if group is not None).strip()
        folded = tuple(word.folded for word in words(text, stop_words=True))
        if folded:
            found.append(Phrase(text, folded, match.start(), match.end(), demand))
    return tuple(found)


def _demand(besides: str) -> Demand:
    """What the rest of the question makes of its phrases."""
    small = sum(word.folded in STOP_WORDS for word in words(besides, stop_words=True))
    if small < 2 and not besides.rstrip().endswith("?"):
        return "required"
    said = [word for word in content_words(besides) if word.folded not in STOP_WORDS | _ABOUT_SEARCHING]
    return "loose" if len(said) >= PROSE else "if_held" if said else "required"


def hold(
    question: str,
    phrases: Sequence[Phrase],
    *,
    store: Store,
    lexical: LexicalLeg,
    allowed: Container[str] | None = None,
) -> Holding | None:
    """Which passages of the notes in ``allowed`` hold the phrases that have to be held.

    To be used within the store's ``exclusive()``. None where nothing has to be held.
    """
    found: dict[str, str] = {}
    notes: dict[Phrase, frozenset[str]] = {}
    more = set()
    for phrase in phrases:
        if phrase.demand == "loose":
            continue
        near = lexical.having(phrase.text, allowed)
        if len(near) > MOST_READ:
            more.add(phrase)
            scores = lexical.score(question, near)
            near = sorted(near, key=lambda one: (-scores[one], one))[:MOST_READ]
        chunks = store.chunks(near)
        having = {one.chunk_id: one.note_id for one in chunks.values() if field_of(phrase, one) is not None}
        if having or phrase.demand == "required":
            notes[phrase] = frozenset(having.values())
            found |= having
    if not notes:
        return None
    every = frozenset.intersection(*notes.values())
    held = {one: note for one, note in sorted(found.items()) if note in every}
    return Holding(tuple(notes), held, notes, frozenset(more))


def field_of(phrase: Phrase, chunk: Chunk) -> str | None:
    """Where a passage holds the phrase: ``text`` or the name of another field; None where nowhere."""
    fields: tuple[tuple[str, tuple[str, ...]], ...] = (
        ("text", (chunk.text,)),
        ("title", (chunk.title,)),
        ("headings", chunk.heading_path),
        ("aliases", chunk.aliases),
        ("tags", chunk.tags),
        ("file", (path_stem(chunk.path),)),
    )
    return next((name for name, pieces in fields if any(map(phrase.stands_in, pieces))), None)


def phrase_reasons(
    phrases: Sequence[Phrase], chunk: Chunk, note: Note | None, language: Language
) -> tuple[list[Reason], list[str]]:
    """A sentence for each phrase that the passage holds, with its line, and these phrases."""
    reasons, named = [], []
    for phrase in phrases:
        field = field_of(phrase, chunk)
        if field is None:
            continue
        text = sentence(language, f"phrase_{field}", phrase=phrase.text)
        if field == "text":
            line: int | None = min(chunk.start_line + _line_in(phrase, chunk.text), chunk.end_line)
        else:
            lines = enumerate(split_lines(note.fulltext), 1) if note is not None else ()
            line = next((number for number, one in lines if phrase.stands_in(one)), None)
        reasons.append(Reason("lexical", text, path=chunk.path, line=line or chunk.start_line))
        named.append(phrase.text)
    return reasons, named


def _line_in(phrase: Phrase, text: str) -> int:
    """In which line of a text that holds the phrase it begins, counted from 0."""
    lines = split_lines(text)
    last = next(
        (number for number in range(len(lines)) if phrase.stands_in("\n".join(lines[: number + 1]))), len(lines) - 1
    )
    return next(number for number in range(last, -1, -1) if phrase.stands_in("\n".join(lines[number : last + 1])))


def _folded(text: str) -> str:
    return f" {' '.join(word.folded for word in words(text, stop_words=True))} "


def _shown(text: str) -> str:
    """A text with its links as a reader sees them."""
    return _SHOWN_LINK.sub(lambda match: match[1] or "", text)


@dataclass(frozen=True, slots=True)
class _Hit:
    chunk_id: str
    note_id: str
    score: float


class PhraseLeg:
    """The words of those passages alone that hold the phrases."""

    def __init__(self, lexical: LexicalLeg, holding: Holding) -> None:
        self._all = lexical
        self._holding = holding

    def search(self, query: str, limit: int, allowed: Container[str] | None = None) -> Sequence[LexicalHit]:
        notes = self._holding.chunks
        scores = self._all.score(query, list(notes))
        hits = [_Hit(chunk_id, notes[chunk_id], score) for chunk_id, score in scores.items() if score > 0]
        hits = [hit for hit in hits if allowed is None or hit.note_id in allowed]
        return sorted(hits, key=lambda hit: (-hit.score, hit.chunk_id))[: max(limit, 0)]

    def score(self, query: str, chunk_ids: Sequence[str]) -> Mapping[str, float]:
        return self._all.score(query, chunk_ids)

    def bridges(
        self, query: str, piers: Sequence[Pier], limit: int, allowed: Container[str] | None = None
    ) -> Sequence[BridgeHit]:
        found = self._all.bridges(query, piers, limit, allowed)
        return [hit for hit in found if hit.chunk_id in self._holding.chunks]

    def having(self, text: str, allowed: Container[str] | None = None) -> Sequence[str]:
        return [one for one in self._all.having(text, allowed) if one in self._holding.chunks]

    def shared_names(self, query: str, pier: Pier, text: str) -> tuple[str, ...]:
        return self._all.shared_names(query, pier, text)

    def in_series(self, query: str, note_id: str) -> Sequence[tuple[str, int]]:
        return self._all.in_series(query, note_id)

    def matched_words(self, query: str, text: str) -> tuple[str, ...]:
        return self._all.matched_words(query, text)

    def alike_words(self, query: str, text: str) -> tuple[str, ...]:
        return self._all.alike_words(query, text)

    def near_words(self, query: str, text: str) -> tuple[tuple[str, str], ...]:
        return self._all.near_words(query, text)
