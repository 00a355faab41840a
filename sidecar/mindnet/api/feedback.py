"""The routes of feedback."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from fastapi import FastAPI, Query

from mindnet.api import feedback_wire as wire
from mindnet.api.chat_wire import Deleted
from mindnet.api.service import Service


def feedback_routes(app: FastAPI, service: Callable[[], Service]) -> None:
    @app.post("/feedback", operation_id="giveFeedback", tags=["feedback"], status_code=201)
    def give(request: wire.FeedbackRequest) -> wire.FeedbackGiven:
        """Notes a score for an answer, a hit, a citation or an edge that a question has brought.

        404 for a question that is not in the log, 422 for something that it did not bring, 409 where the logs are off.
        """
        return service().give_feedback(request)

    @app.get("/feedback", operation_id="feedback", tags=["feedback"])
    def feedback(query_id: Annotated[str, Query(min_length=1)]) -> wire.FeedbackList:
        """What feedback holds for a question; none for one that is not known."""
        return service().feedback(query_id)

    @app.delete("/feedback/{feedback_id}", operation_id="takeBackFeedback", tags=["feedback"])
    def take_back(feedback_id: str) -> Deleted:
        """Takes feedback back; that is added to the log, from which nothing is erased."""
        service().take_back_feedback(feedback_id)
        return Deleted(deleted=1)
