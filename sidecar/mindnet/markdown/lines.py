"""Lines as a file has them: they end at LF, CRLF or CR, and at nothing else."""

from __future__ import annotations

import re

_END = re.compile(r"\r\n|\n|\r")


def split_lines(text: str) -> list[str]:
    """The lines without their ends; a last line that is empty does not count."""
    lines = _END.split(text)
    if lines and not lines[-1]:
        lines.pop()
    return lines
