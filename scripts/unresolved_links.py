"""Lists the links of a vault that lead to no note, by reason, and counts what was written.

    python scripts/unresolved_links.py VAULT [--counts]

Nothing is stored or embedded. Each line names file, line, kind, the written target and, where there is one, the
note whose name comes closest.
"""

from __future__ import annotations

import argparse
import os
import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from rapidfuzz import fuzz, process

from mindnet.embedding.hashing import HashingEmbedder
from mindnet.indexing.source import VaultSource
from mindnet.knowledge.counts import count_edges
from mindnet.records import Edge, Fault, NoteGraph
from mindnet.settings import load_settings
from mindnet.vault.keys import fold, strip_suffix
from mindnet.vault.names import is_note_name, nfc, vault_path
from mindnet.workspace import make_source

SHOWN = ("explicit_total", "inline_total", "callout_total", "defaults_total", "mirror_total", "unresolved")
PLACEHOLDER = re.compile(r"\{\{|\}\}|<%|%>|\$\{|^(?:X|Y|\.{3}|…)$")
ENDING = re.compile(r"\.(?!\d)[A-Za-z0-9]{1,8}$")
CLOSE_ENOUGH = 85


def reason_of(target: str, elsewhere: dict[str, str], others: set[str]) -> str:
    """Why there is no note of that name. ``elsewhere`` are notes that are not indexed, ``others`` other files."""
    name = fold(strip_suffix(target.rpartition("/")[2]).strip())
    if PLACEHOLDER.search(target):
        return "a template's placeholder"
    if name in elsewhere:
        return elsewhere[name]
    if fold(target.rpartition("/")[2]) in others:
        return "a file that is no note"
    if ENDING.search(target) and not is_note_name(target):
        return "an attachment that is missing"
    return "no such note"


def files_beside(source: VaultSource, indexed: set[str]) -> tuple[dict[str, str], set[str]]:
    """Names of notes on disk that are not in the graph with the reason, and names of all other files."""
    elsewhere: dict[str, str] = {}
    others: set[str] = set()
    for folder, _, names in os.walk(source.vault):
        for name in names:
            path = vault_path(os.path.relpath(Path(folder) / name, source.vault))
            if not is_note_name(name):
                others.add(fold(nfc(name)))
            elif path not in indexed:
                excluded = source.rules.ignores(path)
                elsewhere[fold(strip_suffix(name))] = (
                    "in an excluded folder" if excluded else "a note that is not indexed"
                )
    return elsewhere, others


def unresolved(graphs: list[NoteGraph], source: VaultSource) -> Iterator[tuple[str, NoteGraph, Edge, str]]:
    """Each edge that an author wrote to no note: its reason, its note, itself and the closest name."""
    names = {path: fold(strip_suffix(path.rpartition("/")[2])) for path in (graph.note.path for graph in graphs)}
    elsewhere, others = files_beside(source, set(names))
    for graph in graphs:
        for edge in graph.edges:
            if edge.provenance == "explicit" and not edge.resolved:
                near = process.extractOne(fold(edge.target_id.rpartition("/")[2]), names, scorer=fuzz.ratio)
                close = near[2] if near and near[1] >= CLOSE_ENOUGH else ""
                yield reason_of(edge.target_id, elsewhere, others), graph, edge, close


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("vault", type=Path)
    parser.add_argument("--counts", action="store_true", help="numbers alone, no list")
    options = parser.parse_args()
    source = make_source(options.vault, load_settings(), HashingEmbedder())
    found = list(source.graphs())
    graphs = [item for item in found if not isinstance(item, Fault)]
    by_reason: dict[str, list[str]] = defaultdict(list)
    for reason, graph, edge, close in unresolved(graphs, source):
        hint = f"  (closest: {close})" if close else ""
        section = f"#{edge.target_section}" if edge.target_section else ""
        by_reason[reason].append(f"{graph.note.path}:{edge.line}  {edge.kind}  {edge.target_id}{section}{hint}")
    totals = count_edges([edge for graph in graphs for edge in graph.edges])["totals"]
    print(f"{len(graphs)} notes, " + ", ".join(f"{name} {totals[name]}" for name in SHOWN))
    for reason, lines in sorted(by_reason.items(), key=lambda item: -len(item[1])):
        print(f"\n{reason}: {len(lines)}")
        if not options.counts:
            print("\n".join(f"  {line}" for line in sorted(lines)))


if __name__ == "__main__":
    main()
