"""Frontmatter: where it is, what it says, and what can be saved of it when it is broken."""

from __future__ import annotations

import bisect
import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import MarkedYAMLError, YAMLError
from ruamel.yaml.nodes import MappingNode, Node, ScalarNode, SequenceNode

from mindnet.markdown.properties import Double, Entry, Leaf, read_properties
from mindnet.markdown.scalars import plain_scalar
from mindnet.records import Fault

_FENCE = re.compile(r"---[ \t]*\Z")
_KEY_LINE = re.compile(
    r"(?P<key>\"[^\"]*\"|'[^']*'|[^\s#\-:][^:]*?|-[^\s:][^:]*?)[ \t]*:(?:[ \t]+(?P<value>.*))?[ \t]*\Z"
)
_RAW_ITEM = re.compile(r"[ \t]*-[ \t]+(.*)")
#: A list in brackets with items that YAML refuses, as in ``[#a, #b]``.
_RAW_FLOW_ITEM = re.compile(r"(?:\[\[[^\[\]]*\]\]|[^,\[\]])+")
_RAW_FLOW = re.compile(rf"\[({_RAW_FLOW_ITEM.pattern}(?:,{_RAW_FLOW_ITEM.pattern})*)\]\Z")
_EMBED = re.compile(r"!\[\[[^\[\]\n]*\]\]")
_HALVES = re.compile("[\ud800-\udfff]")
#: Anchors may name a list many times over; a note whose values unfold to more than this is refused as YAML.
_MOST_NODES = 20_000


@dataclass(frozen=True, slots=True)
class Frontmatter:
    """What the frontmatter of one file says. ``body_line`` is the first line behind it, 1 if there is none."""

    values: Mapping[str, Any]
    lines: Mapping[str, int]
    leaves: tuple[Leaf, ...]
    body_line: int
    faults: tuple[Fault, ...] = ()


class _NotReadableError(Exception):
    """The YAML is valid but says nothing that a note's properties can be, at this index of the source."""

    def __init__(self, problem: str, index: int) -> None:
        super().__init__(problem)
        self.problem = problem
        self.index = index


def read_frontmatter(path: str, lines: Sequence[str]) -> Frontmatter:
    """Read the frontmatter of a file, given its lines; never raises.

    It is there only if the first line is ``---`` and a later line is ``---`` (blanks behind it are allowed).
    Values are JSON values; of a key that stands twice, also deeper down, the **last** value counts, with a
    fault. Where the YAML is broken, each top-level key is read alone and a value that still makes no sense is
    kept as its raw text, with one fault for the file that names the first bad line. Where there is text but
    not one key, the first ``---`` was a rule: nothing is frontmatter, so that none of the text is lost.
    """
    if not lines or not _FENCE.match(lines[0]):
        return Frontmatter({}, {}, (), 1)
    end = next((index for index in range(1, len(lines)) if _FENCE.match(lines[index])), None)
    if end is None:
        message = "The frontmatter is opened by --- but never closed: the whole file is read as text."
        return Frontmatter({}, {}, (), 1, (Fault(path, 1, "frontmatter_unclosed", message),))
    inner = lines[1:end]
    faults: list[Fault] = []
    entries = read_properties(inner, 2)
    if entries is None:
        try:
            entries = parse_yaml("\n".join(inner) + "\n", 2)
        except _NotReadableError as error:
            line = 2 + min("\n".join(inner).count("\n", 0, max(error.index, 0)), len(inner) - 1)
            entries = list(_recover(inner, 2))
            read = "its keys were read one by one" if entries else "it has no keys and was read as text"
            message = f"The frontmatter is not valid YAML ({error.problem}); {read}."
            faults.append(Fault(path, line, "frontmatter", message))
            if not entries:
                return Frontmatter({}, {}, (), 1, tuple(faults))
    kept: dict[str, Entry] = {}
    for entry in entries:
        doubles = entry.doubles
        if entry.key in kept:
            doubles = (Double(entry.key, kept[entry.key].line, entry.line), *doubles)
        for double in doubles:
            twice = f"The key {double.key!r} stands twice, in lines {double.first} and {double.second}"
            faults.append(Fault(path, double.second, "frontmatter_duplicate", f"{twice}: the last counts."))
        kept[entry.key] = entry
    return Frontmatter(
        values={key: entry.value for key, entry in kept.items()},
        lines={key: entry.line for key, entry in kept.items()},
        leaves=tuple(leaf for entry in kept.values() for leaf in entry.leaves),
        body_line=end + 2,
        faults=tuple(faults),
    )


