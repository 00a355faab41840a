"""What is odd about the relations in running text: meant as one, but read as none."""

from __future__ import annotations

import re
from collections.abc import Iterator

from mindnet.markdown.inline import HIDDEN, Scanned
from mindnet.markdown.links import LINE_RELATION, targets_behind
from mindnet.markdown.passages import Passage
from mindnet.records import Fault

_BEGINNING = re.compile(r"(?<![\w:/])rel:[ \t\u00a0]", re.IGNORECASE)
_ENDS = ("\n", ". ", "rel:", HIDDEN)
_LONGEST = 60
"""A link further behind ``rel:`` than so many characters has nothing to do with it."""


def relation_faults(path: str, passage: Passage, scanned: Scanned) -> Iterator[Fault]:
    """``relation_without_target`` for ``[[rel:kind]]``, ``relation_unread`` for ``rel: two words [[X]]`` and so on."""
    for link in scanned.links:
        if link.kind is not None and not link.target and not link.section:
            message = f"The relation {link.kind!r} names no note."
            yield Fault(path, _line(passage, link.start), "relation_without_target", message)
    if "rel:" in scanned.bare.lower():
        yield from _unread(path, passage, scanned)


def _unread(path: str, passage: Passage, scanned: Scanned) -> Iterator[Fault]:
    read = {
        match.start() for match in LINE_RELATION.finditer(scanned.bare) if next(targets_behind(match, scanned), None)
    }
    starts = [link.start for link in scanned.links if link.is_note]
    for match in _BEGINNING.finditer(scanned.bare):
        if match.start() in read:
            continue
        first = next((start for start in starts if start >= match.end()), None)
        between = "" if first is None else scanned.bare[match.end() : first]
        if first is None or len(between) > _LONGEST or any(sign in between.lower() for sign in _ENDS):
            continue
        written = between.strip()
        message = f"`{f'rel: {written}'.strip()}` is no relation: write one word behind `rel:` and then the link"
        if re.fullmatch(r"\w+(?: \w+)+", written):
            message += f", as in `rel: {written.replace(' ', '_')} [[…]]`"
        yield Fault(path, _line(passage, match.start()), "relation_unread", f"{message}.")


def _line(passage: Passage, offset: int) -> int:
    return passage.origins[passage.text.count("\n", 0, offset)][0]
