"""Any server that speaks the OpenAI protocol: llama.cpp, LM Studio, vLLM, or a service elsewhere.

What the protocol lacks is asked for where a server has it: llama.cpp and vLLM count tokens and name their window.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

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
from mindnet.remote.openai import (
    NO_KEY,
    AsyncOpenAI,
    ChatStream,
    async_client,
    async_http_client,
    refusal,
    telling_faults,
)

ASK_SECONDS = 15.0
_THOUGHTS = ("reasoning_content", "reasoning")
"""Fields beside the answer in which servers give what a model thinks."""


class OpenAIServer:
    """A server at ``url``, which ends in ``/v1`` as a rule."""

    def __init__(self, url: str, *, api_key: str = "", hint: str = "") -> None:
        self._url = url.rstrip("/")
        self._root = self._url.removesuffix("/v1")
        self._key = api_key or NO_KEY
        self._hint = hint or "Start the server, or correct its url in llm.yaml."
        self._counts: bool | None = None

    @property
    def place(self) -> str:
        return self._url

    async def models(self) -> tuple[str, ...]:
        with self._faults():
            async with self._client(ASK_SECONDS) as client:
                return tuple([one.id async for one in client.models.list()])

    async def context_size(self, model: str) -> int | None:
        props = await self._ask("GET", "/props")
        settings = props.get("default_generation_settings") if props else None
        size = settings.get("n_ctx") if isinstance(settings, Mapping) else None
        if not isinstance(size, int):
            listed = await self._ask("GET", "/v1/models")
            entries = listed.get("data") if listed else None
            found = [one for one in entries or () if isinstance(one, Mapping) and one.get("id") == model]
            size = next((one.get("max_model_len") for one in found), None)
        return size if isinstance(size, int) and size > 0 else None

    async def count_text(self, model: str, text: str) -> int | None:
        if self._counts is False:
            return None
        found = await self._ask("POST", "/tokenize", {"content": text, "model": model, "prompt": text})
        tokens = found.get("tokens") if found else None
        self._counts = isinstance(tokens, list)
        return len(tokens) if isinstance(tokens, list) else None

    async def count_prompt(self, model: str, messages: Sequence[Message]) -> int | None:
        said = [{"role": one.role, "content": one.text} for one in messages]
        framed = await self._ask("POST", "/apply-template", {"messages": said})
        prompt = framed.get("prompt") if framed else None
        if isinstance(prompt, str):
            return await self.count_text(model, prompt)
        found = await self._ask("POST", "/tokenize", {"model": model, "messages": said})
        count = found.get("count") if found else None
        return count if isinstance(count, int) else None

    async def stream(self, request: Request) -> AsyncIterator[Piece]:
        splitter = ThinkSplitter()
        ended: Ended | None = None
        read: int | None = None
        wrote: int | None = None
        with self._faults(request.model):
            async with self._client(request.timeout_s) as client, await self._begin(client, request) as chunks:
                async for chunk in chunks:
                    if chunk.usage is not None:
                        read, wrote = chunk.usage.prompt_tokens, chunk.usage.completion_tokens
                    for choice in chunk.choices[:1]:
                        thought = _thought(choice.delta.model_extra)
                        if thought:
                            yield Token(thought, thinking=True)
                        for token in splitter.feed(choice.delta.content or ""):
                            yield token
                        if choice.finish_reason:
                            ended = "length" if choice.finish_reason == "length" else "stop"
        for token in splitter.end():
            yield token
        if ended is None:
            raise ModelStreamError(
                f"The answer of {request.model} ended before it was done.", hint="Ask again; the server's log says why."
            )
        yield Finished(ended, read, wrote)

    def close(self) -> None:
        """Nothing is kept open between requests."""

    async def _begin(self, client: AsyncOpenAI, request: Request) -> ChatStream:
        form: dict[str, Any] = {}
        if request.schema is not None:
            schema = {"name": "answer", "strict": True, "schema": dict(request.schema)}
            form["response_format"] = {"type": "json_schema", "json_schema": schema}
        said: list[Any] = [{"role": one.role, "content": one.text} for one in request.messages]
        chunks: ChatStream = await client.chat.completions.create(
            model=request.model,
            messages=said,
            stream=True,
            stream_options={"include_usage": True},
            max_tokens=request.max_tokens,
            temperature=request.temperature,
            **form,
        )
        return chunks

    def _client(self, seconds: float) -> AsyncOpenAI:
        return async_client(self._url, seconds, self._key)

    async def _ask(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Mapping[str, Any] | None:
        """What only some servers have; None from those that do not."""
        with self._faults():
            async with async_http_client(self._url, ASK_SECONDS) as client:
                answer = await client.request(
                    method, self._root + path, json=body, headers={"Authorization": f"Bearer {self._key}"}
                )
            if answer.status_code in (429, 503):
                raise refusal(answer.status_code, answer.text[:300])
            if answer.is_error:
                return None
            try:
                found = answer.json()
            except ValueError:
                return None
        return found if isinstance(found, Mapping) else None

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
            return ModelDownError(f"No model server answers at {self._url}.", hint=self._hint)
        if kind == "slow":
            return ModelTimeoutError(
                f"The model server at {self._url} did not answer in time.",
                hint="Choose a smaller model, or raise timeout_s in llm.yaml.",
            )
        if kind == "lost":
            return ModelStreamError(
                f"The connection to {self._url} was lost: {text}.",
                hint="Ask again; the server's log says why it ended.",
            )
        if kind == "unreadable":
            return ModelStreamError(
                f"What {self._url} sent cannot be read as an answer.",
                hint="Check that the url in llm.yaml leads to an OpenAI-compatible server; it ends in /v1 as a rule.",
            )
        if kind == "too_long":
            return ContextOverflowError(
                f"The prompt is longer than {model or 'the model'} reads: {text}.",
                hint="Raise num_ctx in llm.yaml and the server's window, or lower top_k.",
            )
        if kind == "key_refused":
            return ModelRefusedError(
                f"The model server at {self._url} refuses the key.", hint="Correct the key that api_key_env names."
            )
        if kind == "missing" and model:
            return ModelMissingError(
                f"The model server at {self._url} does not have the model {model}: {text}.",
                hint=f"Load {model} there, or name another model in llm.yaml.",
            )
        if kind == "busy":
            return ModelLoadingError(
                f"The model server at {self._url} is not ready: {text}.",
                hint="Wait until the model is loaded, then ask again.",
            )
        return ModelRefusedError(f"The model server at {self._url} reports a fault: {text}.", hint="Its log says more.")


def _thought(extra: Mapping[str, Any] | None) -> str:
    found = [extra[name] for name in _THOUGHTS if extra and isinstance(extra.get(name), str)]
    return found[0] if found else ""