def parse_yaml(source: str, first_line: int) -> list[Entry]:
    """Read a YAML mapping into entries, by the YAML parser.

    Only the tree of nodes is built by the library; values are made here, since they must be JSON and the
    nodes know the place of each link. Raises _NotReadableError for anything that is no mapping of plain keys.
    """
    try:
        root = _yaml().compose(source)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        if "end of stream" in (error.problem or ""):
            mark = error.context_mark or mark  # Where the quote was opened, not where the text ran out.
        raise _NotReadableError(error.problem or "syntax", mark.index if mark else 0) from None
    except YAMLError as error:
        raise _NotReadableError(str(getattr(error, "reason", "syntax")), getattr(error, "position", 0)) from None
    except Exception as error:  # The parser trips over its own feet on some input: to a note that is all the same.
        raise _NotReadableError(type(error).__name__, 0) from None
    if root is None:
        return []
    if not isinstance(root, MappingNode):
        raise _NotReadableError("no key: value pairs", 0)
    return _Reader(source, first_line).entries(root)


def _yaml() -> YAML:
    # Made anew each time: after an error the instance keeps half of the old state. It costs 20 µs.
    return YAML(typ="safe", pure=True)


class _Reader:
    """Turns YAML nodes into JSON values and leaves, counting what it unfolds."""

    def __init__(self, source: str, first_line: int) -> None:
        self._source = source
        self._first_line = first_line
        self._starts = [0, *(index + 1 for index, char in enumerate(source) if char == "\n")]
        self._count = 0
        self._leaves: list[Leaf] = []
        self._doubles: list[Double] = []

    def entries(self, root: MappingNode) -> list[Entry]:
        found = []
        for key_node, node in root.value:
            key = self._key(key_node)
            self._leaves, self._doubles = [], []
            try:
                value = self._value(node, (key,))
            except RecursionError:
                raise _NotReadableError("values nested too deep", node.start_mark.index) from None
            found.append(Entry(key, self._line(key_node), value, tuple(self._leaves), tuple(self._doubles)))
        return found

    def _line(self, node: Node) -> int:
        # Not the mark's own line: the library also counts U+2028 and U+0085 as line ends.
        return self._first_line + bisect.bisect_right(self._starts, node.start_mark.index) - 1

    def _key(self, node: Node) -> str:
        if not isinstance(node, ScalarNode):
            raise _NotReadableError("a key that is itself a list or mapping", node.start_mark.index)
        return _whole(str(node.value))

    def _value(self, node: Node, keys: tuple[str, ...]) -> Any:
        self._count += 1
        if self._count > _MOST_NODES:
            raise _NotReadableError("more values than a note can have", node.start_mark.index)
        if isinstance(node, ScalarNode):
            return self._scalar(node, keys)
        if isinstance(node, SequenceNode):
            return self._sequence(node, keys)
        return self._mapping(node, keys)

    def _mapping(self, node: Node, keys: tuple[str, ...]) -> dict[str, Any]:
        values: dict[str, Any] = {}
        leaves: dict[str, list[Leaf]] = {}
        lines: dict[str, int] = {}
        before, self._leaves = self._leaves, []
        for key_node, child in node.value:
            key, line = self._key(key_node), self._line(key_node)
            if key in lines:
                self._doubles.append(Double(key, lines[key], line))
            self._leaves = []
            values[key], lines[key] = self._value(child, (*keys, key)), line
            leaves[key] = self._leaves
        self._leaves = [*before, *itertools.chain.from_iterable(leaves.values())]
        return values

    def _scalar(self, node: ScalarNode, keys: tuple[str, ...]) -> Any:
        start = node.start_mark.index
        if embed := _EMBED.match(self._source, start):
            # For YAML the exclamation mark begins a tag, which would swallow the link.
            self._leaves.append(Leaf(keys, embed[0], self._line(node)))
            return embed[0]
        plain = node.style is None and not self._source.startswith("!", start)
        value = plain_scalar(node.value) if plain else _whole(node.value)
        if value is not None and not isinstance(value, bool):
            self._leaves += self._texts(node, keys, str(value))
        return value

    def _texts(self, node: ScalarNode, keys: tuple[str, ...], text: str) -> Iterator[Leaf]:
        """Give a scalar's text; one of several lines line by line, if no link runs over a line's end."""
        rows = self._source[node.start_mark.index : node.end_mark.index].split("\n")
        line = self._line(node)
        if len(rows) > 1 and "[[" in text and all(row.count("[[") == row.count("]]") for row in rows):
            yield from (Leaf(keys, row.strip(), line + index) for index, row in enumerate(rows) if "[[" in row)
        else:
            yield Leaf(keys, text, line)

    def _sequence(self, node: SequenceNode, keys: tuple[str, ...]) -> Any:
        if len(node.value) == 1 and isinstance(node.value[0], SequenceNode) and node.flow_style:
            written = self._source[node.start_mark.index : node.end_mark.index]
            if written.startswith("[[") and written.endswith("]]"):
                inner, self._leaves = self._leaves, []
                value = [self._value(child, keys) for child in node.value]
                self._leaves = [*inner, Leaf(keys, " ".join(written.split()), self._line(node))]
                return value
        return [self._value(child, keys) for child in node.value]


