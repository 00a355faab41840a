"""The sentences of an explanation, in German and English: one table, the same keys in both."""

from __future__ import annotations

from collections.abc import Mapping

from mindnet.records import Language

SENTENCES: Mapping[Language, Mapping[str, str]] = {
    "en": {
        "semantic": "its passage is close in meaning to your question (similarity {raw:.2f})",
        "lexical": "contains your words {words}",
        "lexical_one": "contains your word {words}",
        "lexical_title": "its title, aliases, headings or tags contain {words}",
        "edge_out": "linked from *{title}* by `{kind}`, written in line {line}",
        "edge_in": "links to *{title}* by `{kind}`, written in line {line}",
        "edge_default_out": "linked from *{title}* in line {line}; its type gives such links `{kind}`",
        "edge_default_in": "links to *{title}* in line {line}; its type gives such links `{kind}`",
        "edge_path": "found through *{title}* → `{kind}` → this, written in line {line}",
        "edge_path_in": "found through *{title}* ← `{kind}` ← this, written in line {line}",
        "centrality": "well connected with the best hits: {titles}",
        "intent": "the question's intent {intent} counts `{kind}` ×{boost:g}",
        "why_not_missing": "There is no such note in the index.",
        "why_not_filter": "The filter `{filter}` leaves it out.",
        "why_not_private": "It is private; ask with private notes included to see it.",
        "why_not_empty": "It has no text that could be found.",
        "why_not_hit": "It is among the hits, in place {rank}.",
        "why_not_rank": "It is in place {rank} with {total:.3f}; the last hit has {last:.3f}.",
        "why_not_unfound": "Neither its words nor its meaning are near enough to the question: no search found it.",
    },
    "de": {
        "semantic": "der Abschnitt liegt in der Bedeutung nah an deiner Frage (Ähnlichkeit {raw:.2f})",
        "lexical": "enthält deine Wörter {words}",
        "lexical_one": "enthält dein Wort {words}",
        "lexical_title": "Titel, Aliase, Überschriften oder Tags enthalten {words}",
        "edge_out": "verlinkt von *{title}* mit `{kind}`, geschrieben in Zeile {line}",
        "edge_in": "verlinkt *{title}* mit `{kind}`, geschrieben in Zeile {line}",
        "edge_default_out": "verlinkt von *{title}* in Zeile {line}; dessen Typ gibt solchen Links `{kind}`",
        "edge_default_in": "verlinkt *{title}* in Zeile {line}; der Typ gibt solchen Links `{kind}`",
        "edge_path": "gefunden über *{title}* → `{kind}` → diese Notiz, geschrieben in Zeile {line}",
        "edge_path_in": "gefunden über *{title}* ← `{kind}` ← diese Notiz, geschrieben in Zeile {line}",
        "centrality": "gut verbunden mit den besten Treffern: {titles}",
        "intent": "die Absicht {intent} der Frage zählt `{kind}` ×{boost:g}",
        "why_not_missing": "Eine solche Notiz gibt es im Index nicht.",
        "why_not_filter": "Der Filter `{filter}` schließt sie aus.",
        "why_not_private": "Sie ist privat; frage mit privaten Notizen, um sie zu sehen.",
        "why_not_empty": "Sie hat keinen Text, der gefunden werden könnte.",
        "why_not_hit": "Sie ist unter den Treffern, auf Platz {rank}.",
        "why_not_rank": "Sie steht auf Platz {rank} mit {total:.3f}; der letzte Treffer hat {last:.3f}.",
        "why_not_unfound": "Weder Wörter noch Bedeutung liegen nah genug an der Frage: keine Suche fand sie.",
    },
}


def sentence(language: Language, key: str, **values: object) -> str:
    return SENTENCES[language][key].format(**values)
