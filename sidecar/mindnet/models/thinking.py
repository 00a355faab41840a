"""Keeps apart what a model thinks and what it answers, where a server gives both in one text."""

from __future__ import annotations

from collections.abc import Iterator

from mindnet.models.port import Token

OPENING, CLOSING = "<think>", "</think>"


class ThinkSplitter:
    """Splits a stream at ``<think>`` and ``</think>``, however the tags are cut into tokens.

    Only an answer that begins with the opening tag is split: later ones are part of what is said.
    """

    def __init__(self) -> None:
        self._held = ""
        self._state: str = "start"

    def feed(self, text: str) -> Iterator[Token]:
        self._held += text
        if self._state == "start":
            begun = self._held.lstrip()
            if begun.startswith(OPENING):
                self._state, self._held = "thinking", begun[len(OPENING) :]
            elif OPENING.startswith(begun):
                return
            else:
                self._state = "answer"
        if self._state == "thinking":
            thought, tag, rest = self._held.partition(CLOSING)
            if tag:
                self._state, self._held = "gap", rest
            else:
                keep = _beginning_of(CLOSING, thought)
                thought, self._held = thought[: len(thought) - keep], thought[len(thought) - keep :]
            if thought:
                yield Token(thought, thinking=True)
        if self._state == "gap":
            self._held = self._held.lstrip()
            if self._held:
                self._state = "answer"
        if self._state == "answer" and self._held:
            yield Token(self._held)
            self._held = ""

    def end(self) -> Iterator[Token]:
        """What was held back because it could have become a tag."""
        if self._held and self._state != "gap":
            yield Token(self._held, thinking=self._state == "thinking")
        self._held = ""


def _beginning_of(tag: str, text: str) -> int:
    """How many characters at the end of the text could be the beginning of the tag."""
    return next((n for n in range(min(len(tag) - 1, len(text)), 0, -1) if text.endswith(tag[:n])), 0)
