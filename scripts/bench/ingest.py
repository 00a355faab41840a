"""Measures the write path on a vault: rates, the share of embedding, a second run, a save, memory.

Every figure is of one run in one process; shares are ratios within that run, so that a busy
machine moves both sides. Usage: ``python scripts/bench/ingest.py VAULT [VAULT …]``; a vault is
copied first and never changed.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from markdown_it import MarkdownIt

from mindnet.api.service import Service
from mindnet.api.wire import QueryRequest
from mindnet.embedding.port import Vectors
from mindnet.indexing.report import Report
from mindnet.workspace import Workspace, find_place

Row = tuple[str, str]


class Stopwatch:
    """Adds up the time spent inside one method of an object."""

    def __init__(self, owner: Any, method: str) -> None:
        self.seconds = 0.0
        original: Callable[..., Vectors] = getattr(owner, method)

        def timed(*arguments: Any) -> Vectors:
            started = time.perf_counter()
            try:
                return original(*arguments)
            finally:
                self.seconds += time.perf_counter() - started

        setattr(owner, method, timed)


def peak_mb() -> float:
    """The largest resident size so far, in MB (Linux counts in kB)."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def render_seconds(vault: Path) -> float:
    """What markdown-it-py needs to render every note once."""
    texts = [path.read_text(encoding="utf-8", errors="replace") for path in sorted(vault.rglob("*.md"))]
    parser = MarkdownIt()
    started = time.perf_counter()
    for text in texts:
        parser.render(text)
    return time.perf_counter() - started


def timed_update(workspace: Workspace) -> tuple[float, Report]:
    started = time.perf_counter()
    report = workspace.pipeline.update(None)
    return time.perf_counter() - started, report


def measure(original: Path, folder: Path) -> list[Row]:
    vault, data = folder / "vault", folder / "data"
    shutil.copytree(original, vault, symlinks=True)
    env = {key: value for key, value in os.environ.items() if not key.startswith("MINDNET_")}
    place = find_place(vault, data, folder / "config", env, {})
    rows: list[Row] = []
    with Workspace(place, env) as workspace:
        workspace.embedder.embed_query("warm")
        loaded = peak_mb()
        embedding = Stopwatch(workspace.embedder, "embed_passages")
        first, report = timed_update(workspace)
        rendered = render_seconds(vault)
        rows += [
            ("notes, chunks, edges", f"{report.notes}, {report.chunks}, {report.edges}"),
            ("full import", f"{first:.1f} s"),
            ("notes per second", f"{report.notes / first:.0f}"),
            ("chunks per second", f"{report.chunks / first:.0f}"),
            ("share of embedding", f"{embedding.seconds / first:.0%}"),
            ("all but embedding / rendering by markdown-it-py", f"{(first - embedding.seconds) / rendered:.1f}"),
            ("peak memory above the loaded model", f"{peak_mb() - loaded:.0f} MB"),
        ]
    restarted = time.perf_counter()
    with Workspace(place, env) as workspace:
        second, report = timed_update(workspace)
        ready = time.perf_counter() - restarted
        rows += [
            ("second run / first", f"{second / first:.2%} (embedded {report.embedded}, written {report.written})"),
            ("restart with scan / first import", f"{ready / first:.2%}"),
            ("save to searchable, debounce included", saves(workspace)),
            ("hybrid, explained query", queries(workspace)),
        ]
    size = sum(path.stat().st_size for path in data.rglob("*") if path.is_file()) / 1e6
    text = sum(path.stat().st_size for path in vault.rglob("*.md")) / 1e6
    rows.append(("data folder, vault's text", f"{size:.0f} MB, {text:.1f} MB"))
    return rows


def saves(workspace: Workspace) -> str:
    """From the write of a file to the answer that holds it, through watcher and worker."""
    service = Service(workspace)
    indexed = threading.Event()

    def seen(path: str, ms: float) -> None:
        del path, ms
        indexed.set()

    service.indexed = seen  # type: ignore[method-assign]
    service.start().result()
    took: list[float] = []
    try:
        for number in range(10):
            word = f"zanderquirl{number}"
            indexed.clear()
            started = time.perf_counter()
            (workspace.place.vault / "Messung.md").write_text(f"# Messung\n\nDas Wort ist {word}.\n", encoding="utf-8")
            while True:
                assert indexed.wait(timeout=30), "the save was never indexed"
                hits = service.query(QueryRequest(query=word, mode="lexical", top_k=1)).hits
                if hits and word in hits[0].text:
                    break
                indexed.clear()
            took.append((time.perf_counter() - started) * 1000)
    finally:
        service.stop()
    debounce = workspace.place.settings.mindnet.watch.debounce_ms
    return f"median {median(took):.0f} ms, worst {max(took):.0f} ms (debounce {debounce} ms)"


def queries(workspace: Workspace) -> str:
    service = Service(workspace)
    titles = [entry.title for entry in workspace.pipeline.entries.values()][
        :: max(1, len(workspace.pipeline.entries) // 50)
    ]
    took = sorted(service.query(QueryRequest(query=title, explain=True)).took_ms for title in titles if title)
    return f"p50 {median(took):.0f} ms, p95 {took[int(0.95 * (len(took) - 1))]:.0f} ms ({len(took)} queries)"


def median(values: Sequence[float]) -> float:
    return sorted(values)[len(values) // 2]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("vaults", nargs="+", type=Path)
    for vault in parser.parse_args().vaults:
        with tempfile.TemporaryDirectory(prefix="mindnet-bench-") as folder:
            print(f"\n{vault.name}", flush=True)
            for name, value in measure(vault.resolve(), Path(folder)):
                print(f"  {name:<50} {value}")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
