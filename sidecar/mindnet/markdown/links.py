"""Every written form of a link, one function a form.

A relation form gives a mention of its own beside the plain one of the same link: a relation is also a
mention. Which keys of fields and of the frontmatter are relations is decided where the kinds are known; here
every key is given as written.
"""

from __future__ import annotations

import bisect
import itertools
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from mindnet.markdown.document import CALLOUT
from mindnet.markdown.inline import HIDDEN, Link, Scanned, scan, wikilink
from mindnet.markdown.passages import Passage
from mindnet.markdown.properties import Leaf
from mindnet.records import Mention, MentionSource

#: The frontmatter key whose values are links: a list, or a map of kinds to links.
LINKS_KEY = "links"

#: ``rel:`` and the kind behind it, in text without links.
LINE_RELATION = re.compile(
    r"(?<![\w:/])rel:[ \t\u00a0]*(candidate:[ \t\u00a0]*)?([^\W\d][\w./-]*)[ \t\u00a0]*:?", re.IGNORECASE
)
_KEY = rf"([^\s:\[\]()|{HIDDEN}][^:\[\]()|{HIDDEN}]{{0,100}}?)\s*::(?!:)"
_FIELD = re.compile(rf"\s*(?:(?:[-*+]|\d{{1,9}}[.)])\s+)?(?:\[.\]\s+)?{_KEY}")
_INLINE_FIELD = re.compile(rf"\s*{_KEY}")
_BRACKETS = re.compile(r"[()\[\]]")
_KIND_AT_START = re.compile(
    r"\s*(?:[-*+]\s+|\d+[.)]\s+)?(?:\[.\]\s+)?[*_]*(candidate:\s*)?([^\W\d_][\w ./-]{0,100}?)[*_]*\s*::?[*_]*"
    rf"(?=\s|{HIDDEN}|\Z)"
)
_KIND_INSIDE = re.compile(rf"(?<=[\s,;])(candidate:\s*)?([^\W\d_][\w./-]*)\s*::?(?=\s|{HIDDEN}|\Z)")


@dataclass(frozen=True, slots=True)
class Text:
    """A passage ready to be asked for mentions. ``carried`` is the kind that an edge callout is at, by its number."""

    passage: Passage
    scanned: Scanned
    starts: tuple[int, ...]
    carried: dict[int, tuple[str, bool]] = field(default_factory=dict)

    def mention(self, link: Link, source: MentionSource, kind: str | None = None, candidate: bool = False) -> Mention:
        index = bisect.bisect_right(self.starts, link.start) - 1
        line, column = self.passage.origins[index]
        at = column + link.start - self.starts[index]
        relative = link.form == "mdlink"
        return Mention(
            source,
            kind,
            link.target,
            link.section,
            link.label,
            line,
            at,
            candidate=candidate,
            relative=relative,
            attachment=link.attachment,
        )

    def lines(self) -> Iterator[tuple[int, str]]:
        """Give each line's offset and its text without links."""
        at = 0
        for line in self.scanned.bare.split("\n"):
            yield at, line
            at += len(line) + 1

    def between(self, start: int, end: int) -> Iterator[Link]:
        links = self.scanned.links
        first = bisect.bisect_left(links, start, key=lambda link: link.start)
        for index in range(first, len(links)):
            if links[index].start >= end:
                return
            if _counts(links[index]):
                yield links[index]


def wikilinks(text: Text) -> Iterator[Mention]:
    """``[[X]]``, ``[[X|label]]``, ``[[X#Section]]``, ``[[#Section]]``."""
    return (text.mention(link, "wikilink") for link in text.scanned.links if link.form == "wikilink" and _counts(link))


def embeds(text: Text) -> Iterator[Mention]:
    """``![[X]]``."""
    return (text.mention(link, "embed") for link in text.scanned.links if link.form == "embed" and _counts(link))


def markdown_links(text: Text) -> Iterator[Mention]:
    """``[label](X.md)``, ``[label](<My Note.md>)``, and the same behind ``!``."""
    return (text.mention(link, "mdlink") for link in text.scanned.links if link.form == "mdlink" and _counts(link))


def relation_links(text: Text) -> Iterator[Mention]:
    """``[[rel:kind X]]`` and ``[[rel:kind|X]]``."""
    for link in text.scanned.links:
        if link.kind is not None and _counts(link):
            yield text.mention(link, "rel", link.kind, link.candidate)


def relation_lines(text: Text) -> Iterator[Mention]:
    """``rel: kind [[X]], [[Y]]``, anywhere in a line; the targets end at the first text that is none."""
    if "rel:" not in text.scanned.bare.lower():  # Far faster than the search without regard to case.
        return
    for match in LINE_RELATION.finditer(text.scanned.bare):
        for link in targets_behind(match, text.scanned):
            if _counts(link):
                yield text.mention(link, "rel", match[2], bool(match[1]))


def targets_behind(relation: re.Match[str], scanned: Scanned) -> Iterator[Link]:
    """The links behind a ``rel:`` and its kind, up to the first text that is neither link, comma nor blank."""
    bare, links = scanned.bare, scanned.links
    at = relation.end()
    place = bisect.bisect_left(links, at, key=lambda link: link.start)
    while True:
        while at < len(bare) and bare[at] in " \t\u00a0,":
            at += 1
        if place == len(links) or links[place].start != at:
            return
        yield links[place]
        at = links[place].end
        place += 1


