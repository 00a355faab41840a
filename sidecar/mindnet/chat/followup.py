"""A question that leans on what was said before, put into words that a search can find by."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from mindnet.chat.data import plain
from mindnet.chat.prompts import LanguagePrompts, fill
from mindnet.models.port import Message, complete
from mindnet.models.profiles import Chosen

MAX_TOKENS = 96
MAX_LENGTH = 400
_REMEMBERED = 3
_ANSWER_START = 300


def rewrite_prompt(texts: LanguagePrompts, history: Sequence[tuple[str, str]], question: str) -> str:
    """The last turns, of each answer only its beginning, and the question that follows them."""
    said = "\n".join(
        f"- {plain(' '.join(asked.split()))}\n  → {plain(' '.join(answered.split()))[:_ANSWER_START]}"
        for asked, answered in history[-_REMEMBERED:]
    )
    return fill(texts.rewrite, history=said, question=plain(question.strip())).strip()


async def standalone(chosen: Chosen, texts: LanguagePrompts, history: Sequence[tuple[str, str]], question: str) -> str:
    """The question in words of its own.

    What the model makes of it is used only if it is one line of a fit length; otherwise the question goes behind
    the last one, so that the words of both are searched for.
    """
    asked = chosen.request([Message("user", rewrite_prompt(texts, history, question))], max_tokens=MAX_TOKENS)
    done = await complete(chosen.server, replace(asked, temperature=0.0, quiet=True))
    lines = [line.strip(" \t\"'„“”*") for line in done.text.splitlines() if line.strip()]
    if done.finished.ended == "stop" and len(lines) == 1 and 0 < len(lines[0]) <= MAX_LENGTH:
        return lines[0]
    return together(history, question)


def together(history: Sequence[tuple[str, str]], question: str) -> str:
    return f"{history[-1][0].strip()} {question.strip()}" if history else question.strip()
