"""The settings that a client needs, over HTTP."""

from __future__ import annotations

from mindnet.api.wire import Wire


class KindOut(Wire):
    """A kind that may be written by hand; ``aliases`` are its other names as the settings have them."""

    name: str
    aliases: list[str]
    inverse: str | None
    symmetric: bool


class SettingOut(Wire):
    """One value in words, and the file, variable or flag it comes from. ``key`` begins with the name of its file."""

    key: str
    value: str
    origin: str


class ConfigOut(Wire):
    """What a note may say: kinds in the order of the settings, types, and the headings whose links are candidates.

    ``settings`` are those of ``mindnet.yaml`` and ``llm.yaml`` as the sidecar was started with them; ``folder`` is
    where the user's own files of these names are.
    """

    kinds: list[KindOut]
    types: list[str]
    candidate_headings: list[str]
    folder: str
    settings: list[SettingOut]
