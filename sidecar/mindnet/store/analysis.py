"""Words as the lexical index sees them: folded, stemmed in German and in English."""

from __future__ import annotations

import posixpath
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from threading import local

import Stemmer

_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_FOLD = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "ø": "oe"})
_HUMPED = re.compile(r"[^\W\d_A-ZÄÖÜ][A-ZÄÖÜ]")
_HUMP = re.compile(r"[A-ZÄÖÜ]?[^\W\d_A-ZÄÖÜ]+|[A-ZÄÖÜ]+(?![^\W\d_A-ZÄÖÜ])")
_LOCAL = local()

BEGINNING = 5
"""Letters that two longer words share to be taken for alike."""

# Function words of both languages: they say nothing of what a passage is about.
STOP_WORDS = frozenset(
    """
    aber alle allem allen aller alles als also am an auch auf aus bei beim bin bis bist da dabei damit dann das dass
    dein deine dem den denn der des dessen deren dich die dies diese diesem diesen dieser dieses dir doch dort du durch
    ein eine einem einen einer eines er es etwas euch euer eure für gegen habe haben hast hat hatte hatten hier hin
    hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im in ins ist ja jede jedem jeden jeder jedes jetzt kann kannst
    kein keine können könnte man mein meine mich mir mit muss nach nicht noch nun nur ob oder ohne sehr sein seine
    seinem seinen seiner seit sich sie sind so soll sollen sollte sondern sonst über um und uns unser unsere unter viel
    vom von vor wann war waren warum was weil welche welchem welchen welcher welches wenn wer werde werden wie wieder
    wieso will wir wird wo woher wohin worum wurde wurden zu zum zur zwar zwischen
    a about after all also am an and any are as at be because been before being between both but by can could did do
    does doing down during each few for from further had has have having he her here hers him his how i if in into is
    it its itself just me more most my no nor not now of off on once only or other our out over own same she should so
    some such than that the their them then there these they this those through to too under until up us very was we
    were what when where which while who whom whose why will with would you your
    """.translate(_FOLD).split()
)


@dataclass(frozen=True, slots=True)
class Word:
    """A word as written, folded, and its stem in each language.

    ``terms`` stand for it in the index: its stems, marked by language; ``beginning`` stands for words that begin
    alike: compounds, and the same name in two languages.
    """

    written: str
    folded: str
    german: str
    english: str
    terms: tuple[str, str] = field(compare=False)
    beginning: str | None = field(compare=False)

    @classmethod
    def of(cls, written: str, folded: str) -> Word:
        german, english = stems(folded)
        long = len(folded) > BEGINNING and not folded.isdigit()
        beginning = f"p{folded[:BEGINNING]}" if long else None
        return cls(written, folded, german, english, (f"d{german}", f"e{english}"), beginning)


def fold(text: str) -> str:
    """Lower case, umlauts as two letters (``ü`` = ``ue``), ``ß`` = ``ss``, other accents taken off."""
    if text.isascii():
        return text.lower()
    lower = unicodedata.normalize("NFC", text).lower().translate(_FOLD)
    if lower.isascii():
        return lower
    return "".join(char for char in unicodedata.normalize("NFKD", lower) if not unicodedata.combining(char))


def path_stem(path: str) -> str:
    """What a file is called, without its folder and its last suffix."""
    return posixpath.splitext(posixpath.basename(path))[0]


@lru_cache(200_000)
def stems(folded: str) -> tuple[str, str]:
    """The German and the English stem of a folded word."""
    return german_stem(folded), _stem("english", folded)


def german_stem(folded: str) -> str:
    """The German stem of a folded word."""
    return _stem("german", folded)


def _stem(language: str, folded: str) -> str:
    if folded.isdigit():
        return folded
    # A stemmer is for one thread alone.
    stemmer = getattr(_LOCAL, language, None)
    if stemmer is None:
        stemmer = Stemmer.Stemmer(language)
        setattr(_LOCAL, language, stemmer)
    return fold(stemmer.stemWord(folded))


def written_words(text: str) -> list[str]:
    """The words of a text in order, as they are written."""
    return _WORD.findall(text if text.isascii() else unicodedata.normalize("NFC", text))


def words(text: str, *, stop_words: bool = False) -> Iterator[Word]:
    """The words of a text in order; function words only if asked for."""
    for written in written_words(text):
        word = word_of(written)
        if word is not None and (stop_words or word.folded not in STOP_WORDS):
            yield word


@lru_cache(200_000)
def word_of(written: str) -> Word | None:
    """The word that ``written_words`` gave; None for what is nothing when folded (a lone combining mark)."""
    folded = fold(written).replace("’", "'").removesuffix("'s").replace("'", "")
    return Word.of(written, folded) if folded else None


def humps(written: str) -> list[str]:
    """The parts of a name as programs write it: *get*, *User*, *By* and *Id* of ``getUserById``; else nothing."""
    return _HUMP.findall(written) if _HUMPED.search(written) else []


def content_words(text: str) -> list[Word]:
    """The words of a question that count, each stem once; of nothing but function words, all of them.

    Two words that share a stem in either language are one, in its first spelling.
    """
    found: list[Word] = []
    seen: set[str] = set()
    for word in list(words(text)) or list(words(text, stop_words=True)):
        if seen.isdisjoint(word.terms):
            found.append(word)
        seen.update(word.terms)
    return found
