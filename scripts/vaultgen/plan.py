"""What there will be in a vault: notes with names, dates, lengths and headings, and who links to whom.

Links are drawn by preferential attachment: a note that many link to gets more. Everything is
decided by the seed alone.
"""

from __future__ import annotations

import unicodedata
from bisect import bisect
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from itertools import accumulate
from random import Random
from typing import Literal

from vaultgen.english import English
from vaultgen.german import German
from vaultgen.voice import Noun, Pool, Voice

Language = Literal["de", "en", "both"]
VOICES: Mapping[str, type[Voice]] = {"de": German, "en": English}
TOPICS = (
    "software", "team", "garden", "kitchen", "travel", "history", "music", "health", "photo", "money", "workshop",
    "sky",
)  # fmt: skip
SHARES: Mapping[str, float] = {
    "thought": 0.50,
    "journal": 0.14,
    "meeting": 0.09,
    "source": 0.07,
    "person": 0.07,
    "project": 0.06,
    "decision": 0.03,
    "overview": 0.025,
    "shared": 0.01,
    "template": 0.005,
}
"""Kinds of notes and how many of all they are. A ``shared`` name occurs in several folders."""
MEDIAN_WORDS: Mapping[str, int] = {
    "thought": 88, "journal": 65, "meeting": 120, "source": 165, "person": 32, "project": 160, "decision": 100,
    "overview": 35, "shared": 35, "template": 20,
}  # fmt: skip
"""Without what markup, properties and links add."""
SPREAD_WORDS, LONGEST = 1.12, 6_000
TYPES: Mapping[str, str] = {
    "thought": "concept", "journal": "journal", "meeting": "experience", "source": "source", "person": "profile",
    "project": "project", "decision": "decision", "overview": "concept", "shared": "glossary", "template": "concept",
}  # fmt: skip
UNRESOLVED, WITHOUT_LINKS = 0.06, 0.18
FIRST_DAY, DAYS = datetime(2016, 1, 1, tzinfo=UTC), 3_800


@dataclass(frozen=True, slots=True)
class PlannedLink:
    """``text`` is what is written as its target, ``resolves`` whether there is such a note."""

    text: str
    section: str
    path: str
    resolves: bool


@dataclass(slots=True)
class Planned:
    """One note before it is written. ``typed`` notes use relations, types and status."""

    number: int
    kind: str
    language: str
    topic: str
    folder: str
    stem: str
    focus: tuple[Noun, ...]
    created: datetime
    modified: datetime
    words: int
    headings: tuple[str, ...]
    typed: bool
    title: str = ""
    aliases: tuple[str, ...] = ()
    own_id: str = ""
    links: list[PlannedLink] = field(default_factory=list)

    @property
    def path(self) -> str:
        return f"{self.folder}/{self.stem}.md" if self.folder else f"{self.stem}.md"


def fold(name: str) -> str:
    return unicodedata.normalize("NFC", name).casefold()


def plan_vault(notes: int, seed: int, language: Language) -> list[Planned]:
    """The notes of a vault, in order of creation's number, with their links."""
    rng = Random(f"plan {seed} {notes} {language}")
    names = Names()
    planned = [plan_note(number, rng, names, language) for number in range(notes)]
    _link(planned, rng, language)
    return planned


# ------------------------------------------------------------------ notes
class Names:
    """Keeps every name once in the vault; those that are shared on purpose, once in a folder."""

    def __init__(self) -> None:
        self._used: Counter[str] = Counter()
        self._taken: set[str] = set()

    def free(self, folder: str, stem: str, *, shared: bool) -> str:
        scope = f"{folder}/" if shared else ""
        base = fold(scope + stem)
        while True:
            self._used[base] += 1
            number = self._used[base]
            name = stem if number == 1 else f"{stem} {number}"
            if fold(scope + name) not in self._taken:
                self._taken.add(fold(scope + name))
                return name


_KINDS = tuple(SHARES)
_KIND_SUMS = list(accumulate(SHARES.values()))
_TOPIC_POOL = Pool(TOPICS, 0.5)


def plan_note(number: int, rng: Random, names: Names, language: Language) -> Planned:
    kind = _KINDS[min(bisect(_KIND_SUMS, rng.random() * _KIND_SUMS[-1]), len(_KINDS) - 1)]
    code = language if language != "both" else ("de" if rng.random() < 0.6 else "en")
    topic = _TOPIC_POOL.draw(rng.random)
    voice = VOICES[code](rng, topic)
    created = FIRST_DAY + timedelta(days=DAYS * rng.random() ** 0.6, seconds=int(rng.random() * 40_000))
    created = created.replace(microsecond=0)
    modified = created + timedelta(seconds=int(rng.expovariate(1 / 3e6)))
    title, focus = voice.title()
    folder, name = _place(kind, voice, title, created, rng)
    stem = names.free(folder, name, shared=kind == "shared" or (kind == "overview" and rng.random() < 0.5))
    words = min(max(int(rng.lognormvariate(0, SPREAD_WORDS) * MEDIAN_WORDS[kind]), 0), LONGEST)
    voice = VOICES[code](rng, topic, focus)
    count = min(int(words / 130 + rng.random()), 30)
    headings = tuple(dict.fromkeys(voice.heading() for _ in range(count)))
    note = Planned(
        number, kind, code, topic, folder, stem, focus, created, modified, words, headings, rng.random() < 0.3
    )
    note.title = stem
    if rng.random() < 0.06:
        note.title = voice.title()[0]
    if rng.random() < (0.5 if kind == "person" else 0.12):
        alias = stem.split()[0] if kind == "person" else voice.title()[0]
        note.aliases = (alias,) if rng.random() < 0.8 else (alias, voice.product())
    if rng.random() < 0.05:
        note.own_id = f"{created:%Y%m%d%H%M}-{number}"
    return note


