"""What stands before a question and before a passage: models trained with such words find less without them.

The table goes by the model's base name, so that a model has its prefixes under whatever name a hub, a server or a
quantised copy lists it. Where a card names several tasks, the one for searching passages is taken.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

_SENTENCE = "Represent this sentence for searching relevant passages: "
_INSTRUCTION = "Instruct: Given a web search query, retrieve relevant passages that answer the query\nQuery:"


@dataclass(frozen=True, slots=True)
class Prefixes:
    """Put before a question and before a passage as they stand, with their own white space."""

    query: str = ""
    passage: str = ""


@dataclass(frozen=True, slots=True)
class Trained:
    """``name`` is a regular expression for base names; ``source`` the model card, on huggingface.co, that says it."""

    name: str
    prefixes: Prefixes
    source: str


TABLE: tuple[Trained, ...] = (
    Trained(
        r"deepset-mxbai-embed-de-large",
        Prefixes("query: ", "passage: "),
        "mixedbread-ai/deepset-mxbai-embed-de-large-v1",
    ),
    Trained(r"mxbai-embed-large", Prefixes(_SENTENCE), "mixedbread-ai/mxbai-embed-large-v1"),
    Trained(r"multilingual-e5-large-instruct", Prefixes(f"{_INSTRUCTION} "), "intfloat/multilingual-e5-large-instruct"),
    Trained(r"e5-mistral-7b-instruct", Prefixes(f"{_INSTRUCTION} "), "intfloat/e5-mistral-7b-instruct"),
    Trained(r"e5-(small|base|large)", Prefixes("query: ", "passage: "), "intfloat/multilingual-e5-large"),
    Trained(r"qwen3-embedding", Prefixes(_INSTRUCTION), "Qwen/Qwen3-Embedding-0.6B"),
    Trained(r"nomic-embed-text", Prefixes("search_query: ", "search_document: "), "nomic-ai/nomic-embed-text-v1.5"),
    Trained(
        r"embeddinggemma",
        Prefixes("task: search result | query: ", "title: none | text: "),
        "google/embeddinggemma-300m",
    ),
    Trained(r"bge-(small|base|large)-zh", Prefixes("为这个句子生成表示以用于检索相关文章:"), "BAAI/bge-large-zh-v1.5"),
    Trained(r"bge-(small|base|large)", Prefixes(_SENTENCE), "BAAI/bge-large-en-v1.5"),
    Trained(r"snowflake-arctic-embed(2|-[ml]-v2)", Prefixes("query: "), "Snowflake/snowflake-arctic-embed-l-v2.0"),
    Trained(r"snowflake-arctic-embed", Prefixes(_SENTENCE), "Snowflake/snowflake-arctic-embed-m-v1.5"),
)
"""The first that fits counts. Models that are not in it (bge-m3, gte, all-minilm, paraphrase-multilingual,
granite-embedding, jina v2, text-embedding-3) were trained without prefixes."""

_KNOWN = tuple((re.compile(rf"(?:^|-){one.name}(?![a-z0-9])"), one.prefixes) for one in TABLE)


def base_name(model: str) -> str:
    """The model's own name: without owner and tag, in small letters, parts joined by ``-``.

    ``hf.co/nomic-ai/nomic-embed-text-v1.5-GGUF:Q8_0`` is ``nomic-embed-text-v1.5-gguf``.
    """
    return model.strip().casefold().rstrip("/").rpartition("/")[2].partition(":")[0].replace("_", "-")


def prefixes_of(model: str) -> Prefixes:
    """The prefixes of the model; empty ones for a model that the table does not know."""
    name = base_name(model)
    return next((prefixes for known, prefixes in _KNOWN if known.search(name)), Prefixes())
