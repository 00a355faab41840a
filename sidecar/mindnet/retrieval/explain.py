"""Why a hit is there: reasons that name the true cause of each part and the line it stands in."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date

from mindnet.markdown.lines import split_lines
from mindnet.records import (
    Chunk,
    Contribution,
    Explanation,
    Label,
    Language,
    LinkContext,
    Note,
    Pier,
    Reason,
    RelatedEdge,
)
from mindnet.retrieval.because import MAX_NAMED, MAX_RELATED, centrality_reasons, edge_reasons, relations, said_reasons
from mindnet.retrieval.intents import Intent
from mindnet.retrieval.legs import LexicalLeg, SaidLeg
from mindnet.retrieval.phrases import Phrase, phrase_reasons
from mindnet.retrieval.score import Scored, age, changed
from mindnet.retrieval.sentences import listed, recency_sentence, sentence
from mindnet.retrieval.walk import Causes
from mindnet.store.analysis import path_stem
from mindnet.store.port import Store

WORTH_A_REASON = 0.0005
"""Points below this would show as 0.000."""


ALIKE_LINES = 1_000
"""No number of words that only begin alike makes a line better than one with a word itself."""


@dataclass(frozen=True, slots=True)
class Explainer:
    """What every hit of one search is explained with; to be used within the store's ``exclusive()``."""

    query: str
    language: Language
    intent: Intent
    store: Store
    lexical: LexicalLeg
    said: SaidLeg
    causes: Causes
    include_private: bool = False
    phrases: tuple[Phrase, ...] = ()
    today: date = field(default_factory=date.today)

    def explain(self, hits: Sequence[Scored]) -> list[Explanation]:
        """One explanation a hit, in their order."""
        note_ids = sorted({hit.note_id for hit in hits})
        related = relations(self.store, note_ids, include_private=self.include_private, causes=self.causes)
        places = self.said.contexts(sorted({hit.candidate.said for hit in hits if hit.candidate.said}))
        speakers = (source for source, _ in places.values())
        named = self.store.labels(sorted({*note_ids, *speakers, *self._mentioned(hits)}))
        notes = self.store.notes(note_ids)
        return [
            Explanation(*self._parts(hit, notes, named, places, related), tuple(related[hit.note_id][:MAX_RELATED]))
            for hit in hits
        ]

    def _mentioned(self, hits: Sequence[Scored]) -> Iterable[str]:
        """The notes that a reason may name."""
        shown = {hit.note_id for hit in hits}
        yield from (source for source, target in self.causes.flow if target in shown)
        for hit in hits:
            for arrival in self.causes.by_chunk.get(hit.candidate.place.chunk_id, ()):
                for step in self.causes.chain(arrival):
                    yield from (step.source, step.edge.note_id)

    def _parts(
        self,
        hit: Scored,
        notes: Mapping[str, Note],
        named: Mapping[str, Label],
        places: Mapping[int, tuple[str, LinkContext]],
        related: Mapping[str, Sequence[RelatedEdge]],
    ) -> tuple[tuple[Contribution, ...], tuple[Reason, ...]]:
        chunk = hit.candidate.chunk
        contributions: list[Contribution] = []
        reasons: list[Reason] = []
        for part in hit.contributions:
            found: list[Reason] = []
            evidence: list[str] = []
            if part.points >= WORTH_A_REASON:
                match part.part:
                    case "semantic":
                        text = sentence(self.language, "semantic", raw=part.raw)
                        found = [Reason("semantic", text, path=chunk.path, line=chunk.start_line)]
                    case "lexical":
                        found, evidence = self._words(chunk, notes.get(chunk.note_id))
                        over = part.raw - hit.candidate.lexical
                        if hit.candidate.pier is not None and part.points * over >= WORTH_A_REASON * part.raw:
                            found.append(self._bridge(chunk, hit.candidate.pier))
                    case "links":
                        source_id, place = places[hit.candidate.said]
                        found, evidence = said_reasons(
                            self.query,
                            place,
                            named[source_id],
                            related[chunk.note_id],
                            lexical=self.lexical,
                            language=self.language,
                        )
                    case "edge":
                        found, evidence = edge_reasons(
                            self.causes.by_chunk.get(chunk.chunk_id, ()),
                            self.causes,
                            language=self.language,
                            intent=self.intent,
                            notes=named,
                        )
                    case "centrality":
                        found, evidence = centrality_reasons(
                            chunk.note_id, self.causes, language=self.language, notes=named
                        )
                    case "recency":
                        text = recency_sentence(self.language, changed(chunk), age(chunk, self.today))
                        found, evidence = [Reason("recency", text, path=chunk.path)], [changed(chunk).isoformat()]
                    case _:
                        raise AssertionError(f"no reason is known for {part.part}")
            reasons += found
            contributions.append(replace(part, evidence=tuple(evidence)))
        status = contributions[0].factors.get("status", 1.0)
        if status != 1.0 and reasons:
            text = sentence(self.language, "status", status=chunk.status, factor=status)
            reasons[0] = replace(reasons[0], text=f"{reasons[0].text}; {text}")
        return tuple(contributions), tuple(reasons)

    # -------------------------------------------------------------- words
    def _bridge(self, chunk: Chunk, pier: Pier) -> Reason:
        """Which names lead here, and from where."""
        shared = self.lexical.shared_names(self.query, pier, "\n".join(_written(chunk)))[:MAX_NAMED]
        text = sentence(self.language, "bridge", names=listed(shared), title=pier.title)
        return Reason("lexical", text, path=pier.path)

    def _words(self, chunk: Chunk, note: Note | None) -> tuple[list[Reason], list[str]]:
        """Whether the question names the note; the words that the passage has; those that only names of it have."""
        named: list[str] = []
        reasons, held = phrase_reasons(self.phrases, chunk, note, self.language)
        covered: tuple[str, ...] = self.lexical.matched_words(self.query, "\n".join(held)) if held else ()
        quoted = covered
        stem = path_stem(chunk.path)
        for name in dict.fromkeys((chunk.title, *chunk.aliases, stem)):
            own = self.lexical.matched_words(name, name)
            if own and self.lexical.matched_words(name, self.query) == own:
                text = sentence(self.language, "named", name=f"*{name}*")
                reasons.append(Reason("lexical", text, path=chunk.path, line=_line_of([name], note)))
                covered = (*covered, *self.lexical.matched_words(self.query, name))
                break
        fields: tuple[tuple[str, tuple[str, ...]], ...] = (
            ("lexical", (chunk.text,)),
            ("title", (chunk.title,)),
            ("aliases", chunk.aliases),
            ("headings", chunk.heading_path),
            ("tags", chunk.tags),
            ("file", (stem,)),
        )
        for key, pieces in fields:
            matched = self.lexical.matched_words(self.query, "\n".join(pieces))
            known = (*named, *(quoted if key == "lexical" else covered))
            words = tuple(word for word in dict.fromkeys(matched) if word not in known)
            if not words:
                continue
            if key == "lexical":
                line = self._line_in_text(chunk)
            else:
                hits = [piece for piece in pieces if set(self.lexical.matched_words(self.query, piece)) & set(words)]
                line = _line_of(hits, note) or chunk.start_line
            text = sentence(self.language, f"{key}_one" if len(words) == 1 else key, words=listed(words))
            reasons.append(Reason("lexical", text, path=chunk.path, line=line))
            named += words
        written = "\n".join(piece for _, pieces in fields for piece in pieces)
        for word, found in self.lexical.near_words(self.query, written):
            text = sentence(self.language, "near", found=found, word=word)
            reasons.append(Reason("lexical", text, path=chunk.path, line=self._line_with(found, chunk, note)))
            named += (word, found)
        alike = self.lexical.alike_words(self.query, written)
        if words := tuple(word for word in dict.fromkeys(alike) if word not in (*named, *covered)):
            text = sentence(self.language, "alike_one" if len(words) == 1 else "alike", words=listed(words))
            reasons.append(Reason("lexical", text, path=chunk.path, line=self._line_in_text(chunk)))
            named += words
        return reasons, list(dict.fromkeys((*named, *covered)))

    def _line_with(self, word: str, chunk: Chunk, note: Note | None) -> int:
        """The first line of the passage with a word, else that of the note."""
        lines = enumerate(split_lines(chunk.text), chunk.start_line)
        found = next((number for number, line in lines if self.lexical.matched_words(word, line)), None)
        return min(found, chunk.end_line) if found is not None else _line_of([word], note) or chunk.start_line

    def _line_in_text(self, chunk: Chunk) -> int:
        """The first line of the passage with the most of the words."""
        best, most = chunk.start_line, 0.0
        for number, line in enumerate(split_lines(chunk.text)):
            matched = len(self.lexical.matched_words(self.query, line)) or (
                len(self.lexical.alike_words(self.query, line)) / ALIKE_LINES
            )
            if matched > most:
                best, most = min(chunk.start_line + number, chunk.end_line), matched
        return best


def _written(chunk: Chunk) -> tuple[str, ...]:
    """All that the words of a chunk are taken from."""
    stem = path_stem(chunk.path)
    return (chunk.text, chunk.title, stem, *chunk.aliases, *chunk.heading_path, *chunk.tags)


def _line_of(pieces: Sequence[str], note: Note | None) -> int | None:
    """The first line of the file that has one of these pieces, None for a title that is only the file's name."""
    if note is None:
        return None
    folded = [piece.casefold() for piece in pieces]
    lines = enumerate(split_lines(note.fulltext), 1)
    return next((number for number, line in lines if any(piece in line.casefold() for piece in folded)), None)
