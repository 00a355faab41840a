"""Bags made together are those made one by one, whatever stands between."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from mindnet.store.analysis import STOP_WORDS, word_of, words, written_words
from mindnet.store.bags import BAG, bag_of_names, bags_of_texts, term_number

WORDS = st.sampled_from(
    ["Wärmepumpe", "getUserById", "the", "Ofen's", "§", "12", "naïve", "ﬁx", "\u0301", "x", "\ud800"]
)
TEXTS = st.lists(WORDS, max_size=6).map(" ".join)


def numbered(bag: bytes) -> dict[int, int]:
    entries = np.frombuffer(bag, BAG)
    return {(int(one["high"]) << 32) | int(one["low"]): int(one["weight"]) for one in entries}


@given(st.lists(TEXTS, max_size=8))
def test_each_text_has_the_bag_that_it_has_alone(texts: list[str]) -> None:
    assert bags_of_texts(texts) == [bags_of_texts([text])[0] for text in texts]


def test_more_texts_than_fit_into_one_step_keep_their_order() -> None:
    texts = [f"Wort{number} gemeinsam" for number in range(1_000)]
    bags = bags_of_texts(texts)
    assert [length for length, _ in bags] == [2] * 1_000
    for number in (0, 255, 256, 999):
        word = word_of(f"Wort{number}")
        assert word is not None
        assert {term_number(term) for term in word.terms} <= numbered(bags[number][1]).keys()


@given(TEXTS)
def test_a_bag_counts_the_terms_of_words_and_of_their_parts(text: str) -> None:
    expected: Counter[int] = Counter()
    for written in written_words(text):
        pieces = [written, "get", "User", "By", "Id"] if written == "getUserById" else [written]
        found = [word for piece in pieces for word in words(piece, stop_words=True)]
        expected.update({term_number(term) for word in found for term in word.terms})
    ((length, bag),) = bags_of_texts([text])
    assert length == len(written_words(text))
    assert numbered(bag) == dict(expected)


def test_what_is_said_very_often_counts_as_often_as_a_byte_can_say() -> None:
    ((length, bag),) = bags_of_texts(["Ofen " * 1_000])
    assert length == 1_000
    assert set(numbered(bag).values()) == {255}


def test_a_name_has_each_term_once_and_no_function_words() -> None:
    number, bag = bag_of_names("Der Ofen und die Öfen")
    assert "der" in STOP_WORDS
    assert number == 1
    assert set(numbered(bag).values()) == {1}
    assert bag_of_names("") == (0, b"")
