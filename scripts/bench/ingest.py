"""Measures the write path on vaults, against its bounds: ``python scripts/bench/ingest.py [VAULT …] [--made 1000 …]``.

Prints a table and, with ``--json FILE``, the figures as JSON. A vault is copied first and never
changed; ``--made N`` generates one of N notes. Every vault has a process of its own. Shares are of
one run, so that a busy machine moves both sides.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # The packages beside this folder.

from bench.figures import Figures, Line, broken, lines_of
from bench.inside import disk_mb, has_quick, measure_import, text_mb
from bench.outside import measure_running, measure_searches
from mindnet.settings.schema import AUTO
from vaultgen.vault import generate

SEED = 1
QUICK = "bundled"
FREE_MB, TIMES_TEXT = 20, 12
RESTART_SHARE, RESTART_FREE = 0.02, 1.0
"""Of the full import, and seconds above a process that loads the model."""


LINES = (
    Line("notes", "notes"),
    Line("chunks", "chunks"),
    Line("edges", "edges"),
    Line("import_seconds", "full import", "s"),
    Line("chunks_per_second", "chunks a second"),
    Line("import_to_embedding", "full import / embedding alone", "", 1.25),
    Line("quick_seconds", "  of the quick index, which answers until then", "s"),
    Line("quick_to_embedding", "  of that, full import / embedding alone"),
    Line("rest_to_rendering", "all but embedding / markdown-it-py rendering", "", 3.0),
    Line("restart_seconds", "unchanged restart until ready", "s"),
    Line("loading_seconds", "  a process that only loads the model", "s"),
    Line("restart_allowed", "  of what is allowed: 2 % of the import, or loading + 1 s", "", 1.0),
    Line("answer_seconds", "unchanged restart until the first answer", "s"),
    Line("answer_allowed", "  of what is allowed", "", 1.0),
    Line("restart_embedded", "  windows embedded", "", 0),
    Line("save_median_ms", "a save searchable after the debounce, median", "ms"),
    Line("save_worst_ms", "  worst", "ms"),
    Line("moved", "notes moved to another folder"),
    Line("move_seconds", "  until the index has followed", "s"),
    Line("move_embedded", "  windows embedded", "", 0),
    Line("memory_mb", "peak memory above the loaded model", "MB"),
    Line("helper_mb", "  of the process that embeds, its model included", "MB"),
    Line("data_mb", "data folder on disk", "MB"),
    Line("data_bound_mb", f"  allowed: {FREE_MB} MB + {TIMES_TEXT} x text", "MB"),
    Line("data_share", "  of what is allowed", "", 1.0),
    Line("searches", "searches during an import"),
    Line("search_p50_ms", "  median", "ms"),
    Line("search_p95_ms", "  95 of 100 within", "ms", 250),
    Line("search_errors", "  errors", "", 0),
)
GROWTH = ("save_median_ms", "save_worst_ms", "restart_seconds", "memory_mb", "search_p95_ms")
"""Figures whose growth from the first vault to the others is told."""


def measure(original: Path, folder: Path, search_seconds: float, configuration: str = "") -> Figures:
    """All figures of one vault, taken in ``folder``, which is empty; ``configuration`` is a ``mindnet.yaml``."""
    vault, data, config = folder / "vault", folder / "data", folder / "config"
    shutil.copytree(original, vault, symlinks=True)
    config.mkdir()
    (config / "mindnet.yaml").write_text(configuration, encoding="utf-8")
    first = measure_import(vault, data, config)
    quick = measure_import(vault, folder / "quick", config, QUICK) if has_quick(vault, data, config) else first
    text, data_mb = text_mb(vault), disk_mb(data)
    searches = measure_searches(vault, folder / "again", config, folder / "serve.log", search_seconds)
    shutil.rmtree(folder / "again")
    running = measure_running(vault, data, config, folder / "serve.log")
    allowed = FREE_MB + TIMES_TEXT * text
    may_take = max(RESTART_SHARE * first.seconds, running.loading + RESTART_FREE)
    return {
        "notes": first.notes,
        "chunks": first.chunks,
        "edges": first.edges,
        "text_mb": text,
        "import_seconds": first.seconds,
        "embedding_seconds": first.embedding_alone,
        "chunks_per_second": first.chunks / first.seconds,
        "import_to_embedding": first.seconds / first.embedding_alone,
        "quick_seconds": quick.seconds,
        "quick_to_embedding": quick.seconds / quick.embedding_alone,
        "rest_to_rendering": (first.seconds - first.embedding_inside) / first.rendering,
        "restart_seconds": running.restart,
        "loading_seconds": running.loading,
        "restart_allowed": running.restart / may_take,
        "answer_seconds": running.answer,
        "answer_allowed": running.answer / may_take,
        "restart_embedded": running.restart_embedded,
        "save_median_ms": running.save_median * 1000,
        "save_worst_ms": running.save_worst * 1000,
        "moved": running.moved,
        "move_seconds": running.move,
        "move_embedded": running.move_embedded,
        "memory_mb": first.memory_mb,
        "helper_mb": first.helper_mb,
        "data_mb": data_mb,
        "data_bound_mb": allowed,
        "data_share": data_mb / allowed,
        "searches": searches.number,
        "search_p50_ms": searches.p50 * 1000,
        "search_p95_ms": searches.p95 * 1000,
        "search_errors": searches.errors,
        "search_import_done": searches.import_done,
    }


def measure_apart(name: str, vault: Path | int, search_seconds: float, embedding: str) -> Figures:
    """``measure`` in a process of its own, so that memory is that of this vault alone."""
    with tempfile.TemporaryDirectory(prefix="mindnet-bench-") as folder:
        root = Path(folder)
        if isinstance(vault, int):
            generate(root / "made", vault, SEED)
            vault = root / "made"
        (root / "work").mkdir()
        out = root / "figures.json"
        print(f"{name} …", file=sys.stderr, flush=True)
        one = ("--one", str(vault), str(root / "work"), str(out), str(search_seconds), embedding)
        command = [sys.executable, __file__, *one]
        subprocess.run(command, check=True, env=dict(os.environ), stdout=sys.stderr)
        figures: dict[str, float] = json.loads(out.read_text(encoding="utf-8"))
    return figures


def table(found: Mapping[str, Figures]) -> str:
    """A column a vault, a star where a bound is not kept; below how some figures grow."""
    return "\n".join(lines_of(found, LINES, GROWTH))


def main() -> int:
    if sys.argv[1:2] == ["--one"]:
        vault, folder, out, seconds, embedding = sys.argv[2:]
        said = f"embedding: {{provider: {embedding}}}\n"
        Path(out).write_text(json.dumps(measure(Path(vault), Path(folder), float(seconds), said)), encoding="utf-8")
        return 0
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("vaults", nargs="*", type=Path)
    parser.add_argument("--made", nargs="*", type=int, default=[], metavar="N", help="also generated ones of N notes")
    parser.add_argument("--json", type=Path, help="file for the figures")
    parser.add_argument("--embedding", default=AUTO, metavar="PROVIDER", help="the embedding, as in mindnet.yaml")
    parser.add_argument("--search-seconds", type=float, default=60.0, help="how long to search during an import")
    wanted = parser.parse_args()
    vaults: dict[str, Path | int] = {f"{number} made": number for number in wanted.made}
    vaults |= {vault.resolve().name: vault.resolve() for vault in wanted.vaults}
    if not vaults:
        parser.error("name a vault, or --made N")
    found = {
        name: measure_apart(name, vault, wanted.search_seconds, wanted.embedding) for name, vault in vaults.items()
    }
    print(table(found))
    for line in (over := broken(found, LINES)):
        print(f"* {line}")
    if wanted.json:
        bounds = {line.name: asdict(line) for line in LINES}
        document = {"vaults": found, "lines": bounds, "broken": list(over)}
        wanted.json.write_text(json.dumps(document, indent=2) + "\n", encoding="utf-8")
    return 1 if over else 0


if __name__ == "__main__":
    sys.exit(main())
