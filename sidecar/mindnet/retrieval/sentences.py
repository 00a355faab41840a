"""The sentences of an explanation, in German and English: one table, the same keys in both."""

from __future__ import annotations

from collections.abc import Mapping

from mindnet.records import Language

SENTENCES: Mapping[Language, Mapping[str, str]] = {
    "en": {
        "semantic": "its passage is close in meaning to your question (similarity {raw:.2f})",
        "semantic_note": "its passage is close in meaning to your passage in line {line} (similarity {raw:.2f})",
        "lexical_one": "contains your word {words}",
        "lexical": "contains your words {words}",
        "alike_one": "contains words that begin like your word {words}",
        "alike": "contains words that begin like your words {words}",
        "named": "your question names it: {name}",
        "file_one": "its file name contains your word {words}",
        "file": "its file name contains your words {words}",
        "title_one": "its title contains your word {words}",
        "title": "its title contains your words {words}",
        "aliases_one": "one of its aliases contains your word {words}",
        "aliases": "its aliases contain your words {words}",
        "headings_one": "the heading above contains your word {words}",
        "headings": "the headings above contain your words {words}",
        "tags_one": "its tags contain your word {words}",
        "tags": "its tags contain your words {words}",
        "bridge": "shares {names} with *{title}*, which your words lead to",
        "status": "its status *{status}* counts ×{factor:g}",
        "links_one": "*{title}* links to it as *{label}*{place}, with your word {words}",
        "links": "*{title}* links to it as *{label}*{place}, with your words {words}",
        "edge_out": "linked from *{title}* by `{kind}`{place}",
        "edge_in": "links to *{title}* by `{kind}`{place}",
        "default_out": "linked from *{title}*{place}; by its type's default such links are also `{kind}`",
        "default_in": "links to *{title}*{place}; by its type's default such links are also `{kind}`",
        "place": ", written in line {line}",
        "place_of": ", written in *{title}*, line {line}",
        "path": "found through {path} → this{place}",
        "path_in": "found through {path} ← this{place}",
        "adjacent": "stands next to a passage of the same note that was found",
        "series": "stands in a series near *{title}*, whose number your question has",
        "smart": "confirmed by the language model",
        "rule": "by the rule `{rule}`",
        "intent": "the question's intent {intent} counts `{kind}` ×{boost:g}",
        "centrality": "well connected with the best hits: {titles}",
        "centrality_between": "well connected with the best hits by way of {titles}",
        "why_not_missing": "There is no such note in the index.",
        "why_not_filter": "The filter `{filter}` leaves it out.",
        "why_not_private": "It is private; ask with private notes included to see it.",
        "why_not_empty": "It has no text that could be found.",
        "why_not_hit": "It is among the hits, in place {rank}.",
        "why_not_rank": "It is in place {rank} with {total:.3f}; the last hit has {last:.3f}.",
        "why_not_pool": "{legs}: too far behind to be among the {pool} best passages that each search gives.",
        "why_not_zero": "Its weight is 0, so that nothing of what the searches found counts.",
        "why_not_unfound": "Neither its words nor its meaning are near the question: no search found it.",
        "leg_semantic": "By meaning its best passage is in place {rank}",
        "leg_lexical": "by words its best passage is in place {rank}",
        "leg_semantic_none": "By meaning it is not among the first {limit}",
        "leg_lexical_none": "by words it was not found",
    },
    "de": {
        "semantic": "der Abschnitt liegt in der Bedeutung nah an deiner Frage (Ähnlichkeit {raw:.2f})",
        "semantic_note": "der Abschnitt liegt in der Bedeutung nah an deinem in Zeile {line} (Ähnlichkeit {raw:.2f})",
        "lexical_one": "enthält dein Wort {words}",
        "lexical": "enthält deine Wörter {words}",
        "alike_one": "enthält Wörter, die wie dein Wort {words} beginnen",
        "alike": "enthält Wörter, die wie deine Wörter {words} beginnen",
        "named": "deine Frage nennt sie beim Namen: {name}",
        "file_one": "der Dateiname enthält dein Wort {words}",
        "file": "der Dateiname enthält deine Wörter {words}",
        "title_one": "der Titel enthält dein Wort {words}",
        "title": "der Titel enthält deine Wörter {words}",
        "aliases_one": "ein Alias enthält dein Wort {words}",
        "aliases": "die Aliase enthalten deine Wörter {words}",
        "headings_one": "die Überschrift darüber enthält dein Wort {words}",
        "headings": "die Überschriften darüber enthalten deine Wörter {words}",
        "tags_one": "die Tags enthalten dein Wort {words}",
        "tags": "die Tags enthalten deine Wörter {words}",
        "bridge": "hat {names} gemeinsam mit *{title}*, worauf deine Wörter führen",
        "status": "der Status *{status}* zählt ×{factor:g}",
        "links_one": "*{title}* verlinkt darauf als *{label}*{place}, mit deinem Wort {words}",
        "links": "*{title}* verlinkt darauf als *{label}*{place}, mit deinen Wörtern {words}",
        "edge_out": "verlinkt von *{title}* mit `{kind}`{place}",
        "edge_in": "verlinkt auf *{title}* mit `{kind}`{place}",
        "default_out": "verlinkt von *{title}*{place}; nach der Vorgabe des Typs sind solche Links auch `{kind}`",
        "default_in": "verlinkt auf *{title}*{place}; nach der Vorgabe des Typs sind solche Links auch `{kind}`",
        "place": ", geschrieben in Zeile {line}",
        "place_of": ", geschrieben in *{title}*, Zeile {line}",
        "path": "gefunden über {path} → diese Notiz{place}",
        "path_in": "gefunden über {path} ← diese Notiz{place}",
        "adjacent": "steht neben einem gefundenen Abschnitt derselben Notiz",
        "series": "steht in einer Reihe nah bei *{title}*, deren Nummer deine Frage nennt",
        "smart": "vom Sprachmodell bestätigt",
        "rule": "nach der Regel `{rule}`",
        "intent": "die Absicht {intent} der Frage zählt `{kind}` ×{boost:g}",
        "centrality": "gut verbunden mit den besten Treffern: {titles}",
        "centrality_between": "gut verbunden mit den besten Treffern über {titles}",
        "why_not_missing": "Eine solche Notiz gibt es im Index nicht.",
        "why_not_filter": "Der Filter `{filter}` schließt sie aus.",
        "why_not_private": "Sie ist privat; frage mit privaten Notizen, um sie zu sehen.",
        "why_not_empty": "Sie hat keinen Text, der gefunden werden könnte.",
        "why_not_hit": "Sie ist unter den Treffern, auf Platz {rank}.",
        "why_not_rank": "Sie steht auf Platz {rank} mit {total:.3f}; der letzte Treffer hat {last:.3f}.",
        "why_not_pool": "{legs}: zu weit hinten für die {pool} besten Abschnitte, die jede Suche gibt.",
        "why_not_zero": "Ihr Gewicht ist 0, sodass nichts zählt, was die Suchen fanden.",
        "why_not_unfound": "Weder Wörter noch Bedeutung liegen nah an der Frage: keine Suche fand sie.",
        "leg_semantic": "Nach Bedeutung steht ihr bester Abschnitt auf Platz {rank}",
        "leg_lexical": "nach Wörtern steht ihr bester Abschnitt auf Platz {rank}",
        "leg_semantic_none": "Nach Bedeutung ist sie nicht unter den ersten {limit}",
        "leg_lexical_none": "nach Wörtern wurde sie nicht gefunden",
    },
}


def sentence(language: Language, key: str, **values: object) -> str:
    """The sentence with its values; raises ``KeyError`` for a key or a value that is missing."""
    if language == "de":
        values = {name: _WithComma(value) if isinstance(value, float) else value for name, value in values.items()}
    return SENTENCES[language][key].format(**values)


class _WithComma(float):
    """A number as it is written in German."""

    def __format__(self, form: str) -> str:
        return super().__format__(form).replace(".", ",")


def place(language: Language, line: int, title: str | None = None) -> str:
    """Where it is written, as the end of a sentence, and in which note unless that is clear; nothing without a line."""
    if not line:
        return ""
    return sentence(language, "place" if title is None else "place_of", line=line, title=title)


def listed(names: tuple[str, ...]) -> str:
    return ", ".join(f"*{name}*" for name in names)
