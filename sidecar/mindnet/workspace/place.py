"""Where a vault and its data are, and what its settings make: the source of its notes, the embedder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mindnet.embedding.choice import Choice
from mindnet.embedding.load import load_embedder
from mindnet.embedding.port import Embedder
from mindnet.embedding.served import Facts
from mindnet.embedding.servers import HOSTS
from mindnet.indexing.source import Privacy, VaultSource
from mindnet.knowledge.edges import NO_ANSWERS, NO_VERDICTS
from mindnet.knowledge.kinds import KindRegistry
from mindnet.knowledge.types import TypeRegistry
from mindnet.records import Answers, Verdicts
from mindnet.settings import Settings, load_settings
from mindnet.settings.folders import config_folder, data_folder, vault_folder
from mindnet.settings.load import locating
from mindnet.vault.discover import load_ignore_rules
from mindnet.workspace.stages import stages_of


@dataclass(frozen=True, slots=True)
class Place:
    """A vault, where its data is, and the settings that apply to it."""

    vault: Path
    data_dir: Path
    config_dir: Path
    settings: Settings


def find_place(
    vault: Path,
    data_dir: Path | None,
    config_dir: Path | None,
    env: Mapping[str, str],
    flags: Mapping[str, Any],
    *,
    make: bool = True,
) -> Place:
    """Resolves the folders and loads the settings; raises ``UsageError`` for what is wrong with them.

    The data folder is created unless ``make`` is False.
    """
    real = vault_folder(vault)
    config = config_folder(config_dir)
    settings = load_settings(config, env=env, flags=flags)
    given = data_dir or (Path(env["MINDNET_DATA_DIR"]) if env.get("MINDNET_DATA_DIR") else None)
    return Place(real, data_folder(real, given, make=make), config, settings)


def registries(settings: Settings) -> tuple[TypeRegistry, KindRegistry]:
    """Types and kinds; raises ``ConfigError`` with the line of what they do not take."""
    with locating(settings.sources.get("types", ())):
        types = TypeRegistry.from_mapping(settings.types.model_dump(exclude_none=True))
    with locating(settings.sources.get("edges", ())):
        kinds = KindRegistry.from_mapping(settings.edges.model_dump(exclude_none=True))
    return types, kinds


def make_source(
    vault: Path,
    settings: Settings,
    embedder: Embedder,
    verdicts: Verdicts = NO_VERDICTS,
    answers: Answers = NO_ANSWERS,
) -> VaultSource:
    """``verdicts`` are what the user has decided of edges, ``answers`` what a model has said of candidates."""
    types, kinds = registries(settings)
    return VaultSource(
        vault,
        rules=load_ignore_rules(vault, settings.mindnet.vault.exclude),
        types=types,
        kinds=kinds,
        privacy=Privacy(settings.mindnet.vault.private),
        tokenizer=embedder.tokenizer,
        max_tokens=embedder.max_tokens,
        verdicts=verdicts,
        answers=answers,
    )


def choice_of(settings: Settings, env: Mapping[str, str]) -> Choice:
    """The embedding that the settings come to; a server's key is read from ``env``."""
    section = stages_of(settings).final.mindnet.embedding
    # Nobody else is to see the key.
    key = env.get(section.api_key_env, "") if section.provider in HOSTS else ""
    return Choice(
        section.provider,
        section.model,
        section.url,
        section.api_key_env,
        section.max_tokens,
        key,
        section.download,
    )


def embedder_of(settings: Settings, env: Mapping[str, str], known: Facts | None = None) -> Embedder:
    """The embedder of the settings; ``known`` as in ``load_embedder``."""
    return load_embedder(choice_of(settings, env), known)
