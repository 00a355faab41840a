"""Measures an index of many notes against its bounds.

``python scripts/bench/scale.py [--notes 50000] [--cache FOLDER] [--json FILE]``

A vault is generated and imported by the real write path into the real store, with vectors of the
default model's length that are made of hashed words: no model runs, so that no figure holds what
a model takes. Import and use have a process each, whose memory is counted. With ``--cache`` vault
and index stay, and are used again where they are whole.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # The packages beside this folder.

from bench.figures import Figures, Line, broken, lines_of
from bench.inside import Stopwatch, disk_mb, peak_mb, text_mb
from bench.outside import is_plain, quantile
from bench.questions import questions_of
from bench.standin import write_configuration
from evaluation.run import spread
from mindnet.retrieval.search import Query
from mindnet.workspace import Workspace, find_place
from vaultgen.vault import generate

SEED = 1
SAVES = 30
IMPORTED = "imported.json"
"""The figures of the import, beside an index that is whole."""

LINES = (
    Line("notes", "notes"),
    Line("chunks", "chunks"),
    Line("edges", "edges"),
    Line("text_mb", "text", "MB"),
    Line("import_seconds", "full import, no model", "s"),
    Line("notes_per_second", "notes a second"),
    Line("import_memory_mb", "peak memory of the import", "MB", 3_000),
    Line("data_mb", "data folder on disk", "MB"),
    Line("open_seconds", "open until the first answer", "s", 20),
    Line("scan_seconds", "scan of an unchanged vault", "s"),
    Line("query_p50_ms", "hybrid, explained question, median", "ms"),
    Line("query_p95_ms", "  95 of 100 within", "ms", 250),
    Line("query_busy_ms", "  on the processor, median", "ms"),
    Line("store_p50_ms", "a save in the store, median", "ms"),
    Line("store_p95_ms", "  95 of 100 within", "ms", 50),
    Line("store_busy_ms", "  on the processor, median", "ms"),
    Line("save_p50_ms", "a save in all, median", "ms"),
    Line("save_p95_ms", "  95 of 100 within", "ms"),
    Line("save_busy_ms", "  on the processor, median", "ms"),
    Line("after_p50_ms", "the question after it, median", "ms"),
    Line("after_p95_ms", "  95 of 100 within", "ms", 250),
    Line("after_busy_ms", "  on the processor, median", "ms"),
    Line("memory_mb", "peak memory of its use", "MB", 3_000),
)


def measure_import(folder: Path) -> Figures:
    """Imports ``vault`` into ``data``, both in ``folder``."""
    with _open(folder) as workspace:
        started = time.perf_counter()
        report = workspace.update(None)
        seconds = time.perf_counter() - started
        workspace.settle()
    return {
        "notes": report.notes,
        "chunks": report.chunks,
        "edges": report.edges,
        "text_mb": text_mb(folder / "vault"),
        "import_seconds": seconds,
        "notes_per_second": report.notes / seconds,
        "import_memory_mb": peak_mb(),
        "data_mb": disk_mb(folder / "data"),
    }


def measure_use(folder: Path) -> Figures:
    """Opens what was imported, asks, and saves a few notes, which are as they were afterwards."""
    vault = folder / "vault"
    asked = questions_of(vault)
    started = time.perf_counter()
    with _open(folder) as workspace:
        workspace.index.warm()
        opened = time.perf_counter() - started
        scanned = _took(partial(workspace.update, None))
        asking = [_took(partial(_ask, workspace, text)) for text in asked]
        store = Stopwatch(workspace.store, "replace_notes")
        storing, saving, after = [], [], []
        plain = (path for path in spread(sorted(vault.rglob("*.md")), 3 * SAVES) if is_plain(path, vault))
        for path, text in zip([path for path, _ in zip(plain, range(SAVES), strict=False)], asked, strict=False):
            before, status = path.read_bytes(), path.stat()
            inside = frozenset([path.relative_to(vault).as_posix()])
            path.write_bytes(before + b"\n\nThe word is zanderquirl.\n")
            store.seconds = store.busy = 0.0
            saving.append(_took(partial(workspace.update, inside)))
            storing.append((store.seconds, store.busy))
            after.append(_took(partial(_ask, workspace, text)))
            path.write_bytes(before)
            os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
            workspace.update(inside)
    return {
        "open_seconds": opened,
        "scan_seconds": scanned[0],
        **_times("query", asking),
        **_times("store", storing),
        **_times("save", saving),
        **_times("after", after),
        "memory_mb": peak_mb(),
    }


def _open(folder: Path) -> Workspace:
    env: dict[str, str] = {}
    return Workspace(find_place(folder / "vault", folder / "data", folder / "config", env, {}), env)


def _ask(workspace: Workspace, text: str) -> None:
    workspace.searcher.search(Query(text, explain=True))


def _took(do: Callable[[], object]) -> tuple[float, float]:
    """Seconds on the clock and on the processor."""
    started, busy = time.perf_counter(), time.process_time()
    do()
    return time.perf_counter() - started, time.process_time() - busy


def _times(name: str, took: Sequence[tuple[float, float]]) -> Figures:
    clock, processor = zip(*took, strict=True)
    return {
        f"{name}_p50_ms": quantile(clock, 0.5) * 1000,
        f"{name}_p95_ms": quantile(clock, 0.95) * 1000,
        f"{name}_busy_ms": quantile(processor, 0.5) * 1000,
    }


STEPS: Mapping[str, Callable[[Path], Figures]] = {"import": measure_import, "use": measure_use}


def measure_apart(step: str, folder: Path) -> dict[str, float]:
    """A step in a process of its own, so that memory is its own alone."""
    out = folder / f"{step}.json"
    subprocess.run([sys.executable, __file__, "--step", step, str(folder), str(out)], check=True, stdout=sys.stderr)
    figures: dict[str, float] = json.loads(out.read_text(encoding="utf-8"))
    out.unlink()
    return figures


def measure(notes: int, folder: Path) -> Figures:
    """All figures; what is whole in ``folder`` is not made again."""
    vault, known = folder / "vault", folder / IMPORTED
    if not known.exists():
        for left in (vault, folder / "data"):
            shutil.rmtree(left, ignore_errors=True)
        print(f"{notes} notes are generated …", file=sys.stderr, flush=True)
        generate(vault, notes, SEED)
        (folder / "config").mkdir(exist_ok=True)
        write_configuration(folder / "config")
        print("and imported …", file=sys.stderr, flush=True)
        known.write_text(json.dumps(measure_apart("import", folder)), encoding="utf-8")
    figures: dict[str, float] = json.loads(known.read_text(encoding="utf-8"))
    return figures | measure_apart("use", folder)


def main() -> int:
    if sys.argv[1:2] == ["--step"]:
        step, folder, out = sys.argv[2:]
        Path(out).write_text(json.dumps(STEPS[step](Path(folder))), encoding="utf-8")
        return 0
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--notes", type=int, default=50_000)
    parser.add_argument("--cache", type=Path, help="folder for vaults and indexes, one a size")
    parser.add_argument("--json", type=Path, help="file for the figures")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="mindnet-bench-") as apart:
        place = (wanted.cache or Path(apart)).resolve() / f"scale-{wanted.notes}"
        place.mkdir(parents=True, exist_ok=True)
        found = {f"{wanted.notes} made": measure(wanted.notes, place)}
    print("\n".join(lines_of(found, LINES)))
    for line in (over := broken(found, LINES)):
        print(f"* {line}")
    if wanted.json:
        wanted.json.write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
