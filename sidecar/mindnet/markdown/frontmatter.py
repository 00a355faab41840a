"""The YAML block at the head of a note: its values as JSON, its links, its faults. It never loses a note.

Scalars are read by YAML 1.2's core rules, so that ``12:30``, ``yes`` and dates stay the text that
was written. Of a key that stands twice the last value counts. Where the block as a whole is not
YAML, each key is read by itself, and one that still is not keeps its text.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import yaml

from mindnet.markdown.scan import Link, find_links
from mindnet.records import Fault, Mention

_Base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
FENCE = re.compile(r"---[ \t]*$")
_TOP_KEY = re.compile(r"(?P<key>\"[^\"]*\"|'[^']*'|[^\s#\-\[\]{}\"'&*!|>%@`:][^:]*?)\s*:(?=\s|$)")
_MAX_NODES = 20_000
LINKS_KEY = "links"


class _Loader(_Base):  # type: ignore[misc]
    """The safe loader with YAML 1.2's core scalars: no dates, no base 60, no ``yes``."""

    yaml_implicit_resolvers: dict[str, list[tuple[str, re.Pattern[str]]]] = {}  # noqa: RUF012


for _tag, _expression, _first in (
    ("tag:yaml.org,2002:bool", r"^(?:true|True|TRUE|false|False|FALSE)$", "tTfF"),
    ("tag:yaml.org,2002:null", r"^(?:~|null|Null|NULL|)$", ["~", "n", "N", ""]),
    ("tag:yaml.org,2002:int", r"^[-+]?[0-9]+$", "-+0123456789"),
    ("tag:yaml.org,2002:float", r"^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$", "-+0123456789."),
):
    _Loader.add_implicit_resolver(_tag, re.compile(_expression), list(_first))


@dataclass(frozen=True, slots=True)
class Frontmatter:
    """``values`` hold JSON values only; ``lines`` map top-level keys to file lines."""

    values: Mapping[str, Any]
    lines: Mapping[str, int]
    mentions: tuple[Mention, ...]
    faults: tuple[Fault, ...]
    body_line: int


@dataclass(slots=True)
class _Reading:
    """State of one note's reading: ``offset`` is added to a node's line to give the file's."""

    path: str
    source: Sequence[str]
    offset: int
    values: dict[str, Any] = field(default_factory=dict)
    lines: dict[str, int] = field(default_factory=dict)
    mentions: list[Mention] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    nodes: int = 0


def read_frontmatter(path: str, lines: Sequence[str]) -> Frontmatter:
    """The frontmatter of a note's lines: only between a first line ``---`` and a later one."""
    if not lines or not FENCE.match(lines[0]):
        return Frontmatter({}, {}, (), (), 1)
    end = next((index for index in range(1, len(lines)) if FENCE.match(lines[index])), None)
    if end is None:
        fault = Fault(path, 1, "frontmatter_open", "`---` in line 1 is never closed: the whole note is read as text")
        return Frontmatter({}, {}, (), (fault,) if any(map(_TOP_KEY.match, lines[1:3])) else (), 1)
    reading = _Reading(path, lines[1:end], 2)
    if any(line.strip() for line in reading.source):
        _read(reading)
    return Frontmatter(reading.values, reading.lines, tuple(reading.mentions), tuple(reading.faults), end + 2)


def _read(reading: _Reading) -> None:
    try:
        root = _compose("\n".join(reading.source))
        if root is None:
            return
        if not isinstance(root, yaml.MappingNode):
            raise _NotAMappingError(root.start_mark.line)
        _take(reading, root)
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        line, problem = _fault_of(error)
        message = f"the frontmatter is not valid YAML ({problem}); each key was read by itself"
        reading.faults[:] = [Fault(reading.path, line + reading.offset, "frontmatter", message)]
        reading.values.clear()
        reading.lines.clear()
        reading.mentions.clear()
        _recover(reading)


class _NotAMappingError(ValueError):
    def __init__(self, line: int) -> None:
        super().__init__("expected `key: value` lines")
        self.line = line


def _fault_of(error: Exception) -> tuple[int, str]:
    mark = getattr(error, "problem_mark", None)
    line = getattr(error, "line", None)
    problem = getattr(error, "problem", None) or str(error).splitlines()[0] or type(error).__name__
    return (mark.line if mark is not None else line if isinstance(line, int) else 0), problem


def _compose(text: str) -> yaml.Node | None:
    loader = _Loader(text)
    try:
        node: yaml.Node | None = loader.get_single_node()
    finally:
        loader.dispose()
    return node


