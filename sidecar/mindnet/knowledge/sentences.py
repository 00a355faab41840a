"""Where sentences end, in German and English."""

from __future__ import annotations

import re

_END = re.compile(r"[.!?…]+[\"'»«“”)\]]*\s+(?=[\"'»«„“(\[]*[A-ZÄÖÜ0-9*_#\[])")
# A full stop behind one of these ends no sentence.
_ABBREVIATIONS = frozenset(
    """abs art bd bzw ca d dr etc evtl ff gem ggf h hrsg inkl insb jh jhd nr o prof s sog st str u usw v vgl z zb zzgl
    al approx cf e ed eg eq esp fig g i ie jr mr mrs ms no p pp sec sr vol vs""".split()
)
_LAST_WORD = re.compile(r"([^\W\d_]+)\.$")
_NUMBER = re.compile(r"(?:^|[\s(])\d{1,3}\.$")


def sentence_ends(text: str) -> list[int]:
    """Offsets behind each sentence, white space included; the last is the length of the text."""
    ends: list[int] = []
    for match in _END.finditer(text):
        before = text[: match.start() + 1][-20:]
        word = _LAST_WORD.search(before)
        if word is not None and (word[1].lower() in _ABBREVIATIONS or len(word[1]) == 1):
            continue
        # "am 3. Mai", "1. Januar": an ordinal number in German.
        if _NUMBER.search(before):
            continue
        ends.append(match.end())
    if text and (not ends or ends[-1] != len(text)):
        ends.append(len(text))
    return ends
