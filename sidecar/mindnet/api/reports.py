"""The shapes of what maintenance says: of its routes, and of commands with ``--json``."""

from __future__ import annotations

from typing import Literal

from mindnet.api.wire import FaultOut, ValidationStatus, Wire


# ------------------------------------------------------------------ export and comparison
class StoredNote(Wire):
    """A note as the store holds it: ``fulltext`` in ``encoding``, behind a byte order mark if ``bom``, is its file."""

    path: str
    fulltext: str
    encoding: str
    bom: bool


class ExportPage(Wire):
    """Some of the indexed notes in path order; the next page begins behind ``last``, null on the last one.

    ``lost`` names notes that the store does not hold. ``total`` counts all notes asked for.
    """

    notes: list[StoredNote]
    lost: list[FaultOut]
    last: str | None
    total: int


class ExportReport(Wire):
    """``bytes`` were written into ``folder``; ``faults`` name the notes that could not be."""

    folder: str
    notes: int
    bytes: int
    faults: list[FaultOut]


class DifferenceOut(Wire):
    """The first place where two files differ: its line, and what stands there in each (null: the file has ended)."""

    path: str
    line: int
    left: str | None
    right: str | None


class CompareReport(Wire):
    """``missing`` are in the first folder alone, ``extra`` in the second alone.

    ``left_out`` are in the first alone as well, but of a status that is not indexed; they do not
    count as a difference. ``unread`` could not be compared.
    """

    same: bool
    compared: int
    missing: list[str]
    extra: list[str]
    differing: list[DifferenceOut]
    left_out: list[str]
    unread: list[FaultOut]


# ------------------------------------------------------------------ links that lead nowhere
class UnresolvedOut(Wire):
    """Links that lead nowhere, by their target; ``links`` counts places, ``path`` and ``line`` are the first."""

    target: str
    links: int
    edges: int
    path: str
    line: int


class UnresolvedReport(Wire):
    """``edges`` is the number that reports call ``unresolved``; the most linked targets come first."""

    edges: int
    links: int
    targets: list[UnresolvedOut]


class HealReport(Wire):
    """Edges without a target before and after; ``relinked`` names notes whose stored links were out of date."""

    before: int
    after: int
    relinked: list[str]
    written: int
    seconds: float


# ------------------------------------------------------------------ reset
class ResetReport(Wire):
    """What went from ``data_dir``: files and folders (mode wipe), or the notes of the collections (mode truncate).

    ``collections`` are those that were deleted on a Qdrant server.
    """

    mode: str
    data_dir: str
    removed: list[str]
    bytes: int
    notes: int
    collections: list[str]


# ------------------------------------------------------------------ status
class PendingOut(Wire):
    """Files that the index does not have as they are: ``new``, ``changed``, ``gone``; ``begun`` were not finished."""

    new: int
    changed: int
    gone: int
    begun: int


class FaultGroup(Wire):
    """How many faults of a code there are, and the first of them."""

    count: int
    first: list[FaultOut]


class StatusReport(Wire):
    """What `mindnet status` says; ``url`` and ``pid`` are null where no sidecar runs.

    ``state`` is the sidecar's (``idle``, ``scanning``, ``indexing``, ``error``). Without one it is ``none`` (there is
    no index), ``current`` or ``behind`` (something is pending), ``busy`` (the process ``pid`` works on it), or
    ``unreadable``. ``sizes`` are bytes on the disk. ``changed_at`` is when an import last changed the index.
    ``validation`` is null where no sidecar runs: the model is asked by one, or by `mindnet validate`.
    """

    state: Literal["idle", "scanning", "indexing", "error", "none", "current", "behind", "busy", "unreadable"]
    vault: str
    data_dir: str
    url: str | None
    pid: int | None
    version: str
    error: str | None
    indexed: int
    total: int
    current: str | None
    eta_s: float | None
    notes: int
    chunks: int
    edges: int
    pending: PendingOut
    faults: dict[str, FaultGroup]
    embedding: str
    validation: ValidationStatus | None
    sizes: dict[str, int]
    changed_at: str | None
