"""German or English, by function words, letters and endings: enough to choose the language of an answer."""

from __future__ import annotations

import re

from mindnet.records import Language

_WORD = re.compile(r"[^\W\d_]+")
_GERMAN = frozenset(
    """der die das den dem des ein eine einen einem einer und oder aber nicht ist sind war wie was wann wo wer warum
    weshalb wieso welche welcher welches ich du er sie es wir ihr mein meine dein kann soll muss wird werden hat habe
    für mit von vom zum zur auf aus bei nach über unter im am gegen ohne durch um zu als auch noch nur mehr man
    geht gibt macht mache brauche""".split()  # noqa: SIM905
)
_ENGLISH = frozenset(
    """the a an and or but not is are was were how what when where who why which i you he she it we they my your can
    should must will would has have do does did for with of from to on in at by after over under against without
    through as also only more about into there this that these those make need""".split()  # noqa: SIM905
)
_GERMAN_LOOK = re.compile(r"[äöüß]|(?:ung|heit|keit|lich|isch|schaft|chen)$")


def language_of(text: str, default: Language = "en") -> Language:
    """The likelier language; ``default`` when nothing speaks for either."""
    score = 0
    for word in _WORD.findall(text.lower()):
        score += (word in _GERMAN) * 2 - (word in _ENGLISH) * 2 + bool(_GERMAN_LOOK.search(word))
    return default if score == 0 else "de" if score > 0 else "en"
