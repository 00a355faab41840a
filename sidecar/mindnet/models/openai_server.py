"""Any server that speaks the OpenAI protocol: llama.cpp, LM Studio, vLLM, or a service elsewhere.

What the protocol lacks is asked for where a server has it: llama.cpp and vLLM count tokens and name their window.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import httpx2
import openai

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
from mindnet.models.places import connect_seconds, is_local, tls
from mindnet.models.port import Ended, Finished, Message, Piece, Request, Token
from mindnet.models.thinking import ThinkSplitter

ASK_SECONDS = 15.0
NO_KEY = "none"
"""The client insists on a key; servers on this machine want none."""
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

    async def _begin(
        self, client: openai.AsyncOpenAI, request: Request
    ) -> openai.AsyncStream[openai.types.chat.ChatCompletionChunk]:
        form: dict[str, Any] = {}
        if request.schema is not None:
            schema = {"name": "answer", "strict": True, "schema": dict(request.schema)}
            form["response_format"] = {"type": "json_schema", "json_schema": schema}
        said: list[Any] = [{"role": one.role, "content": one.text} for one in request.messages]
        chunks: openai.AsyncStream[openai.types.chat.ChatCompletionChunk] = await client.chat.completions.create(
            model=request.model,
            messages=said,
            stream=True,
            stream_options={"include_usage": True},
            max_tokens=request.max_tokens,
            temperature=request.temperature,
            **form,
        )
        return chunks

    def _client(self, seconds: float) -> openai.AsyncOpenAI:
        """A client for one request: a pool of connections would belong to one event loop.

        Settings of a proxy are left aside for addresses on this machine. Nothing is tried again here: a second
        answer must not begin behind the first half of another.
        """
        return openai.AsyncOpenAI(
            api_key=self._key,
            base_url=self._url,
            max_retries=0,
            http_client=self._http(seconds),
        )

    def _http(self, seconds: float) -> httpx2.AsyncClient:
        return httpx2.AsyncClient(
            timeout=httpx2.Timeout(seconds, connect=connect_seconds(self._url)),
            trust_env=not is_local(self._url),
            verify=tls(),
            follow_redirects=False,
        )

    async def _ask(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Mapping[str, Any] | None:
        """What only some servers have; None from those that do not."""
        with self._faults():
            async with self._http(ASK_SECONDS) as client:
                answer = await client.request(
                    method, self._root + path, json=body, headers={"Authorization": f"Bearer {self._key}"}
                )
            if answer.status_code in (429, 503):
                raise self._refusal(answer.status_code, answer.text[:300], "")
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
            yield
        except (openai.APITimeoutError, httpx2.TimeoutException) as error:
            if isinstance(error.__cause__ or error, httpx2.ConnectTimeout):
                raise self._down() from error
            raise ModelTimeoutError(
                f"The model server at {self._url} did not answer in time.",
                hint="Choose a smaller model, or raise timeout_s in llm.yaml.",
            ) from error
        except openai.APIStatusError as error:
            raise self._refusal(error.status_code, _written(error), model) from error
        except (openai.APIConnectionError, httpx2.TransportError) as error:
            cause = error.__cause__ or error
            if isinstance(cause, httpx2.ConnectError):
                raise self._down() from error
            raise ModelStreamError(
                f"The connection to {self._url} was lost: {str(cause) or type(cause).__name__}.",
                hint="Ask again; the server's log says why it ended.",
            ) from error
        except openai.APIError as error:
            # An error in the midst of a stream has no status of its own.
            raise self._refusal(_code(error.body), _written(error), model) from error
        except (ValueError, TypeError, AttributeError) as error:
            raise ModelStreamError(
                f"What {self._url} sent cannot be read as an answer.",
                hint="Check that the url in llm.yaml leads to an OpenAI-compatible server; it ends in /v1 as a rule.",
            ) from error

    def _down(self) -> ModelDownError:
        return ModelDownError(f"No model server answers at {self._url}.", hint=self._hint)

    def _refusal(self, status: int | None, text: str, model: str) -> ModelError:
        low = text.lower()
        if "exceed_context_size" in low or (
            "context" in low and any(w in low for w in ("exceed", "maximum", "longer"))
        ):
            return ContextOverflowError(
                f"The prompt is longer than {model or 'the model'} reads: {text}.",
                hint="Raise num_ctx in llm.yaml and the server's window, or lower top_k.",
            )
        if status in (401, 403):
            return ModelRefusedError(
                f"The model server at {self._url} refuses the key.", hint="Correct the key that api_key_env names."
            )
        if status == 404 and model:
            return ModelMissingError(
                f"The model server at {self._url} does not have the model {model}: {text}.",
                hint=f"Load {model} there, or name another model in llm.yaml.",
            )
        if status in (429, 503):
            return ModelLoadingError(
                f"The model server at {self._url} is not ready: {text}.",
                hint="Wait until the model is loaded, then ask again.",
            )
        return ModelRefusedError(f"The model server at {self._url} reports a fault: {text}.", hint="Its log says more.")


def _thought(extra: Mapping[str, Any] | None) -> str:
    found = [extra[name] for name in _THOUGHTS if extra and isinstance(extra.get(name), str)]
    return found[0] if found else ""


def _written(error: openai.APIError) -> str:
    """What the server wrote of the fault, its kind included, on one line."""
    body: Any = error.body
    if isinstance(body, Mapping) and isinstance(body.get("error"), Mapping):
        body = body["error"]
    if isinstance(body, Mapping):
        parts = [str(body[key]) for key in ("message", "type") if body.get(key)]
        if parts:
            return " / ".join(parts)[:300]
    return (str(body or error.message).splitlines() or [""])[0][:300]


def _code(body: object) -> int | None:
    code = body.get("code") if isinstance(body, Mapping) else None
    return code if isinstance(code, int) else None
