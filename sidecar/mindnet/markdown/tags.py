"""Tags and aliases: in every form the frontmatter has for them, and tags in the text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from mindnet.markdown.inline import HIDDEN
from mindnet.vault.names import nfc

# Obsidian's own set: all but blanks, general punctuation, and ASCII punctuation other than - _ and /.
_NO_TAG = "\\u2000-\\u206F\\u2E00-\\u2E7F'!\"#$%&()*+,.:;<=>?@^`{|}~\\[\\]\\\\\\s\\ufffc\\x00"
_TAG = re.compile(rf"(?<![^\s(\[{{,;\"'*_>|~={HIDDEN}])#([^{_NO_TAG}]+)")

_PLACEHOLDER = re.compile(r"\{\{.*?\}\}|<%.*?%>")


def inline_tags(bare: str, text: str) -> Iterator[str]:
    """Give the ``#tags`` of a passage, given its text without code, links and the like, and its whole text.

    A tag stands behind a blank, an opening mark or an HTML tag, and is not made of digits alone.
    """
    if "#" not in bare:
        return
    for match in _TAG.finditer(bare):
        before = match.start() - 1
        if before >= 0 and bare[before] == HIDDEN and text[before] != ">":
            continue
        tag = match[1].strip("/")
        if tag and not tag.replace("/", "").isdecimal():
            yield nfc(tag)


def frontmatter_tags(values: Mapping[str, Any]) -> list[str]:
    """Give the tags under ``tags`` or ``tag``: a list, text split at commas and blanks, or a number.

    A template's placeholder (``{{title}}``) is no tag.
    """
    return [
        tag
        for text in _texts(values, ("tags", "tag"))
        for part in re.split(r"[,\s]+", _PLACEHOLDER.sub(" ", text))
        if (tag := nfc(part.strip().lstrip("#").strip("/")))
    ]


def frontmatter_aliases(values: Mapping[str, Any]) -> list[str]:
    """Give the aliases under ``aliases`` or ``alias``: a list, text split at commas, or a number."""
    found = []
    for key in ("aliases", "alias"):
        value = _value(values, key)
        parts = value.split(",") if isinstance(value, str) else _flat(value)
        found += [nfc(part.strip()) for part in parts if part.strip()]
    return found


def unique(names: Iterable[str]) -> tuple[str, ...]:
    """Keep the first spelling of each name, regardless of case, in order."""
    kept: dict[str, str] = {}
    for name in names:
        kept.setdefault(name.lower(), name)
    return tuple(kept.values())


def _texts(values: Mapping[str, Any], keys: tuple[str, ...]) -> Iterator[str]:
    for key in keys:
        yield from _flat(_value(values, key))


def _value(values: Mapping[str, Any], key: str) -> Any:
    """Look a key up as written, else in another case (``Tags``), as Obsidian does."""
    if key in values:
        return values[key]
    return next((value for name, value in values.items() if name.lower() == key), None)


def _flat(value: Any) -> Iterator[str]:
    if isinstance(value, (list, tuple)):
        for item in value:
            yield from _flat(item)
    elif isinstance(value, bool):
        yield "true" if value else "false"
    elif value is not None and not isinstance(value, dict):
        yield str(value)