def _recover(lines: Sequence[str], first_line: int) -> Iterator[Entry]:
    """Read each top-level key with the lines below it alone; what is still broken is kept as text."""
    starts = [index for index, line in enumerate(lines) if _KEY_LINE.match(line)]
    for start, end in itertools.pairwise([*starts, len(lines)]):
        block = list(lines[start:end])
        while len(block) > 1 and not block[-1].strip():
            block.pop()
        yield _recover_key(block, first_line + start)


def _recover_key(block: list[str], line: int) -> Entry:
    attempts = [block, [row.replace("\t", "  ") for row in block]]
    for attempt in attempts if attempts[0] != attempts[1] else attempts[:1]:
        try:
            entries = parse_yaml("\n".join(attempt) + "\n", line)
        except _NotReadableError:
            continue
        if len(entries) == 1:
            return entries[0]
    match = _KEY_LINE.match(block[0])
    assert match is not None, "a block begins with a key"
    key, value = match["key"].strip("\"'"), (match["value"] or "").strip()
    if not value and all(_RAW_ITEM.match(row) for row in block[1:] if row.strip()):
        items = [(line + index, found[1].strip()) for index, row in enumerate(block) if (found := _RAW_ITEM.match(row))]
        leaves = tuple(Leaf((key,), _unquoted(text), at) for at, text in items)
        return Entry(key, line, [leaf.text for leaf in leaves], leaves)
    if len(block) == 1 and (flow := _RAW_FLOW.match(value)):
        leaves = tuple(Leaf((key,), _unquoted(text.strip()), line) for text in _RAW_FLOW_ITEM.findall(flow[1]))
        return Entry(key, line, [leaf.text for leaf in leaves], leaves)
    rows = [value, *(row.strip() for row in block[1:])]
    text = _unquoted("\n".join(rows).strip())
    leaves = tuple(Leaf((key,), _unquoted(row), line + index) for index, row in enumerate(rows) if row)
    return Entry(key, line, text, leaves)


def _whole(text: str) -> str:
    """Join surrogate halves, which escapes as in JSON leave; a lone one becomes U+FFFD."""
    if _HALVES.search(text) is None:
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def _unquoted(text: str) -> str:
    """Drop a pair of quotes, or the lone one that broke the YAML."""
    if text[:1] in ("'", '"') and text:
        return text[1:].removesuffix(text[0])
    return text
