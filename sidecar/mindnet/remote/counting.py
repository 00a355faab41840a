"""Tokens of a text for a model whose tokenizer cannot be asked: in ordinary text never fewer than there are."""

from __future__ import annotations

import math
import re

_PIECE = re.compile(r"[A-Za-z]+|[^\W\d_]+|\d|[^\S\n]+|\n+|_+|.", re.DOTALL)
_LETTERS_A_TOKEN = 2.5
_OTHER_LETTERS_A_TOKEN = 1.5


def estimate(text: str) -> int:
    """An upper bound in ordinary text: small vocabularies and German compounds are what it is measured by."""
    total = 0.0
    for match in _PIECE.finditer(text):
        piece = match.group()
        first = piece[0]
        if first.isascii() and first.isalpha():
            total += math.ceil(len(piece) / _LETTERS_A_TOKEN)
        elif first.isalpha():
            # Words with umlauts, other scripts: a letter may be a token for each of its bytes, seldom is.
            total += max(math.ceil(len(piece) / _OTHER_LETTERS_A_TOKEN), (_bytes(piece) - len(piece)) // 2)
        elif piece == " ":
            # A single space goes with the word behind it.
            continue
        elif first.isspace():
            total += math.ceil(len(piece) / 2)
        else:
            total += _bytes(piece)
    return math.ceil(total)


def _bytes(piece: str) -> int:
    """Also of half a pair of surrogates, which files with odd escapes bring along."""
    return len(piece.encode("utf-8", "surrogatepass"))
