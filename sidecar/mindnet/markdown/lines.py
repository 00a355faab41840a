"""Lines of a file: what every line number in mindnet counts."""

from __future__ import annotations


def split_lines(text: str) -> list[str]:
    r"""Split text at ``\n``, ``\r\n`` and ``\r``, and nowhere else, without the line ends.

    ``str.splitlines`` also cuts at U+2028, form feeds and the like, which no editor counts. Text that
    ends in a line end has an empty last line; the empty text is one empty line. Byte order marks, which
    some editors leave at the start or between joined files, are no text and dropped.
    """
    if "\ufeff" in text:
        text = text.replace("\ufeff", "")
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.split("\n")
