"""The report says what it found once, at the first place, and every fault of a file by itself."""

from __future__ import annotations

from mindnet.indexing.report import distinct_faults
from mindnet.records import Fault


def test_an_unknown_type_or_status_is_reported_once_for_all_notes_that_have_it() -> None:
    faults = [
        Fault(f"{name}.md", 2, code, f"the {code} is odd")
        for name in "cab"
        for code in ("unknown_type", "unknown_status")
    ]
    kept = distinct_faults([*faults, Fault("z.md", 3, "unknown_status", "another one is odd")])
    assert [(fault.path, fault.code) for fault in kept] == [
        ("a.md", "unknown_status"),
        ("a.md", "unknown_type"),
        ("z.md", "unknown_status"),
    ]


def test_an_unknown_kind_is_reported_wherever_it_is_written() -> None:
    faults = [
        Fault(path, line, "unknown_kind", "odd") for path, line in (("b.md", 1), ("a.md", 9), ("a.md", 2), ("a.md", 2))
    ]
    assert [(fault.path, fault.line) for fault in distinct_faults(faults)] == [("a.md", 2), ("a.md", 9), ("b.md", 1)]
