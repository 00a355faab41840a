"""Headings that change what the links below them mean."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from mindnet.knowledge.kinds import KindRegistry, heading_key
from mindnet.records import ParsedNote


@dataclass(frozen=True, slots=True)
class Zone:
    """Lines under a heading that changes what links mean: they are the whole note's, and perhaps candidates."""

    start: int
    end: int
    candidates: bool


def zones_of(parsed: ParsedNote, kinds: KindRegistry) -> list[Zone]:
    """The note's zones in order; each ends at the next heading of the same or a higher level."""
    found = []
    cards = [] if parsed.reading is None else [stretch.start_line for stretch in parsed.reading.stretches]
    cards.append(10**9)
    for index, heading in enumerate(parsed.headings):
        key = heading_key(heading.text)
        if key in kinds.candidate_headings or key in kinds.note_scope_headings:
            ends = (later.line - 1 for later in parsed.headings[index + 1 :] if later.level <= heading.level)
            end = min(next(ends, 10**9), cards[bisect_right(cards, heading.line)] - 1)
            found.append(Zone(heading.line, end, key in kinds.candidate_headings))
    return found


def zone_at(zones: Sequence[Zone], line: int) -> Zone | None:
    """The innermost zone of a line."""
    return next((zone for zone in reversed(zones) if zone.start <= line <= zone.end), None)
