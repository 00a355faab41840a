"""Every written link of a note's body, and its tags: scans the inline text and asks each form."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from mindnet.markdown.document import Document, Quote, Stretch
from mindnet.markdown.relations import EDGE, Callout, Line, relations
from mindnet.markdown.scan import Link, Scan, blank_out, scan
from mindnet.records import Mention, MentionSource

_TAG = re.compile(r"(?<![^\s\0(,;>])#(?P<tag>[^\s#\0!-,.:-@\[-^`{-~]+)")
_NUMBER = re.compile(r"[\d/_-]*$")
_BAR = re.compile(r"(?<!\\)\|")
_SPECIAL = re.compile(r"\[|#|%%|<!--|`|\$")
PLAIN: dict[str, MentionSource] = {"wikilink": "wikilink", "embed": "embed", "mdlink": "mdlink"}


def read_links(lines: Sequence[str], body_line: int, document: Document) -> tuple[list[Mention], list[str]]:
    """Mentions in the order of the text, and inline tags, each once."""
    body = lines[body_line - 1 :]
    mentions: list[Mention] = []
    tags: dict[str, None] = {}
    callouts: dict[Quote, Callout] = {}
    quotes = sorted(document.quotes, key=lambda quote: quote.depth)
    for stretch in document.stretches:
        text = "\n".join(body[stretch.start : stretch.end])
        if not _SPECIAL.search(text):
            continue
        found = scan(text)
        masked = blank_out(text, found.masked)
        tags.update(dict.fromkeys(_tags(masked)))
        if not found.links and not any(quote.callout == EDGE for quote in quotes):
            continue
        for line in _lines(text, masked, found, stretch, body_line, quotes, callouts):
            mentions.extend(_plain(line))
            mentions.extend(relations(line))
    return mentions, list(tags)


def _plain(line: Line) -> Iterator[Mention]:
    for link in line.links:
        yield Mention(PLAIN[link.form], None, link.target, link.section, link.label, line.number, link.start)


def _lines(
    text: str,
    masked: str,
    found: Scan,
    stretch: Stretch,
    body_line: int,
    quotes: Sequence[Quote],
    callouts: dict[Quote, Callout],
) -> Iterator[Line]:
    starts = [0, *(index + 1 for index, char in enumerate(text) if char == "\n")] if "\n" in text else [0]
    rows: list[list[Link]] = [[] for _ in starts]
    for link in found.links:
        row = bisect_right(starts, link.start) - 1
        rows[row].append(replace(link, start=link.start - starts[row], end=link.end - starts[row]))
    for row, (line, links) in enumerate(zip(masked.split("\n"), rows, strict=True)):
        number = stretch.start + row
        callout = _callout(number, quotes, callouts)
        if stretch.table:
            yield from _cells(line, links, number + body_line, callout)
        else:
            yield Line(line, links, number + body_line, callout)


def _cells(masked: str, links: Sequence[Link], number: int, callout: Callout | None) -> Iterator[Line]:
    """The cells of a table row as lines of their own; columns stay those of the row."""
    borders = [0, *(match.end() for match in _BAR.finditer(masked)), len(masked)]
    for start, end in pairwise(borders):
        inside = [link for link in links if start <= link.start < end]
        if inside:
            yield Line(" " * start + masked[start:end], inside, number, callout)


def _callout(line: int, quotes: Sequence[Quote], callouts: dict[Quote, Callout]) -> Callout | None:
    """The edge callout that the line stands in: the innermost callout decides."""
    inner: Quote | None = None
    for quote in quotes:
        if quote.start <= line < quote.end and quote.callout:
            inner = quote
    if inner is None or inner.callout != EDGE:
        return None
    return callouts.setdefault(inner, Callout())


def _tags(masked: str) -> Iterator[str]:
    if "#" not in masked:
        return
    for match in _TAG.finditer(masked):
        tag = match["tag"].strip("/")
        if tag and not _NUMBER.match(tag):
            yield tag
