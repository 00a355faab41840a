"""The providers whose models run on a server."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import replace
from urllib.parse import urlsplit

from mindnet.embedding.choice import Choice
from mindnet.embedding.served import Facts, Host, ServedEmbedder
from mindnet.remote.places import is_local

log = logging.getLogger(__name__)


def _ollama(choice: Choice) -> Host:
    # Here, since each of the clients takes half a second to import.
    from mindnet.embedding.ollama import OllamaHost

    return OllamaHost(choice)


def _openai(choice: Choice) -> Host:
    from mindnet.embedding.openai import OpenAIHost

    return OpenAIHost(choice)


DEFAULT_URLS: Mapping[str, str] = {"ollama": "http://127.0.0.1:11434", "openai": "http://127.0.0.1:8080/v1"}
HOSTS: Mapping[str, Callable[[Choice], Host]] = {"ollama": _ollama, "openai": _openai}


def embedder_on_a_server(choice: Choice, known: Facts | None = None) -> ServedEmbedder:
    """The embedder; ``known`` is what its model was when an index was built with it.

    Raises ``EmbedderAwayError`` where nothing is known and the server does not say it now.
    """
    host = HOSTS[choice.provider](replace(choice, url=place_of(choice) or ""))
    if leaves_machine(host.place):
        log.warning("%s is not this machine: the text of your notes and your questions are sent there", host.place)
        if urlsplit(host.place).scheme == "http":
            log.warning("%s is not encrypted: what is sent can be read on the way; use https", host.place)
    return ServedEmbedder(host, known)


def leaves_machine(place: str) -> bool:
    return not is_local(place)


def place_of(choice: Choice) -> str | None:
    """The address that texts are sent to, the provider's own where none is given; None where they are embedded here."""
    if choice.provider not in HOSTS:
        return None
    return choice.url or DEFAULT_URLS[choice.provider]
