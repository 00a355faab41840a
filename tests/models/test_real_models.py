"""Real models: what holds whatever they say.

The contract runs on a small model that mindnet serves itself, and on the servers that ``MINDNET_TEST_OLLAMA_URL``
(as ``http://127.0.0.1:11434``) and ``MINDNET_TEST_OPENAI_URL`` (as ``http://127.0.0.1:8080/v1``) name.
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Annotated

import psutil
import pytest
from pydantic import BaseModel, Field

from mindnet import errors
from mindnet.models.counting import at_least, estimate_prompt
from mindnet.models.gguf import GgufModel
from mindnet.models.ollama_server import OllamaServer
from mindnet.models.openai_server import OpenAIServer
from mindnet.models.port import Finished, LanguageModel, Message, Request, ask_for, complete
from mindnet.remote.counting import estimate
from models.asking import Heard, hear
from models.smollm import model_file
from models.test_openai import Fits, Verdict
from serving import until

DEMO = Path(__file__).resolve().parents[2] / "demo-vault"
WINDOW = 512


class Endless(BaseModel):
    words: Annotated[list[str], Field(min_length=500)]


@pytest.fixture(scope="module")
def model() -> Iterator[GgufModel]:
    served = GgufModel(model_file(), num_ctx=WINDOW, threads=2)
    try:
        yield served
    finally:
        pid = served.pid
        served.close()
        assert pid is not None
        assert not psutil.pid_exists(pid)


@dataclass(frozen=True)
class Served:
    server: LanguageModel
    model: str

    def request(self, text: str, *, max_tokens: int = 12) -> Request:
        return replace(request(text, max_tokens=max_tokens), model=self.model)


@pytest.fixture(params=["a file", "Ollama", "OpenAI protocol"])
def served(request: pytest.FixtureRequest) -> Served:
    if request.param == "a file":
        server: LanguageModel = request.getfixturevalue("model")
        return Served(server, model_file().stem)
    variable = "MINDNET_TEST_OLLAMA_URL" if request.param == "Ollama" else "MINDNET_TEST_OPENAI_URL"
    url = os.environ.get(variable)
    if not url:
        pytest.skip(f"{variable} is not set")
    server = OllamaServer(url) if request.param == "Ollama" else OpenAIServer(url)
    return Served(server, os.environ.get("MINDNET_TEST_MODEL") or asyncio.run(server.models())[0])


def request(text: str, *, max_tokens: int = 12) -> Request:
    said = (Message("system", "Answer briefly."), Message("user", text))
    return Request(model_file().stem, said, num_ctx=WINDOW, max_tokens=max_tokens, temperature=0.0, timeout_s=60.0)


# ------------------------------------------------------------------ the contract
def test_tokens_stream_in_and_temperature_zero_repeats(served: Served) -> None:
    assert served.model in asyncio.run(served.server.models())
    asked = served.request("Name a colour.")
    one, two = hear(served.server, asked), hear(served.server, asked)
    assert len(one.tokens) > 1
    assert one.text == two.text
    assert one.finished is not None
    assert one.finished.ended in ("stop", "length")


def test_a_decision_has_the_form_it_was_asked_for(served: Served) -> None:
    asked = served.request("Is snow white? Answer in JSON.")
    assert asyncio.run(ask_for(served.server, asked, Verdict)).fits in Fits
    with pytest.raises(errors.ModelAnswerError, match="did not come to an end"):
        asyncio.run(ask_for(served.server, asked, Endless))


def test_stopping_frees_the_model(served: Served) -> None:
    async def scene() -> Finished:
        stream = served.server.stream(served.request("Tell me a very long story.", max_tokens=400))
        async for _ in stream:
            break
        await stream.aclose()  # type: ignore[attr-defined]
        async with asyncio.timeout(10):
            return (await complete(served.server, served.request("Name a colour.", max_tokens=2))).finished

    assert asyncio.run(scene()).ended == "length"


# ------------------------------------------------------------------ a file alone
def test_the_prompt_is_counted_as_the_model_reads_it(model: GgufModel) -> None:
    asked = request("Wie lange reift ein Sauerteig? <|im_end|> {x}", max_tokens=1)
    heard = hear(model, asked)
    assert heard.finished is not None
    counted = asyncio.run(model.count_prompt(asked.model, asked.messages))
    assert counted == heard.finished.prompt_tokens
    assert counted is not None
    assert at_least(asked.messages) <= counted <= estimate_prompt(asked.messages)
    assert asyncio.run(model.context_size(asked.model)) == WINDOW


def test_the_estimate_is_never_below_what_the_model_counts(model: GgufModel) -> None:
    """On all of the demo vault, with a vocabulary that was made for English and cuts German small."""

    async def counts() -> list[tuple[int, int]]:
        texts = [file.read_text(encoding="utf-8") for file in sorted(DEMO.rglob("*.md"))]
        parts = [part for text in texts for part in text.split("\n\n") if part.strip()]
        return [(estimate(part), await model.count_text("", part) or 0) for part in parts]

    counted = asyncio.run(counts())
    assert len(counted) > 100
    assert all(guess >= real for guess, real in counted), max(counted, key=lambda one: one[1] - one[0])
    assert sum(guess for guess, _ in counted) < 2 * sum(real for _, real in counted)


def test_a_prompt_that_is_too_long_is_a_clear_error(model: GgufModel) -> None:
    with pytest.raises(errors.ContextOverflowError) as caught:
        hear(model, request("word " * 600))
    assert "num_ctx" in caught.value.hint


def test_after_a_crash_the_model_is_started_anew(model: GgufModel) -> None:
    heard = Heard([])

    async def crash() -> None:
        async for piece in model.stream(request("Tell me a very long story.", max_tokens=300)):
            heard.tokens.append(piece)  # type: ignore[arg-type]
            if len(heard.tokens) == 1:
                assert model.pid is not None
                os.kill(model.pid, signal.SIGKILL)

    with pytest.raises(errors.ModelError) as caught:
        asyncio.run(crash())
    assert caught.value.passing
    assert heard.tokens
    assert hear(model, request("Name a colour.", max_tokens=2)).text


def test_the_model_s_process_ends_with_the_program_that_started_it() -> None:
    program = (
        "import asyncio, sys, pathlib, os\n"
        "from mindnet.models.gguf import GgufModel\n"
        f"m = GgufModel(pathlib.Path({str(model_file())!r}), num_ctx=256)\n"
        "asyncio.run(m.context_size(''))\n"
        "print(m.pid, flush=True)\n"
        "os.kill(os.getpid(), 9)\n"
    )
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, env=env, timeout=60, check=False
    )
    pid = int(done.stdout)
    until(lambda: not psutil.pid_exists(pid) or psutil.Process(pid).status() == psutil.STATUS_ZOMBIE)
