"""What counts as relevant in this vault: more than questions get that have nothing to do with it.

A score has no zero that would mean "nothing": what an unrelated question reaches depends on the vault, its size and
language, on the embedding model and on the weights. So it is measured: questions from all walks of life are put to the
very same search. What most of them reach is the threshold of a hit. And as some get there by a common word or two that
links have, the passages that were found have to be nearer in meaning than those of most such questions, or have more of
the question's words by far. Some of these questions may be at home in a vault; they do not move a quantile.
"""

from __future__ import annotations

import json
import logging
import math
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from mindnet.records import Hit, Language, Part
from mindnet.retrieval.search import Query, SearchResult

log = logging.getLogger(__name__)
QUANTILE = 0.86
"""Of what questions reach by chance. At 0.8 too many questions that have nothing to do with a vault go to a model; at
0.9 some are declined, with the quick embedding, that notes answer."""
JUDGED = 8
"""So many of the best hits say whether anything was found."""
AT_LEAST = 3
"""So many of the best hits are sources where any is one."""
FAR_MORE = 1.5
"""A name that the embedding does not know is found by its letters: by so much more than chance has of words."""

STRANGE: Mapping[Language, tuple[str, ...]] = {
    "en": (
        "Which airline flies to Lisbon on Sundays?",
        "How do I replace the brake pads of a car?",
        "Who won the football world cup in 1974?",
        "What are the symptoms of appendicitis?",
        "How tall is Mount Kilimanjaro?",
        "When was the Suez Canal opened?",
        "What is the boiling point of mercury?",
        "Who painted the ceiling of the Sistine Chapel?",
        "Which chords does a beginner on the guitar learn first?",
        "How is income from abroad taxed?",
        "What do hedgehogs eat in winter?",
        "How does a jet engine produce thrust?",
    ),
    "de": (
        "Welche Fluggesellschaft fliegt sonntags nach Lissabon?",
        "Wie wechselt man die Bremsbeläge am Auto?",
        "Wer gewann 1974 die Fußballweltmeisterschaft?",
        "Woran erkennt man eine Blinddarmentzündung?",
        "Wie hoch ist der Kilimandscharo?",
        "Wann wurde der Suezkanal eröffnet?",
        "Bei wie viel Grad siedet Quecksilber?",
        "Wer malte die Decke der Sixtinischen Kapelle?",
        "Welche Akkorde lernt man auf der Gitarre zuerst?",
        "Wie werden Einkünfte aus dem Ausland versteuert?",
        "Was fressen Igel im Winter?",
        "Wie erzeugt ein Düsentriebwerk Schub?",
    ),
}


@dataclass(frozen=True, slots=True)
class Chance:
    """What unrelated questions reach: the total score, and the raw values of single searches."""

    total: float
    semantic: float
    lexical: float

    def relevant(self, hits: Sequence[Hit]) -> list[Hit]:
        """Those of a question's hits that are more than chance: none where none is near in meaning or in words.

        Of a question that found something the next best stay too, since the answer is not always in the first.
        """
        near, said = _most(hits)
        above = sum(hit.total_score > self.total for hit in hits)
        if not above or (near <= self.semantic and said <= self.lexical):
            return []
        return list(hits[: max(above, AT_LEAST)])


class Relevance:
    """What chance reaches in each language, measured when it is first asked for and when ``state`` is another.

    It is kept in ``file``, since measuring takes a dozen searches. A file that cannot be read or written costs just
    these.
    """

    def __init__(self, search: Callable[[Query], SearchResult], state: Callable[[], str], file: Path) -> None:
        self._search = search
        self._state = state
        self._file = file
        self._known = _read(file)
        self._lock = threading.Lock()

    def chance(self, language: Language) -> Chance:
        """What a question in this language reaches by chance."""
        with self._lock:
            state = self._state()
            known = self._known.get(language)
            if known is not None and known[0] == state:
                return known[1]
            measured = self._measure(language)
            self._known[language] = state, measured
            self._write()
            return measured

    def _write(self) -> None:
        half = self._file.with_suffix(".new")
        known = {language: {"state": state, **asdict(chance)} for language, (state, chance) in self._known.items()}
        try:
            half.write_text(json.dumps(known), encoding="utf-8")
            half.replace(self._file)
        except OSError as error:
            log.warning("%s cannot be written: %s", self._file, error)

    def _measure(self, language: Language) -> Chance:
        totals, near, said = [], [], []
        for text in STRANGE[language]:
            hits = self._search(
                Query(text, top_k=JUDGED, group_by="chunk", phrases="ignore", dates="ignore", language=language)
            ).hits
            totals.append(max((hit.total_score for hit in hits), default=0.0))
            semantic, lexical = _most(hits)
            near.append(semantic)
            said.append(lexical)
        return Chance(_quantile(totals), _quantile(near), FAR_MORE * max(said))


def _most(hits: Sequence[Hit]) -> tuple[float, float]:
    """The highest raw values of the best hits, by meaning and by words."""

    def most(part: Part) -> float:
        raw = (one.raw for hit in hits[:JUDGED] for one in hit.contributions if one.part == part)
        return max(raw, default=0.0)

    return most("semantic"), most("lexical")


def _quantile(values: Sequence[float]) -> float:
    return float(np.quantile(values, QUANTILE))


def _read(file: Path) -> dict[str, tuple[str, Chance]]:
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
        return {
            language: (str(one["state"]), Chance(*(float(one[name]) for name in ("total", "semantic", "lexical"))))
            for language, one in found.items()
        }
    except (OSError, ValueError, TypeError, AttributeError, KeyError):
        return {}


def size_class(notes: int) -> int:
    """The same number for vaults whose sizes differ by less than a tenth or so: a saved note measures nothing anew."""
    return round(math.log(notes + 1) * 8)