def _take(reading: _Reading, root: yaml.MappingNode, shift: int = 0) -> None:
    for key_node, value_node in root.value:
        key = _key(key_node)
        line = key_node.start_mark.line + reading.offset + shift
        if key in reading.values:
            message = f"`{key}` stands twice in the frontmatter; the last value counts"
            reading.faults.append(Fault(reading.path, line, "frontmatter_duplicate", message))
            reading.mentions[:] = [m for m in reading.mentions if m.kind != key]
        reading.lines[key] = line
        reading.values[key] = _value(reading, value_node, 0)
        reading.mentions.extend(_links(reading, key, value_node, shift))


def _recover(reading: _Reading) -> None:
    """Reads each top-level key with the lines below it alone; what is not YAML even so is kept as text."""
    starts = [index for index, line in enumerate(reading.source) if _TOP_KEY.match(line)]
    for start, end in pairwise([*starts, len(reading.source)]):
        block = reading.source[start:end]
        try:
            node = _compose("\n".join(block))
            if isinstance(node, yaml.MappingNode) and len(node.value) == 1:
                _take(reading, node, start)
                continue
        except (yaml.YAMLError, RecursionError, ValueError):
            pass
        match = _TOP_KEY.match(block[0])
        assert match is not None
        key = match["key"].strip("\"'")
        rest = [block[0][match.end() :].strip(), *(line.strip() for line in block[1:])]
        reading.values[key] = "\n".join(part for part in rest if part)
        reading.lines[key] = start + reading.offset
        for number, line in enumerate(block):
            reading.mentions.extend(_mention(key, link, start + number + reading.offset) for link in find_links(line))


# ------------------------------------------------------------------ values
def _key(node: yaml.Node) -> str:
    if isinstance(node, yaml.ScalarNode):
        return str(node.value)
    # `{{title}}`: a template's marker, not data.
    raise _NotAMappingError(node.start_mark.line)


def _value(reading: _Reading, node: yaml.Node, depth: int) -> Any:
    reading.nodes += 1
    if reading.nodes > _MAX_NODES or depth > 50:
        raise _NotAMappingError(node.start_mark.line)
    if isinstance(node, yaml.ScalarNode):
        return _scalar(node)
    if isinstance(node, yaml.SequenceNode):
        return [_value(reading, item, depth + 1) for item in node.value]
    assert isinstance(node, yaml.MappingNode)
    return {_key(key): _value(reading, value, depth + 1) for key, value in node.value}


def _scalar(node: yaml.ScalarNode) -> Any:
    text: str = node.value
    kind = node.tag.rsplit(":", 1)[-1]
    if kind == "null":
        return None
    if kind == "bool":
        return text.lower() == "true"
    if kind == "int":
        # Beyond what JSON readers hold exactly, and with leading zeros, a number is a name.
        return int(text) if len(text.lstrip("-+")) <= 15 and not re.match(r"[-+]?0\d", text) else text
    if kind == "float":
        number = float(text)
        return number if math.isfinite(number) else text
    return text


# ------------------------------------------------------------------ links
def _links(reading: _Reading, key: str, node: yaml.Node, shift: int) -> Iterator[Mention]:
    """Links in a value; under ``links:`` the inner keys are the kinds, and bare strings count as targets."""
    if key == LINKS_KEY and isinstance(node, yaml.MappingNode):
        for inner, value in node.value:
            yield from _links_below(reading, _key(inner), value, shift, bare=True)
    else:
        yield from _links_below(reading, key, node, shift, bare=key == LINKS_KEY)


def _links_below(reading: _Reading, kind: str, node: yaml.Node, shift: int, *, bare: bool) -> Iterator[Mention]:
    line = node.start_mark.line + reading.offset + shift
    if isinstance(node, yaml.ScalarNode):
        found = find_links(node.value)
        yield from (_mention(kind, link, line) for link in found)
        if bare and not found and node.value.strip() and node.tag.endswith(":str"):
            yield Mention("frontmatter", kind, node.value.strip(), "", "", line, node.start_mark.column)
    elif isinstance(node, yaml.SequenceNode):
        written = _unquoted_link(reading, node, shift)
        if written is not None:
            yield from (_mention(kind, link, line) for link in find_links(written))
            return
        for item in node.value:
            yield from _links_below(reading, kind, item, shift, bare=bare)
    elif isinstance(node, yaml.MappingNode):
        for _, value in node.value:
            yield from _links_below(reading, kind, value, shift, bare=False)


def _unquoted_link(reading: _Reading, node: yaml.SequenceNode, shift: int) -> str | None:
    """``[[X]]`` without quotes is a list in a list for YAML: the text as it was written, else None."""
    if not node.flow_style or len(node.value) != 1 or not isinstance(node.value[0], yaml.SequenceNode):
        return None
    start, end = node.start_mark, node.end_mark
    if start.line != end.line:
        return None
    written = reading.source[start.line + shift][start.column : end.column]
    return written if written.startswith("[[") and written.endswith("]]") else None


def _mention(kind: str, link: Link, line: int) -> Mention:
    return Mention("frontmatter", kind, link.target, link.section, link.label, line, link.start)
