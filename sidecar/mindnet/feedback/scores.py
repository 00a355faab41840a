"""What people said of answers: scores that are given and taken back."""

from __future__ import annotations

import threading
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Literal, get_args
from uuid import uuid4

from mindnet.errors import NotFoundError
from mindnet.feedback.jsonlines import Entry, JsonLines

FILE = "feedback.jsonl"
Target = Literal["hit", "answer", "citation", "edge"]


@dataclass(frozen=True, slots=True)
class Score:
    """``score`` is 1 to 5, a thumb being 5 or 1. ``given_at`` is in milliseconds since 1970."""

    feedback_id: str
    query_id: str
    node_id: str
    target: Target
    score: int
    comment: str | None
    given_at: int


class Scores:
    """The scores of one vault, over a file of entries, which is read when it is first needed."""

    def __init__(self, lines: JsonLines) -> None:
        self._lines = lines
        self._lock = threading.Lock()
        self._by_id: dict[str, Score] | None = None
        self._taken_back: set[str] = set()

    def give(self, query_id: str, node_id: str, target: Target, score: int, comment: str | None) -> str:
        """Gives the id of the new score; raises what ``JsonLines.append`` does."""
        entry = {
            "feedback_id": str(uuid4()),
            "query_id": query_id,
            "node_id": node_id,
            "target": target,
            "score": score,
            "comment": comment,
        }
        with self._lock:
            known = self._known()
            given = score_of(self._lines.append(entry))
            assert given is not None, "an entry that was just made can be read"
            known[given.feedback_id] = given
        return given.feedback_id

    def take_back(self, feedback_id: str) -> None:
        """Raises ``NotFoundError`` for what is not there or was taken back, and what ``JsonLines.append`` does."""
        with self._lock:
            given = self._known().get(feedback_id)
            if given is None or feedback_id in self._taken_back:
                raise NotFoundError(f"There is no feedback {feedback_id}.", hint="It may have been taken back already.")
            self._lines.append({"feedback_id": feedback_id, "query_id": given.query_id, "deleted": True})
            self._taken_back.add(feedback_id)

    def of(self, query_id: str) -> list[Score]:
        """What holds of a question: of each thing the last score, unless that was taken back."""
        with self._lock:
            given = [one for one in self._known().values() if one.query_id == query_id]
            last = {(one.target, one.node_id): one for one in given}
            return [one for one in given if one in last.values() and one.feedback_id not in self._taken_back]

    def _known(self) -> dict[str, Score]:
        if self._by_id is None:
            self._by_id = self._read(self._lines.entries())
        return self._by_id

    def _read(self, entries: Iterable[Entry]) -> dict[str, Score]:
        found: dict[str, Score] = {}
        for entry in entries:
            if entry.get("deleted") is True:
                self._taken_back.add(str(entry.get("feedback_id")))
            elif (given := score_of(entry)) is not None:
                found[given.feedback_id] = given
        return found


def score_of(entry: Entry) -> Score | None:
    """The score that an entry holds; None for one of another shape."""
    match entry:
        case {
            "feedback_id": str(feedback_id),
            "query_id": str(query_id),
            "node_id": str(node_id),
            "target": target,
            "score": int(score),
            "time": str(time),
        } if target in get_args(Target):
            try:
                given_at = round(datetime.fromisoformat(time).timestamp() * 1000)
            except ValueError:
                return None
            comment = entry.get("comment")
            return Score(feedback_id, query_id, node_id, target, score, comment if comment else None, given_at)
    return None
