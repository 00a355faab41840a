"""Measures how long a hybrid, explained question takes, by the size of the vault.

``python scripts/bench/queries.py --made 1000 10000 --cache FOLDER [--json FILE]``

Questions are sentences and titles of the vault itself. The index is built once with the hashing
embedding, which costs nothing, in vectors as long as the default model's; what that model needs for
each question is taken by itself and added to its time. Vaults and indexes stay in the cache.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Mapping
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # The packages beside this folder.

from bench.questions import questions_of
from bench.standin import default_embedder, write_configuration
from mindnet.retrieval.search import Query
from mindnet.store.ahead import read_ahead
from mindnet.workspace import Workspace, find_place
from vaultgen.vault import generate

BOUNDS = {"p50": 60.0, "p95": 150.0}


def measure(notes: int, cache: Path) -> Mapping[str, float]:
    """Milliseconds of each question, as p50 and p95, and their two parts."""
    folder = cache / f"made-{notes}"
    vault, config, data = folder / "vault", folder / "config", folder / "data"
    if not vault.is_dir():
        generate(vault, notes, seed=1)
    for made in (config, data):
        made.mkdir(parents=True, exist_ok=True)
    write_configuration(config)
    asked = questions_of(vault)
    model = default_embedder()
    model.embed_query("warm")
    env: dict[str, str] = {}
    reading = read_ahead(data)
    if reading is not None:
        reading.join()
    with Workspace(find_place(vault, data, config, env, {}), env) as workspace:
        workspace.update(None)
        # As a sidecar does when it starts.
        workspace.index.warm()
        for text in asked[:5]:
            workspace.searcher.search(Query(text, explain=True))
        searches, embeddings, busy = [], [], []
        for text in asked:
            before = time.process_time()
            searches.append(workspace.searcher.search(Query(text, explain=True)).took_ms)
            started = time.perf_counter()
            model.embed_query(text)
            embeddings.append((time.perf_counter() - started) * 1000)
            busy.append((time.process_time() - before) * 1000)
        sizes = workspace.pipeline.size()
    whole = np.array(searches) + np.array(embeddings)
    return {
        "notes": sizes[0],
        "chunks": sizes[1],
        "edges": sizes[2],
        "p50": float(np.percentile(whole, 50)),
        "p95": float(np.percentile(whole, 95)),
        "processor p50": float(np.percentile(busy, 50)),
        "processor p95": float(np.percentile(busy, 95)),
        "search p50": float(np.percentile(searches, 50)),
        "embedding p50": float(np.percentile(embeddings, 50)),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--made", type=int, nargs="+", default=[1_000, 10_000], help="sizes of the vaults, in notes")
    parser.add_argument("--cache", type=Path, required=True, help="folder for vaults and indexes")
    parser.add_argument("--json", type=Path, help="write all figures to this file")
    arguments = parser.parse_args()
    figures = []
    for notes in sorted(arguments.made):
        own = measure(notes, arguments.cache.resolve())
        figures.append(own)
        over = " ".join(f"{name} over {bound:g} ms" for name, bound in BOUNDS.items() if own[name] > bound)
        print(", ".join(f"{name} {value:.0f}" for name, value in own.items()), over and f"* {over}", flush=True)
    if len(figures) > 1:
        growth = figures[-1]["processor p50"] / figures[0]["processor p50"]
        print(f"{figures[-1]['notes'] / figures[0]['notes']:.1f} times the notes: {growth:.1f} times the time")
    if arguments.json:
        arguments.json.write_text(json.dumps(figures, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
