"""Changes single settings in the user's own files; what else stands there, comments too, stays as it is."""

from __future__ import annotations

import threading
from collections.abc import Mapping, MutableMapping
from io import StringIO
from pathlib import Path
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError

from mindnet.errors import ConfigError, ConflictError, NotFoundError
from mindnet.nearest import did_you_mean
from mindnet.settings.files import merge, read_yaml, validate
from mindnet.settings.folders import write_private
from mindnet.settings.load import ENVIRONMENT, FILES, own_file, plain, source_files

CHANGEABLE: frozenset[str] = frozenset(
    {
        "mindnet.vault.exclude",
        "mindnet.vault.private",
        "mindnet.logs.enabled",
        "mindnet.logs.keep_days",
        "llm.profiles.chat.backend",
        "llm.profiles.chat.model",
    }
)
"""What a client may change. Addresses, ports and files are none of it: a web page that got hold of the token must not
lead notes elsewhere."""

_writing = threading.Lock()


def overruled_by(key: str, env: Mapping[str, str], origins: Mapping[str, str]) -> str | None:
    """What is stronger than the files for ``key`` (``file.dotted.key``): a variable, the command line, or nothing."""
    for variable, (file, name) in ENVIRONMENT.items():
        if f"{file}.{name}" == key and env.get(variable):
            return variable
    return "command line" if origins.get(key) == "command line" else None


def change_setting(key: str, value: Any, config_dir: Path, env: Mapping[str, str], origins: Mapping[str, str]) -> Path:
    """Writes ``value`` for ``key`` into the user's file and gives the file.

    Raises ``NotFoundError`` for a key that may not be changed so, ``ConflictError`` where something stronger sets it,
    ``ConfigError`` for a value that does not fit, and what keeps the file from being written.
    """
    if key not in CHANGEABLE:
        hint = did_you_mean(key, CHANGEABLE) or "Change it in the file, by hand."
        raise NotFoundError(f"`{key}` is no setting that can be changed from here.", hint=hint)
    stronger = overruled_by(key, env, origins)
    if stronger is not None:
        raise ConflictError(
            f"`{key}` is set by {stronger}, which is stronger than the file.", hint=f"Change {stronger}."
        )
    name, _, dotted = key.partition(".")
    file = own_file(name, config_dir, env)
    with _writing:
        text = _changed(_text_of(file), file, dotted.split("."), value)
        _check(name, text, file, config_dir, env)
        file.parent.mkdir(parents=True, exist_ok=True)
        # A link, as those who keep their settings in a repository have it, stays one.
        write_private(file.resolve(), text)
    return file


def _text_of(file: Path) -> str:
    if not file.is_file():
        return ""
    read_yaml(file)  # says what is wrong with it, and where
    return file.read_text(encoding="utf-8")


def _yaml() -> YAML:
    yaml = YAML(typ="rt")
    yaml.preserve_quotes = True
    yaml.width = 10_000
    return yaml


def _changed(text: str, file: Path, path: list[str], value: Any) -> str:
    data = _yaml().load(text) if text.strip() else None
    head = "" if data is not None else _line_ended(text)
    data = {} if data is None else data
    section: MutableMapping[str, Any] = data
    for depth, step in enumerate(path[:-1], start=1):
        inner = section.get(step)
        if inner is None:
            section[step] = inner = {}
        if not isinstance(inner, MutableMapping):
            raise ConfigError(f"{file}: `{'.'.join(path[:depth])}` holds no keys.", hint="Mend it in the file.")
        section = inner
    section[path[-1]] = value
    out = StringIO()
    _yaml().dump(data, out)
    return head + out.getvalue()


def _line_ended(text: str) -> str:
    """A file of comments alone."""
    return text if not text or text.endswith("\n") else f"{text}\n"


def _check(name: str, text: str, file: Path, config_dir: Path, env: Mapping[str, str]) -> None:
    """The files with this text in place of what ``file`` holds, as they will be read."""
    data: Any = {}
    for source in source_files(name, config_dir, env):
        if source != file:
            data = merge(data, read_yaml(source))
    try:
        new = _yaml().load(text)
    except MarkedYAMLError as error:
        raise ConfigError(f"{file}: {error.problem}", hint="Give another value.") from error
    validate(FILES[name], plain(merge(data, new)), [(str(file), new)])
