"""The chat of a vault, put together from the settings: its models, its sessions, its prompts."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path

from mindnet.chat.answer import Chat
from mindnet.chat.prompts import Prompts
from mindnet.chat.relevance import Relevance, size_class
from mindnet.chat.sessions import Sessions
from mindnet.chat.turn import Passages
from mindnet.models.profiles import Models, read_profiles
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
    resources: ExitStack,
) -> Chat:
    """A chat over ``passages``; what it opens is closed with ``resources``.

    ``scoring`` gives the number of notes, and whatever else scores depend on: the weights, the embedding model.
    """
    models = Models(Reloading("llm", config_dir, env, lambda data: read_profiles(data, env)))
    resources.callback(models.close)
    sessions = Sessions(data_dir / SESSIONS)
    resources.callback(sessions.close)

    def state() -> str:
        notes, rest = scoring()
        return hashlib.sha256(repr((size_class(notes), rest)).encode()).hexdigest()

    return Chat(
        passages,
        models,
        sessions,
        prompts=Reloading("prompts", config_dir, env, Prompts.from_mapping),
        relevance=Relevance(passages.search, state, data_dir / files.RELEVANCE),
    )
