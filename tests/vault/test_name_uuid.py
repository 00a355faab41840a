"""Ids made of names are those that every other program makes of them."""

from __future__ import annotations

from uuid import NAMESPACE_URL, uuid5

from hypothesis import given
from hypothesis import strategies as st

from mindnet.name_uuid import name_uuid


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_the_uuid_is_that_of_the_standard_library(name: str) -> None:
    assert name_uuid(name) == str(uuid5(NAMESPACE_URL, name))


def test_half_of_a_pair_has_a_uuid_of_its_own() -> None:
    assert len({name_uuid("a\ud800"), name_uuid("a\udc00"), name_uuid("a?")}) == 3
