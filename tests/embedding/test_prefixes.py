from __future__ import annotations

import pytest

from mindnet.embedding.prefixes import TABLE, Prefixes, base_name, prefixes_of

SENTENCE = "Represent this sentence for searching relevant passages: "
NOMIC = Prefixes("search_query: ", "search_document: ")
E5 = Prefixes("query: ", "passage: ")


@pytest.mark.parametrize(
    ("model", "expected"),
    [
        ("nomic-embed-text", NOMIC),
        ("nomic-embed-text:latest", NOMIC),
        ("nomic-embed-text-v2-moe:latest", NOMIC),
        ("nomic-ai/nomic-embed-text-v1.5-Q", NOMIC),
        ("hf.co/nomic-ai/nomic-embed-text-v1.5-GGUF:Q8_0", NOMIC),
        ("text-embedding-nomic-embed-text-v1.5@q8_0", NOMIC),
        ("intfloat/multilingual-e5-small", E5),
        ("qllama/multilingual-e5-small:q4_k_m", E5),
        ("intfloat/e5-base-v2", E5),
        ("multilingual_e5_large", E5),
        ("mxbai-embed-large", Prefixes(SENTENCE)),
        ("mixedbread-ai/mxbai-embed-large-v1", Prefixes(SENTENCE)),
        ("mixedbread-ai/deepset-mxbai-embed-de-large-v1", E5),
        ("BAAI/bge-small-en-v1.5", Prefixes(SENTENCE)),
        ("bge-large:latest", Prefixes(SENTENCE)),
        ("snowflake-arctic-embed:335m", Prefixes(SENTENCE)),
        ("snowflake/snowflake-arctic-embed-m-long", Prefixes(SENTENCE)),
        ("Snowflake/snowflake-arctic-embed-m-v1.5", Prefixes(SENTENCE)),
        ("snowflake-arctic-embed2", Prefixes("query: ")),
        ("Snowflake/snowflake-arctic-embed-l-v2.0", Prefixes("query: ")),
        ("embeddinggemma:300m", Prefixes("task: search result | query: ", "title: none | text: ")),
    ],
)
def test_a_model_has_its_prefixes_under_every_name_it_goes_by(model: str, expected: Prefixes) -> None:
    assert prefixes_of(model) == expected


@pytest.mark.parametrize(
    "model",
    [
        "",
        "bge-m3",
        "BAAI/bge-reranker-base",
        "all-minilm:l6-v2",
        "sentence-transformers/paraphrase-multilingual-MiniLM-L12-v2",
        "granite-embedding:278m",
        "jinaai/jina-embeddings-v2-base-de",
        "text-embedding-3-small",
        "some-e5-basement",
    ],
)
def test_a_model_trained_without_prefixes_gets_none(model: str) -> None:
    assert prefixes_of(model) == Prefixes()


def test_an_instruction_comes_before_questions_only() -> None:
    for model in ("qwen3-embedding:0.6b", "Qwen/Qwen3-Embedding-8B-GGUF", "intfloat/multilingual-e5-large-instruct"):
        found = prefixes_of(model)
        assert found.query.startswith("Instruct: ")
        assert found.query.rstrip().endswith("\nQuery:")
        assert found.passage == ""


def test_a_base_name_has_neither_owner_nor_tag() -> None:
    assert base_name("hf.co/Owner/Some_Model-v1.5-GGUF:Q8_0") == "some-model-v1.5-gguf"


def test_every_entry_names_its_source() -> None:
    assert all(one.source.count("/") == 1 for one in TABLE)
