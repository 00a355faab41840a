"""A short form of the soak test; ``scripts/soak.py`` is the long one."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from mindnet.workspace import stages
from soaking.models import NAMES, two_models
from soaking.rounds import MismatchError, Soak
from soaking.snapshot import Snapshot, differences, fresh_index, read_index
from vaultgen.changes import read_tree


def test_an_index_is_whole_after_kills_at_any_moment(tmp_path: Path) -> None:
    soak = Soak(tmp_path, notes=18, seed=7, burst=10)
    soak.run(6)
    assert soak.counts.kills.total() >= 6
    assert soak.counts.compared >= 5
    assert soak.counts.edits > 10
    assert soak.counts.points > 500


def test_so_it_is_with_a_quick_model_and_a_better_one_after_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in NAMES:
        # Put back when the test is over.
        monkeypatch.setattr(stages, name, getattr(stages, name))
    two_models()
    soak = Soak(tmp_path, notes=14, seed=11, burst=8, with_two_models=True)
    soak.run(4)
    assert soak.counts.kills.total() >= 4
    assert soak.counts.points > 300


@pytest.fixture(scope="module")
def soak(tmp_path_factory: pytest.TempPathFactory) -> Soak:
    soak = Soak(tmp_path_factory.mktemp("soak"), notes=12, seed=1, burst=5)
    fresh_index(soak.vault, soak.data, soak.config)
    return soak


def test_the_comparison_sees_what_an_index_lacks_has_too_much_or_has_otherwise(soak: Soak) -> None:
    whole = read_index(soak.vault, soak.data, soak.config)
    assert list(differences(whole, whole)) == []
    for name in ("notes", "chunks", "edges", "words", "files", "links"):
        key = next(iter(whole.parts[name]))
        without = {other: value for other, value in whole.parts[name].items() if other != key}
        lacking = replace(whole, parts={**whole.parts, name: without})
        assert any(f"{name}: missing" in line for line in differences(lacking, whole))
        assert any(f"{name}: too much" in line for line in differences(whole, lacking))
    edge = next(iter(whole.parts["edges"]))
    weaker = {**whole.parts["edges"], edge: {**whole.parts["edges"][edge], "confidence": 0.1}}
    assert "confidence is 0.1" in next(differences(replace(whole, parts={**whole.parts, "edges": weaker}), whole))
    turned: Snapshot = replace(whole, vectors={key: -vector for key, vector in whole.vectors.items()})
    assert len(list(differences(turned, whole))) == len(whole.vectors)


def test_the_soak_notices_a_changed_vault_and_a_stale_index(soak: Soak) -> None:
    soak.compare("nothing")
    note = next(soak.vault.rglob("*.md"))
    note.write_bytes(note.read_bytes() + b"\nmore words\n")
    with pytest.raises(MismatchError, match="vault itself"):
        soak.compare("a change by somebody else")
    soak.tree = read_tree(soak.vault)
    with pytest.raises(MismatchError, match="differences"):
        soak.compare("a change that nobody took in")
