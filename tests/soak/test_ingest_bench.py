"""The measurement of the write path takes every figure, and says where a bound is not kept."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.figures import broken
from bench.ingest import LINES, measure, table
from soaking.daemon import CONFIGURATION
from vaultgen.changes import read_tree
from vaultgen.vault import generate

FIGURES = {line.name: 100.0 if line.bound is None else line.bound for line in LINES}


def test_every_figure_is_taken_and_the_vault_is_left_as_it_was(tmp_path: Path) -> None:
    vault = tmp_path / "vault"
    made = generate(vault, 24, 3)
    before = read_tree(vault)
    (tmp_path / "work").mkdir()
    found = measure(vault, tmp_path / "work", 5.0, CONFIGURATION)
    assert {line.name for line in LINES} <= found.keys()
    assert found["notes"] == made.notes - made.templates
    assert found["moved"] == 16
    for never in ("restart_embedded", "move_embedded", "search_errors"):
        assert found[never] == 0
    for always in ("import_seconds", "restart_seconds", "save_worst_ms", "move_seconds", "data_mb"):
        assert found[always] > 0, always
    # So small a vault can fit into what the model left free.
    assert found["memory_mb"] >= 0
    assert read_tree(vault) == before


def test_the_table_stars_what_is_over_its_bound() -> None:
    kept, over = FIGURES, {**FIGURES, "search_errors": 1.0, "save_worst_ms": 400.0}
    assert broken({"one": kept}, LINES) == []
    assert broken({"one": kept, "two": over}, LINES) == ["two: errors is 1.00, bound 0"]
    lines = table({"one": kept, "two": over}).splitlines()
    assert [line.split()[1:] for line in lines if line.startswith("  errors")] == [["0", "1", "*", "<=", "0"]]
    assert any(line.startswith("two / one: worst") and line.endswith("4.0") for line in lines)


def test_names_of_figures_are_told_apart() -> None:
    assert len({line.name for line in LINES}) == len(LINES)
    with pytest.raises(KeyError):
        broken({"one": {}}, LINES)
