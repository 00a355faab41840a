"""What an import says at its end, summed over the whole vault."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from mindnet.records import Fault

Counts = Mapping[str, Mapping[str, int]]
"""Per note: group (``kind``, ``provenance``, ``rule``, ``totals``) to name to number."""


@dataclass(frozen=True, slots=True)
class Report:
    """Numbers of an import; ``written`` counts notes that were processed anew, ``embedded`` and
    ``reused`` windows. A note whose change is none that mindnet reads is stored, and not counted.
    ``is_unfinished``: what was asked is done, and another whole update would do more.
    """

    notes: int
    chunks: int
    edges: int
    by_kind: Mapping[str, int]
    by_provenance: Mapping[str, int]
    by_rule: Mapping[str, int]
    totals: Mapping[str, int]
    faults: tuple[Fault, ...]
    written: int
    embedded: int
    reused: int
    removed: int
    seconds: float
    dry_run: bool
    is_unfinished: bool = False


def add_counts(counts: Iterable[Counts]) -> dict[str, dict[str, int]]:
    """Group by group sums, names in order."""
    sums: dict[str, Counter[str]] = {}
    for one in counts:
        for group, numbers in one.items():
            sums.setdefault(group, Counter()).update(numbers)
    return {group: dict(sorted(numbers.items())) for group, numbers in sums.items()}


def distinct_faults(faults: Iterable[Fault]) -> tuple[Fault, ...]:
    """Faults in the order of file and line, each once; information about a type or status once per message."""
    seen: set[tuple[str, int, str, str]] = set()
    kept: list[Fault] = []
    for fault in sorted(faults, key=lambda fault: (fault.path, fault.line, fault.code, fault.message)):
        once = fault.code in ONCE_PER_MESSAGE
        key = ("", 0, fault.code, fault.message) if once else (fault.path, fault.line, fault.code, fault.message)
        if key not in seen:
            seen.add(key)
            kept.append(fault)
    return tuple(kept)


ONCE_PER_MESSAGE: Sequence[str] = ("unknown_type", "unknown_status")
