"""While many notes are built, answers are not held up; afterwards all is as it was."""

from __future__ import annotations

import gc
import sys

import pytest

from mindnet.indexing.bulk import TURN, bulk


def test_turns_are_short_and_nothing_is_collected_until_the_outermost_block_is_left() -> None:
    before = sys.getswitchinterval()
    with bulk():
        with bulk():
            assert not gc.isenabled()
        assert not gc.isenabled()
        assert sys.getswitchinterval() <= TURN
    assert gc.isenabled()
    assert sys.getswitchinterval() == pytest.approx(before)


def test_an_error_leaves_all_as_it_was() -> None:
    before = sys.getswitchinterval()
    with pytest.raises(ValueError, match="broken"), bulk():
        raise ValueError("broken")
    assert gc.isenabled()
    assert sys.getswitchinterval() == pytest.approx(before)
