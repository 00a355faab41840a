"""Parsing and edge building beside one plain rendering: ``python scripts/bench/parse.py VAULT``.

Both begin at the files on disk and work on the same notes in the same run, in turns, so that a busy
machine slows both. The first figure is all that a note goes through before it is embedded: finding
and reading the file, frontmatter, headings, blocks, links, chunks with their tokens counted, edges,
mirrors. The second is finding and reading the same files, and rendering them to HTML with
markdown-it-py; a line says what reading alone takes, so that the ratio without it can be told too.
"""

from __future__ import annotations

import argparse
import cProfile
import pstats
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # The packages beside this folder.

from bench.yardstick import render
from mindnet.indexing.source import VaultSource
from mindnet.records import Fault, NoteGraph
from mindnet.settings import load_settings
from mindnet.vault.read import read_note
from mindnet.workspace import embedder_of, make_source


def build(source: VaultSource) -> tuple[int, int, int]:
    """Numbers of notes, chunks and edges of the whole vault."""
    notes = chunks = edges = 0
    for graph in source.graphs():
        if isinstance(graph, NoteGraph):
            notes, chunks, edges = notes + 1, chunks + len(graph.chunks), edges + len(graph.edges)
    return notes, chunks, edges


def texts(source: VaultSource) -> list[str]:
    """The texts of the notes, read as the write path reads them."""
    found = (read_note(source.vault, file) for file in source.discover()[0])
    return [one.text for one in found if not isinstance(one, Fault)]


def cpu_seconds(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("vault", type=Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--profile", action="store_true", help="show where the time goes")
    options = parser.parse_args()
    settings = load_settings(env={})
    source = make_source(options.vault, settings, embedder_of(settings, {}))
    if options.profile:
        build(source)
        profile = cProfile.Profile()
        profile.runcall(build, source)
        pstats.Stats(profile).sort_stats("cumtime").print_stats(60)
        return
    counts = build(source)  # warms caches of both sides: the file system's and the tokenizer's
    rounds = [
        (
            cpu_seconds(lambda: build(source)),
            cpu_seconds(lambda: render(texts(source))),
            cpu_seconds(lambda: texts(source)),
        )
        for _ in range(options.rounds)
    ]
    # Other work on the machine only ever adds: the least of each is what it needs.
    ours, rendering, reading = (min(column) for column in zip(*rounds, strict=True))
    middle = statistics.median(a / b for a, b, _ in rounds)
    bare = (ours - reading) / (rendering - reading)
    print(
        f"{counts[0]} notes, {sum(map(len, texts(source))) / 1e6:.1f} MB of text, {counts[1]} chunks, {counts[2]} edges"
    )
    print(f"reading, parsing and edges  {ours:6.2f} s")
    print(f"reading and one rendering   {rendering:6.2f} s   (reading alone {reading:.2f} s)")
    print(f"ratio                       {ours / rendering:6.2f}     (bound: 2; median of the rounds {middle:.2f};")
    print(f"                                       without reading on either side {bare:.2f})")


if __name__ == "__main__":
    main()
