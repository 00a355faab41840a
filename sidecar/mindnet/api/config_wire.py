"""The settings that a client needs, over HTTP."""

from __future__ import annotations

from mindnet.api.wire import Wire


class KindOut(Wire):
    """A kind that may be written by hand; ``aliases`` are its other names as the settings have them."""

    name: str
    aliases: list[str]
    inverse: str | None
    symmetric: bool


class ConfigOut(Wire):
    """What a note may say: kinds in the order of the settings, types, and the headings whose links are candidates."""

    kinds: list[KindOut]
    types: list[str]
    candidate_headings: list[str]
