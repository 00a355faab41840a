"""From which cosine on nearness in meaning counts."""

from __future__ import annotations

import pytest

from mindnet.embedding.floors import floor_of
from mindnet.retrieval.legs import nearness


@pytest.mark.parametrize(
    "model", ["multilingual-e5-small", "intfloat/multilingual-e5-large", "mindnet/multilingual-e5-small"]
)
def test_e5_in_any_size_and_place_has_its_floor(model: str) -> None:
    assert floor_of(model) == pytest.approx(0.7)


@pytest.mark.parametrize("model", ["nomic-embed-text:latest", "BAAI/bge-m3", "all-MiniLM-L6-v2", "e5x-small"])
def test_other_models_have_none(model: str) -> None:
    assert floor_of(model) == 0


def test_nearness_goes_from_the_floor_to_the_same() -> None:
    assert [nearness(cosine, 0.7) for cosine in (1.0, 0.85, 0.7, 0.3, -1.0)] == pytest.approx([1, 0.5, 0, 0, 0])
    assert [nearness(cosine, 0.0) for cosine in (1.0000001, 0.6, -0.2)] == pytest.approx([1, 0.6, 0])


def test_the_floor_does_not_depend_on_who_runs_the_model() -> None:
    assert floor_of("ollama/jeffh/intfloat-multilingual-e5-small:f16@0123 [passage:]") == 0.7
    assert floor_of("openai/multilingual-e5-small [passage:]") == 0.7
    assert floor_of("ollama/embeddinggemma@0123") == 0.0
