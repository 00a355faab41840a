"""Canvases (JSON Canvas 1.0): text cards are read as Markdown, file cards and arrows as links.

Every card and every arrow has a line of its own in the reading, so that each mention has a place; those of
file cards and arrows are empty.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mindnet.markdown.body import read_body
from mindnet.markdown.json_items import read_items
from mindnet.markdown.lines import split_lines
from mindnet.markdown.reading import Pages, text_of
from mindnet.markdown.tags import unique
from mindnet.records import Block, Fault, Heading, Mention, ParsedNote
from mindnet.vault.names import is_note_name, nfc

#: A card is looked for in at most so many groups, which keeps the time in proportion to the file.
MOST_GROUPS = 500
#: Type of a node to the key of its text.
TEXTS: Mapping[str, str] = {"text": "text", "file": "file", "link": "url", "group": "label"}


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on the plane; ``y`` grows downwards."""

    x: float
    y: float
    width: float
    height: float

    @property
    def area(self) -> float:
        return self.width * self.height


@dataclass(frozen=True, slots=True)
class Groups:
    """The groups that have a label, the largest first: of two around a card the outer one."""

    #: Left, right, top, bottom and label.
    bounds: Sequence[tuple[float, float, float, float, str]]

    @classmethod
    def of(cls, found: Sequence[tuple[Box, str]]) -> Groups:
        ordered = sorted(found, key=lambda group: -group[0].area)
        return cls([(box.x, box.x + box.width, box.y, box.y + box.height, label) for box, label in ordered])

    def around(self, box: Box | None) -> tuple[str, ...]:
        """The labels of those in which the centre of the box lies."""
        if box is None:
            return ()
        x, y = box.x + box.width / 2, box.y + box.height / 2
        return tuple(
            label for left, right, top, bottom, label in self.bounds if left <= x <= right and top <= y <= bottom
        )


@dataclass(frozen=True, slots=True)
class Node:
    """A card or group. ``text`` is what its type is about; ``line`` is that of the file."""

    type: str
    text: str
    section: str
    line: int
    box: Box | None

    @property
    def is_note(self) -> bool:
        """Whether this card shows a note; one without a suffix can be nothing else."""
        name = self.text.strip().rpartition("/")[2]
        shows_note = is_note_name(name) or (bool(name) and "." not in name)
        return self.type == "file" and shows_note


def parse_canvas(path: str, text: str) -> ParsedNote:
    """Parse a canvas; never raises, whatever the text.

    Broken JSON and odd values are a fault each, and what can be read is read. Groups give the cards whose
    centre lies inside them their label as heading path. A canvas without any text has its title and the
    labels of its groups as text, so that it can be found by them.
    """
    return _Canvas(path, text).parse()


