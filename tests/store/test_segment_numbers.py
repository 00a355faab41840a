"""How many texts have each of many terms, asked at once or one by one, also when some texts are gone."""

from __future__ import annotations

import numpy as np

from mindnet.store.bags import bag_of_names, term_number
from mindnet.store.postings import Segment, StoredBag

TEXTS = ["Salz Meer", "Salz", "Wind Meer", ""]
TERMS = [term_number(f"d{stem}") for stem in ("salz", "meer", "wind", "feuer")]


def _counted(segment: Segment) -> list[int]:
    together = segment.numbers(np.array(TERMS, dtype=np.int64)).tolist()
    assert together == [segment.number(term) for term in TERMS]
    return [int(number) for number in together]


def test_terms_are_counted_at_once_as_one_by_one() -> None:
    bags = [StoredBag(row, f"n#c{row:02d}", "n", *bag_of_names(text)) for row, text in enumerate(TEXTS, 1)]
    segment = Segment.build(bags)
    assert _counted(segment) == [2, 2, 1, 0]
    segment.drop(np.array([1], dtype=np.int64))
    assert _counted(segment) == [1, 1, 1, 0]
    assert _counted(Segment.build(bags[3:])) == [0, 0, 0, 0]
