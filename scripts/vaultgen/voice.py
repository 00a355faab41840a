"""What both languages share: drawing words so that few are common and most are rare, and names of people and things."""

from __future__ import annotations

from abc import ABC, abstractmethod
from bisect import bisect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import accumulate
from random import Random
from typing import ClassVar, Generic, TypeVar

T = TypeVar("T")
COMPOUNDS = 1_500
"""So many nouns of two parts does a topic have, behind its plain ones."""
SYLLABLES = ("ve", "lo", "ra", "ti", "mo", "xa", "ni", "sol", "dra", "ka", "pi", "ro", "zen", "ul", "mar", "fi")


class Pool(Generic[T]):
    """Things in the order of their frequency; the r-th is drawn with weight 1 / (r + 3) ** exponent (Zipf)."""

    def __init__(self, things: Sequence[T], exponent: float = 1.0) -> None:
        self.things = tuple(things)
        self._sums = list(accumulate(1 / (rank + 3) ** exponent for rank in range(len(self.things))))
        self._total = self._sums[-1]

    def draw(self, random: Callable[[], float]) -> T:
        return self.things[bisect(self._sums, random() * self._total)]


@dataclass(frozen=True, slots=True)
class Noun:
    """``gender`` is m, f or n in German and empty in English; ``joint`` stands in front of another noun."""

    singular: str
    plural: str
    gender: str
    joint: str


@dataclass(frozen=True, slots=True)
class Verb:
    """Present tense with he or she, with they, and the participle."""

    singular: str
    plural: str
    participle: str


@dataclass(frozen=True, slots=True)
class TopicWords:
    nouns: Pool[Noun]
    verbs: Pool[Verb]
    adjectives: Pool[str]
    plain: tuple[Noun, ...]


@dataclass(frozen=True, slots=True)
class Phrases:
    """What a language needs besides the words of its topics; ``labels`` are names that folders and notes have."""

    adverbs: Pool[str]
    times: Pool[str]
    connectors: Pool[str]
    headings: tuple[str, ...]
    callouts: tuple[str, ...]
    links: Pool[str]
    kinds: Pool[str]
    titles: Pool[str]
    first_names: tuple[str, ...]
    surnames: tuple[str, ...]
    labels: dict[str, str]
    folders: dict[str, str]


class Voice(ABC):
    """Writes of one topic in one language. ``focus`` are the nouns that a note is about: they come up often."""

    code: ClassVar[str]

    def __init__(self, rng: Random, topic: str, focus: Sequence[Noun] = ()) -> None:
        self.random = rng.random
        self.topic = topic
        self.focus = tuple(focus)
        self.words = self.words_of(topic)
        self.phrases = self.all_phrases()

    # -------------------------------------------------------------- a language fills these in
    @classmethod
    @abstractmethod
    def words_of(cls, topic: str) -> TopicWords: ...

    @classmethod
    @abstractmethod
    def all_phrases(cls) -> Phrases: ...

    @abstractmethod
    def sentence(self) -> str:
        """A sentence with its full stop."""

    @abstractmethod
    def item(self) -> str:
        """A few words without a full stop: a list item, a cell, a label."""

    @abstractmethod
    def title(self) -> tuple[str, tuple[Noun, ...]]:
        """A note's title, fit for a file name, and the nouns in it."""

    # -------------------------------------------------------------- drawing
    def noun(self) -> Noun:
        chance = self.random()
        if self.focus and chance < 0.22:
            return self.focus[int(self.random() * len(self.focus))]
        return self.words.nouns.draw(self.random)

    def verb(self) -> Verb:
        return self.words.verbs.draw(self.random)

    def adjective(self) -> str:
        return self.words.adjectives.draw(self.random)

    def number(self) -> str:
        return str(int(10 ** (self.random() * 3)) + 1)

    def person(self) -> str:
        """A full name; a few people come up often, thousands once."""
        first, last = self.phrases.first_names, self.phrases.surnames
        place = int(len(first) * len(last) * self.random() ** 4)
        return f"{first[place % len(first)]} {last[place * 7 % len(last)]}"

    def product(self) -> str:
        """An invented word, such as things are sold under."""
        place = int(len(SYLLABLES) ** 4 * self.random() ** 3) + len(SYLLABLES)
        name = ""
        while place:
            place, syllable = divmod(place, len(SYLLABLES))
            name += SYLLABLES[syllable]
        return name.capitalize()

    def heading(self) -> str:
        if self.random() < 0.7:
            return self.phrases.headings[int(self.random() * len(self.phrases.headings))]
        return self.item()

    def paragraph(self, words: int) -> tuple[str, int]:
        """Sentences of about so many words together, and how many they are."""
        sentences: list[str] = []
        written = 0
        while written < words:
            sentence = self.sentence()
            sentences.append(sentence)
            written += sentence.count(" ") + 1
        return " ".join(sentences), written


def interleave(first: Sequence[T], second: Sequence[T]) -> list[T]:
    """Both in turn, the longer one's rest at the end."""
    both = [thing for pair in zip(first, second, strict=False) for thing in pair]
    return [*both, *first[len(second) :], *second[len(first) :]]


def ranked(plain: Sequence[Noun], general: Sequence[Noun], join: Callable[[Noun, Noun], Noun]) -> list[Noun]:
    """A topic's nouns by how often they are used: its own first, then general ones among them, then compounds."""
    first = 8
    pairs = [(a, b) for a in plain for b in (*plain, *general) if a != b]
    stride = 37
    spread = dict.fromkeys(pairs[place * stride % len(pairs)] for place in range(len(pairs)))
    joined = [join(a, b) for a, b in spread][:COMPOUNDS]
    return [*plain[:first], *interleave(plain[first:], general), *joined]


def wrapped(text: str, separator: str = "|") -> list[str]:
    """The parts of a text that runs over several lines."""
    return [" ".join(part.split()) for part in text.split(separator) if part.strip()]
