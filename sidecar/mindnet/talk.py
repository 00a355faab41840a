"""The chat of a vault, put together from the settings: its models, its sessions, its prompts."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path

from mindnet import __version__
from mindnet.chat.answer import Chat
from mindnet.chat.context import Source
from mindnet.chat.finding import Passages
from mindnet.chat.prompts import Prompts
from mindnet.chat.relevance import Relevance, size_class
from mindnet.chat.sessions import Sessions
from mindnet.chat.turn import Asked
from mindnet.feedback.history import Search, Shown
from mindnet.feedback.logs import Logs
from mindnet.models.profiles import Models, read_profiles
from mindnet.retrieval.search import SearchResult
from mindnet.settings.reload import Reloading
from mindnet.store import files

SESSIONS = "chats.sqlite"
"""The chats; they are no part of the index and outlive it."""


def open_chat(
    data_dir: Path,
    config_dir: Path,
    env: Mapping[str, str],
    passages: Passages,
    scoring: Callable[[], tuple[int, object]],
    logs: Logs,
    resources: ExitStack,
) -> Chat:
    """A chat over ``passages`` whose questions ``logs`` notes; what it opens is closed with ``resources``.

    ``scoring`` gives the number of notes, and whatever else scores depend on: the weights, the embedding model.
    """
    models = Models(Reloading("llm", config_dir, env, lambda data: read_profiles(data, env)))
    resources.callback(models.close)
    sessions = Sessions(data_dir / SESSIONS)
    resources.callback(sessions.close)

    def note(asked: Asked, wanted: str, found: SearchResult, sources: Sequence[Source]) -> None:
        logs.searched(search_of(asked, wanted, found, sources))

    def state() -> str:
        notes, rest = scoring()
        # Another version may score in another way.
        return hashlib.sha256(repr((size_class(notes), rest, __version__)).encode()).hexdigest()

    return Chat(
        passages,
        models,
        sessions,
        prompts=Reloading("prompts", config_dir, env, Prompts.from_mapping),
        relevance=Relevance(passages.search, state, data_dir / files.RELEVANCE),
        noted=note,
    )


def search_of(asked: Asked, wanted: str, found: SearchResult, sources: Sequence[Source]) -> Search:
    """A chat's search as the log has it: its hits are the sources."""
    question = asked.question
    return Search(
        query_id=asked.query_id,
        kind="chat",
        text=question.message,
        searched=wanted,
        mode=found.mode,
        intent=found.intent.name,
        language=asked.language,
        weights=found.weights,
        took_ms=found.took_ms,
        hits=[
            Shown(
                one.number,
                one.chunk.note_id,
                one.chunk.chunk_id,
                one.score,
                one.explanation.contributions if one.explanation else (),
            )
            for one in sources
        ],
        include_private=question.include_private,
        session_id=asked.session_id,
        options={
            "top_k": question.top_k,
            "group_by": "chunk",
            "phrases": question.phrases,
            "dates": question.dates,
            "fold_copies": question.fold_copies,
            **question.filters.given(),
        },
    )
