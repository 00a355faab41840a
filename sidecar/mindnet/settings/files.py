"""Reads configuration files: merges the user's over the shipped ones, and names file and line of each fault."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError

from mindnet.errors import ConfigError
from mindnet.nearest import did_you_mean

Model = TypeVar("Model", bound=BaseModel)


def shipped_folder() -> Path:
    """The folder of the shipped files: inside an installed package, else beside the sources."""
    package = Path(__file__).resolve().parents[1]
    installed = package / "_config"
    return installed if installed.is_dir() else package.parents[1] / "config"


@functools.lru_cache(maxsize=32)
def _parsed(text: str) -> Any:
    """What the YAML says; the same files are read for each workspace, and parsing is most of the time it takes."""
    return YAML(typ="rt").load(text)


def read_yaml(file: Path) -> Any:
    """The mapping in ``file`` with line numbers attached, not to be changed; an empty file is an empty mapping."""
    try:
        data = _parsed(file.read_text(encoding="utf-8"))
    except MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        raise ConfigError(f"{file}, line {line}: {error.problem}", hint="Mend the YAML in that line.") from error
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file}: {error}", hint="Check that the file is there, readable and UTF-8.") from error
    if data is None:
        return {}
    if not isinstance(data, Mapping):
        raise ConfigError(f"{file}, line 1: expected keys and values", hint="Write `key: value` lines.")
    return data


def line_of(data: Any, path: Sequence[str | int]) -> int | None:
    """The line (from 1) on which the key at ``path`` stands; of a missing key, that of the nearest parent."""
    line: int | None = None
    for step in path:
        marks = getattr(data, "lc", None)
        if marks is None:
            return line
        try:
            line = int((marks.key(step) if isinstance(step, str) else marks.item(step))[0]) + 1
            data = data[step]
        except (KeyError, IndexError, TypeError):
            return line
    return line


def merge(base: Any, over: Any) -> Any:
    """``over`` laid over ``base``: mappings merge key by key, everything else replaces."""
    if isinstance(base, Mapping) and isinstance(over, Mapping):
        return {
            key: merge(base[key], over[key]) if key in base and key in over else over.get(key, base.get(key))
            for key in [*base, *(key for key in over if key not in base)]
        }
    return over


def flatten(data: Any, prefix: str = "") -> dict[str, Any]:
    """Dotted keys to values; lists and empty mappings count as values."""
    if not isinstance(data, Mapping) or not data:
        return {prefix: data} if prefix else {}
    flat: dict[str, Any] = {}
    for key, value in data.items():
        flat.update(flatten(value, f"{prefix}.{key}" if prefix else str(key)))
    return flat


def validate(model: type[Model], data: Any, places: Sequence[tuple[str, Any]]) -> Model:
    """``data`` as ``model``. ``places`` are (name, raw mapping) of its sources, the strongest last."""
    try:
        return model.model_validate(data)
    except ValidationError as error:
        fault = error.errors()[0]
    path = _keys(fault["loc"], data)
    dotted = ".".join(map(str, path))
    where = _where(path, places)
    if fault["type"] == "extra_forbidden":
        known = _names_at(model, path[:-1])
        hint = did_you_mean(str(path[-1]), known) or (
            f"Known here: {', '.join(known)}." if known else "Remove the key."
        )
        raise ConfigError(f"{where}: unknown key `{dotted}`.", hint=hint)
    raise ConfigError(f"{where}: `{dotted}`: {fault['msg']}", hint=f"Correct the value of `{dotted}`.")


def located(error: ConfigError, places: Sequence[tuple[str, Any]]) -> ConfigError:
    """The error with the file and line that it is about; ``places`` as for ``validate``."""
    if not error.key or not places:
        return error
    message = f"{_where(error.key, places)}: `{'.'.join(error.key)}`: {error.what}"
    return ConfigError(message, hint=error.hint or f"Correct `{'.'.join(error.key)}`.")


def _keys(loc: Sequence[str | int], data: Any) -> list[str | int]:
    """The part of an error's place that are keys; of a value of several types Pydantic adds the type's name."""
    path: list[str | int] = []
    for step in loc:
        if not isinstance(data, Mapping | list):
            break
        path.append(step)
        try:
            data = data[step]  # type: ignore[index]
        except (KeyError, IndexError):
            break
    return path


def _where(path: Sequence[str | int], places: Sequence[tuple[str, Any]]) -> str:
    for name, raw in reversed(places):
        inner: Any = raw
        for step in path:
            try:
                inner = inner[step]
            except (KeyError, IndexError, TypeError):
                break
        else:
            line = line_of(raw, path)
            return f"{name}, line {line}" if line else name
    name, raw = places[-1]
    line = line_of(raw, path)
    return f"{name}, line {line}" if line else name


def _names_at(model: type[BaseModel], path: Sequence[str | int]) -> list[str]:
    """The keys that the schema allows below ``path``."""
    schema = model.model_json_schema()
    node: dict[str, Any] = schema
    for step in path:
        node = _resolve(schema, node)
        node = node.get("properties", {}).get(step) or node.get("additionalProperties") or {}
    return list(_resolve(schema, node).get("properties", {}))


def _resolve(schema: dict[str, Any], node: dict[str, Any]) -> dict[str, Any]:
    while "$ref" in node:
        node = schema["$defs"][node["$ref"].rsplit("/", 1)[-1]]
    return node
