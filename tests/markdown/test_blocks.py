"""Rules of the block parser that can find nothing in a text are left out: the blocks stay the same."""

from __future__ import annotations

import random
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it.token import Token  # noqa: TID251

from markdown.corpus import make_note
from mindnet.markdown.blocks import SIGNS, block_parser, parse_blocks

FIXTURES = Path(__file__).parent / "fixtures"
ANY = {"hand_over", "code", "list", "paragraph"}


def shapes(text: str, *, every_rule: bool) -> list[tuple[object, ...]]:
    """Without ``every_rule`` the tokens as they are at the moment at which they are handed over."""
    if every_rule:
        return list(map(_shape, block_parser().parse(text)))
    found: list[tuple[object, ...]] = []
    parse_blocks(text, lambda tokens: found.extend(map(_shape, tokens)))
    return found


def _shape(token: Token) -> tuple[object, ...]:
    lines = None if token.map is None else tuple(token.map)
    return token.type, token.tag, lines, token.level, token.content, token.markup, token.hidden


def test_the_blocks_of_a_long_text_are_handed_over_one_by_one() -> None:
    handed: list[int] = []
    parse_blocks("- a\n\n  > b\n\n- c\n\nText.\n\n" * 50, lambda tokens: handed.append(len(tokens)))
    assert len(handed) == 100
    assert max(handed) < 20


@settings(max_examples=300, derandomize=True, database=None, deadline=None)
@given(st.lists(st.integers(0, 2**32), min_size=1, max_size=3))
def test_the_blocks_of_any_note_are_those_of_the_whole_parser(seeds: list[int]) -> None:
    text = make_note(seeds, "\n").text
    assert shapes(text, every_rule=False) == shapes(text, every_rule=True)


@settings(max_examples=500, derandomize=True, database=None, deadline=None)
@given(st.text(alphabet="ab|`~>-*_<#=%$ \n\t1.+!-", max_size=60))
def test_the_blocks_of_any_signs_are_those_of_the_whole_parser(text: str) -> None:
    assert shapes(text, every_rule=False) == shapes(text, every_rule=True)


def test_the_blocks_of_the_fixtures_are_those_of_the_whole_parser() -> None:
    for file in sorted(FIXTURES.glob("*.md")):
        lines = file.read_text(encoding="utf-8").split("\n")
        for start in range(0, len(lines), 7):
            text = "\n".join(lines[start : start + 7])
            assert shapes(text, every_rule=False) == shapes(text, every_rule=True)


def test_every_rule_but_those_for_any_text_is_asked_only_where_its_signs_are() -> None:
    rules = set(block_parser().block.ruler.get_active_rules())
    assert rules - SIGNS.keys() == ANY
    plain = random.Random(1).choices("abc \n", k=200)
    idle = tuple(SIGNS)
    assert set(block_parser(idle).block.ruler.get_active_rules()) == ANY
    assert shapes("".join(plain), every_rule=False) == shapes("".join(plain), every_rule=True)
