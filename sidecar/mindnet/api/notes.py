"""The routes of notes and of their edges."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from fastapi import FastAPI, Query

from mindnet.api import notes_wire as wire
from mindnet.api.service import Service
from mindnet.api.wire import Language

Path = Annotated[str, Query(min_length=1)]


def note_routes(app: FastAPI, service: Callable[[], Service]) -> None:
    @app.get("/notes", operation_id="note", tags=["notes"])
    def note(path: Path) -> wire.NoteOut:
        """A note's payload, and how many chunks and edges it has."""
        return service().note(path)

    @app.get("/notes/edges", operation_id="noteEdges", tags=["notes"])
    def note_edges(path: Path) -> wire.NoteEdges:
        """Every edge of the note in both directions, with lines."""
        return service().note_edges(path)

    @app.get("/notes/related", operation_id="relatedNotes", tags=["notes"])
    def related(
        path: Path,
        top_k: Annotated[int, Query(ge=1, le=100)] = 10,
        include_private: bool = False,
        language: Language | None = None,
    ) -> wire.RelatedNotes:
        """The notes that are near this one in meaning or by the graph, the nearest first, each with its reasons.

        ``language`` is that of the reasons, by default the note's own.
        """
        return service().related(path, top_k=top_k, include_private=include_private, language=language)

    @app.get("/edges/decisions", operation_id="edgeDecisions", tags=["edges"])
    def decisions() -> wire.DecisionList:
        """Everything that was decided of edges, the latest first."""
        return service().decisions()

    @app.post("/edges/{edge_id}/decision", operation_id="decideEdge", tags=["edges"])
    def decide(edge_id: str, request: wire.DecisionRequest) -> wire.DecisionOut:
        """Confirms or rejects what a rule or a model found, or takes that back; answers when the index is so.

        404 for an edge that is not there and was never decided, 409 for one that stands in a note or in its structure.
        """
        return service().decide(edge_id, request.decision)

    @app.delete("/edges/{edge_id}/decision", operation_id="undoEdgeDecision", tags=["edges"])
    def undo(edge_id: str) -> wire.DecisionOut:
        """Takes back what was decided of an edge; 404 where nothing was."""
        return service().decide(edge_id, "undo")