def _place(kind: str, voice: Voice, title: str, day: datetime, rng: Random) -> tuple[str, str]:
    """Folder and file name without ending."""
    labels = voice.phrases.labels
    topic = voice.phrases.folders[voice.topic]
    plain = voice.words.plain
    sub = f"{topic}/{plain[int(len(plain) * rng.random() ** 2)].plural}"
    if kind == "journal":
        return f"{labels['journal']}/{day:%Y}", f"{day:%Y-%m-%d}"
    if kind == "meeting":
        return f"{labels['projects']}/{topic}/{day:%Y}", f"{day:%Y-%m-%d} {labels['meeting']} {title}"
    if kind == "person":
        return labels["people"], voice.person()
    if kind == "source":
        return labels["sources"], f"{voice.person().split()[1]} {day:%Y} – {title}"
    if kind == "project":
        return f"{labels['projects']}/{topic}", f"{labels['project']} {title}"
    if kind == "decision":
        return f"{labels['projects']}/{topic}", f"{labels['decision']} {title}"
    if kind == "overview":
        return (sub if rng.random() < 0.7 else topic), labels["overview"]
    if kind == "shared":
        return sub, labels["notes" if rng.random() < 0.6 else "ideas"]
    if kind == "template":
        return labels["templates"], title
    return ("" if rng.random() < 0.12 else topic if rng.random() < 0.4 else sub), title


# ------------------------------------------------------------------ links
def _link(planned: Sequence[Planned], rng: Random, language: Language) -> None:
    stems = Counter(fold(note.stem) for note in planned)
    missing = _missing(planned, rng, language)
    by_topic: dict[str, list[int]] = {}
    for note in planned:
        if note.kind != "template":
            by_topic.setdefault(note.topic, []).append(note.number)
    # Each end of a link so far: a draw from these lists prefers the notes that many link to.
    ends: dict[str, list[int]] = {topic: [numbers[0]] for topic, numbers in by_topic.items()}
    everywhere = [note.number for note in planned[:1]]
    for note in planned:
        for _ in range(_how_many(note, len(by_topic.get(note.topic, ())), rng)):
            chance = rng.random()
            if chance < UNRESOLVED:
                note.links.append(PlannedLink(missing.draw(rng.random), "", "", resolves=False))
                continue
            if chance < 0.36:
                pool = by_topic.get(note.topic) or everywhere
            elif chance < 0.80:
                pool = ends.get(note.topic) or everywhere
            else:
                pool = everywhere
            target = planned[pool[int(rng.random() * len(pool))]]
            if target is note or target.kind == "template":
                continue
            everywhere.append(target.number)
            ends[target.topic].append(target.number)
            note.links.append(_link_to(target, rng, ambiguous=stems[fold(target.stem)] > 1))


def _how_many(note: Planned, siblings: int, rng: Random) -> int:
    if note.kind == "template":
        return 0
    if note.kind == "overview":
        return min(int(rng.lognormvariate(3.3, 0.8)), siblings, 250)
    if rng.random() < WITHOUT_LINKS:
        return 0
    return min(int(rng.lognormvariate(0.9, 0.9)) + 1, 60)


def _link_to(target: Planned, rng: Random, *, ambiguous: bool) -> PlannedLink:
    path = target.path[:-3]
    section = target.headings[int(rng.random() * len(target.headings))] if target.headings else ""
    section = section if rng.random() < 0.12 else ""
    chance = rng.random()
    text = target.stem
    if ambiguous:
        text = path if chance < 0.5 else text
    elif chance < 0.06:
        text = path
    elif chance < 0.10 and target.aliases:
        text = target.aliases[0]
    elif chance < 0.12 and target.own_id:
        text = target.own_id
    return PlannedLink(text, section, path, resolves=True)


def _missing(planned: Sequence[Planned], rng: Random, language: Language) -> Pool[str]:
    """Titles that no note has, a few of them linked to again and again."""
    known = {fold(name) for note in planned for name in (note.stem, note.title, *note.aliases, note.own_id)}
    wanted = len(planned) // 30 + 3
    found: dict[str, None] = {}
    while len(found) < wanted:
        code = "en" if language == "en" else "de"
        title = VOICES[code](rng, _TOPIC_POOL.draw(rng.random)).title()[0]
        title = title if rng.random() < 0.5 else f"{title} {len(found) + 2}"
        if fold(title) not in known:
            found[title] = None
    return Pool(list(found), 0.8)
