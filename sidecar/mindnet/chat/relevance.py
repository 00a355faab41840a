"""What counts as relevant in this vault: more than questions get that have nothing to do with it.

A score has no zero that would mean "nothing": what an unrelated question reaches depends on the vault, its size and
language, and on the weights. So it is measured: questions from all walks of life are put to the very same search, and
what most of them reach is the threshold. Some of them may be at home in a vault; they do not move a quantile.
"""

from __future__ import annotations

import json
import logging
import math
import threading
from collections.abc import Callable, Mapping
from pathlib import Path

from mindnet.records import Language
from mindnet.retrieval.search import Query, SearchResult

log = logging.getLogger(__name__)
QUANTILE = 0.8

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


class Relevance:
    """The threshold of each language, measured when it is first asked for and when ``state`` is another.

    It is kept in ``file``, since measuring takes a dozen searches. A file that cannot be read or written costs just
    these.
    """

    def __init__(self, search: Callable[[Query], SearchResult], state: Callable[[], str], file: Path) -> None:
        self._search = search
        self._state = state
        self._file = file
        self._known = _read(file)
        self._lock = threading.Lock()

    def threshold(self, language: Language) -> float:
        """The score that a hit must reach to be more than chance."""
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
        try:
            half.write_text(json.dumps(self._known), encoding="utf-8")
            half.replace(self._file)
        except OSError as error:
            log.warning("%s cannot be written: %s", self._file, error)

    def _measure(self, language: Language) -> float:
        best = []
        for text in STRANGE[language]:
            hits = self._search(Query(text, top_k=1, language=language)).hits
            best.append(hits[0].total_score if hits else 0.0)
        best.sort()
        return best[math.ceil(QUANTILE * len(best)) - 1]


def _read(file: Path) -> dict[str, tuple[str, float]]:
    try:
        found = json.loads(file.read_text(encoding="utf-8"))
        return {language: (str(state), float(value)) for language, (state, value) in found.items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}


def size_class(notes: int) -> int:
    """The same number for vaults whose sizes differ by less than a tenth or so: a saved note measures nothing anew."""
    return round(math.log(notes + 1) * 8)
