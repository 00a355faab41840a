"""Hits to numbered sources in a prompt: whole passages, as many as the model's window holds."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from mindnet.chat import data
from mindnet.chat.prompts import LanguagePrompts, prompt
from mindnet.errors import ContextOverflowError
from mindnet.models.port import Message
from mindnet.models.profiles import Chosen
from mindnet.records import Chunk, Copy, Explanation

_SPARE = 16
"""Tokens that stay free between prompt and answer."""
_FRAME_SHARE = 0.5
"""Part of the window that instructions, examples and earlier turns may take."""
_CITED = re.compile(r"\[\d{1,3}\]")


@dataclass(frozen=True, slots=True)
class Source:
    """A passage that an answer may cite by its number; ``also_in`` are others with nearly its text."""

    number: int
    chunk: Chunk
    score: float
    explanation: Explanation | None = None
    also_in: tuple[Copy, ...] = ()


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A source that the prompt had no room for, with the tokens that it needs."""

    source: Source
    tokens: int


@dataclass(frozen=True, slots=True)
class Fitted:
    """A prompt that fits. ``tokens`` is its length, counted by the model's own tokenizer if ``exact``.

    ``context`` is the part with the sources, as the model sees it. ``forgotten`` counts the earlier turns that it
    does not hold.
    """

    messages: tuple[Message, ...]
    context: str
    given: tuple[Source, ...]
    left_out: tuple[LeftOut, ...]
    tokens: int
    exact: bool
    max_tokens: int
    forgotten: int


def block(source: Source) -> str:
    """A source as it stands in a prompt: one line that says what it is, then its text as a quotation."""
    chunk = source.chunk
    title = data.name(chunk.title)
    path = [data.name(part) for part in chunk.heading_path]
    place = " › ".join([title, *(path[1:] if path[:1] == [title] else path)])
    head = f"### [{source.number}] [{data.name(chunk.type).upper()}] {place} (score {source.score:.2f})"
    return f"{head}\n{data.quoted(chunk.text)}"


def joined(sources: Sequence[Source]) -> str:
    return "\n\n".join(block(source) for source in sources)


async def fit(
    chosen: Chosen,
    texts: LanguagePrompts,
    *,
    intent: str,
    question: str,
    sources: Sequence[Source],
    history: Sequence[tuple[str, str]],
) -> Fitted:
    """The prompt with as many sources as there is room for, the best first.

    Earlier turns give way first, the oldest before the others, then the examples. Raises ``ContextOverflowError``
    when the question leaves no room for a single source.
    """
    answer = min(chosen.profile.max_tokens, chosen.num_ctx // 3)
    room = chosen.num_ctx - answer - _SPARE
    turns = [(asked, _CITED.sub("", answered)) for asked, answered in history]
    examples = True

    def whole(given: Sequence[Source]) -> tuple[Message, ...]:
        return prompt(texts, intent=intent, context=joined(given), question=question, history=turns, examples=examples)

    frame, exact = await chosen.count_prompt(whole(()))
    while frame > room * _FRAME_SHARE and (turns or examples):
        if turns:
            turns = turns[1:]
        else:
            examples = False
        frame, exact = await chosen.count_prompt(whole(()))
    given, left_out = await _choose(sources, room - frame, chosen.count_text)
    tokens, exact = await chosen.count_prompt(whole(given))
    while tokens > room and given:
        # Text may have more tokens beside other text than by itself.
        last = given.pop()
        left_out.append(LeftOut(last, await chosen.count_text(block(last))))
        tokens, exact = await chosen.count_prompt(whole(given))
    if tokens > room or (sources and not given):
        raise ContextOverflowError(
            f"A window of {chosen.num_ctx} tokens has no room for the question and one source.",
            hint="Raise num_ctx in llm.yaml, or ask a shorter question.",
        )
    left_out.sort(key=lambda one: one.source.number)
    return Fitted(
        messages=whole(given),
        context=joined(given),
        given=tuple(given),
        left_out=tuple(left_out),
        tokens=tokens,
        exact=exact,
        max_tokens=answer,
        forgotten=len(history) - len(turns),
    )


async def _choose(
    sources: Sequence[Source], room: int, count: Callable[[str], Awaitable[int]]
) -> tuple[list[Source], list[LeftOut]]:
    given: list[Source] = []
    left_out: list[LeftOut] = []
    for source in sources:
        tokens = await count(block(source)) + 2
        if tokens <= room:
            given.append(source)
            room -= tokens
        else:
            left_out.append(LeftOut(source, tokens))
    return given, left_out
