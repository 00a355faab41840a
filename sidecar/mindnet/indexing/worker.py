"""The one thread that writes: takes changed paths, coalesces them, and says what it is doing."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field, replace
from typing import Literal, Protocol

from mindnet.errors import MindnetError, MissingError, VaultError
from mindnet.indexing.report import Report

log = logging.getLogger(__name__)
State = Literal["idle", "scanning", "indexing", "error"]


@dataclass(frozen=True, slots=True)
class Progress:
    """``rate`` is notes per second; ``eta_s`` the seconds left, None when unknown; ``code`` the kind of ``error``."""

    state: State = "idle"
    done: int = 0
    total: int = 0
    queued: int = 0
    current: str | None = None
    rate: float = 0.0
    eta_s: float | None = None
    error: str | None = None
    code: str | None = None


class Listener(Protocol):
    """What the worker tells; called on its thread."""

    def progress(self, progress: Progress) -> None: ...

    def indexed(self, path: str, ms: float) -> None: ...

    def removed(self, path: str) -> None: ...


class Updates(Protocol):
    """The pipeline as the worker sees it."""

    def update(
        self,
        paths: frozenset[str] | None,
        *,
        prune: bool = True,
        prune_all: bool = False,
        on_total: Callable[[int], None] = ...,
        on_step: Callable[[str], None] = ...,
        on_indexed: Callable[[str], None] = ...,
        on_removed: Callable[[str], None] = ...,
        stop: Callable[[], bool] = ...,
        between: Callable[[Callable[[frozenset[str] | None, bool], Report | None]], None] = ...,
    ) -> Report: ...

    def settle(self) -> None: ...


QUIET_SECONDS = 5.0
"""After so long without a change the store is flushed."""
AGAIN_SECONDS = 5.0
"""So long after a failure that may pass, what was to be done is tried again."""
_PASSING = (MissingError, VaultError)
"""Failures that may pass by themselves: a store or a model that is away, a full disk, a vault on a drive unplugged."""


@dataclass(slots=True)
class _Job:
    """Paths to look at (None: all), with the futures of those who wait for them."""

    paths: frozenset[str] | None
    prune: bool
    prune_all: bool
    seen: float
    waiting: list[Future[Report]] = field(default_factory=list)

    def join(self, other: _Job) -> None:
        """Takes in what another job was to do."""
        self.paths = None if self.paths is None or other.paths is None else self.paths | other.paths
        self.prune = self.prune and other.prune
        self.prune_all = self.prune_all or other.prune_all
        self.waiting += other.waiting


class Worker:
    """Runs the pipeline's updates one after the other on a thread of its own."""

    def __init__(self, pipeline: Updates, listener: Listener, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._pipeline = pipeline
        self._listener = listener
        self._clock = clock
        self._condition = threading.Condition()
        self._pending: _Job | None = None
        self._stopping = False
        self._progress = Progress()
        self._job_seen = 0.0
        self._waits = ""
        self._thread = threading.Thread(target=self._run, name="mindnet-index", daemon=True)

    @property
    def progress(self) -> Progress:
        """What it is doing; never ``idle`` while something waits to be looked at."""
        with self._condition:
            now = self._progress
            return Progress("scanning") if self._pending is not None and now.state == "idle" else now

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Ends after the batch in hand; what was not done is found by the next start's scan."""
        with self._condition:
            self._stopping = True
            self._condition.notify_all()
        self._thread.join()

    def submit(self, paths: frozenset[str] | None, *, prune: bool = True, prune_all: bool = False) -> Future[Report]:
        """Looks at ``paths`` (None: the whole vault) soon; the future gives the report.

        ``prune`` and ``prune_all`` as in ``Pipeline.update``.
        """
        future: Future[Report] = Future()
        with self._condition:
            job = _Job(paths, prune, prune_all, self._clock(), [future])
            if self._pending is None:
                self._pending = job
            else:
                self._pending.join(job)
            self._condition.notify_all()
        return future

    # -------------------------------------------------------------- the thread
    def _run(self) -> None:
        unsettled = False
        failed: _Job | None = None
        while True:
            with self._condition:
                wait = AGAIN_SECONDS if failed else QUIET_SECONDS if unsettled else None
                called = self._condition.wait_for(lambda: self._stopping or self._pending is not None, wait)
                job, self._pending = self._pending, None
                if self._stopping:
                    break
                if job is not None or (failed is not None and not self._waits):
                    self._progress = Progress("scanning")
            if failed is not None:
                failed.join(job or failed)
                job, failed = failed, None
            if job is not None:
                if not self._work(job):
                    failed = _Job(job.paths, job.prune, job.prune_all, job.seen)
                unsettled = True
            elif not called:
                unsettled = not self._settle()
        for future in job.waiting if job else ():
            future.cancel()

    def _settle(self) -> bool:
        """Flushes the store; False when that is to be tried again."""
        try:
            self._pipeline.settle()
        except MindnetError as error:
            self._fail(error)
            return False
        if self._waits:
            self._waits = ""
            self._tell(Progress("idle"))
        return True

    def _fail(self, error: Exception) -> None:
        """Says what is wrong in the status, and in the log too, there once until it is another fault."""
        said = f"{error.message} {error.hint}".strip() if isinstance(error, MindnetError) else str(error)
        if not isinstance(error, _PASSING):
            # The thread must outlive any fault: the next change tries again.
            log.error("indexing failed", exc_info=error)
        elif said != self._waits:
            log.warning("indexing waits: %s", said)
        self._waits = said if isinstance(error, _PASSING) else ""
        self._tell(Progress("error", error=said, code=error.code if isinstance(error, MindnetError) else "internal"))

    def _work(self, job: _Job) -> bool:
        """Does the job; False when it is to be tried again, since what it needs is missing or away."""
        started = self._clock()
        self._job_seen = job.seen
        if not self._waits:
            self._tell(Progress("scanning"))

        def total(count: int) -> None:
            if count:
                self._tell(Progress("indexing", 0, count, count))

        def step(path: str) -> None:
            now = self._progress
            done, elapsed = now.done + 1, max(self._clock() - started, 1e-6)
            rate = done / elapsed
            left = max(now.total - done, 0)
            self._tell(replace(now, done=done, queued=left, current=path, rate=rate, eta_s=left / rate))

        def indexed(path: str) -> None:
            self._listener.indexed(path, (self._clock() - self._job_seen) * 1000)

        try:
            report = self._pipeline.update(
                job.paths,
                prune=job.prune,
                prune_all=job.prune_all,
                on_total=total,
                on_step=step,
                on_indexed=indexed,
                on_removed=self._listener.removed,
                stop=lambda: self._stopping,
                between=self._between,
            )
        except Exception as error:
            self._fail(error)
            for future in job.waiting:
                future.set_exception(error)
            return not isinstance(error, _PASSING)
        self._waits = ""
        if report.is_unfinished:
            # What is waited for is there; what makes it better comes by itself.
            self.submit(None, prune=job.prune)
        self._tell(Progress("idle"))
        for future in job.waiting:
            future.set_result(report)
        return True

    def _between(self, update: Callable[[frozenset[str] | None, bool], Report | None]) -> None:
        """What was saved while a long job runs is done between two of its batches, and a scan where that can be."""
        with self._condition:
            job = self._pending
            if job is None or job.prune_all or self._stopping:
                return
            self._pending = None
        self._job_seen, before = job.seen, self._job_seen
        try:
            report = update(job.paths, job.prune)
        except Exception as error:
            # The job around it fails of it too, and both are done again.
            for future in job.waiting:
                future.set_exception(error)
            self._put_back(_Job(job.paths, job.prune, job.prune_all, job.seen))
            raise
        finally:
            self._job_seen = before
        if report is None:
            self._put_back(job)
            return
        for future in job.waiting:
            future.set_result(report)

    def _put_back(self, job: _Job) -> None:
        with self._condition:
            if self._pending is not None:
                job.join(self._pending)
            self._pending = job

    def _tell(self, progress: Progress) -> None:
        self._progress = progress
        self._listener.progress(progress)