class _Canvas:
    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text
        self.pages = Pages(path, text)
        self.headings: list[Heading] = []
        self.blocks: list[Block] = []
        self.mentions: list[Mention] = []
        self.tags: list[str] = []
        self.faults: list[Fault] = []
        #: Cards by id, and where the text of a text card begins, 0 without text.
        self._cards: dict[str, tuple[Node, int]] = {}

    def parse(self) -> ParsedNote:
        found = read_items(self.text, ("nodes", "edges"))
        nodes: list[tuple[str, Node]] = []
        arrows: list[tuple[int, Mapping[str, Any]]] = []
        for item in found.items:
            line = self.pages.line_of(item.offset)
            value = item.value
            if not isinstance(value, dict):
                self.pages.odd(line, f"An entry of {item.name!r} is no object")
            elif item.name == "edges" or (not item.name and "fromNode" in value):
                arrows.append((line, value))
            elif item.name or text_of(value.get("type")) in TEXTS:
                node = self._node(value, line)
                if node is not None:
                    nodes.append((_id(value.get("id")), node))
        groups = self._groups([node for _, node in nodes])
        for name, node in nodes:
            start = self._place(node, groups)
            if name:
                self._cards.setdefault(name, (node, start))
        if nodes and not self.blocks:
            labels = [(node.text, node.line) for _, node in nodes if node.type == "group"]
            self.blocks.append(self.pages.name(labels))
        for line, arrow in arrows:
            self.mentions += self._arrow(arrow, line, whole=found.error is None)
        return ParsedNote(
            path=self.path,
            text=self.text,
            frontmatter={},
            frontmatter_lines={},
            body_line=1,
            headings=tuple(self.headings),
            blocks=tuple(self.blocks),
            mentions=tuple(self.mentions),
            tags=unique(self.tags),
            aliases=(),
            faults=(*self.pages.faults(found.error), *self.faults),
            reading=self.pages.reading(),
        )

    # -------------------------------------------------------------- cards
    def _node(self, value: Mapping[str, Any], line: int) -> Node | None:
        kind = text_of(value.get("type"))
        key = TEXTS.get(kind or "")
        if kind is None or key is None:
            self.pages.odd(
                line, "A node is of no type that a canvas has" if kind is None else f"No node is of type {kind[:40]!r}"
            )
            return None
        text = text_of(value.get(key))
        if text is None and (kind != "group" or value.get(key) is not None):
            self.pages.odd(line, f"The {key!r} of a node of type {kind!r} is no text")
            return None
        section = nfc(
            "#".join(part for one in (text_of(value.get("subpath")) or "").split("#") if (part := one.strip()))
        )
        return Node(kind, text or "", section, line, _box(value))

    def _groups(self, nodes: Sequence[Node]) -> Groups:
        found = [
            (node.box, label)
            for node in nodes
            if node.type == "group" and node.box is not None and (label := nfc(" ".join(node.text.split())))
        ]
        if len(found) > MOST_GROUPS:
            line = next(node.line for node in nodes if node.type == "group")
            message = f"The canvas has {len(found)} groups; only the first {MOST_GROUPS} give headings to their cards."
            self.faults.append(Fault(self.path, line, "canvas_groups", message))
        return Groups.of(found[:MOST_GROUPS])

    def _place(self, node: Node, groups: Groups) -> int:
        """Put a card into the reading and read it; where its text begins, 0 without text."""
        if node.type != "text":
            line = self.pages.add([""], node.line)
            if node.is_note:
                target = nfc(node.text.strip())
                self.mentions.append(Mention("canvas", None, target, node.section, "", line, 0))
            return 0
        lines = split_lines(node.text)
        first = self.pages.add(lines, node.line)
        body = read_body(self.path, lines, first)
        self.headings += body.headings
        self.blocks += body.blocks
        self.mentions += body.links.mentions
        self.tags += body.links.tags
        self.faults += map(self.pages.in_file, body.links.faults)
        if not body.blocks:
            return 0
        self.pages.stretch(body.blocks[0].start_line, groups.around(node.box))
        return body.blocks[0].start_line

    # -------------------------------------------------------------- arrows
    def _arrow(self, arrow: Mapping[str, Any], line: int, *, whole: bool) -> Iterator[Mention]:
        """What an arrow says: a relation between the notes of two cards, or from a text to a note, or from a note.

        Of a file that is not ``whole`` a card may be missing that is there.
        """
        ends = []
        for key in ("fromNode", "toNode"):
            card = self._cards.get(_id(arrow.get(key)))
            if card is None:
                if whole:
                    self.pages.odd(line, f"The {key!r} of an edge is no node of this canvas")
                return
            ends.append(card)
        label = nfc(" ".join((text_of(arrow.get("label")) or "").split()))
        at = self.pages.add([""], line)
        pointed = [arrow.get("fromEnd", "none") == "arrow", arrow.get("toEnd", "arrow") == "arrow"]
        # A line without a head is read as it was drawn.
        ways = ([ends[::-1]] if pointed[0] else []) + ([ends] if pointed[1] or not pointed[0] else [])
        for (source, start), (target, text) in ways:
            where = nfc(target.text.strip())
            if target.is_note and source.is_note:
                yield Mention(
                    "canvas", label or None, where, target.section, label, at, 0, from_note=nfc(source.text.strip())
                )
            elif target.is_note and start:
                yield Mention("canvas", label or None, where, target.section, label, at, 0, from_line=start)
            elif text and source.is_note:
                yield Mention("canvas", None, "", "", label, at, 0, from_note=nfc(source.text.strip()))


def _box(value: Mapping[str, Any]) -> Box | None:
    numbers = [value.get(key) for key in ("x", "y", "width", "height")]
    found = [number for number in numbers if isinstance(number, float)]
    return Box(*found) if len(found) == len(numbers) else None


def _id(value: Any) -> str:
    """An id, which may also be a number; "" for none."""
    return str(value) if isinstance(value, (str, float)) else ""
