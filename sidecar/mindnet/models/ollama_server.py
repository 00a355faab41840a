"""Ollama by its own API: its OpenAI-compatible one does not know ``num_ctx``."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import aclosing, contextmanager

from mindnet.errors import (
    ContextOverflowError,
    ModelDownError,
    ModelError,
    ModelLoadingError,
    ModelMissingError,
    ModelRefusedError,
    ModelStreamError,
    ModelTimeoutError,
)
from mindnet.models.port import Ended, Finished, Message, Piece, Request, Token
from mindnet.models.thinking import ThinkSplitter
from mindnet.remote.faults import ServerError
from mindnet.remote.ollama import AsyncClient, ShowResponse, async_client, base_url, telling_faults

ASK_SECONDS = 15.0
"""For questions about models, which a server answers at once."""


class OllamaServer:
    """An Ollama server; ``keep_alive`` says how long it keeps a model in memory after an answer."""

    def __init__(self, url: str, *, keep_alive: str = "") -> None:
        self._url = base_url(url)
        self._keep_alive = keep_alive or None
        self._about: dict[str, ShowResponse] = {}

    @property
    def place(self) -> str:
        return self._url

    async def models(self) -> tuple[str, ...]:
        with self._faults():
            async with self._client(ASK_SECONDS) as client:
                listed = await client.list()
        return tuple(one.model for one in listed.models if one.model)

    async def context_size(self, model: str) -> int | None:
        about = await self._show(model)
        told = about.modelinfo if about else None
        sizes = [value for key, value in (told or {}).items() if key.endswith(".context_length")]
        return next((size for size in sizes if isinstance(size, int) and size > 0), None)

    async def count_text(self, model: str, text: str) -> int | None:  # noqa: ARG002
        return None

    async def count_prompt(self, model: str, messages: Sequence[Message]) -> int | None:  # noqa: ARG002
        return None

    async def stream(self, request: Request) -> AsyncIterator[Piece]:
        options = {
            "num_ctx": request.num_ctx,
            "num_predict": request.max_tokens,
            "temperature": request.temperature,
        }
        # A model that thinks would spend the few tokens of a decision on it; one that does not refuses to be told.
        about = await self._show(request.model) if request.quiet else None
        quiet = about is not None and "thinking" in (about.capabilities or ())
        splitter = ThinkSplitter()
        finished: Finished | None = None
        with self._faults(request.model):
            async with self._client(request.timeout_s) as client:
                parts = await client.chat(
                    request.model,
                    [{"role": one.role, "content": one.text} for one in request.messages],
                    stream=True,
                    think=False if quiet else None,
                    format=dict(request.schema) if request.schema is not None else None,
                    options=options,
                    keep_alive=self._keep_alive,
                )
                async with aclosing(parts) as stream:
                    async for part in stream:
                        if part.message.thinking:
                            yield Token(part.message.thinking, thinking=True)
                        for token in splitter.feed(part.message.content or ""):
                            yield token
                        if part.done:
                            ended: Ended = "length" if part.done_reason == "length" else "stop"
                            finished = Finished(ended, part.prompt_eval_count, part.eval_count)
                            break
        for token in splitter.end():
            yield token
        if finished is None:
            raise ModelStreamError(
                f"The answer of {request.model} ended before it was done.",
                hint="Ask again; Ollama's log says whether it ran out of memory.",
            )
        yield finished

    def close(self) -> None:
        """Nothing is kept open between requests."""

    async def _show(self, model: str) -> ShowResponse | None:
        """What the server tells of a model; None where it has no way to (an old one, or one that only imitates it)."""
        if model not in self._about:
            try:
                with self._faults(model):
                    async with self._client(ASK_SECONDS) as client:
                        self._about[model] = await client.show(model)
            except (ModelMissingError, ModelRefusedError, ModelStreamError):
                return None
        return self._about[model]

    def _client(self, seconds: float) -> AsyncClient:
        return async_client(self._url, seconds)

    @contextmanager
    def _faults(self, model: str = "") -> Iterator[None]:
        try:
            with telling_faults():
                yield
        except ServerError as fault:
            raise self._explain(fault, model) from fault

    def _explain(self, fault: ServerError, model: str) -> ModelError:
        kind, text = fault.kind, fault.text
        if kind == "down":
            return ModelDownError(
                f"No Ollama answers at {self._url}.",
                hint="Start it with `ollama serve`, or install it from https://ollama.com/download.",
            )
        if kind == "slow":
            return ModelTimeoutError(
                f"Ollama at {self._url} did not answer in time.",
                hint="Choose a smaller model, or raise timeout_s in llm.yaml.",
            )
        if kind == "lost":
            return ModelStreamError(
                f"The connection to Ollama at {self._url} was lost: {text}.",
                hint="Ask again; Ollama's log says why it ended.",
            )
        if kind == "unreadable":
            return ModelStreamError(
                f"What {self._url} sent cannot be read as an answer of Ollama.",
                hint="Check that backends.ollama.url in llm.yaml leads to Ollama, without /v1.",
            )
        if kind == "missing" and model:
            return ModelMissingError(
                f"Ollama at {self._url} does not have the model {model}.", hint=f"Run `ollama pull {model}`."
            )
        if kind == "busy":
            return ModelLoadingError(
                f"Ollama at {self._url} is busy: {text}.", hint="Wait until the model is loaded, then ask again."
            )
        if kind == "too_long":
            return ContextOverflowError(
                f"The prompt is longer than {model} reads: {text}.", hint="Raise num_ctx in llm.yaml, or lower top_k."
            )
        if kind == "no_memory":
            return ModelRefusedError(
                f"Ollama cannot load {model}: {text}.", hint="Choose a smaller model, or lower num_ctx in llm.yaml."
            )
        return ModelRefusedError(f"Ollama at {self._url} reports a fault: {text}.", hint="Ollama's log says more.")
