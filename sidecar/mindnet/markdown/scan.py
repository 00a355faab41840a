"""Inline text, read from left to right: the links in it, and the stretches that are not prose.

Inside code spans, math, HTML comments and ``%%`` comments nothing is found. Whatever opens first
wins, as in the app.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from urllib.parse import unquote

ATTACHMENTS = frozenset(
    [
        "png",
        "jpg",
        "jpeg",
        "gif",
        "svg",
        "webp",
        "bmp",
        "avif",
        "tiff",
        "ico",
        "heic",
        "pdf",
        "mp3",
        "wav",
        "m4a",
        "ogg",
        "flac",
        "3gp",
        "aac",
        "mp4",
        "webm",
        "ogv",
        "mov",
        "mkv",
        "avi",
        "canvas",
        "base",
        "zip",
        "gz",
        "tar",
        "csv",
        "xlsx",
        "docx",
        "pptx",
        "odt",
        "epub",
        "json",
        "xml",
        "html",
        "htm",
        "css",
        "js",
        "ts",
        "py",
        "txt",
    ]
)
"""Extensions of files that are no notes; a link to one is no edge."""

_WIKI = r"(?P<embed>!?)\[\[(?!\[)(?P<inner>(?:(?!\[\[|\]\])[^\n])+)\]\]"
_MARKDOWN = (
    r"!?\[(?P<text>(?:[^\[\]\\\n]|\\.|\[[^\[\]\n]*\])*)\]"
    r"\([ \t]*(?P<dest><[^<>\n]*>|(?:[^\s()<>]|\([^\s()]*\))+)(?:[ \t]+(?:\"[^\"\n]*\"|'[^'\n]*'))?[ \t]*\)"
)
_TOKEN = re.compile(
    rf"(?P<escape>\\[^\n])|(?P<ticks>`+)|(?P<comment>%%)|(?P<html><!--)|(?P<math>\$\$?)"
    rf"|(?P<wiki>{_WIKI})|(?P<markdown>{_MARKDOWN})|(?P<tag></?[A-Za-z][^<>\n]*>|<[a-z][a-z0-9+.-]*:[^<>\s]*>)"
)
_TICKS = re.compile(r"`+")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:(?!:)")
_PIPE = re.compile(r"\\?\|")
_RELATION = re.compile(r"\s*rel:\s*(?P<candidate>candidate:)?\s*(?P<kind>[^\s|\[\]]+?)\s*(?:\\?\||\s)\s*(?P<rest>.+)$")
_DIGIT = re.compile(r"\d")
_LONGEST_MATH = 2_000


@dataclass(frozen=True, slots=True)
class Link:
    """A link at ``start:end`` of the scanned text. ``kind`` is set by the form ``[[rel:kind X]]``."""

    form: str
    target: str
    section: str
    label: str
    start: int
    end: int
    kind: str | None = None
    candidate: bool = False


@dataclass(frozen=True, slots=True)
class Scan:
    """Links in order, and the stretches that hold no prose (code, math, comments, tags, link bodies)."""

    links: tuple[Link, ...]
    masked: tuple[tuple[int, int], ...]


def find_links(text: str) -> tuple[Link, ...]:
    """The links of a text outside code, math and comments."""
    return scan(text).links if "[" in text else ()


def scan(text: str) -> Scan:
    links: list[Link] = []
    masked: list[tuple[int, int]] = []
    unclosed: set[str] = set()
    position = 0
    while (match := _TOKEN.search(text, position)) is not None:
        start, position = match.span()
        if match["escape"]:
            continue
        if match["wiki"]:
            link = _wiki(match)
        elif match["markdown"]:
            link = _markdown(match)
            if link is None and "[[" in (match["text"] or ""):
                # `[see [[X]]](http://…)`: the label may still hold a link to a note.
                position = start + 1 + (match.group().startswith("!"))
                continue
        elif match["tag"]:
            masked.append((start, position))
            continue
        else:
            opener = match.group()
            end = None if opener in unclosed else _close(text, opener, position)
            if end is None:
                # Remembered, so that a text full of openers is not searched from each of them.
                if opener != "$":
                    unclosed.add(opener)
            else:
                masked.append((start, end))
                position = end
            continue
        masked.append((start, position))
        if link is not None:
            links.append(link)
    return Scan(tuple(links), tuple(masked))


def _close(text: str, opener: str, position: int) -> int | None:
    """The end of what ``opener`` opens, None when it is never closed."""
    if opener.startswith("`"):
        for run in _TICKS.finditer(text, position):
            if len(run.group()) == len(opener):
                return run.end()
        return None
    if opener == "$":
        return _close_math(text, position)
    closer = "-->" if opener == "<!--" else opener
    end = text.find(closer, position)
    return None if end < 0 else end + len(closer)


def _close_math(text: str, position: int) -> int | None:
    """Inline math: no space behind the first dollar nor before the last, no digit behind that, no blank line."""
    if position >= len(text) or text[position].isspace():
        return None
    limit = text.find("\n\n", position, position + _LONGEST_MATH)
    limit = position + _LONGEST_MATH if limit < 0 else limit
    end = position
    while (end := text.find("$", end, limit)) >= 0:
        if not text[end - 1].isspace() and text[end - 1] != "\\" and not _DIGIT.match(text, end + 1):
            return end + 1 if end > position else None
        end += 1
    return None


def _wiki(match: re.Match[str]) -> Link | None:
    inner = match["inner"]
    kind, candidate = None, False
    relation = _RELATION.match(inner)
    if relation is not None:
        kind, candidate, inner = relation["kind"], bool(relation["candidate"]), relation["rest"]
    where, _, label = _cut(inner)
    target, _, section = where.partition("#")
    target = unicodedata.normalize("NFC", target.strip())
    section = section.strip()
    if is_attachment(target) or not (target or section):
        return None
    form = "embed" if match["embed"] else "wikilink"
    return Link(form, target, section, label.strip(), match.start(), match.end(), kind, candidate)


def _cut(inner: str) -> tuple[str, str, str]:
    bar = _PIPE.search(inner)
    return (inner, "", "") if bar is None else (inner[: bar.start()], "|", inner[bar.end() :])


def _markdown(match: re.Match[str]) -> Link | None:
    dest = match["dest"]
    if dest.startswith("<"):
        dest = dest[1:-1]
    if not dest or _SCHEME.match(dest) or dest.startswith("//"):
        return None
    target, _, section = dest.partition("#")
    target = unicodedata.normalize("NFC", unquote(target).strip().replace("\\", ""))
    section = unquote(section).strip()
    if is_attachment(target) or not (target or section):
        return None
    form = "embed" if match.group().startswith("!") else "mdlink"
    return Link(form, target, section, match["text"].strip(), match.start(), match.end())


def is_attachment(target: str) -> bool:
    """Whether a link's path ends with an extension of a file that is no note."""
    name, dot, extension = target.rpartition(".")
    return bool(dot and name) and extension.lower() in ATTACHMENTS


def blank_out(text: str, stretches: tuple[tuple[int, int], ...]) -> str:
    """The text with these stretches replaced by NUL, line ends kept: same length, same lines."""
    if not stretches:
        return text
    parts: list[str] = []
    last = 0
    for start, end in stretches:
        parts.append(text[last:start])
        parts.append("".join("\n" if char == "\n" else "\0" for char in text[start:end]))
        last = end
    parts.append(text[last:])
    return "".join(parts)
