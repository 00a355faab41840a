"""Lines of a file: what every line number in mindnet counts."""

from __future__ import annotations


def split_lines(text: str) -> list[str]:
    r"""Split text at ``\n``, ``\r\n`` and ``\r``, and nowhere else, without the line ends.

    ``str.splitlines`` also cuts at U+2028, form feeds and the like, which no editor counts. Text that
    ends in a line end has an empty last line; the empty text is one empty line. Byte order marks, which
    some editors leave at the start or between joined files, are no text and dropped.
    """
    return _with_plain_ends(text).split("\n")


def text_from(text: str, line: int) -> str:
    """The text from one of its lines on (counted from 1), as ``split_lines`` gives it, joined by line feeds."""
    text = _with_plain_ends(text)
    start = 0
    for _ in range(line - 1):
        start = text.find("\n", start) + 1
        if not start:
            return ""
    return text[start:]


def _with_plain_ends(text: str) -> str:
    if "\ufeff" in text:
        text = text.replace("\ufeff", "")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text
