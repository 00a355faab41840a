"""Links that lead nowhere: which they are, and whether they still have to.

Healing is a part of every update: when a note comes or goes, those that link to its name are built
anew. What is here names the links that stay, and puts right a store that fell behind all the same.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from mindnet.indexing.check.rebuilt import rebuild
from mindnet.indexing.pipeline import Pipeline
from mindnet.indexing.report import Report
from mindnet.knowledge.edges import CANDIDATE, STRUCTURE
from mindnet.store.port import AnyOf
from mindnet.vault.keys import fold, strip_suffix

UNRESOLVED = AnyOf("resolved", (False,))


@dataclass(frozen=True, slots=True)
class UnresolvedTarget:
    """A note that is linked to and does not exist; ``links`` counts places, ``path`` and ``line`` are the first."""

    target: str
    links: int
    edges: int
    path: str
    line: int


@dataclass(frozen=True, slots=True)
class Healed:
    """``before`` and ``after`` count edges without a target; ``relinked`` are the notes that were out of date."""

    before: int
    after: int
    relinked: tuple[str, ...]
    report: Report


def unresolved_targets(pipeline: Pipeline) -> list[UnresolvedTarget]:
    """By target, the most linked first; links that wait for a decision (candidates) are not among them."""
    paths = _paths(pipeline)
    places: dict[str, set[tuple[str, int]]] = {}
    spelled: dict[str, tuple[str, int, str]] = {}
    edges: dict[str, int] = {}
    for edge in _unresolved(pipeline):
        path = paths.get(edge["note_id"], "")
        target = fold(strip_suffix(edge["target_id"].strip()))
        edges[target] = edges.get(target, 0) + 1
        lines = {(path, item["line"]) for item in edge["evidence"]}
        places.setdefault(target, set()).update(lines)
        # Spelled as in its first place.
        spelled[target] = min(
            *((*place, edge["target_id"]) for place in lines), spelled.get(target, (path, 10**9, edge["target_id"]))
        )
    found = [
        UnresolvedTarget(spelled[target][2], len(places[target]), edges[target], *min(places[target]))
        for target in edges
    ]
    return sorted(found, key=lambda one: (-one.links, fold(one.target)))


def heal(pipeline: Pipeline, update: Callable[[], Report]) -> Healed:
    """Links all notes anew whose stored links are out of date; ``update`` brings the index up to date."""
    before = sum(1 for _ in _unresolved(pipeline))
    wrong = outdated(pipeline)
    pipeline.redo(wrong)
    report = update()
    return Healed(before, sum(1 for _ in _unresolved(pipeline)), tuple(sorted(wrong)), report)


def outdated(pipeline: Pipeline) -> frozenset[str]:
    """Paths of notes with a stored edge that says a note is missing which is there, or there which is missing."""
    paths = _paths(pipeline)
    found: set[str] = set()
    doubtful: dict[str, set[str]] = {}
    for edge in pipeline.store.scroll("edges"):
        path = paths.get(edge["note_id"])
        if path is None or edge["provenance"] == STRUCTURE:
            continue
        if edge["resolved"]:
            if edge["target_id"] not in paths:
                found.add(path)
        elif pipeline.catalog.resolve(path, edge["target_id"]).path is not None:
            doubtful.setdefault(path, set()).add(edge["edge_id"])
    found.update(
        path for path, edges in doubtful.items() if path not in found and not edges <= _missing(pipeline, path)
    )
    return frozenset(found)


def _missing(pipeline: Pipeline, path: str) -> set[str]:
    """The ids of the edges without a target that the file has by its text, where more stands than is stored."""
    with pipeline.steady():
        built = rebuild(pipeline, path)
    graph = built[1] if built is not None else None
    return {edge.edge_id for edge in graph.edges if not edge.resolved} if graph else set()


def _unresolved(pipeline: Pipeline) -> Iterator[Mapping[str, Any]]:
    found = pipeline.store.scroll("edges", UNRESOLVED)
    return (edge for edge in found if not edge["provenance"].startswith(CANDIDATE))


def _paths(pipeline: Pipeline) -> dict[str, str]:
    """Note id to path of every indexed note."""
    return {entry.note_id: entry.path for entry in tuple(pipeline.entries.values()) if entry.indexed}
