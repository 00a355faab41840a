"""The readable text of a heading."""

from __future__ import annotations

import re

from mindnet.vault.names import nfc

_CODE = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)")
_RULES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"%%.*?%%|<!--.*?-->"), ""),
    (re.compile(r"!?\[\[[^\[\]|\n]*\|([^\[\]\n]*)\]\]"), r"\1"),
    (re.compile(r"!?\[\[#?([^\[\]|\n]*)\]\]"), r"\1"),
    (re.compile(r"!?\[([^\[\]\n]*)\]\([^()\n]*\)"), r"\1"),
    (re.compile(r"</?[A-Za-z][^<>\n]*>"), ""),
    (re.compile(r"(\*\*|~~|==)(?=\S)(.+?)(?<=\S)\1"), r"\2"),
    (re.compile(r"(?<!\w)__(?=\S)(.+?)(?<=\S)__(?!\w)"), r"\1"),
    (re.compile(r"(?<![\w*])\*(?=\S)([^*\n]+?)(?<=\S)\*(?![\w*])"), r"\1"),
    (re.compile(r"(?<!\w)_(?=\S)([^_\n]+?)(?<=\S)_(?!\w)"), r"\1"),
    (re.compile(r"\\([!-/:-@\[-`{-~])"), r"\1"),
)
_BLOCK_ID = re.compile(r"\s\^[A-Za-z0-9-]+\Z")
_MARKUP = frozenset("*_~=`[]<>\\%^")
_LONGEST = 1000


def heading_text(content: str) -> str:
    """Give a heading as it is read: links as their shown text, without emphasis marks, comments and block id.

    Tags stay (``Wartung #jährlich``), and so does what stands in code. The result is NFC. A "heading" of more
    than 1,000 characters is given as it stands.
    """
    text = " ".join(content.split("\n"))
    if len(text) > _LONGEST or _MARKUP.isdisjoint(text):
        return nfc(text.strip())
    pieces = []
    at = 0
    for code in _CODE.finditer(text):
        pieces += [_without_markup(text[at : code.start()]), code[2].strip()]
        at = code.end()
    pieces.append(_without_markup(text[at:]))
    return nfc(" ".join(_BLOCK_ID.sub("", "".join(pieces)).split()))


def _without_markup(text: str) -> str:
    for pattern, shown in _RULES:
        text = pattern.sub(shown, text)
    return text
