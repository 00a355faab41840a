"""One scan over a passage: what is hidden (code, math, comments, tags), and where the links are."""

from __future__ import annotations

import bisect
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from html import unescape
from typing import Literal
from urllib.parse import unquote

from mindnet.vault.names import NOTE_SUFFIXES, is_attachment_name, is_note_name, nfc

#: Stands for a character that is no text for any form: code, math, a tag, a link. Comments become blanks.
HIDDEN = "\ufffc"

_TOKEN = re.compile(r"\\.|`+|\$\$?|%%|<|!?\[\[|\[|\]", re.DOTALL)
_WIKILINK = re.compile(r"!?\[\[([^\[\]\n|]*)(?:\|((?:[^\[\]\n]|\](?!\])|\[(?!\[))*))?\]\]")
_RELATION = re.compile(r"\s*rel:\s*(candidate:\s*)?([^\s|\\\]]+)(?:\\?\||\s+|\Z)(.*)\Z", re.IGNORECASE | re.DOTALL)
_NESTED = r"\((?:[^\s()\\]|\\.)*+\)"
_DESTINATION = re.compile(
    rf"\([ \t]*+\n?[ \t]*+(?:<([^<>\n]*+)>|((?:[^\s()\\<]|\\.|{_NESTED})(?:[^\s()\\]|\\.|{_NESTED})*+))"
    r"(?:\s++(?:\"[^\"]*+\"|'[^']*+'|\([^()]*+\)))?\s*+\)"
)
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:|//|\\\\")
_TAG = re.compile(
    r"</?([A-Za-z][A-Za-z0-9-]*)(?:\s+[A-Za-z_:][\w:.-]*(?:\s*=\s*(?:[^\"'=<>`\s]+|'[^']*'|\"[^\"]*\"))?)*\s*/?>"
)
_AUTOLINK = re.compile(r"<[A-Za-z][A-Za-z0-9+.-]{1,31}:[^\s<>]*>")
_CLOSING_MATH = re.compile(r"(?<![\\\s$])\$(?![\d$])")
_DOUBLE_MATH = re.compile(r"(?<!\\)\$\$")
_LITERAL_TAGS = frozenset(("code", "pre", "script", "style", "textarea"))


@dataclass(slots=True)
class Link:
    """One link in a passage, at ``start:end``.

    ``form`` is how it is written. ``is_note`` is False for URLs and files of other kinds, which are no mentions
    but stand in a row of targets like any link; ``attachment`` is a wikilink that ends like an attachment.
    ``kind`` and ``candidate`` come from ``[[rel:kind X]]``; ``kind`` with an empty ``target`` and ``section``
    is a relation to nothing.
    """

    start: int
    end: int
    form: Literal["wikilink", "embed", "mdlink"]
    target: str
    section: str
    label: str
    is_note: bool
    kind: str | None = None
    candidate: bool = False
    attachment: bool = False


@dataclass(slots=True)
class Scanned:
    """A passage's text with what is hidden blanked out (``visible``), and with the links blanked too (``bare``).

    Both have the length of the text, so that offsets agree; ``<br>`` has become a line end in them.
    """

    visible: str
    bare: str
    links: tuple[Link, ...]


def scan(text: str, html: bool = False) -> Scanned:
    """Scan one passage. In an HTML block (``html``) an unclosed ``<!--`` hides the rest. Linear in the text."""
    scanner = _Scanner(text, html)
    scanner.run()
    links = tuple(sorted(scanner.links, key=lambda link: link.start))
    visible = _blank(text, scanner.hidden)
    bare = _blank(visible, [(link.start, link.end, HIDDEN) for link in links])
    return Scanned(visible, bare, links)


def open_marks(text: str) -> set[str]:
    """Give those of ``%%`` and ``$$`` that the text opens and does not close."""
    scanner = _Scanner(text, False)
    scanner.run()
    return scanner.unclosed


def wikilink(inner: str, label: str | None, start: int, end: int, embed: bool = False) -> Link | None:
    """Read what stands in ``[[…]]``: ``inner`` before the first bar, ``label`` behind it. None if it is empty."""
    kind, candidate = None, False
    relation = _RELATION.match(inner if label is None else f"{inner}|{label}") if ":" in inner and not embed else None
    if relation is not None:
        kind, candidate = relation[2], bool(relation[1])
        inner, bar, rest = relation[3].partition("|")
        label = rest if bar else None
    path, _, section = inner.removesuffix("\\").partition("#")
    target = nfc(path.strip())
    section = nfc("#".join(part for piece in section.split("#") if (part := piece.strip())))
    if not target and not section and kind is None:
        return None
    is_note = "://" not in target and target.lower() not in NOTE_SUFFIXES
    shown = nfc((label or "").strip())
    form: Literal["embed", "wikilink"] = "embed" if embed else "wikilink"
    attachment = is_attachment_name(target)
    return Link(start, end, form, target, section, shown, is_note, kind, candidate, attachment)


def markdown_link(destination: str, label: str, start: int, end: int) -> Link | None:
    """Read ``[label](destination)``; to a note if it has no scheme and ends as a note's file does or has no ending."""
    destination = destination.strip()
    if not destination:
        return None
    has_scheme = bool(_SCHEME.match(destination))
    path, _, section = destination.partition("#")
    target = nfc(unquote(path).strip())
    section = nfc("#".join(part for piece in unquote(section).split("#") if (part := piece.strip())))
    name = target.rpartition("/")[2]
    is_file = ("." not in name.strip(".") or is_note_name(name)) and name.lower() not in NOTE_SUFFIXES
    is_note = is_file and not has_scheme and not target.startswith("?") and bool(target or section)
    return Link(start, end, "mdlink", target, section, nfc(label.replace("\n", " ").strip()), is_note)


