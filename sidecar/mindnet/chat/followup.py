"""A question that leans on what was said before, put into words that a search can find by."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from mindnet.chat.data import plain
from mindnet.chat.prompts import LanguagePrompts, fill
from mindnet.models.port import Completion, Message, complete
from mindnet.models.profiles import Chosen
from mindnet.retrieval.dates import times_of, without
from mindnet.retrieval.phrases import Phrase, phrases_of

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


async def standalone(
    chosen: Chosen, texts: LanguagePrompts, history: Sequence[tuple[str, str]], question: str, today: date
) -> str:
    """The question in words of its own.

    What the model makes of it is used only if it is one line of a fit length; otherwise the question goes behind
    the last one, so that the words of both are searched for. Phrases and times are read as the user wrote them.
    """
    asked = chosen.request([Message("user", rewrite_prompt(texts, history, question))], max_tokens=MAX_TOKENS)
    done = await complete(chosen.server, replace(asked, temperature=0.0, quiet=True))
    line = bare_question(done)
    return together(history, question, today) if line is None else faithful(line, history, question, today)


def bare_question(done: Completion) -> str | None:
    """The one line of a fit length that a model was asked for; None where it said something else."""
    lines = [_bare(line) for line in done.text.splitlines() if line.strip()]
    return lines[0] if done.finished.ended == "stop" and len(lines) == 1 and 0 < len(lines[0]) <= MAX_LENGTH else None


def unread(text: str, today: date) -> str:
    """The text with nothing in it that would be read as a phrase or a time."""
    bare = _unquoted(text, phrases_of(text))
    return _timeless(bare, today)


def together(history: Sequence[tuple[str, str]], question: str, today: date) -> str:
    """The last question and this one; what of the last one this one puts anew is left out there."""
    if not history:
        return question.strip()
    last = history[-1][0].strip()
    if phrases_of(question):
        last = _unquoted(last, phrases_of(last))
    if times_of(question, today, _places(question)):
        last = _timeless(last, today)
    return f"{last} {question.strip()}"


def faithful(rewritten: str, history: Sequence[tuple[str, str]], question: str, today: date) -> str:
    """The model's wording with the user's own phrases and times.

    A phrase or a time of the question that the model has put otherwise is there again, and what it has put in
    quotation marks by itself is not.
    """
    own = {phrase.folded for asked in (question, *(one for one, _ in history)) for phrase in phrases_of(asked)}
    text = _unquoted(rewritten, [phrase for phrase in phrases_of(rewritten) if phrase.folded not in own])
    held = {phrase.folded for phrase in phrases_of(text)}
    for phrase in phrases_of(question):
        if phrase.folded not in held:
            plain = re.search(rf"(?<!\w){re.escape(phrase.text)}(?!\w)", text, re.IGNORECASE)
            start, end = plain.span() if plain else (len(text), len(text))
            text = f"{text[:start]}{'' if plain else ' '}{question[phrase.start : phrase.end]}{text[end:]}"
    spans = {time.span for time in times_of(text, today, _places(text))}
    missing = [time for time in times_of(question, today, _places(question)) if time.span not in spans]
    return " ".join([text, *(question[time.start : time.end].strip() for time in missing)])


def _bare(line: str) -> str:
    """A line without the marks that models put around the whole of it."""
    text = line.strip().strip("*").strip()
    around = phrases_of(text)
    if len(around) == 1 and (around[0].start, around[0].end) == (0, len(text)):
        return around[0].text
    return text


def _unquoted(text: str, phrases: Sequence[Phrase]) -> str:
    for phrase in sorted(phrases, key=lambda one: -one.start):
        text = f"{text[: phrase.start]}{phrase.text}{text[phrase.end :]}"
    return text


def _timeless(text: str, today: date) -> str:
    for time in sorted(times_of(text, today, _places(text)), key=lambda one: -one.start):
        text = without(text, time)
    return text


def _places(text: str) -> list[tuple[int, int]]:
    return [(phrase.start, phrase.end) for phrase in phrases_of(text)]
