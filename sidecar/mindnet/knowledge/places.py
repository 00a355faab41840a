"""From lines of a reading to lines of the file, for all that a note became."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mindnet.records import Chunk, Edge, Evidence, Fault, Reading


def in_file(
    reading: Reading, chunks: Sequence[Chunk], edges: Sequence[Edge], faults: Sequence[Fault]
) -> tuple[tuple[Chunk, ...], tuple[Edge, ...], tuple[Fault, ...]]:
    """The same with every line as it is in the file; evidence and faults that then are alike are one."""

    def line(number: int) -> int:
        return reading.numbers[number - 1] if number else 0

    def places(evidence: Sequence[Evidence]) -> tuple[Evidence, ...]:
        return tuple(dict.fromkeys(replace(item, line=line(item.line)) for item in evidence))

    return (
        tuple(replace(one, start_line=line(one.start_line), end_line=line(one.end_line)) for one in chunks),
        tuple(replace(edge, evidence=places(edge.evidence)) for edge in edges),
        tuple(dict.fromkeys(replace(fault, line=line(fault.line)) for fault in faults)),
    )
