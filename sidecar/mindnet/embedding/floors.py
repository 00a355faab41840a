"""The cosine below which two texts have nothing to do with each other, by model.

A model that was trained at a low temperature has all its vectors in a narrow cone: for E5, cosines lie between 0.7
and 1 (the card of intfloat/multilingual-e5-small says so and why). Their order is right, but beside points for words
they would count for little. What retrieval counts is how far a cosine is above the floor, of what there is above it.
"""

from __future__ import annotations

import re

from mindnet.embedding.prefixes import base_name

FLOORS: tuple[tuple[str, float], ...] = ((r"e5-(small|base|large)", 0.7),)
"""Regular expressions for base names, and floors; all other models have their floor at 0."""
_KNOWN = tuple((re.compile(rf"(?:^|-){name}(?![a-z0-9])"), floor) for name, floor in FLOORS)


def floor_of(model: str) -> float:
    name = base_name(model)
    return next((floor for known, floor in _KNOWN if known.search(name)), 0.0)
