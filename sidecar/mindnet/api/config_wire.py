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
    """One value in words, and the file, variable or flag it comes from. ``key`` begins with the name of its file.

    ``waiting`` is the value in the files where it is another, and takes a new start; ``entries`` are those of a list as
    the files have it. ``changeable``: ``PATCH /config`` takes it; where a variable or the command line is stronger
    than the files, it does not.
    """

    key: str
    value: str
    origin: str
    waiting: str | None = None
    entries: list[str] | None = None
    changeable: bool = False


class SettingChange(Wire):
    """A new value for one setting; a list replaces the list."""

    key: str
    value: bool | int | str | list[str]


class ConfigOut(Wire):
    """What a note may say: kinds in the order of the settings, types, and the headings whose links are candidates.

    ``settings`` are those of ``mindnet.yaml`` and ``llm.yaml`` that are in force; ``folder`` is where the user's own
    files of these names are.
    """

    kinds: list[KindOut]
    types: list[str]
    candidate_headings: list[str]
    folder: str
    settings: list[SettingOut]
