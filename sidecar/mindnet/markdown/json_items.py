"""The objects in the lists of a JSON file, each with its place; what can be saved of a broken one.

The standard library reads JSON but does not say where a value stood. So the outermost object and its lists
are walked here, and each entry is read by the library from its place on.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

#: Numbers are places on a plane: a float takes any of them, while an integer of 5,000 digits would be refused.
_DECODER = json.JSONDecoder(strict=False, parse_int=float)
_BLANK = re.compile(r"[ \t\r\n]*")
#: Behind an error objects are tried one by one, wherever one seems to begin.
_OPENING = re.compile(r"\{[ \t\r\n]*\"[^\"\\\n]{0,100}\"[ \t\r\n]*:")
#: They may lie in one another and each be broken at its very end. An attempt that fails costs as many characters
#: as there are up to its error; after so many times the whole text the search is given up.
_PATIENCE = 64


@dataclass(frozen=True, slots=True)
class Item:
    """One value and its offset in the text. ``name`` is that of its list, "" where that could not be seen."""

    name: str
    value: Any
    offset: int


@dataclass(frozen=True, slots=True)
class Items:
    """All that was found, in order. ``error`` is the first offset that is no JSON, and what is wrong there."""

    items: tuple[Item, ...]
    error: tuple[int, str] | None


class _BrokenError(Exception):
    """No JSON at ``offset``; ``resume`` is where it is worth looking on, None for nowhere."""

    def __init__(self, offset: int, problem: str, resume: int | None) -> None:
        super().__init__(problem)
        self.offset = offset
        self.problem = problem
        self.resume = resume


def read_items(text: str, names: Collection[str]) -> Items:
    """Find the entries of the lists called ``names`` in the outermost object; never raises.

    What stands under such a name and is no list comes as one item. An empty text has no items and no error.
    Behind an error every object is looked for that can be read by itself. Linear in the text.
    """
    start = _skip(text, 0)
    items: list[Item] = []
    if start == len(text):
        return Items((), None)
    try:
        end = _skip(text, _object(text, start, names, items))
        if end < len(text):
            raise _BrokenError(end, "text behind the end", end)
    except _BrokenError as broken:
        if broken.resume is not None:
            items += _search(text, broken.resume, names)
        return Items(tuple(items), (broken.offset, broken.problem))
    return Items(tuple(items), None)


def _object(text: str, start: int, names: Collection[str], items: list[Item]) -> int:
    """Walk one object; its end. Items are given to ``items`` as they come, so that an error loses none."""
    at = _expect(text, start, "{")
    if text.startswith("}", at):
        return at + 1
    while True:
        key, at = _value(text, at)
        if not isinstance(key, str):
            raise _BrokenError(at, "a key that is no text", at)
        at = _expect(text, _skip(text, at), ":")
        if key not in names:
            _, at = _value(text, at)
        elif text.startswith("[", at):
            at = _list(text, at, key, items)
        else:
            value, end = _value(text, at)
            if value is not None:
                items.append(Item(key, value, at))
            at = end
        at = _skip(text, at)
        if text.startswith("}", at):
            return at + 1
        at = _expect(text, at, ",")


def _list(text: str, start: int, name: str, items: list[Item]) -> int:
    at = _expect(text, start, "[")
    if text.startswith("]", at):
        return at + 1
    while True:
        value, end = _value(text, at)
        items.append(Item(name, value, at))
        at = _skip(text, end)
        if text.startswith("]", at):
            return at + 1
        at = _expect(text, at, ",")


def _value(text: str, at: int) -> tuple[Any, int]:
    try:
        return _DECODER.raw_decode(text, at)
    except json.JSONDecodeError as error:
        raise _BrokenError(error.pos, error.msg, at + 1) from None
    except RecursionError:
        raise _BrokenError(at, "values nested too deep", None) from None


def _expect(text: str, at: int, char: str) -> int:
    if not text.startswith(char, at):
        raise _BrokenError(at, f"no {char!r} where one belongs", at)
    return _skip(text, at + 1)


def _skip(text: str, at: int) -> int:
    match = _BLANK.match(text, at)
    return match.end() if match else at


def _search(text: str, at: int, names: Collection[str]) -> Iterator[Item]:
    """Find every object from ``at`` on that can be read; in one with a list of ``names`` the entries."""
    patience = _PATIENCE * len(text)
    while patience >= 0 and (opening := _OPENING.search(text, at)):
        start = opening.start()
        try:
            value, at = _value(text, start)
        except _BrokenError as broken:
            if broken.resume is None:
                return
            patience -= broken.offset
            at = start + 1
            continue
        if any(isinstance(value.get(name), list) for name in names):
            found: list[Item] = []
            _object(text, start, names, found)
            yield from found
        else:
            yield Item("", value, start)
