"""A stretch of Markdown lines to its structure: headings, blocks, mentions, tags."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mindnet.markdown.document import may_hold, read_document
from mindnet.markdown.inline import scan
from mindnet.markdown.links import read_mentions
from mindnet.markdown.passages import Passage
from mindnet.markdown.remarks import relation_faults
from mindnet.markdown.tags import inline_tags
from mindnet.records import Block, Fault, Heading, Mention


@dataclass(frozen=True, slots=True)
class Links:
    """What is found in running text: mentions in the order of the lines, tags as they come, faults."""

    mentions: list[Mention]
    tags: list[str]
    faults: list[Fault]


@dataclass(frozen=True, slots=True)
class Body:
    headings: tuple[Heading, ...]
    blocks: tuple[Block, ...]
    links: Links


def read_body(path: str, lines: Sequence[str], first_line: int) -> Body:
    """Read lines that count from ``first_line``; faults are reported under ``path``. Never raises."""
    document = read_document(lines, first_line)
    links = read_passages(path, document.passages)
    if document.problem:
        message = f"The Markdown structure could not be read ({document.problem}); the note is read as plain text."
        links.faults.insert(0, Fault(path, first_line, "structure", message))
    return Body(document.headings, document.blocks, links)


def read_passages(path: str, passages: Iterable[Passage]) -> Links:
    """Read passages for links and tags. A link's plain mention comes before its relations."""
    mentions: list[Mention] = []
    tags: list[str] = []
    faults: list[Fault] = []
    carried: dict[int, tuple[str, bool]] = {}
    for passage in passages:
        if not passage.callout and not may_hold(passage.text):
            continue
        scanned = scan(passage.text, passage.kind == "html")
        if scanned.links or passage.callout:
            mentions += read_mentions(passage, scanned, carried)
        tags += inline_tags(scanned.bare, passage.text)
        if scanned.links:
            faults += relation_faults(path, passage, scanned)
    mentions.sort(key=lambda mention: (mention.line, mention.column))
    return Links(mentions, tags, faults)
