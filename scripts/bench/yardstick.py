"""What the write path is measured by: one plain rendering of the same notes."""

from __future__ import annotations

from collections.abc import Iterable

from markdown_it import MarkdownIt


def render(notes: Iterable[str]) -> None:
    """Renders the texts to HTML with markdown-it-py as it comes."""
    parser = MarkdownIt()
    for text in notes:
        parser.render(text)
