"""Hidden links: a sentence with a link is cut out of its note and asked for; the link's target is the answer."""

from __future__ import annotations

import hashlib
import json
import random
import re
import shutil
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

VARIANTS = ("masked", "anchor")


@dataclass(frozen=True, slots=True)
class HiddenLink:
    """``queries`` are the sentence by variant: with the link cut out, and with its text kept."""

    link_id: str
    source_path: str
    target_path: str
    remove_text: str
    queries: dict[str, str]
    links_back: bool


def read_hidden(file: Path) -> list[HiddenLink]:
    """One link a line, as JSON."""
    rows = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line.strip()]
    return [
        HiddenLink(
            row["id"],
            row["source_path"],
            row["target_path"],
            row["remove_text"],
            {variant: row[f"query_{variant}"] for variant in VARIANTS},
            bool(row["target_links_back"]),
        )
        for row in rows
    ]


def copy_vault(original: Path, copy: Path) -> None:
    """Makes ``copy`` equal to ``original``, times included, without touching what is equal."""
    wanted = {file.relative_to(original) for file in original.rglob("*") if file.is_file() and not file.is_symlink()}
    for file in [file for file in copy.rglob("*") if file.is_file()] if copy.is_dir() else []:
        if file.relative_to(copy) not in wanted:
            file.unlink()
    for path in wanted:
        source, target = original / path, copy / path
        stat = source.stat()
        if target.is_file() and (target.stat().st_size, target.stat().st_mtime_ns) == (stat.st_size, stat.st_mtime_ns):
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source, target)


class Hiding:
    """A copy of a vault in which one link at a time is hidden."""

    def __init__(self, original: Path, copy: Path) -> None:
        self._original = original
        self._copy = copy
        self._open: str | None = None

    def hide(self, link: HiddenLink) -> frozenset[str]:
        """Cuts the sentence out, puts the one before back; gives the paths that are to be indexed anew.

        Raises ``ValueError`` where the sentence does not stand in the note.
        """
        changed = self.restore()
        file = self._copy / link.source_path
        before = file.read_bytes()
        cut = before.replace(link.remove_text.encode(), b"", 1)
        if cut == before:
            raise ValueError(f"{link.source_path} does not hold the sentence of {link.link_id}.")
        file.write_bytes(cut)
        self._open = link.source_path
        return changed | {link.source_path}

    def restore(self) -> frozenset[str]:
        """Puts back what is hidden; gives the paths that are to be indexed anew."""
        if self._open is None:
            return frozenset()
        path, self._open = self._open, None
        shutil.copy2(self._original / path, self._copy / path)
        return frozenset({path})


@contextmanager
def hiding(original: Path, copy: Path) -> Iterator[Hiding]:
    """The vault is whole again at the end."""
    hidden = Hiding(original, copy)
    try:
        yield hidden
    finally:
        hidden.restore()


# ------------------------------------------------------------------ drawing links from a vault
_LINK = re.compile(r"(?<!!)\[\[([^\[\]|#^]+)(?:#[^\[\]|]*)?(?:\|([^\[\]]*))?\]\]")
_SENTENCE = re.compile(r"[^\n.!?]*\[\[[^\n]*?(?:[.!?](?=\s|$)|$)", re.MULTILINE)
_FEWEST_WORDS = 4


def draw_hidden(vault: Path, number: int = 300, seed: int = 0) -> list[HiddenLink]:
    """Links of a vault that stand once in their note, in a sentence of a few words that stands once too.

    Only links whose target is the one note of that file name, so that there is no doubt which it is.
    """
    files = sorted(file for file in vault.rglob("*.md") if not any(p.startswith(".") for p in file.parts))
    texts = {file.relative_to(vault).as_posix(): file.read_bytes().decode("utf-8", "replace") for file in files}
    by_name: dict[str, list[str]] = {}
    for path in texts:
        by_name.setdefault(Path(path).stem.casefold(), []).append(path)
    found = []
    for source, text in texts.items():
        names = Counter(_name(match[1]) for match in _LINK.finditer(text))
        for sentence in dict.fromkeys(match.group().strip() for match in _SENTENCE.finditer(text)):
            if text.count(sentence) != 1:
                continue
            for match in _LINK.finditer(sentence):
                targets = by_name.get(_name(match[1]), [])
                if names[_name(match[1])] != 1 or len(targets) != 1 or targets[0] == source:
                    continue
                queries = {"masked": _plain(sentence, match, "…"), "anchor": _plain(sentence, match, None)}
                if len(queries["masked"].split()) > _FEWEST_WORDS:
                    own = Path(source).stem.casefold()
                    back = any(_name(link[1]) == own for link in _LINK.finditer(texts[targets[0]]))
                    key = hashlib.sha256(f"{source}\n{match.group()}".encode()).hexdigest()[:12]
                    found.append(HiddenLink(key, source, targets[0], sentence, queries, back))
    random.Random(seed).shuffle(found)
    return found[:number]


def _name(target: str) -> str:
    return Path(target.strip().removesuffix(".md")).name.casefold()


def _plain(sentence: str, hidden: re.Match[str], instead: str | None) -> str:
    """The sentence as it is read, with the hidden link as given, or as its text."""

    def shown(match: re.Match[str]) -> str:
        if match.start() == hidden.start() and instead is not None:
            return f" {instead} "
        return match[2] or match[1]

    return " ".join(_LINK.sub(shown, sentence).lstrip("-*+># \t").replace("**", "").replace("==", "").split())
