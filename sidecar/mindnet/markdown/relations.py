"""The forms of a typed relation in a line of body text: ``rel:``, fields, edge callouts.

Each form is one function over a ``Line``; the table ``FORMS`` holds them all. A relation is also
a mention: the plain link is emitted besides, by ``links.py``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from mindnet.markdown.scan import Link
from mindnet.records import Mention, MentionSource

_HEAD = re.compile(r"(?:[\s>]*(?:[-*+]|\d{1,9}[.)])(?=\s))*[\s>]*(?:\[[^\]\n]\]\s+)?")
_REL = re.compile(r"(?<![\w\[])rel:[ \t]*(?P<candidate>candidate:)?[ \t]*(?P<kind>[^\s\[\]|,:\0]+):?[ \t]+(?=\0)")
_FIELD = re.compile(r"[*_]{0,3}(?P<key>[^\s\[\](){}:|\0*_][^\[\](){}:|\0]{0,60}?)[*_]{0,3}::[ \t]*")
_BRACKET = re.compile(r"(?P<open>[(\[])\s*(?P<key>[^\s\[\]():\0][^\[\]():\0]{0,60}?)\s*::")
_KIND = re.compile(r"(?P<candidate>candidate:)?(?P<kind>[^\s\[\]|,:;>\0!][^\[\]|,:;>\0!]*?)\s*::?\s*(?=\0|$)")
_CALLOUT_HEAD = re.compile(r"\[![^\[\]\n]+\][+-]?")
_CLOSE = {"(": ")", "[": "]"}
EDGE = "edge"


@dataclass(slots=True)
class Callout:
    """An edge callout while its lines are read: the kind in force."""

    kind: str | None = None
    candidate: bool = False


@dataclass(frozen=True, slots=True)
class Line:
    """A line, or a cell of a table row. In ``masked`` everything that is no prose, links included, is NUL.

    ``links`` are those of the line, with columns as ``start`` and ``end``. ``callout`` is set
    inside an edge callout.
    """

    masked: str
    links: Sequence[Link]
    number: int
    callout: Callout | None


def relations(line: Line) -> Iterator[Mention]:
    """Every typed relation of the line."""
    if not line.links:
        if line.callout is not None:
            _remember_kind(line)
        return
    for form in FORMS:
        yield from form(line)


def _emit(line: Line, source: MentionSource, kind: str, link: Link, *, candidate: bool = False) -> Mention:
    return Mention(source, kind, link.target, link.section, link.label, line.number, link.start, candidate)


# ------------------------------------------------------------------ [[rel:kind X]]
def relation_links(line: Line) -> Iterator[Mention]:
    for link in line.links:
        if link.kind is not None:
            yield _emit(line, "rel", link.kind, link, candidate=link.candidate)


# ------------------------------------------------------------------ rel: kind [[X]] [[Y]]
def relation_lines(line: Line) -> Iterator[Mention]:
    """Targets go on until the first text that is neither link, comma nor space."""
    for match in _REL.finditer(line.masked):
        position = match.end()
        for link in line.links:
            if link.start < match.end():
                continue
            if line.masked[position : link.start].strip(" \t,"):
                break
            yield _emit(line, "rel", match["kind"], link, candidate=bool(match["candidate"]))
            position = link.end


# ------------------------------------------------------------------ key:: [[X]], (key:: [[X]]), [key:: [[X]]]
def field_lines(line: Line) -> Iterator[Mention]:
    """A field on a line of its own takes all links of the line."""
    if line.callout is not None:
        return
    head = _HEAD.match(line.masked)
    match = _FIELD.match(line.masked, head.end() if head else 0)
    if match is None:
        return
    for link in line.links:
        if link.start >= match.end():
            yield _emit(line, "field", match["key"].strip(), link)


def bracket_fields(line: Line) -> Iterator[Mention]:
    if "::" not in line.masked:
        return
    for match in _BRACKET.finditer(line.masked):
        end = line.masked.find(_CLOSE[match["open"]], match.end())
        if end < 0:
            continue
        for link in line.links:
            if match.end() <= link.start and link.end <= end:
                yield _emit(line, "field", match["key"], link)


# ------------------------------------------------------------------ > [!edge] kind: [[X]] [[Y]]
def callout_lines(line: Line) -> Iterator[Mention]:
    """A kind is in force until the next one, over the lines of the callout."""
    state = line.callout
    if state is None:
        return
    kinds = list(_kinds(line.masked))
    for link in line.links:
        while kinds and kinds[0].end() <= link.start:
            _set(state, kinds.pop(0))
        if link.kind is None and state.kind is not None:
            yield _emit(line, "callout", state.kind, link, candidate=state.candidate)
    for match in kinds:
        _set(state, match)


def _remember_kind(line: Line) -> None:
    assert line.callout is not None
    for match in _kinds(line.masked):
        _set(line.callout, match)


def _kinds(masked: str) -> Iterator[re.Match[str]]:
    head = _HEAD.match(masked)
    position = head.end() if head else 0
    title = _CALLOUT_HEAD.match(masked, position)
    position = title.end() if title else position
    while position < len(masked):
        while position < len(masked) and masked[position] in " \t\0,;":
            position += 1
        match = _KIND.match(masked, position)
        if match is None:
            following = masked.find("\0", position)
            if following < 0:
                return
            position = following
            continue
        yield match
        position = match.end()


def _set(state: Callout, match: re.Match[str]) -> None:
    state.kind = re.sub(r"^[-*+]\s+", "", match["kind"]).strip("*_ ")
    state.candidate = bool(match["candidate"])


FORMS: tuple[Callable[[Line], Iterator[Mention]], ...] = (
    relation_links,
    relation_lines,
    field_lines,
    bracket_fields,
    callout_lines,
)
