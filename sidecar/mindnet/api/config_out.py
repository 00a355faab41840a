"""Settings and the vocabulary, as they are told over HTTP."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping

from pydantic import BaseModel

from mindnet.api.config_wire import ConfigOut, KindOut, SettingOut
from mindnet.errors import ConfigError
from mindnet.knowledge.kinds import KindRegistry
from mindnet.settings import Settings, load_settings
from mindnet.settings.change import CHANGEABLE, overruled_by
from mindnet.settings.files import flatten
from mindnet.workspace import Workspace

log = logging.getLogger(__name__)


def config(workspace: Workspace) -> ConfigOut:
    """The vocabulary as at the start; settings as they are in force, and as the files have them by now."""
    place = workspace.place
    settings = place.settings
    kinds = KindRegistry.from_mapping(settings.edges.model_dump(exclude_none=True)).kinds
    try:
        written = load_settings(place.config_dir, env=workspace.env)
    except ConfigError as error:
        # What is wrong with a file is said where it is read; its last good values are in force.
        log.warning("%s %s", error.message, error.hint)
        written = settings
    return ConfigOut(
        kinds=[
            KindOut(name=name, aliases=list(section.aliases), inverse=kinds[name].inverse, symmetric=section.symmetric)
            for name, section in settings.edges.kinds.items()
            if not section.protected
        ],
        types=list(settings.types.types),
        candidate_headings=list(settings.edges.candidate_headings),
        folder=str(place.config_dir),
        settings=[
            *_in_force("mindnet", workspace.settings, written, settings, workspace.env),
            # A change of this file applies to the next question.
            *_in_force("llm", written.llm, written, settings, workspace.env),
        ],
    )


def _in_force(
    name: str, live: BaseModel, written: Settings, started: Settings, env: Mapping[str, str]
) -> Iterator[SettingOut]:
    files = flatten(getattr(written, name).model_dump(exclude_none=True))
    for key, value in flatten(live.model_dump(exclude_none=True)).items():
        dotted = f"{name}.{key}"
        stronger = overruled_by(dotted, env, started.origins)
        new = value if stronger else files.get(key, value)
        yield SettingOut(
            key=dotted,
            value=_in_words(value),
            origin=stronger or written.origins.get(dotted, "default"),
            waiting=None if new == value else _in_words(new),
            entries=list(map(str, new)) if isinstance(new, list) else None,
            changeable=dotted in CHANGEABLE and stronger is None,
        )


def settings_of(settings: Settings, names: Iterable[str]) -> list[SettingOut]:
    """Every value of these files, in their order."""
    return [
        SettingOut(key=f"{name}.{key}", value=_in_words(value), origin=settings.origins.get(f"{name}.{key}", "default"))
        for name in names
        for key, value in flatten(getattr(settings, name).model_dump(exclude_none=True)).items()
    ]


def _in_words(value: object) -> str:
    """As a user writes it in a file, without what sets a list off."""
    if isinstance(value, bool):
        return "on" if value else "off"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
