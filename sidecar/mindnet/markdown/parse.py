"""From a file's text to its structure, in one call, whatever kind of file it is."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from mindnet.markdown.body import read_body
from mindnet.markdown.canvas import parse_canvas
from mindnet.markdown.excalidraw import is_drawing, parse_drawing, parse_scene
from mindnet.markdown.frontmatter import read_frontmatter
from mindnet.markdown.lines import split_lines
from mindnet.markdown.links import frontmatter_mentions
from mindnet.markdown.tags import frontmatter_aliases, frontmatter_tags, unique
from mindnet.records import ParsedNote

#: Suffix to the parser of files that are no Markdown.
OTHERS: Mapping[str, Callable[[str, str], ParsedNote]] = {"canvas": parse_canvas, "excalidraw": parse_scene}


def parse_note(path: str, text: str) -> ParsedNote:
    """Parse one note; never raises, whatever the text.

    ``path`` is the vault path that faults are reported under; its suffix says what the text is, Markdown
    unless it is one of ``OTHERS``. Mentions come in the order of the file, a link's plain mention before its
    relations; lines count from 1, columns from 0 in characters.
    """
    other = OTHERS.get(path.rpartition(".")[2].lower())
    if other is not None:
        return other(path, text)
    lines = split_lines(text)
    frontmatter = read_frontmatter(path, lines)
    if is_drawing(path, frontmatter):
        body, reading = parse_drawing(path, lines, frontmatter.body_line)
    else:
        body, reading = read_body(path, lines[frontmatter.body_line - 1 :], frontmatter.body_line), None
    return ParsedNote(
        path=path,
        text=text,
        frontmatter=frontmatter.values,
        frontmatter_lines=frontmatter.lines,
        body_line=frontmatter.body_line,
        headings=body.headings,
        blocks=body.blocks,
        mentions=(*frontmatter_mentions(frontmatter.leaves), *body.links.mentions),
        tags=unique([*frontmatter_tags(frontmatter.values), *body.links.tags]),
        aliases=unique(frontmatter_aliases(frontmatter.values)),
        faults=(*frontmatter.faults, *body.links.faults),
        reading=reading,
    )
