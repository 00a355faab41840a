"""A vault from disk to its graph, the way an import reads it, for tests that ask what became of the notes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mindnet.embedding.hashing import HashingEmbedder
from mindnet.records import Chunk, Edge, Fault, NoteGraph
from mindnet.settings import load_settings
from mindnet.workspace import make_source


@dataclass(frozen=True)
class Reading:
    """What was read: the graph of every indexed note by its path, and all faults."""

    graphs: Mapping[str, NoteGraph]
    faults: tuple[Fault, ...]

    def frontmatter(self, path: str) -> Mapping[str, Any]:
        return self.graphs[path].note.frontmatter

    def headings(self, path: str) -> list[str]:
        return list(self.graphs[path].note.headings)

    def texts(self, path: str) -> list[str]:
        return [chunk.text for chunk in self.graphs[path].chunks]

    def chunk(self, path: str, words: str) -> Chunk:
        """The one chunk of the note that holds ``words``."""
        (found,) = [chunk for chunk in self.graphs[path].chunks if words in chunk.text]
        return found

    def codes(self, path: str) -> list[tuple[str, int]]:
        return [(fault.code, fault.line) for fault in self.faults if fault.path == path]

    def edges(self, path: str) -> list[Edge]:
        """What the author of the note wrote, rules and structure left out."""
        return [edge for edge in self.graphs[path].edges if edge.provenance == "explicit"]

    def target(self, edge: Edge) -> str:
        """Path of the note that an edge leads to, the written title behind ``?`` where there is none."""
        if not edge.resolved:
            return f"?{edge.target_id}"
        return next(path for path, graph in self.graphs.items() if graph.note.note_id == edge.target_id)

    def links(self, path: str) -> set[tuple[str, str]]:
        """(kind, target) of every edge that the author wrote, with ``#section`` behind the target."""
        return {
            (edge.kind, self.target(edge) + (f"#{edge.target_section}" if edge.target_section else ""))
            for edge in self.edges(path)
        }

    def relations(self, path: str) -> set[tuple[str, str]]:
        return {(kind, target) for kind, target in self.links(path) if kind != "references"}

    def labels(self, path: str) -> set[tuple[str, str]]:
        """(target, label) of every piece of evidence with a label."""
        return {(self.target(edge), item.label) for edge in self.edges(path) for item in edge.evidence if item.label}

    def lines(self, path: str) -> set[tuple[str, int]]:
        """(target, line) of every piece of evidence."""
        return {(self.target(edge), item.line) for edge in self.edges(path) for item in edge.evidence}


def read_vault(folder: Path, files: Mapping[str, str | bytes]) -> Reading:
    """Writes the files below ``folder`` (texts as UTF-8, line ends as they are) and reads them as a vault."""
    for name, content in files.items():
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content.encode() if isinstance(content, str) else content)
    source = make_source(folder, load_settings(env={}), HashingEmbedder())
    graphs: dict[str, NoteGraph] = {}
    faults: list[Fault] = []
    for item in source.graphs():
        if isinstance(item, Fault):
            faults.append(item)
        else:
            graphs[item.note.path] = item
            faults += item.faults
    return Reading(graphs, tuple(faults))
