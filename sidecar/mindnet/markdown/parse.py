"""From a note's text to its structure: the one way into this layer."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from mindnet.markdown.document import read_document
from mindnet.markdown.frontmatter import Frontmatter, read_frontmatter
from mindnet.markdown.lines import split_lines
from mindnet.markdown.links import read_links
from mindnet.records import ParsedNote

_SEPARATORS = re.compile(r"[,\s]+")
_COMMAS = re.compile(r"\s*,\s*")
TAG_KEYS = ("tags", "tag")
ALIAS_KEYS = ("aliases", "alias")


def parse_note(path: str, text: str) -> ParsedNote:
    """The structure of a note. Any text has one: faults are reported on it, never raised."""
    lines = split_lines(text)
    head = read_frontmatter(path, lines)
    document = read_document(lines, head.body_line)
    mentions, inline_tags = read_links(lines, head.body_line, document)
    written_tags = [tag for value in _values(head, TAG_KEYS) for tag in _SEPARATORS.split(value)]
    tags = [tag for tag in (tag.lstrip("#").strip("/") for tag in [*written_tags, *inline_tags]) if tag]
    aliases = [alias for value in _values(head, ALIAS_KEYS, split=True) for alias in [value.strip()] if alias]
    return ParsedNote(
        path=path,
        text=text,
        frontmatter=head.values,
        frontmatter_lines=head.lines,
        body_line=head.body_line,
        headings=document.headings,
        blocks=document.blocks,
        mentions=(*head.mentions, *mentions),
        tags=_once(tags),
        aliases=_once(aliases),
        faults=head.faults,
    )


def _values(head: Frontmatter, keys: Iterable[str], *, split: bool = False) -> list[str]:
    """The values under keys, case aside, as strings: of a list its items, of a text (if ``split``) its parts."""
    found: list[str] = []
    for name, value in head.values.items():
        if name.lower() not in keys:
            continue
        if isinstance(value, list):
            found += [_text(item) for item in value if item is not None]
        elif isinstance(value, str) and split:
            found += _COMMAS.split(value)
        elif value is not None:
            found.append(_text(value))
    return found


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return value if isinstance(value, str) else str(value)


def _once(values: Iterable[str]) -> tuple[str, ...]:
    seen: dict[str, str] = {}
    for value in values:
        seen.setdefault(value.casefold(), value)
    return tuple(seen.values())
