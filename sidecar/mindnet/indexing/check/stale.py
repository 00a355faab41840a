"""Where the vault has moved on since the index was made: no fault of either."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from mindnet.indexing.check.problem import Problem
from mindnet.indexing.pipeline import Pipeline
from mindnet.indexing.plan import Known, candidates
from mindnet.records import Fault
from mindnet.vault.read import read_bytes

Why = Literal["file_new", "file_changed", "file_gone", "file_waiting"]
STALE: dict[Why, str] = {
    "file_new": "it is new since the last import",
    "file_changed": "it has changed since the last import",
    "file_gone": "it is gone since the last import",
    "file_waiting": "an import has begun with it, and has not ended",
}


@dataclass(slots=True)
class Stale:
    """Vault paths that the next import has to do, each with why."""

    files: dict[str, Why] = field(default_factory=dict)

    def remarks(self) -> Iterator[Problem]:
        """One for each file, in path order."""
        for path, why in sorted(self.files.items()):
            yield Problem(why, path, STALE[why])


def new_and_gone(pipeline: Pipeline) -> Stale:
    """What a walk over the vault shows; which files have changed shows only when they are read."""
    known = pipeline.entries
    looked = candidates(pipeline.source, Known(dict(known), {}), None)
    new = (path for path in looked.files if path not in known)
    # What cannot be read is no news: an import says so each time.
    found: dict[str, Why] = {path: "file_new" for path in new if _readable(pipeline, path)}
    found.update((path, "file_gone") for path in looked.gone)
    return Stale(found)


def _readable(pipeline: Pipeline, path: str) -> bool:
    return not isinstance(read_bytes(pipeline.source.vault, path), Fault)


def is_indexed(pipeline: Pipeline) -> bool:
    """Whether an import has come as far as a first file; of a vault without notes there is nothing to index."""
    return bool(pipeline.entries) or not pipeline.source.discover()[0]