def field_lines(text: Text) -> Iterator[Mention]:
    """``key:: [[X]] … [[Y]]`` on a line of its own: all links of the line."""
    if text.passage.callout or "::" not in text.scanned.bare:
        return
    for at, line in text.lines():
        begin = _marker_end(line)
        match = _FIELD.match(line, begin) if "::" in line else None
        if match is None:
            continue
        for link in text.between(at + match.end(), at + len(line)):
            yield text.mention(link, "field", match[1].strip("*_~ \t"))


def inline_fields(text: Text) -> Iterator[Mention]:
    """``(key:: [[X]])`` and ``[key:: [[X]]]``, anywhere in a line, in an edge callout too."""
    for at, line in text.lines() if "::" in text.scanned.bare else ():
        for _, start, end, key in _bracket_fields(line):
            for link in text.between(at + start, at + end):
                yield text.mention(link, "field", key)


def edge_callouts(text: Text) -> Iterator[Mention]:
    """``> [!edge] kind: [[X]]``: all links behind a kind, up to the next kind, over lines and list items.

    A field in brackets is a relation of its own there.
    """
    number = text.passage.callout
    if not number:
        return
    for at, line in text.lines():
        begin = _marker_end(line)
        fields = _outermost((opening, end) for opening, _, end, _ in _bracket_fields(line))
        kinds = []
        first = _KIND_AT_START.match(line, begin)
        if first is not None:
            kinds.append(first)
        inside = _KIND_INSIDE.finditer(line, first.end() if first else begin)
        kinds += (match for match in inside if not _within(fields, match.start()))
        stretches = [begin, *(match.end() for match in kinds), len(line)]
        current = text.carried.get(number)
        for index, (start, end) in enumerate(itertools.pairwise(stretches)):
            if index:
                match = kinds[index - 1]
                current = (match[2].strip(), bool(match[1]))
            if current is not None and current[0].lower() != "rel":
                for link in text.between(at + start, at + end):
                    if not _within(fields, link.start - at):
                        yield text.mention(link, "callout", *current)
        if current is not None and current[0].lower() != "rel":
            text.carried[number] = current


#: The order is that of the mentions of one link: the plain ones first.
FORMS: tuple[Callable[[Text], Iterable[Mention]], ...] = (
    wikilinks,
    embeds,
    markdown_links,
    relation_links,
    relation_lines,
    field_lines,
    inline_fields,
    edge_callouts,
)


def read_mentions(passage: Passage, scanned: Scanned, carried: dict[int, tuple[str, bool]]) -> Iterator[Mention]:
    """Give the mentions of one passage, form by form.

    ``carried`` remembers the kind of each edge callout from one passage to the next; passages must come in
    the order of the file.
    """
    starts = [0]
    for line in passage.text.split("\n")[:-1]:
        starts.append(starts[-1] + len(line) + 1)
    text = Text(passage, scanned, tuple(starts), carried)
    mentions = [mention for form in FORMS for mention in form(text)]
    # A link in a field within a field is found twice; it is one place all the same.
    yield from dict.fromkeys(mentions) if scanned.bare.count("::") > 1 else mentions


def frontmatter_mentions(leaves: Iterable[Leaf]) -> Iterator[Mention]:
    """Give the links in the frontmatter: under ``links:`` also bare names, else only written links.

    The kind is the innermost key, or the one in the link itself (``[[rel:kind X]]``); links in a plain
    ``links:`` list are ``references``.
    """
    for leaf in leaves:
        listed = leaf.keys[0].lower() == LINKS_KEY
        kind = leaf.keys[-1] if len(leaf.keys) > 1 or not listed else "references"
        links = scan(leaf.text).links if "[" in leaf.text else ()
        if not links and listed:
            path, bar, label = leaf.text.partition("|")
            bare = wikilink(path, label if bar else None, 0, len(leaf.text))
            links = (bare,) if bare is not None else ()
        for link in links:
            if _counts(link):
                yield Mention(
                    "frontmatter",
                    link.kind or kind,
                    link.target,
                    link.section,
                    link.label,
                    leaf.line,
                    0,
                    candidate=link.candidate,
                    listed=listed or link.kind is not None,
                    relative=link.form == "mdlink",
                    attachment=link.attachment,
                )


def _counts(link: Link) -> bool:
    return link.is_note and bool(link.target or link.section)


def _marker_end(line: str) -> int:
    """Where a line's text begins behind a callout's ``[!type]``."""
    marker = CALLOUT.match(line)
    return marker.end() if marker else 0


def _bracket_fields(line: str) -> Iterator[tuple[int, int, int, str]]:
    """Where each field in brackets begins, where its value does and where it ends, and its key."""
    if "::" in line:
        for start, end in _brackets(line):
            match = _INLINE_FIELD.match(line, start + 1)
            if match is not None:
                yield start, match.end(), end, match[1].strip("*_~ \t")


def _outermost(spans: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Spans in order, without those that begin in another one."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if not found or start > found[-1][1]:
            found.append((start, end))
    return found


def _within(spans: Sequence[tuple[int, int]], place: int) -> bool:
    index = bisect.bisect_left(spans, (place,)) - 1
    return index >= 0 and place < spans[index][1]


def _brackets(line: str) -> Iterator[tuple[int, int]]:
    """Pairs of brackets that belong together, as (opening, closing) indexes."""
    open_at: dict[str, list[int]] = {")": [], "]": []}
    for match in _BRACKETS.finditer(line):
        char, at = match[0], match.start()
        if char in "([":
            open_at[")" if char == "(" else "]"].append(at)
        elif open_at[char]:
            yield open_at[char].pop(), at
