"""From a file's text to its structure, in one call."""

from __future__ import annotations

from mindnet.markdown.document import read_document
from mindnet.markdown.frontmatter import read_frontmatter
from mindnet.markdown.inline import scan
from mindnet.markdown.lines import split_lines
from mindnet.markdown.links import frontmatter_mentions, read_mentions
from mindnet.markdown.tags import frontmatter_aliases, frontmatter_tags, inline_tags, unique
from mindnet.records import Fault, Mention, ParsedNote


def parse_note(path: str, text: str) -> ParsedNote:
    """Parse one note; never raises, whatever the text.

    ``path`` is the vault path that faults are reported under. Mentions come in the order of the file, a
    link's plain mention before its relations; lines count from 1 in the file, columns from 0 in characters.
    """
    lines = split_lines(text)
    frontmatter = read_frontmatter(path, lines)
    document = read_document(lines, frontmatter.body_line)
    faults = list(frontmatter.faults)
    if document.problem:
        message = f"The Markdown structure could not be read ({document.problem}); the note is read as plain text."
        faults.append(Fault(path, frontmatter.body_line, "structure", message))
    mentions: list[Mention] = []
    tags = frontmatter_tags(frontmatter.values)
    carried: dict[int, tuple[str, bool]] = {}
    for passage in document.passages:
        if "[" not in passage.text and "#" not in passage.text and not passage.callout:
            continue
        scanned = scan(passage.text, passage.kind == "html")
        if scanned.links or passage.callout:
            mentions += read_mentions(passage, scanned, carried)
        tags += inline_tags(scanned.bare, passage.text)
        for link in scanned.links:
            if link.kind is not None and not link.target and not link.section:
                line = passage.origins[passage.text.count("\n", 0, link.start)][0]
                faults.append(
                    Fault(path, line, "relation_without_target", f"The relation {link.kind!r} names no note.")
                )
    mentions.sort(key=lambda mention: (mention.line, mention.column))
    return ParsedNote(
        path=path,
        text=text,
        frontmatter=frontmatter.values,
        frontmatter_lines=frontmatter.lines,
        body_line=frontmatter.body_line,
        headings=document.headings,
        blocks=document.blocks,
        mentions=(*frontmatter_mentions(frontmatter.leaves), *mentions),
        tags=unique(tags),
        aliases=unique(frontmatter_aliases(frontmatter.values)),
        faults=tuple(faults),
    )
