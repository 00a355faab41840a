"""The words that are kept of a note, as rows of three tables: its chunks', its links', its names'."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from mindnet.records import NoteGraph
from mindnet.store.analysis import path_stem
from mindnet.store.postings import bag_of, bag_of_names, bag_of_text

Row = tuple[object, ...]
Words = Mapping[str, list[Row]]
"""Table to the rows of one note."""

WORDS: Mapping[str, tuple[str, ...]] = {
    "chunks": ("chunk_id", "note_id", "length", "bag"),
    "contexts": (
        "source_id", "target_id", "line", "private", "label", "sentence", "length", "bag", "names", "name_bag",
    ),
    "names": ("note_id", "length", "bag"),
}  # fmt: skip
"""The columns of each table, besides the numbers of the row and of the note."""


def words_of(graph: NoteGraph) -> Words:
    """Table to its rows for a note, in order."""
    note = graph.note
    names = dict.fromkeys((note.title, path_stem(note.path), *note.aliases))
    return {
        "chunks": [(chunk.chunk_id, chunk.note_id, *bag_of(chunk)) for chunk in graph.chunks],
        **words_of_links(graph),
        "names": [(note.note_id, *bag_of_names(name)) for name in names],
    }


def words_of_links(graph: NoteGraph) -> Words:
    """Of ``words_of`` what depends on other notes."""
    note = graph.note
    return {
        "contexts": [
            (
                note.note_id,
                one.target_id,
                one.line,
                int(note.private),
                one.label,
                one.sentence,
                *bag_of_text(one.sentence or one.label),
                *bag_of_names(one.label),
            )
            for one in graph.contexts
        ]
    }


def words_by_path(graphs: Iterable[NoteGraph]) -> dict[str, Words]:
    return {graph.note.path: words_of(graph) for graph in graphs}