class _Scanner:
    def __init__(self, text: str, html: bool) -> None:
        self.text = text
        self.html = html
        self.hidden: list[tuple[int, int, str]] = []
        self.links: list[Link] = []
        self.unclosed: set[str] = set()
        self._open: list[int] = []
        self._index: dict[str, list[int]] = {}

    def run(self) -> None:
        at = 0
        while match := _TOKEN.search(self.text, at):
            token = match[0]
            at = match.end() if token[0] == "\\" else _HANDLERS[token[0]](self, match.start(), token)

    def _hide(self, start: int, end: int, fill: str = HIDDEN) -> int:
        self.hidden.append((start, end, fill))
        return end

    def _next(self, name: str, pattern: str | re.Pattern[str], at: int) -> int:
        """Where ``pattern`` next stands from ``at`` on, or -1. Each pattern is searched for once per passage."""
        found = self._index.get(name)
        if found is None:
            found = self._index[name] = [match.start() for match in re.finditer(pattern, self.text)]
        place = bisect.bisect_left(found, at)
        return found[place] if place < len(found) else -1

    def _code(self, start: int, token: str) -> int:
        length = len(token)
        close = self._next(token, rf"(?<!`)`{{{length}}}(?!`)", start + length)
        return start + length if close < 0 else self._hide(start, close + length)

    def _math(self, start: int, token: str) -> int:
        if token == "$$":
            close = self._next("$$", _DOUBLE_MATH, start + 2)
            return self._unclosed(start, token) if close < 0 else self._hide(start, close + 2)
        if self.text[start + 1 : start + 2].strip() == "":
            return start + 1
        close = self._next("$", _CLOSING_MATH, start + 2)
        return start + 1 if close < 0 else self._hide(start, close + 1)

    def _comment(self, start: int, token: str) -> int:
        close = self._next("%%", "%%", start + 2)
        return self._unclosed(start, token) if close < 0 else self._hide(start, close + 2, " ")

    def _unclosed(self, start: int, token: str) -> int:
        self.unclosed.add(token)
        return start + len(token)

    def _angle(self, start: int, _token: str) -> int:
        if self.text.startswith("<!--", start):
            close = self._next("-->", "-->", start + 2)
            if close >= 0:
                return self._hide(start, max(close + 3, start + 4), " ")
            return self._hide(start, len(self.text), " ") if self.html else start + 4
        match = _AUTOLINK.match(self.text, start) or _TAG.match(self.text, start)
        if match is None:
            return start + 1
        name = (match[1] or "").lower() if match.re is _TAG else ""
        if name == "br":
            return self._hide(start, match.end(), "\n")
        if name in _LITERAL_TAGS and self.text[start + 1] != "/":
            close = self._next(name, re.compile(rf"</{name}\s*>", re.IGNORECASE), match.end())
            return self._hide(start, match.end() if close < 0 else close)
        return self._hide(start, match.end())

    def _wikilink(self, start: int, token: str) -> int:
        match = _WIKILINK.match(self.text, start)
        link = match and wikilink(match[1], match[2], start, match.end(), token[0] == "!")
        if match is None or link is None:
            if token[0] == "!":
                return start + 1
            self._open.append(start)
            return start + 1
        self.links.append(link)
        return match.end()

    def _bracket(self, start: int, token: str) -> int:
        if token == "[[":
            return self._wikilink(start, token)
        self._open.append(start)
        return start + 1

    def _closing_bracket(self, start: int, _token: str) -> int:
        if not self._open:
            return start + 1
        opening = self._open.pop()
        if not self.text.startswith("(", start + 1):
            return start + 1
        match = _DESTINATION.match(self.text, start + 1)
        if match is None:
            return start + 1
        written = unescape(match[1] if match[1] is not None else match[2])
        first = opening - 1 if self.text.startswith("!", opening - 1) and opening else opening
        label = _ESCAPE.sub(r"\1", self.text[opening + 1 : start])
        link = markdown_link(_ESCAPE.sub(r"\1", written), label, first, match.end())
        if link is not None:
            self.links.append(link)
        return match.end()


_HANDLERS: Mapping[str, Callable[[_Scanner, int, str], int]] = {
    "`": _Scanner._code,
    "$": _Scanner._math,
    "%": _Scanner._comment,
    "<": _Scanner._angle,
    "!": _Scanner._wikilink,
    "[": _Scanner._bracket,
    "]": _Scanner._closing_bracket,
}


def _blank(text: str, spans: list[tuple[int, int, str]]) -> str:
    """Overwrite spans (which may overlap) with their fill, keeping the length and the line ends."""
    if not spans:
        return text
    pieces = []
    at = 0
    for start, end, fill in sorted(spans):
        start = max(start, at)
        if start >= end:
            continue
        pieces.append(text[at:start])
        if fill == "\n":
            pieces.append("\n" + " " * (end - start - 1))
        else:
            pieces.append("\n".join(fill * len(part) for part in text[start:end].split("\n")))
        at = end
    pieces.append(text[at:])
    return "".join(pieces)
