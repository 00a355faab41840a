"""Where sentences end, in German and English: a small table of rules, the same for both."""

from __future__ import annotations

import re
from collections.abc import Iterator

# Each run of marks is tried once, from its first: a line of dots must not cost its length squared.
_END = re.compile(
    r"(?<![.!?…])[.!?…]++[\"'»«“”’)\]*_]*+\s++"
    # A sentence begins, behind the signs of a quote or a list if there are any.
    r"(?=(?:>[ \t]*+)*+(?:[-*+][ \t]++|\d{1,3}[.)][ \t]++)?+[\"'»«„“‚(\[*_=~]*+[^\W_a-zäöüß])"
)
# A full stop behind one of these ends no sentence.
_GERMAN = """
    abb abs abschn anm art aufl bd bes betr bzgl bzw ca co dgl dr ebd ehem entspr etc evtl exkl ff gem ges gez ggf
    hrsg hl inkl insb inh jh jhd kap lfd lit mind mio mrd nr nrn obj op prof rd rn rz s sog sr st std stellv str
    tab teilw tel tsd u ursprgl usf usw v verf vgl vs wg z zb zit zt zus zzgl zzt
"""
_ENGLISH = """
    al approx assoc cf corp dept ed eds eg eq esp est fig figs gen gov i ie inc jr ltd max messrs min mr mrs ms
    no nos p para pp pt ref refs rev sec sect sen sgt univ vol
"""
_ABBREVIATIONS = frozenset(f"{_GERMAN}{_ENGLISH}".split())
_LAST_WORD = re.compile(r"([^\W\d_]+)\.$")
# "am 3. Mai", "im 19. Jahrhundert": an ordinal in German. A year ends a sentence like any word.
_ORDINAL = re.compile(r"(?:^|[^\w.,])\d{1,3}\.$")
_LOOK_BACK = 24


def sentence_ends(text: str) -> list[int]:
    """Offsets behind each sentence, the white space after it included; the last is the length of the text."""
    ends = list(_ends(text))
    if text and (not ends or ends[-1] != len(text)):
        ends.append(len(text))
    return ends


def _ends(text: str) -> Iterator[int]:
    for match in _END.finditer(text):
        mark = match.start() + 1
        before = text[max(0, mark - _LOOK_BACK) : mark]
        word = _LAST_WORD.search(before)
        if word is not None and (word[1].lower() in _ABBREVIATIONS or len(word[1]) == 1):
            continue
        if _ORDINAL.search(before):
            continue
        yield match.end()
