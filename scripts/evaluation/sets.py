"""Sets of passages, questions and right answers, and the vault that a set becomes."""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_FORBIDDEN = re.compile(r'[\\/:*?"<>|#^\[\]\x00-\x1f]+')
_LONGEST_NAME = 120
_SHORTEST_TITLE = 3


@dataclass(frozen=True, slots=True)
class Question:
    """``relevant`` are the paths of the notes that answer it; ``hidden`` is the path that may not be answered."""

    question_id: str
    text: str
    relevant: frozenset[str]
    hidden: str | None = None


@dataclass(frozen=True, slots=True)
class Passage:
    passage_id: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class QuestionSet:
    name: str
    passages: Sequence[Passage]
    questions: Sequence[Question]

    @property
    def linked(self) -> bool:
        """Whether its passages have titles, by which they can be linked."""
        return any(passage.title for passage in self.passages)


def read_set(folder: Path) -> QuestionSet:
    """A folder with ``corpus.jsonl``, ``queries.jsonl`` and ``qrels.tsv``; questions without an answer are left out."""
    passages = [Passage(row["_id"], row.get("title") or "", row["text"]) for row in _rows(folder / "corpus.jsonl")]
    paths = file_names(passages)
    relevant: dict[str, set[str]] = {}
    with (folder / "qrels.tsv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t"):
            if float(row["score"]) > 0:
                relevant.setdefault(row["query-id"], set()).add(paths[row["corpus-id"]])
    questions = [
        Question(row["_id"], row["text"], frozenset(relevant[row["_id"]]))
        for row in _rows(folder / "queries.jsonl")
        if row["_id"] in relevant
    ]
    return QuestionSet(folder.name, passages, questions)


def _rows(file: Path) -> Iterable[Mapping[str, str]]:
    with file.open(encoding="utf-8") as lines:
        yield from (json.loads(line) for line in lines if line.strip())


def file_names(passages: Sequence[Passage]) -> dict[str, str]:
    """Passage id to a path of its own: the title without what no file name may have."""
    names: dict[str, str] = {}
    taken: set[str] = set()
    for passage in passages:
        stem = " ".join(_FORBIDDEN.sub(" ", passage.title).split())[:_LONGEST_NAME].strip(" .") or passage.passage_id
        if stem.casefold() in taken:
            stem = f"{stem} ({passage.passage_id})"
        taken.add(stem.casefold())
        names[passage.passage_id] = f"{stem}.md"
    return names


def notes_of(questions: QuestionSet) -> dict[str, str]:
    """Path to text of each note: the first mention of another note's title in it is a link, as an author writes."""
    paths = file_names(questions.passages)
    titles: dict[str, str] = {}
    for passage in questions.passages:
        if len(passage.title) >= _SHORTEST_TITLE:
            titles.setdefault(passage.title, paths[passage.passage_id].removesuffix(".md"))
    pattern = _any_of(titles)
    notes = {}
    for passage in questions.passages:
        path = paths[passage.passage_id]
        own = path.removesuffix(".md")
        text = _link(passage.text, pattern, titles, own) if pattern else passage.text
        # A title that no file can be called by stands in the frontmatter.
        odd = passage.title and passage.title != own
        notes[path] = f"---\ntitle: {json.dumps(passage.title)}\n---\n{text}\n" if odd else f"{text}\n"
    return notes


def _any_of(titles: Iterable[str]) -> re.Pattern[str] | None:
    """The longest title that stands as whole words."""
    ordered = sorted(titles, key=lambda title: (-len(title), title))
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, ordered))})(?!\w)") if ordered else None


def _link(text: str, pattern: re.Pattern[str], titles: Mapping[str, str], own: str) -> str:
    linked = {own}

    def link(match: re.Match[str]) -> str:
        title = match.group()
        target = titles[title]
        if target in linked:
            return title
        linked.add(target)
        return f"[[{target}]]" if target == title else f"[[{target}|{title}]]"

    return pattern.sub(link, text)


def write_vault(folder: Path, notes: Mapping[str, str]) -> None:
    """Makes the folder hold these notes and no others; what is the same already is not touched."""
    folder.mkdir(parents=True, exist_ok=True)
    for file in folder.glob("*.md"):
        if file.name not in notes:
            file.unlink()
    for path, text in notes.items():
        file = folder / path
        if not file.is_file() or file.read_text(encoding="utf-8") != text:
            file.write_text(text, encoding="utf-8")
