"""A question to notes that are written in the other language: it is searched for in both.

What a question and a note share across languages is their meaning alone, and of the parts of a score that is one.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import replace
from datetime import date

from mindnet.chat.context import Source
from mindnet.chat.data import plain
from mindnet.chat.followup import MAX_TOKENS, bare_question, unread
from mindnet.chat.prompts import LanguagePrompts, fill
from mindnet.errors import ModelError
from mindnet.models.port import Message, complete
from mindnet.models.profiles import CHAT, Models
from mindnet.records import Language
from mindnet.retrieval.language import language_of
from mindnet.retrieval.search import SearchResult

log = logging.getLogger(__name__)
MOST = 0.75
"""The share of the scores that has to be of passages in the other language."""
SECONDS = 20.0
"""A model that is still being loaded is not waited for: there are sources already."""


def other_language(question: str, language: Language, found: SearchResult, sources: Sequence[Source]) -> bool:
    """Whether the question, asked in ``language``, found mostly notes in the other one.

    Not for one whose passages were named by a phrase or by a time alone: other words find no more of these.
    """
    if found.everything or any(phrase.notes is not None for phrase in found.phrases):
        return False
    if not any(one.score > 0 for one in sources) or language_of(question, language) != language:
        return False
    scores: dict[Language, float] = {"de": 0.0, "en": 0.0}
    for one in sources:
        # A list of names is of no language.
        if (spoken := language_of(one.chunk.text, "de")) == language_of(one.chunk.text, "en"):
            scores[spoken] += one.score
    return scores["en" if language == "de" else "de"] > MOST * sum(scores.values())


async def in_both_languages(
    models: Models,
    turn: AbstractAsyncContextManager[None],
    texts: LanguagePrompts,
    language: Language,
    question: str,
    today: date,
) -> str | None:
    """The question with its translation behind it; None where there is no model, or it gives none.

    ``turn`` is the time in which the model may be asked.
    """
    try:
        async with turn, asyncio.timeout(SECONDS):
            chosen = await models.choose(CHAT)
            prompt = fill(texts.translate, question=plain(question)).strip()
            asked = chosen.request([Message("user", prompt)], max_tokens=MAX_TOKENS)
            done = await complete(chosen.server, replace(asked, temperature=0.0, quiet=True))
    except (ModelError, TimeoutError) as error:
        log.info("a question is searched for in its own language alone: %s", str(error) or "the model took too long")
        return None
    line = bare_question(done)
    if line is None or language_of(line, language) == language:
        return None
    # Its phrases and times stand in the question already.
    return f"{question} {unread(line, today)}"
