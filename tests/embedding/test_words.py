"""The tokenizer that counts word by word."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from mindnet.embedding.words import LONGEST_KEPT, WordTokenizer


class Counter:
    """Counts one token for four characters, and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, word: str) -> int:
        self.asked.append(word)
        return (len(word) + 3) // 4


def test_a_word_is_counted_once() -> None:
    counter = Counter()
    tokenizer = WordTokenizer(counter)
    assert tokenizer.count("eins zwei eins\neins") == tokenizer.count("zwei eins eins eins") == 4
    assert counter.asked == ["eins", "zwei"]


def test_long_words_are_not_remembered() -> None:
    counter = Counter()
    tokenizer = WordTokenizer(counter)
    word = "x" * (LONGEST_KEPT + 1)
    tokenizer.count(word)
    tokenizer.count(word)
    assert counter.asked == [word, word]


def test_a_cut_of_a_huge_word_reads_only_the_part_it_keeps() -> None:
    counter = Counter()
    tokenizer = WordTokenizer(counter)
    huge = "0123456789" * 100_000
    assert tokenizer.truncate(huge, 10) == huge[:40]
    assert tokenizer.tail(huge, 10) == huge[-40:]
    assert tokenizer.truncate(f"one {huge}", 10) == "one"
    assert max(map(len, counter.asked)) <= 80


def test_white_space_around_is_kept_where_nothing_is_cut() -> None:
    tokenizer = WordTokenizer(Counter())
    assert tokenizer.truncate("  a b \n", 2) == "  a b \n"
    assert tokenizer.truncate("  a b \n", 1) == "  a"
    assert tokenizer.tail("  a b \n", 1) == "b \n"


@given(st.text(alphabet="ab \n\u200b", max_size=40), st.integers(0, 12))
def test_the_tail_is_what_looking_at_every_word_would_give(text: str, limit: int) -> None:
    """Words of ``\\u200b`` alone have no token, as in models that drop invisible spaces."""
    tokens = WordTokenizer(lambda word: len(word.replace("\u200b", "")))
    tail = tokens.tail(text, limit)
    words = [word.start() for word in re.finditer(r"\S+", text)]
    whole = [text, *(text[start:] for start in words)]
    fitting = [part for part in whole if tokens.count(part) <= limit]
    if any(part.strip() for part in fitting):
        assert tail == max(fitting, key=len)
    else:
        assert tokens.count(tail) <= limit
        assert text.rstrip().endswith(tail.rstrip())
