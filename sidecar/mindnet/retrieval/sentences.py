"""The sentences of an explanation, in German and English: one table, the same keys in both."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from mindnet.records import Language

SENTENCES: Mapping[Language, Mapping[str, str]] = {
    "en": {
        "semantic": "its passage is close in meaning to your question (similarity {raw:.2f})",
        "semantic_note": "its passage is close in meaning to your passage in line {line} (similarity {raw:.2f})",
        "lexical_one": "contains your word {words}",
        "lexical": "contains your words {words}",
        "alike_one": "contains words that begin like your word {words}",
        "alike": "contains words that begin like your words {words}",
        "near": "contains *{found}*, which your word *{word}* is near to",
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
        "phrase_text": "holds your phrase *{phrase}*",
        "phrase_title": "its title holds your phrase *{phrase}*",
        "phrase_headings": "a heading above holds your phrase *{phrase}*",
        "phrase_aliases": "one of its aliases holds your phrase *{phrase}*",
        "phrase_tags": "one of its tags holds your phrase *{phrase}*",
        "phrase_file": "its file name holds your phrase *{phrase}*",
        "phrase_required": "Only notes that hold *{phrase}* word for word: {notes}.",
        "phrase_many": "Only notes that hold *{phrase}* word for word: at least {notes}.",
        "phrase_loose": "*{phrase}* is read as a part of the sentence; it need not stand in a note.",
        "time_applied": "*{text}* is read as a time: only notes that were {stamp} {span}.",
        "time_empty": "*{text}* is not applied: no note was {stamp} {span}.",
        "time_content": "*{text}* is taken as words, since notes about this have them; as a time it would be {span}.",
        "time_offered": "*{text}* is taken as a word; as a time it would be {span}.",
        "time_second": "*{text}* is not applied, since another time is.",
        "stamp_created": "created",
        "stamp_updated": "changed",
        "stamp_either": "created or changed",
        "span_day": "on {first}",
        "span_days": "from {first} to {last}",
        "span_since": "since {first}",
        "why_not_phrase": "It does not hold the phrase *{phrase}*.",
        "why_not_time": "The time in your question leaves it out. {said}",
        "recency_today": "changed today",
        "recency_one": "changed yesterday, on {date}",
        "recency": "changed {days} days ago, on {date}",
        "why_not_copy": "Its passage is nearly that of *{title}* in place {rank}, and named there.",
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
        "near": "enthält *{found}*, dem dein Wort *{word}* nahe ist",
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
        "phrase_text": "enthält deine Wortfolge *{phrase}*",
        "phrase_title": "der Titel enthält deine Wortfolge *{phrase}*",
        "phrase_headings": "eine Überschrift darüber enthält deine Wortfolge *{phrase}*",
        "phrase_aliases": "ein Alias enthält deine Wortfolge *{phrase}*",
        "phrase_tags": "ein Tag enthält deine Wortfolge *{phrase}*",
        "phrase_file": "der Dateiname enthält deine Wortfolge *{phrase}*",
        "phrase_required": "Nur Notizen, in denen *{phrase}* wörtlich steht: {notes}.",
        "phrase_many": "Nur Notizen, in denen *{phrase}* wörtlich steht: mindestens {notes}.",
        "phrase_loose": "*{phrase}* wird als Teil des Satzes gelesen; es muss nicht in einer Notiz stehen.",
        "time_applied": "*{text}* wird als Zeit gelesen: nur Notizen, die {span} {stamp} wurden.",
        "time_empty": "*{text}* wird nicht angewandt: {span} wurde keine Notiz {stamp}.",
        "time_content": "*{text}* gilt als Text, weil Notizen dazu es enthalten; als Zeit wäre es {span}.",
        "time_offered": "*{text}* gilt als Wort; als Zeit wäre es {span}.",
        "time_second": "*{text}* wird nicht angewandt, weil eine andere Zeit es wird.",
        "stamp_created": "angelegt",
        "stamp_updated": "geändert",
        "stamp_either": "angelegt oder geändert",
        "span_day": "am {first}",
        "span_days": "vom {first} bis {last}",
        "span_since": "seit dem {first}",
        "why_not_phrase": "Sie enthält die Wortfolge *{phrase}* nicht.",
        "why_not_time": "Die Zeit in deiner Frage schließt sie aus. {said}",
        "recency_today": "heute geändert",
        "recency_one": "gestern geändert, am {date}",
        "recency": "vor {days} Tagen geändert, am {date}",
        "why_not_copy": "Ihr Abschnitt ist fast der von *{title}* auf Platz {rank} und dort genannt.",
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


def written_date(language: Language, day: date) -> str:
    return f"{day:%d.%m.%Y}" if language == "de" else day.isoformat()


def recency_sentence(language: Language, day: date, days: int) -> str:
    """When it was changed, and how long ago that is."""
    key = "recency_today" if days == 0 else "recency_one" if days == 1 else "recency"
    return sentence(language, key, days=days, date=written_date(language, day))
