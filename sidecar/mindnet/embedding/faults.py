"""The faults of embedding servers in words: what is wrong, where, and what to do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mindnet.errors import EmbedderAwayError
from mindnet.remote.faults import Kind, ServerError

_GOES_ON = "mindnet goes on by itself when it answers."
_SENTENCES: Mapping[Kind, tuple[str, str]] = {
    "down": ("{who} does not answer.", "{start} " + _GOES_ON),
    "slow": ("{who} did not answer in time.", "See whether it is busy with something else; " + _GOES_ON),
    "lost": ("The connection to {who} was lost: {text}.", "Its log says why; " + _GOES_ON),
    "busy": ("{who} is not ready: {text}.", "Wait until {model} is loaded; " + _GOES_ON),
    "missing": ("{who} does not have the model {model}.", "{get}"),
    "key_refused": ("{who} refuses the key: {text}.", "Correct the key that embedding.api_key_env names."),
    "unreadable": ("What {who} sent cannot be used: {text}.", "Check embedding.url and embedding.model."),
    "no_memory": ("{who} cannot load {model}: {text}.", "Choose a smaller model, or free memory there."),
    "too_long": ("{who} refuses even a short text as too long: {text}.", "Lower embedding.max_tokens."),
    "refused": ("{who} refuses to embed with {model}: {text}.", "Its log says more."),
}


@dataclass(frozen=True, slots=True)
class Words:
    """What stands for the server and its model: ``start`` and ``get`` say how to have them there."""

    who: str
    model: str
    start: str
    get: str

    def explain(self, fault: ServerError) -> EmbedderAwayError:
        message, hint = _SENTENCES[fault.kind]
        named = {
            "who": self.who,
            "model": self.model,
            "start": self.start,
            "get": self.get,
            "text": fault.text.strip().rstrip(".") or "it does not say why",
        }
        said = message.format(**named)
        return EmbedderAwayError(said[0].upper() + said[1:], hint=hint.format(**named))
