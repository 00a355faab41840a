"""All settings of one run, each value with the place it came from."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from dotenv import dotenv_values
from pydantic import BaseModel

from mindnet.errors import ConfigError
from mindnet.settings.files import flatten, located, merge, read_yaml, shipped_folder, validate
from mindnet.settings.schema import (
    EdgesFile,
    IntentsFile,
    LlmFile,
    MindnetFile,
    PromptsFile,
    RetrieverFile,
    TypesFile,
)

FILES: Mapping[str, type[BaseModel]] = {
    "mindnet": MindnetFile,
    "types": TypesFile,
    "edges": EdgesFile,
    "retriever": RetrieverFile,
    "intents": IntentsFile,
    "llm": LlmFile,
    "prompts": PromptsFile,
}
"""The files of ``config/`` that are in use, without ``.yaml``."""

ENVIRONMENT: Mapping[str, tuple[str, str]] = {
    "MINDNET_DEBOUNCE_MS": ("mindnet", "watch.debounce_ms"),
    "MINDNET_POLLING": ("mindnet", "watch.polling"),
    "MINDNET_HASH_COMPARE": ("mindnet", "indexing.hash_compare"),
    "MINDNET_EMBEDDING": ("mindnet", "embedding.provider"),
    "MINDNET_ALLOWED_ORIGINS": ("mindnet", "api.allowed_origins"),
    "MINDNET_EXCLUDE": ("mindnet", "vault.exclude"),
    "MINDNET_LOGS": ("mindnet", "logs.enabled"),
    "MINDNET_VALIDATION": ("mindnet", "validation.enabled"),
    "QDRANT_URL": ("mindnet", "store.url"),
    "COLLECTION_PREFIX": ("mindnet", "store.prefix"),
    "MINDNET_LLM_BACKEND": ("llm", "profiles.chat.backend"),
    "MINDNET_LLM_MODEL": ("llm", "profiles.chat.model"),
    "MINDNET_OLLAMA_URL": ("llm", "backends.ollama.url"),
    "MINDNET_OPENAI_URL": ("llm", "backends.openai.url"),
    "MINDNET_GGUF_FILE": ("llm", "backends.gguf.file"),
}
"""Environment variable to (file, key); a list is written with commas."""

_LISTS = frozenset({"api.allowed_origins", "vault.exclude"})


@dataclass(frozen=True, slots=True)
class Settings:
    """Validated settings. ``origins`` maps ``file.key`` to where its value came from, ``sources`` each file's name
    to the files that it was read from, the strongest last.
    """

    mindnet: MindnetFile
    types: TypesFile
    edges: EdgesFile
    retriever: RetrieverFile
    intents: IntentsFile
    llm: LlmFile
    prompts: PromptsFile
    origins: Mapping[str, str] = field(default_factory=dict)
    sources: Mapping[str, Sequence[Path]] = field(default_factory=dict)


def environment(folder: Path | None = None) -> dict[str, str]:
    """The process environment over a ``.env`` file in ``folder`` (default: the working folder)."""
    file = (folder or Path.cwd()) / ".env"
    values = {key: value for key, value in dotenv_values(file).items() if value is not None} if file.is_file() else {}
    return {**values, **os.environ}


def load_settings(
    config_dir: Path | None = None,
    *,
    env: Mapping[str, str] | None = None,
    flags: Mapping[str, Any] | None = None,
) -> Settings:
    """Shipped files < files of ``config_dir`` < ``env`` < ``flags`` (dotted keys of ``mindnet.yaml``).

    Raises ``ConfigError`` with file, line and the nearest right name.
    """
    env = env if env is not None else environment()
    origins: dict[str, str] = {}
    loaded = {name: _load(name, model, config_dir, env, flags or {}, origins) for name, model in FILES.items()}
    sources = {name: source_files(name, config_dir, env) for name in FILES}
    return Settings(**loaded, origins=origins, sources=sources)  # type: ignore[arg-type]


def load_file(name: str, config_dir: Path | None = None, *, env: Mapping[str, str] | None = None) -> BaseModel:
    """One file alone, for settings that apply without a restart."""
    return _load(name, FILES[name], config_dir, env if env is not None else environment(), {}, {})


@contextmanager
def locating(sources: Sequence[Path]) -> Iterator[None]:
    """Gives a ``ConfigError`` about a key of these files the file and line of the key."""
    try:
        yield
    except ConfigError as error:
        raise located(error, [(str(file), read_yaml(file)) for file in sources]) from error


def source_files(name: str, config_dir: Path | None, env: Mapping[str, str]) -> list[Path]:
    """The files that make up ``name``, the strongest last."""
    files = [shipped_folder() / f"{name}.yaml"]
    own = own_file(name, config_dir, env) if config_dir or env.get(_variable(name)) else None
    if env.get(_variable(name)) and own is not None and not own.is_file():
        raise ConfigError(f"{_variable(name)}: there is no file {own}.", hint=f"Correct {_variable(name)}.")
    if own is not None and own.is_file():
        files.append(own)
    return files


def own_file(name: str, config_dir: Path | None, env: Mapping[str, str]) -> Path:
    """The user's file of this name, whether it is there or not."""
    named = env.get(_variable(name), "")
    return Path(named) if named else (config_dir or Path()) / f"{name}.yaml"


def _variable(name: str) -> str:
    """The environment variable that names another file."""
    return f"MINDNET_{name.upper()}_FILE"


def _load(
    name: str,
    model: type[BaseModel],
    config_dir: Path | None,
    env: Mapping[str, str],
    flags: Mapping[str, Any],
    origins: dict[str, str],
) -> BaseModel:
    places: list[tuple[str, Any]] = []
    data: Any = {}
    for file in source_files(name, config_dir, env):
        raw = read_yaml(file)
        places.append((str(file), raw))
        data = merge(data, raw)
        origins.update({f"{name}.{key}": str(file) for key in flatten(raw)})
    for variable, (owner, key) in ENVIRONMENT.items():
        if owner == name and env.get(variable):
            value = [part.strip() for part in env[variable].split(",")] if key in _LISTS else env[variable]
            raw = _nested(key, value)
            places.append((f"environment variable {variable}", raw))
            data = merge(data, raw)
            origins[f"{name}.{key}"] = variable
    if name == "mindnet":
        for key, value in flags.items():
            raw = _nested(key, value)
            places.append(("command line", raw))
            data = merge(data, raw)
            origins[f"{name}.{key}"] = "command line"
    return validate(model, plain(data), places)


def _nested(key: str, value: Any) -> dict[str, Any]:
    for step in reversed(key.split(".")):
        value = {step: value}
    result: dict[str, Any] = value
    return result


def plain(data: Any) -> Any:
    """The YAML loader's own containers and scalars as plain ones."""
    if isinstance(data, Mapping):
        return {str(key): plain(value) for key, value in data.items()}
    if isinstance(data, list):
        return [plain(item) for item in data]
    for kind in (bool, int, float, str):
        if isinstance(data, kind):
            return kind(data)
    return data
