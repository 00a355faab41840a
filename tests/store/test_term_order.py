"""The order of a segment's postings: as a stable ``argsort`` gives it, however many there are."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mindnet.store import postings
from mindnet.store.bags import TERM_BITS

TERMS = st.lists(st.integers(0, 2**TERM_BITS - 1) | st.integers(0, 5), max_size=60)


@given(TERMS)
def test_terms_are_ordered_and_of_one_term_the_first_place_comes_first(terms: list[int]) -> None:
    given_terms = np.array(terms, dtype=np.int64)
    assert postings._order(given_terms).tolist() == np.argsort(given_terms, kind="stable").tolist()


@pytest.mark.parametrize("bits", [TERM_BITS, 52, 56])
@given(terms=TERMS)
def test_terms_whose_highest_digits_are_alike_are_not_mixed_up(bits: int, terms: list[int]) -> None:
    """As with more postings than places fit beside a whole term."""
    given_terms = np.array(terms, dtype=np.int64)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(postings, "_BITS", bits)
        assert postings._order(given_terms).tolist() == np.argsort(given_terms, kind="stable").tolist()
