"""Figures of an import that are taken in its own process: time by part, memory, size on disk."""

from __future__ import annotations

import os
import resource
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from bench.yardstick import render
from mindnet.embedding.port import Embedder, Vectors
from mindnet.workspace import Workspace, find_place
from mindnet.workspace.stages import stages_of
from soaking.daemon import environment


class Stopwatch:
    """Adds up the time in which a thread is inside one method of an object: on the clock, and on the processor."""

    def __init__(self, owner: Any, method: str) -> None:
        self.seconds = self.busy = 0.0
        self._inside = 0
        self._since = self._since_busy = 0.0
        self._lock = threading.Lock()
        original: Callable[..., Vectors] = getattr(owner, method)

        def timed(*arguments: Any, **named: Any) -> Vectors:
            self._step(1)
            try:
                return original(*arguments, **named)
            finally:
                self._step(-1)

        setattr(owner, method, timed)

    def _step(self, by: int) -> None:
        with self._lock:
            now, busy = perf_counter(), process_time()
            if self._inside:
                self.seconds += now - self._since
                self.busy += busy - self._since_busy
            self._inside += by
            self._since, self._since_busy = now, busy


@dataclass(frozen=True, slots=True)
class Import:
    """A full import into an empty data folder. Seconds; ``memory_mb`` is the peak above the loaded model.

    ``helper_mb`` is the peak of the process that embeds, its own copy of the model included.
    """

    notes: int
    chunks: int
    edges: int
    embedded: int
    seconds: float
    embedding_inside: float
    embedding_alone: float
    rendering: float
    memory_mb: float
    helper_mb: float


def has_quick(vault: Path, data: Path, config: Path) -> bool:
    """Whether the settings come to a quick model and a better one after it."""
    return stages_of(find_place(vault, data, config, environment(), {}).settings).quick is not None


def measure_import(vault: Path, data: Path, config: Path, provider: str = "") -> Import:
    """Of the better index where there are two; ``provider`` names another embedding than the settings do."""
    env = environment()
    flags = {"embedding.provider": provider} if provider else {}
    with Workspace(find_place(vault, data, config, env, flags), env) as workspace:
        workspace.embedder.embed_query("warm")
        loaded = peak_mb()
        inside = Stopwatch(workspace.embedder, "embed_passages")
        started = perf_counter()
        report = workspace.update(None)
        seconds = perf_counter() - started
        memory = peak_mb() - loaded
        embedding = inside.seconds
        windows = {str(payload["window"]) for payload in workspace.store.scroll("chunks")}
        alone = _embedding_seconds(workspace.embedder, windows)
    return Import(
        report.notes,
        report.chunks,
        report.edges,
        report.embedded,
        seconds,
        embedding,
        alone,
        _rendering_seconds(vault),
        memory,
        resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024,
    )


def _embedding_seconds(embedder: Embedder, windows: set[str]) -> float:
    """What the same windows take by themselves, in the order that suits the model best: by length."""
    ordered = sorted(windows, key=lambda window: (len(window), window))
    started = perf_counter()
    embedder.embed_passages(ordered)
    return perf_counter() - started


def _rendering_seconds(vault: Path) -> float:
    """What markdown-it-py needs to render every note once."""
    texts = [path.read_text(encoding="utf-8", errors="replace") for path in sorted(vault.rglob("*.md"))]
    started = perf_counter()
    render(texts)
    return perf_counter() - started


def peak_mb() -> float:
    """The largest resident size so far, in MB.

    Of the process itself: what ``getrusage`` gives begins, on Linux, with what the parent had.
    """
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii")
    except FileNotFoundError:
        # In bytes on macOS, which has no /proc.
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM")) / 1024


def disk_mb(folder: Path) -> float:
    """What a folder takes on disk, as ``du`` counts: blocks, not lengths."""
    return sum(os.lstat(path).st_blocks * 512 for path in folder.rglob("*")) / 1e6


def text_mb(vault: Path) -> float:
    return sum(path.stat().st_size for path in vault.rglob("*.md")) / 1e6
