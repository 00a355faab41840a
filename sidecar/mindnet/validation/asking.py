"""One question to a model: does the link fit its text? The text is data, and the answer is one of two words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict

from mindnet.chat.data import name, quoted
from mindnet.chat.prompts import Prompts, fill
from mindnet.errors import ContextOverflowError, ModelAnswerError
from mindnet.models.port import LEAST_TOKENS, Message, ask_for
from mindnet.models.profiles import Chosen
from mindnet.records import Question
from mindnet.retrieval.language import language_of

ATTEMPTS = 2
"""So often an answer of another form is borne before the question is given up."""
_LETTERS_A_TOKEN = 8
_SHORTER = 0.75
_LEAST_LETTERS = 40


class Fits(BaseModel):
    """The form of every answer, which goes to the server as a JSON schema."""

    model_config = ConfigDict(extra="forbid")

    answer: Literal["yes", "no"]


async def judge(chosen: Chosen, prompts: Prompts, question: Question, passages: Sequence[str]) -> Literal["yes", "no"]:
    """What the model says of the link in these passages, of which the last go first if they are too long for it.

    Raises ``ModelError``; an answer that is neither yes nor no is asked for once more before that.
    """
    messages = await _fitting(chosen, prompts, question, "\n\n".join(passages))
    request = chosen.request(messages)
    for attempt in range(1, ATTEMPTS + 1):
        try:
            return (await ask_for(chosen.server, request, Fits)).answer
        except ModelAnswerError:
            if attempt == ATTEMPTS:
                raise
    raise AssertionError("the last attempt returns or raises")


async def _fitting(chosen: Chosen, prompts: Prompts, question: Question, text: str) -> tuple[Message, ...]:
    room = chosen.num_ctx - max(chosen.profile.max_tokens, LEAST_TOKENS)
    text = text[: chosen.num_ctx * _LETTERS_A_TOKEN]
    while True:
        messages = (Message("user", asked_as(prompts, question, text)),)
        tokens, _ = await chosen.count_prompt(messages)
        if tokens <= room:
            return messages
        if len(text) <= _LEAST_LETTERS:
            raise ContextOverflowError(
                f"A window of {chosen.num_ctx} tokens has no room for the question whether a link fits.",
                hint="Raise num_ctx of ingest_validator in llm.yaml, or shorten the prompt.",
            )
        text = text[: int(len(text) * _SHORTER)]


def asked_as(prompts: Prompts, question: Question, text: str) -> str:
    """The prompt, in the language of the text."""
    _, _, kind, section, _ = question.asked
    texts = prompts.of(language_of(text or question.source_title))
    target = f"{name(question.target_title)} › {name(section)}" if section else name(question.target_title)
    return fill(
        texts.validator, source=name(question.source_title), target=target, kind=name(kind), text=quoted(text)
    ).strip()
