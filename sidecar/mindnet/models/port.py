"""The port of language models: messages in, an answer piece by piece."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, Protocol, TypeVar

from pydantic import BaseModel, ValidationError

from mindnet.errors import ModelAnswerError

Role = Literal["system", "user", "assistant"]
Ended = Literal["stop", "length"]
Shape = TypeVar("Shape", bound=BaseModel)
LEAST_TOKENS = 64
"""An answer in a given form needs some room for blanks and quotes, whatever it says."""


@dataclass(frozen=True, slots=True)
class Message:
    role: Role
    text: str


@dataclass(frozen=True, slots=True)
class Request:
    """What is asked of a model.

    ``num_ctx`` is the window in tokens, prompt and answer together; ``timeout_s`` the longest silence that is borne,
    the time until the first token included. ``schema`` is a JSON schema that the answer must follow; ``quiet`` asks a
    model that thinks before it answers not to, where it can be told.
    """

    model: str
    messages: tuple[Message, ...]
    num_ctx: int
    max_tokens: int
    temperature: float
    timeout_s: float
    schema: Mapping[str, Any] | None = None
    quiet: bool = False


@dataclass(frozen=True, slots=True)
class Token:
    """A piece of the answer, or of what the model thinks before it answers."""

    text: str
    thinking: bool = False


@dataclass(frozen=True, slots=True)
class Finished:
    """The last thing of a stream. ``prompt_tokens`` is what the server says that it read, None where it does not."""

    ended: Ended
    prompt_tokens: int | None = None
    answer_tokens: int | None = None


Piece = Token | Finished


@dataclass(frozen=True, slots=True)
class Completion:
    text: str
    thinking: str
    finished: Finished


class LanguageModel(Protocol):
    """A server of models. Every fault is one of the kinds of ``ModelError``.

    ``place`` is its address or file, for messages. Whoever stops iterating a stream, or cancels the task that does,
    stops the model: the connection is closed at once.
    """

    @property
    def place(self) -> str: ...

    async def models(self) -> tuple[str, ...]:
        """Names of the models that it has, in its own order."""

    async def context_size(self, model: str) -> int | None:
        """Tokens that the model can read at most, None where the server does not say."""

    async def count_text(self, model: str, text: str) -> int | None:
        """Tokens of a text by the model's own tokenizer, None where the server has no way to count."""

    async def count_prompt(self, model: str, messages: Sequence[Message]) -> int | None:
        """Tokens of the whole prompt, the model's own frame around each message counted too; None as above."""

    def stream(self, request: Request) -> AsyncIterator[Piece]:
        """Tokens, and ``Finished`` last; a stream that ends without it raises ``ModelStreamError``."""

    def close(self) -> None:
        """Ends what runs for it; it begins again with the next request."""


async def complete(server: LanguageModel, request: Request) -> Completion:
    """The whole answer at once."""
    text: list[str] = []
    thinking: list[str] = []
    finished: Finished | None = None
    async for piece in server.stream(request):
        if isinstance(piece, Finished):
            finished = piece
        else:
            (thinking if piece.thinking else text).append(piece.text)
    assert finished is not None, "a stream ends with Finished or with an error"
    return Completion("".join(text), "".join(thinking), finished)


async def ask_for(server: LanguageModel, request: Request, shape: type[Shape]) -> Shape:
    """An answer in a given form, as a decision between the values of an enum.

    The form goes with the request as a JSON schema, so that a server holds the model to it; the answer is read
    strictly all the same. Raises ``ModelAnswerError`` for one that was cut off or has another form.
    """
    asked = replace(
        request, max_tokens=max(request.max_tokens, LEAST_TOKENS), schema=shape.model_json_schema(), quiet=True
    )
    done = await complete(server, asked)
    if done.finished.ended == "length":
        raise ModelAnswerError(
            f"{request.model} did not come to an end within {asked.max_tokens} tokens.",
            hint="Allow more max_tokens, or choose another model.",
        )
    try:
        return shape.model_validate_json(done.text)
    except ValidationError as error:
        raise ModelAnswerError(
            f"{request.model} answered in another form than it was asked for: {done.text[:200]!r}.",
            hint="Choose a model or a server that follows a JSON schema.",
        ) from error
