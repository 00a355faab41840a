"""Which model does which work, as ``llm.yaml`` says, and whether it is there."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from mindnet.errors import ConfigError, ModelError, ModelMissingError, ModelRefusedError, ModelStreamError
from mindnet.models.counting import estimate_prompt
from mindnet.models.port import LanguageModel, Message, Request
from mindnet.remote.counting import estimate
from mindnet.remote.places import is_local

log = logging.getLogger(__name__)
CHAT = "chat"
VALIDATOR = "ingest_validator"
BackendKind = Literal["ollama", "openai", "gguf"]
_NOT_FOR_TALK = ("embed", "rerank", "whisper", "bge-", "minilm")


@dataclass(frozen=True, slots=True)
class Backend:
    """A server of models; ``key`` is the secret itself and never shown."""

    name: str
    kind: BackendKind
    url: str
    file: str
    key: str
    keep_alive: str
    threads: int

    @property
    def leaves_machine(self) -> bool:
        return self.kind != "gguf" and not is_local(self.url)


@dataclass(frozen=True, slots=True)
class Profile:
    """What one kind of work asks of a model; an empty ``model`` takes the first installed one of ``prefer``."""

    name: str
    backend: Backend
    model: str
    prefer: tuple[str, ...]
    temperature: float
    num_ctx: int
    max_tokens: int
    timeout_s: float


def read_profiles(data: Mapping[str, Any], env: Mapping[str, str]) -> dict[str, Profile]:
    """From the validated content of ``llm.yaml``; what a profile leaves out is as in ``chat``.

    Raises ``ConfigError`` for a profile whose backend does not exist.
    """
    backends = {name: _backend(name, entry, env) for name, entry in data["backends"].items()}
    base = data["profiles"][CHAT]
    profiles = {}
    for name, entry in data["profiles"].items():
        whole = {**base, **entry}
        if whole["backend"] != base["backend"] and "model" not in entry:
            whole["model"] = ""
        if whole["backend"] not in backends:
            raise ConfigError(
                f"llm.yaml: `profiles.{name}.backend`: there is no backend {whole['backend']}.",
                hint=f"Choose one of {', '.join(backends)}.",
            )
        profiles[name] = Profile(
            name=name,
            backend=backends[whole["backend"]],
            model=whole["model"],
            prefer=tuple(whole["prefer"]),
            temperature=whole["temperature"],
            num_ctx=whole["num_ctx"],
            max_tokens=whole["max_tokens"],
            timeout_s=whole["timeout_s"],
        )
    return profiles


def _backend(name: str, entry: Mapping[str, Any], env: Mapping[str, str]) -> Backend:
    variable = entry.get("api_key_env", "")
    return Backend(
        name=name,
        kind=entry["kind"],
        url=entry.get("url", ""),
        file=str(Path(entry["file"]).expanduser()) if entry.get("file") else "",
        key=env.get(variable, "") if variable else "",
        keep_alive=entry.get("keep_alive", ""),
        threads=entry.get("threads", 0),
    )


@dataclass(frozen=True, slots=True)
class Chosen:
    """A model that was found installed. ``num_ctx`` is the profile's, or the most that the model reads."""

    profile: Profile
    server: LanguageModel
    model: str
    num_ctx: int

    def request(self, messages: Sequence[Message], *, max_tokens: int | None = None) -> Request:
        return Request(
            self.model,
            tuple(messages),
            num_ctx=self.num_ctx,
            max_tokens=self.profile.max_tokens if max_tokens is None else max_tokens,
            temperature=self.profile.temperature,
            timeout_s=self.profile.timeout_s,
        )

    async def count_text(self, text: str) -> int:
        """Tokens of the text; where the server cannot count, a number that is never below it."""
        counted = await self.server.count_text(self.model, text)
        return estimate(text) if counted is None else counted

    async def count_prompt(self, messages: Sequence[Message]) -> tuple[int, bool]:
        """Tokens of the prompt, and whether the model's tokenizer counted them."""
        counted = await self.server.count_prompt(self.model, messages)
        return (estimate_prompt(messages), False) if counted is None else (counted, True)


@dataclass(frozen=True, slots=True)
class Condition:
    """What became of the last look at a profile's model: its name, or what is wrong."""

    profile: str
    backend: str
    place: str
    model: str | None
    num_ctx: int | None
    leaves_machine: bool
    fault: ModelError | None


