"""The words that are kept of a note, as rows of three tables: its chunks', its links', its names'."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from mindnet.records import LinkContext, Note, NoteGraph
from mindnet.store.analysis import path_stem
from mindnet.store.bags import bag_of_names, bags_of_chunks, bags_of_texts

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
BAGS: Mapping[str, tuple[int, ...]] = {
    table: tuple(place for place, name in enumerate(names) if name in ("bag", "name_bag"))
    for table, names in WORDS.items()
}
"""At which places a row of each table has a bag."""


def words_of(graph: NoteGraph) -> Words:
    """Table to its rows for a note, in order."""
    return words_by_path([graph])[graph.note.path]


def words_by_path(graphs: Sequence[NoteGraph]) -> dict[str, Words]:
    """``words_of`` of each note, by its path: of many at once in less time."""
    bags = iter(bags_of_chunks([chunk for graph in graphs for chunk in graph.chunks]))
    links = words_of_links(graphs)
    return {
        graph.note.path: {
            "chunks": [(chunk.chunk_id, chunk.note_id, *next(bags)) for chunk in graph.chunks],
            **links[graph.note.path],
            "names": [(graph.note.note_id, *bag_of_names(name)) for name in _names(graph.note)],
        }
        for graph in graphs
    }


def _names(note: Note) -> Iterable[str]:
    return dict.fromkeys((note.title, path_stem(note.path), *note.aliases))


def words_of_links(graphs: Sequence[NoteGraph]) -> dict[str, Words]:
    """Of ``words_by_path`` what depends on other notes."""
    bags = iter(bags_of_texts([one.sentence or one.label for graph in graphs for one in graph.contexts]))
    return {
        graph.note.path: {"contexts": [_said(graph.note, one, next(bags)) for one in graph.contexts]}
        for graph in graphs
    }


def _said(note: Note, said: LinkContext, bag: tuple[int, bytes]) -> Row:
    names = bag_of_names(said.label)
    return (note.note_id, said.target_id, said.line, int(note.private), said.label, said.sentence, *bag, *names)


def with_bags(table: str, rows: Sequence[Row], bags: Iterator[bytes]) -> list[Row]:
    """The rows with these in the place of their bags, in turn."""
    places = BAGS[table]
    return [tuple(next(bags) if place in places else value for place, value in enumerate(row)) for row in rows]


def bags_in(table: str, rows: Sequence[Row]) -> list[bytes]:
    """The bags of the rows, in turn."""
    return [bag for row in rows for place in BAGS[table] if isinstance(bag := row[place], bytes)]
