"""The two logs of a vault: what was asked, and what people said of the answers; joined by ``query_id``."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from mindnet.errors import ConflictError, MindnetError, NotFoundError, NotShownError
from mindnet.feedback import history, scores
from mindnet.feedback.history import Search, SearchHistory
from mindnet.feedback.jsonlines import JsonLines, Keeping
from mindnet.feedback.scores import Score, Scores, Target

log = logging.getLogger(__name__)
FOLDER = "logs"


@dataclass(frozen=True, slots=True)
class LogsState:
    """``fault`` is why the last entry could not be written, None when it was."""

    enabled: bool
    folder: Path
    fault: str | None
    skipped: int


class Logs:
    """The logs in a data folder; where they are not ``enabled`` nothing is added, and what is too old still goes."""

    def __init__(self, data_dir: Path, keeping: Keeping, *, enabled: bool) -> None:
        self._folder = data_dir / FOLDER
        self._enabled = enabled
        self._files = tuple(JsonLines(self._folder / name, keeping) for name in (history.FILE, scores.FILE))
        self._history, self._scores = SearchHistory(self._files[0]), Scores(self._files[1])
        self._fault: str | None = None
        self._sweep()

    def _sweep(self) -> None:
        for file in self._files:
            try:
                file.sweep()
            except MindnetError as error:
                self._failed(error)

    def use(self, keeping: Keeping, *, enabled: bool) -> None:
        """Goes by other settings from now on; what is too old by them goes at once."""
        self._enabled = enabled
        for file in self._files:
            file.keep(keeping)
        self._sweep()

    def state(self) -> LogsState:
        return LogsState(self._enabled, self._folder, self._fault, sum(file.skipped for file in self._files))

    def searched(self, search: Search) -> None:
        """Notes a question. Where that fails, the answer counts more: it is said in the state and the log."""
        if not self._enabled:
            return
        try:
            self._history.add(search)
        except MindnetError as error:
            self._failed(error)
        else:
            self._fault = None

    def _failed(self, error: MindnetError) -> None:
        said = f"{error.message} {error.hint}".strip()
        if said != self._fault:
            log.warning("A question could not be noted: %s", said)
        self._fault = said

    def give(
        self,
        query_id: str,
        node_id: str,
        target: Target,
        score: int,
        comment: str | None,
        *,
        is_edge: Callable[[str], bool],
    ) -> str:
        """Notes a score for what a question has brought, or for an edge, and gives its id.

        Raises ``ConflictError`` where the logs are off, ``NotFoundError`` for an unknown question, ``NotShownError``
        for something that it did not bring, and whatever keeps the file from being written.
        """
        if not self._enabled:
            raise ConflictError(
                "Feedback is not taken: the logs are off.", hint="Set logs.enabled to true in mindnet.yaml."
            )
        shown = self._history.node_ids(query_id)
        if shown is None:
            raise NotFoundError(
                f"There is no question {query_id} in the log.",
                hint="It may have been erased since; ask again, and give feedback on the new answer.",
            )
        if target == "answer" and node_id != query_id:
            raise NotShownError(f"The answer is {query_id}, not {node_id}.", hint="Send the query_id as node_id.")
        if target in ("hit", "citation") and node_id not in shown:
            raise NotShownError(
                f"{node_id} is none of the notes and passages that the question {query_id} has brought.",
                hint="Send the chunk_id or note_id of one of its hits.",
            )
        if target == "edge" and not is_edge(node_id):
            raise NotShownError(f"There is no edge {node_id}.", hint="Send the edge_id of an edge that is there.")
        return self._scores.give(query_id, node_id, target, score, comment)

    def take_back(self, feedback_id: str) -> None:
        """Raises ``NotFoundError``, and whatever keeps the file from being written."""
        self._scores.take_back(feedback_id)

    def of(self, query_id: str) -> list[Score]:
        return self._scores.of(query_id)
