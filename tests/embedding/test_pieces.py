"""Tokenizers whose pieces hold white space: counted and cut with whole texts."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tokenizers import Tokenizer, models, pre_tokenizers, trainers

from mindnet.embedding.pieces import TextTokenizer, counter, tokenizer_of
from mindnet.embedding.port import Tokenizer as Port
from mindnet.embedding.words import WordTokenizer

TEXT = ["Die Wärmepumpe heizt das Haus mit der Wärme der Luft.\n\n\n    - und so weiter\n    - 17 Häuser"] * 3


def trained(splitter: pre_tokenizers.PreTokenizer) -> Tokenizer:
    pieces = Tokenizer(models.BPE())
    pieces.pre_tokenizer = splitter
    alphabet = pre_tokenizers.ByteLevel.alphabet()
    pieces.train_from_iterator(
        TEXT, trainers.BpeTrainer(vocab_size=400, initial_alphabet=alphabet, show_progress=False)
    )
    return pieces


@pytest.fixture(scope="module")
def by_bytes() -> Port:
    return tokenizer_of(counter(trained(pre_tokenizers.ByteLevel(add_prefix_space=False))))


def test_pieces_of_white_space_are_counted_with_their_text(by_bytes: Port) -> None:
    assert isinstance(by_bytes, TextTokenizer)
    assert not by_bytes.additive
    assert by_bytes.count("das\n\n\nHaus") > by_bytes.count("das") + by_bytes.count("Haus")


def test_a_vocabulary_of_words_is_counted_word_by_word() -> None:
    pieces = trained(pre_tokenizers.Sequence([pre_tokenizers.WhitespaceSplit(), pre_tokenizers.ByteLevel()]))
    assert isinstance(tokenizer_of(counter(pieces)), WordTokenizer)


def test_the_count_goes_on_where_the_model_would_cut() -> None:
    pieces = trained(pre_tokenizers.ByteLevel())
    whole = counter(pieces)("wort " * 500)
    pieces.enable_truncation(max_length=8)
    assert counter(pieces)("wort " * 500) == whole > 500


text = st.text(st.sampled_from("abcäß €🙂1\n\t -.\u00a0"), max_size=60)


@given(text, st.integers(0, 12))
def test_a_cut_text_is_the_start_or_the_end_within_the_limit(by_bytes: Port, whole: str, limit: int) -> None:
    start, end = by_bytes.truncate(whole, limit), by_bytes.tail(whole, limit)
    assert whole.startswith(start) or whole.strip().startswith(start)
    assert whole.endswith(end) or whole.strip().endswith(end)
    assert by_bytes.count(start) <= limit
    assert by_bytes.count(end) <= limit


def test_a_text_is_cut_between_words(by_bytes: Port) -> None:
    words = "Die Wärmepumpe heizt das Haus mit der Wärme der Luft".split()  # noqa: SIM905
    for number in range(1, len(words)):
        start, end = " ".join(words[:number]), " ".join(words[-number:])
        assert by_bytes.truncate(" ".join(words), by_bytes.count(start)) == start
        # A word alone may have more pieces than behind white space, so one more can fit.
        kept = by_bytes.tail(" ".join(words), by_bytes.count(end))
        assert kept.endswith(end)
        assert kept.split()[0] in words


def test_a_word_above_the_limit_is_cut_within(by_bytes: Port) -> None:
    word = "Donaudampfschifffahrtsgesellschaftskapitän" * 20
    start, end = by_bytes.truncate(word, 10), by_bytes.tail(word, 10)
    assert word.startswith(start)
    assert word.endswith(end)
    assert 5 <= by_bytes.count(start) <= 10
    assert 5 <= by_bytes.count(end) <= 10
