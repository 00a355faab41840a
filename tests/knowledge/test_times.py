from __future__ import annotations

from typing import Any

import pytest

from mindnet.knowledge.times import created, file_time, read_date


@pytest.mark.parametrize(
    ("written", "stamp"),
    [
        ("2024-06-01", 20240601000000),
        ("2024-06-01T07:30:00", 20240601073000),
        ("2024-06-01 07:30", 20240601073000),
        ("2024-06-01T07:30:00+02:00", 20240601053000),
        ("2024-06-01T07:30:00Z", 20240601073000),
        ("1.6.2024", 20240601000000),
        ("01.06.2024, 07:30", 20240601073000),
        (20240601, 20240601000000),
        ("202406010730", 20240601073000),
        (20240601073005, 20240601073005),
        ("[[2024-06-01]]", 20240601000000),
        ("gestern", None),
        ("31.02.2024", None),
        ("{{date}}", None),
        (2024, None),
        (True, None),
        (["2024-06-01"], None),
        ("0001-01-01T00:00:00+14:00", None),
    ],
)
def test_dates_as_people_write_them(written: Any, stamp: int | None) -> None:
    assert read_date(written) == stamp


def test_the_first_key_that_can_be_read_counts_and_the_odd_one_is_named() -> None:
    assert created({"Created": "2024-06-01"}) == (20240601000000, None)
    assert created({"created": "bald", "datum": "1.6.2024"}) == (20240601000000, "created")
    assert created({"created": "bald"}) == (None, "created")
    assert created({"created": None, "date": ""}) == (None, None)


@pytest.mark.parametrize(
    ("ns", "stamp"),
    [(1_700_000_000_999_999_999, 20231114221320), (-5, 19700101000000), (10**30, 99991231235959)],
)
def test_file_times_never_fail(ns: int, stamp: int) -> None:
    assert file_time(ns) == stamp
