"""Tokens of a prompt for a model whose tokenizer cannot be asked: never fewer than there are, and at least so many."""

from __future__ import annotations

from collections.abc import Sequence

from mindnet.models.port import Message
from mindnet.remote.counting import estimate

PER_MESSAGE = 10
"""A model's frame around a message: its role, its beginning and its end."""
PER_PROMPT = 32
"""What a model's template may put before the first message."""


def estimate_prompt(messages: Sequence[Message]) -> int:
    return PER_PROMPT + sum(estimate(message.text) + PER_MESSAGE for message in messages)


def at_least(messages: Sequence[Message]) -> int:
    """A lower bound: no tokenizer makes one token of two words."""
    return sum(len(message.text.split()) for message in messages)
