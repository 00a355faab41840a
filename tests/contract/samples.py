"""Small notes with chunks, edges and vectors to put into a store."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import NAMESPACE_URL, uuid5

import numpy as np

from mindnet.embedding.port import Vectors
from mindnet.records import Chunk, Edge, Evidence, Note, NoteGraph

DIMENSION = 4


def vector(*numbers: float) -> Vectors:
    """A unit vector in the direction of the numbers, zeros behind them."""
    full = np.zeros(DIMENSION, dtype=np.float32)
    full[: len(numbers)] = numbers
    return full / np.linalg.norm(full)


def vectors(number: int, seed: int = 0) -> Vectors:
    made = np.random.default_rng(seed).normal(size=(number, DIMENSION)).astype(np.float32)
    unit: Vectors = made / np.linalg.norm(made, axis=1, keepdims=True)
    return unit


def edge(source: str, target: str, kind: str = "references", *, note_id: str | None = None) -> Edge:
    return Edge(
        edge_id=str(uuid5(NAMESPACE_URL, f"{source}->{target}:{kind}@")),
        source_id=source,
        target_id=target,
        target_section="",
        note_id=note_id or source.split("#", 1)[0],
        kind=kind,
        scope="chunk" if "#" in source else "note",
        rule_id="explicit:wikilink",
        provenance="explicit",
        confidence=1.0,
        evidence=(Evidence("explicit:wikilink", 3, "etikett"), Evidence("inline:rel", 5)),
        resolved=True,
    )


def graph(
    note_id: str,
    *texts: str,
    path: str = "",
    links: Sequence[str] = (),
    tags: Sequence[str] = (),
    kind: str = "concept",
    status: str | None = None,
    private: bool = False,
    created: int = 20240101000000,
    updated: int = 20240601000000,
) -> NoteGraph:
    """A note of one chunk per text, whose first chunk links to ``links``."""
    path = path or f"{note_id}.md"
    note = Note(
        note_id=note_id,
        title=note_id.title(),
        path=path,
        type=kind,
        status=status,
        tags=tuple(tags),
        aliases=(f"alias of {note_id}",),
        created=created,
        updated=updated,
        private=private,
        retriever_weight=0.6,
        chunk_profile="medium",
        edge_defaults=("references",),
        hashes={"body": f"b-{note_id}", "full": f"f-{note_id}"},
        fulltext="\n\n".join(texts),
        encoding="utf-8",
        bom=False,
        frontmatter={"id": note_id, "nested": {"list": [1, 2.5, None, True, "ä"]}},
        headings=("One", "Two"),
    )
    ids = [f"{note_id}#c{ord_:02d}" for ord_ in range(1, len(texts) + 1)]
    chunks = tuple(
        Chunk(
            chunk_id=ids[index],
            note_id=note_id,
            ord=index + 1,
            title=note.title,
            text=text,
            window=f"{note.title}\n{text}",
            heading_path=("One",),
            start_line=index * 2 + 1,
            end_line=index * 2 + 1,
            neighbors_prev=ids[index - 1] if index else None,
            neighbors_next=ids[index + 1] if index + 1 < len(ids) else None,
            retriever_weight=note.retriever_weight,
            chunk_profile=note.chunk_profile,
            edge_defaults=note.edge_defaults,
            type=kind,
            status=status,
            tags=note.tags,
            aliases=note.aliases,
            path=path,
            private=private,
            created=created,
            updated=updated,
        )
        for index, text in enumerate(texts)
    )
    edges = tuple(edge(ids[0] if ids else note_id, target) for target in links)
    return NoteGraph(note, chunks, edges)
