"""What a note says of another where it links to it: the link's text, and the sentence around it."""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence, Set

from mindnet.knowledge.sentences import sentence_ends
from mindnet.knowledge.targets import Targets
from mindnet.knowledge.zones import Zone
from mindnet.markdown.lines import split_lines
from mindnet.records import Block, LinkContext, Mention, ParsedNote
from mindnet.vault.keys import strip_suffix

LONGEST = 600
"""Characters of a sentence that are kept, the link about in the middle."""
PROSE = frozenset({"paragraph", "list_item", "quote", "callout"})

_WIKILINK = re.compile(r"!?\[\[(?:rel:\S+[ |])?([^\[\]|]*)(?:\\?\|([^\[\]]*))?\]\]")
_MDLINK = re.compile(r"!?\[([^\[\]]*)\]\([^()\s]*(?:\([^()]*\)[^()\s]*)*\)")
_RELATION = re.compile(r"(?:^|(?<=[\s>(\[]))(?:rel:[ \t]*\S+|[^\s:()\[\]]+::)[ \t]*", re.MULTILINE)
_SIGNS = re.compile(r"(?m)^(?:[ \t]*(?:>|\[![^\]\n]*\][+-]?|(?:[-*+]|\d{1,9}[.)]|#{1,6})(?=[ \t])))+|[*_=~`]{2,}|[*`]")


def link_contexts(
    parsed: ParsedNote, *, targets: Targets, zones: Sequence[Zone], confirmed: Set[tuple[str, int]] = frozenset()
) -> tuple[LinkContext, ...]:
    """One context for each link to another note that exists, in the order of the text.

    Candidates are no links yet, but for those that are ``confirmed``: targets' ids, each with the line of the link.
    """
    reading = parsed.reading
    lines = split_lines(parsed.text) if reading is None else list(reading.lines)
    pools = [zone for zone in zones if zone.candidates]
    starts = [block.start_line for block in parsed.blocks]
    # A link that only proposes a relation is no reference yet.
    proposed = {(mention.line, mention.column) for mention in parsed.mentions if mention.candidate}
    found: dict[LinkContext, None] = {}
    seen: set[tuple[int, int, str, str]] = set()
    for mention in parsed.mentions:
        # What an arrow of a canvas joins is said by neither of its ends.
        if not mention.target or mention.from_note:
            continue
        waiting = (mention.line, mention.column) in proposed or any(
            zone.start <= mention.line <= zone.end for zone in pools
        )
        if waiting and not confirmed:
            continue
        # A relation says the same of its target as the plain link that it is written with.
        place = mention.line, mention.column, mention.target, mention.label
        if place in seen:
            continue
        seen.add(place)
        path = targets.of(mention).path
        if path is None or path == parsed.path or not targets.counts(mention):
            continue
        target_id = targets.catalog.note_id(path)
        if waiting and (target_id, mention.line) not in confirmed:
            continue
        label = mention.label or posixpath.basename(strip_suffix(mention.target.strip()))
        sentence = "" if mention.source == "frontmatter" else _sentence(mention, lines, parsed.blocks, starts)
        line = mention.line if reading is None or not mention.line else reading.numbers[mention.line - 1]
        found[LinkContext(target_id, line, label, sentence)] = None
    return tuple(found)


def _sentence(mention: Mention, lines: list[str], blocks: tuple[Block, ...], starts: list[int]) -> str:
    """The sentence that the link stands in, as it is read; of a table its row."""
    place = bisect_right(starts, mention.line) - 1
    block = blocks[place] if place >= 0 and blocks[place].end_line >= mention.line else None
    first, last = mention.line, mention.line
    if block is not None and block.kind in PROSE:
        first, last = block.start_line, block.end_line
    # No more of a long block than can be in the sentence.
    near, before = mention.line, 0
    while near > first and before < LONGEST:
        near -= 1
        before += len(lines[near - 1]) + 1
    upto, behind = mention.line, 0
    while upto < last and behind < LONGEST:
        upto += 1
        behind += len(lines[upto - 1]) + 1
    text = "\n".join(lines[near - 1 : upto])
    at = before + max(mention.column, 0)
    low, high = max(0, at - LONGEST), min(len(text), at + LONGEST)
    start = end = low
    for end in _ends(text, low, high):
        if end > at:
            break
        start = end
    start, end = max(start, at - LONGEST // 2), min(end, max(start, at - LONGEST // 2) + LONGEST)
    return shown(text[start:end])


def _ends(text: str, low: int, high: int) -> Iterator[int]:
    yield from (low + end for end in sentence_ends(text[low:high]))


def shown(text: str) -> str:
    """Markdown as it is read: links as their text, without the signs of lists, quotes and emphasis."""
    text = _RELATION.sub("", text)
    text = _WIKILINK.sub(lambda match: match[2] or posixpath.basename(match[1].split("#")[0]) or match[1], text)
    text = _MDLINK.sub(lambda match: match[1], text)
    return " ".join(_SIGNS.sub(" ", text).split())
