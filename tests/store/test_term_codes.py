"""Bags of words come back from the form in which they are kept, in little room."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from manifests import entry
from mindnet.errors import DamagedError, StoreError
from mindnet.store import term_codes
from mindnet.store.bags import BAG, bags_of_texts, ordered
from mindnet.store.manifest import Manifest
from mindnet.store.term_codes import SCHEMA, Malformed, TermCodes


@pytest.fixture
def db() -> Iterator[sqlite3.Connection]:
    with closing(database()) as connection:
        yield connection


def database() -> sqlite3.Connection:
    connection = sqlite3.connect(":memory:")
    connection.executescript(SCHEMA)
    return connection


def bag(terms: dict[int, int]) -> bytes:
    entries = np.empty(len(terms), BAG)
    for place, (term, weight) in enumerate(sorted(terms.items())):
        entries[place] = (term & 0xFFFFFFFF, term >> 32, weight)
    return entries.tobytes()


TERMS = st.dictionaries(st.integers(0, 2**48 - 1) | st.integers(0, 9), st.integers(1, 255), max_size=30).map(bag)


@given(st.lists(st.lists(TERMS, max_size=6), max_size=4))
def test_any_bags_come_back_by_whom_ever_they_are_read(batches: list[list[bytes]]) -> None:
    with closing(database()) as db:
        writer, reader = TermCodes(), TermCodes()
        coded: list[bytes] = []
        for some in batches:
            coded += writer.coded(db, some)
            given_ = [one for batch in batches for one in batch][: len(coded)]
            for codes in (writer, reader, TermCodes()):
                assert [ordered(one) for one in codes.bags(db, coded)] == given_


def test_a_bag_of_more_terms_than_sixteen_bits_can_count_comes_back(db: sqlite3.Connection) -> None:
    large = bag({7 * number: 1 + number % 2 for number in range(150_000)})
    codes = TermCodes()
    kept = codes.coded(db, [bag({3: 1}), large, b"", bag({14: 9})])
    assert [ordered(one) for one in codes.bags(db, kept)] == [bag({3: 1}), large, b"", bag({14: 9})]
    # Its terms have their numbers by now.
    assert codes.coded(db, [large]) == TermCodes().coded(db, [large]) == [kept[1]]


def test_a_word_takes_about_two_bytes(db: sqlite3.Connection) -> None:
    text = " ".join(
        f"{first}{second}" for first in ("Garten", "Haus", "Obst", "Holz") for second in ("tor", "bau", "hof")
    )
    (_, made), *_ = bags_of_texts([text])
    (kept,) = TermCodes().coded(db, [made])
    assert len(kept) <= 2.5 * len(made) / BAG.itemsize


def test_what_was_numbered_in_a_transaction_that_failed_is_numbered_again(tmp_path: Path) -> None:
    (first,), (second,) = ([one] for one in bags_of_texts(["Ofen Garten", "Garten Haus"]))
    manifest = Manifest.open(tmp_path / "index.sqlite")
    with pytest.raises(StoreError):
        manifest.commit([entry("a.md")], [], words={"a.md": {"chunks": [(["no text"], "a", *first)]}})
    manifest.commit([entry("b.md")], [], words={"b.md": {"chunks": [("b#c01", "b", *second)]}})
    manifest.commit([entry("a.md")], [], words={"a.md": {"chunks": [("a#c01", "a", *first)]}})
    manifest.close()
    manifest = Manifest.open(tmp_path / "index.sqlite")
    found = {one.chunk_id: ordered(one.bag) for one in manifest.chunk_table.written(0)}
    manifest.close()
    assert found == {"a#c01": first[1], "b#c01": second[1]}


def test_no_more_terms_are_numbered_than_there_are_numbers(
    db: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(term_codes, "MOST", 3)
    codes = TermCodes()
    codes.coded(db, [bag({1: 1, 2: 1, 3: 1})])
    with pytest.raises(StoreError, match="can hold no more"):
        codes.coded(db, [bag({4: 1})])


@pytest.mark.parametrize(
    "broken", [b"\x01", b"\x02\x00", b"\x01\x00\x00\x01\x05\x00\x01\x00", b"\x01\x00\x00\x01\x00\x00\x63\x00"]
)
def test_what_is_no_bag_is_damage(db: sqlite3.Connection, broken: bytes) -> None:
    codes = TermCodes()
    codes.coded(db, [bag({1: 1})])
    with pytest.raises(Malformed):
        codes.bags(db, [broken])


def test_a_bag_that_is_damaged_has_the_index_built_anew(tmp_path: Path) -> None:
    ((length, made),) = bags_of_texts(["Ofen"])
    file = tmp_path / "index.sqlite"
    manifest = Manifest.open(file)
    manifest.commit([entry("a.md")], [], words={"a.md": {"chunks": [("a#c01", "a", length, made)]}})
    with manifest._writing() as (db, _):
        db.execute("UPDATE chunks SET bag = x'07'")
    with pytest.raises(DamagedError):
        manifest.chunk_table.written(0)
    manifest.close()
    with pytest.raises(DamagedError):
        Manifest.open(file)
