"""Notes by hand, and the shipped registries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import pytest

from mindnet.embedding.hashing import HashingEmbedder
from mindnet.embedding.port import Tokenizer
from mindnet.knowledge.build import build_note, name_of
from mindnet.knowledge.kinds import KindRegistry
from mindnet.knowledge.types import TypeRegistry
from mindnet.markdown.parse import parse_note
from mindnet.records import NoteGraph, NoteText
from mindnet.settings import load_settings
from mindnet.vault.resolve import Catalog

SHIPPED = load_settings(env={})


@pytest.fixture(scope="session")
def types() -> TypeRegistry:
    return TypeRegistry.from_mapping(SHIPPED.types.model_dump(exclude_none=True))


@pytest.fixture(scope="session")
def shipped_edges() -> Mapping[str, Any]:
    return SHIPPED.edges.model_dump(exclude_none=True)


@pytest.fixture(scope="session")
def kinds(shipped_edges: Mapping[str, Any]) -> KindRegistry:
    return KindRegistry.from_mapping(shipped_edges)


@pytest.fixture(scope="session")
def tokenizer() -> Tokenizer:
    return HashingEmbedder().tokenizer


def note_text(path: str, text: str) -> NoteText:
    return NoteText(path, text, "utf-8", False, "0" * 64, len(text), 1_700_000_000 * 10**9, 1_600_000_000 * 10**9)


class Vault(Protocol):
    def __call__(self, files: Mapping[str, str], order: Sequence[str] | None = None) -> dict[str, NoteGraph]: ...


@pytest.fixture
def vault(types: TypeRegistry, kinds: KindRegistry, tokenizer: Tokenizer) -> Vault:
    """Builds every note of a small vault, given as path to text; notes that are not indexed are left out."""

    def build(files: Mapping[str, str], order: Sequence[str] | None = None) -> dict[str, NoteGraph]:
        parsed = {path: parse_note(path, text) for path, text in files.items()}
        catalog = Catalog()
        for path in order or list(files):
            if types.effective(parsed[path]).indexed:
                catalog.apply([name_of(parsed[path], types)], [])
        graphs = {
            path: build_note(
                note_text(path, files[path]),
                parsed[path],
                catalog=catalog,
                types=types,
                kinds=kinds,
                tokenizer=tokenizer,
                max_tokens=512,
            )
            for path in files
        }
        return {path: graph for path, graph in graphs.items() if graph is not None}

    return build