class Models:
    """The models of the settings in force; a change of ``llm.yaml`` applies to the next call."""

    def __init__(self, profiles: Callable[[], Mapping[str, Profile]]) -> None:
        self._profiles = profiles
        self._servers: dict[tuple[Backend, int], LanguageModel] = {}
        self._last: dict[str, Condition] = {}
        # The state of the models is looked at from another thread than that of the chats.
        self._lock = threading.Lock()

    @property
    def last(self) -> Mapping[str, Condition]:
        """What the last choice for each profile came to."""
        return self._last

    def profile(self, name: str = CHAT) -> Profile:
        """What the settings say now of a kind of work."""
        return self._profiles()[name]

    async def choose(self, name: str = CHAT, *, start: bool = True) -> Chosen:
        """The model for a kind of work; raises ``ModelError`` when there is none now.

        Without ``start`` the process of a file's model is not begun for it, and its window is taken as configured.
        """
        profile = self._profiles()[name]
        server = await self._server(profile)
        try:
            model = await _pick(profile, server)
            limit = await server.context_size(model) if start or profile.backend.kind != "gguf" else None
        except ModelError as error:
            self._note(profile, server, None, None, error)
            raise
        num_ctx = min(profile.num_ctx, limit) if limit else profile.num_ctx
        self._note(profile, server, model, num_ctx, None)
        return Chosen(profile, server, model, num_ctx)

    async def look(self) -> list[Condition]:
        """The state of every profile, in the order of the file."""
        found = []
        for name in self._profiles():
            try:
                await self.choose(name, start=False)
            except ModelError as error:
                log.debug("profile %s: %s", name, error.message)
            found.append(self._last[name])
        return found

    def close(self) -> None:
        servers, self._servers = list(self._servers.values()), {}
        for server in servers:
            server.close()

    async def _server(self, profile: Profile) -> LanguageModel:
        profiles = self._profiles().values()
        # A file is loaded once, with the widest window that any of its profiles asks for.
        width = max(one.num_ctx for one in profiles if one.backend == profile.backend)
        backend = profile.backend
        key = (backend, width if backend.kind == "gguf" else 0)
        with self._lock:
            if key in self._servers:
                return self._servers[key]
            outdated = [self._servers.pop(old) for old in list(self._servers) if old[0].name == backend.name]
            server = self._servers[key] = _connect(backend, width)
        if backend.leaves_machine:
            log.warning("%s is not this machine: questions and passages of your notes are sent there", backend.url)
        for old in outdated:
            await asyncio.to_thread(old.close)
        return server

    def _note(
        self, profile: Profile, server: LanguageModel, model: str | None, num_ctx: int | None, fault: ModelError | None
    ) -> None:
        backend = profile.backend
        self._last[profile.name] = Condition(
            profile.name, backend.name, server.place, model, num_ctx, backend.leaves_machine, fault
        )


def _connect(backend: Backend, num_ctx: int) -> LanguageModel:
    # Here, since each of the clients takes half a second to import.
    if backend.kind == "ollama":
        from mindnet.models.ollama_server import OllamaServer

        return OllamaServer(backend.url, keep_alive=backend.keep_alive)
    if backend.kind == "openai":
        from mindnet.models.openai_server import OpenAIServer

        return OpenAIServer(backend.url, api_key=backend.key)
    from mindnet.models.gguf import GgufModel

    return GgufModel(Path(backend.file), num_ctx=num_ctx, threads=backend.threads)


async def _pick(profile: Profile, server: LanguageModel) -> str:
    """The profile's model, or the first preferred one of those installed, or the first that can talk."""
    try:
        installed = await server.models()
    except (ModelRefusedError, ModelStreamError):
        # Some servers have no list; whether the model is there, the first call says.
        if not profile.model:
            raise
        return profile.model
    if profile.backend.kind == "gguf":
        return installed[0]
    if profile.model:
        named = [name for name in installed if name in (profile.model, f"{profile.model}:latest")]
        # A service with many models does not list them all, and is asked all the same.
        if named or profile.backend.kind == "openai":
            return named[0] if named else profile.model
        raise _missing(profile, profile.model)
    for wanted in profile.prefer:
        found = [name for name in installed if name == wanted or name == f"{wanted}:latest"]
        if found:
            return found[0]
    talking = [name for name in installed if not any(mark in name.lower() for mark in _NOT_FOR_TALK)]
    if talking:
        return talking[0]
    raise _missing(profile, profile.prefer[0] if profile.prefer else "a model")


def _missing(profile: Profile, model: str) -> ModelMissingError:
    backend = profile.backend
    if backend.kind == "ollama":
        return ModelMissingError(
            f"Ollama at {backend.url} does not have the model {model}.", hint=f"Run `ollama pull {model}`."
        )
    return ModelMissingError(
        f"The model server at {backend.url} offers no model.", hint="Load one there, or name one in llm.yaml."
    )
