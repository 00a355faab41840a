from __future__ import annotations

from knowledge.conftest import Vault
from mindnet.knowledge.counts import TOTALS, count_edges


def test_totals_count_evidence_and_the_groups_count_edges(vault: Vault) -> None:
    text = "---\ntype: concept\n---\n[[Z]] [[Z]] [[Fehlt]]\n\nrel: uses [[Z]]\nrel: candidate:solves [[Z]]\n"
    counts = count_edges(vault({"N.md": text, "Z.md": "z\n"})["N.md"].edges)
    assert counts["totals"] == {
        "callout_total": 0,
        "candidates": 1,
        "defaults_total": 4,
        "explicit_total": 4,
        "inline_total": 1,
        "mirror_total": 0,
        "smart_total": 0,
        "unresolved": 2,
    }
    assert counts["kind"] == {"belongs_to": 1, "references": 2, "related_to": 2, "solves": 1, "uses": 1}
    assert counts["provenance"] == {"candidate:smart": 1, "explicit": 3, "rule": 2, "structure": 1}
    assert sum(counts["rule"].values()) == 7


def test_every_total_is_there_even_for_a_note_without_edges() -> None:
    assert count_edges([])["totals"] == dict.fromkeys(sorted([*TOTALS.values(), "unresolved", "candidates"]), 0)
