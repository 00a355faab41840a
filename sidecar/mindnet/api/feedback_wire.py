"""The shapes of feedback over HTTP."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from mindnet.api.wire import Wire

Target = Literal["hit", "answer", "citation", "edge"]


class FeedbackRequest(Wire):
    """A score for something that was shown: 1 is a thumb down, 5 a thumb up.

    ``node_id`` is the ``query_id`` for an answer, the chunk's or note's id for a hit or a citation, the ``edge_id``
    for an edge. A later score for the same takes the place of an earlier one.
    """

    query_id: str = Field(min_length=1, max_length=100)
    node_id: str = Field(min_length=1, max_length=1_000)
    score: int = Field(ge=1, le=5, strict=True)
    target: Target
    comment: str | None = Field(default=None, max_length=10_000)


class FeedbackGiven(Wire):
    feedback_id: str


class FeedbackOut(Wire):
    """Feedback that holds; ``given_at`` is in milliseconds since 1970."""

    feedback_id: str
    query_id: str
    node_id: str
    score: int
    target: Target
    comment: str | None
    given_at: int


class FeedbackList(Wire):
    """What holds of a question, in the order in which it was given."""

    feedback: list[FeedbackOut]
