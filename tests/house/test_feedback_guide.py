"""The guide to feedback names every key that is written down, every setting and every route."""

from __future__ import annotations

import re
from pathlib import Path

from fastapi.routing import APIRoute

from mindnet.api.app import create_app
from mindnet.feedback.history import Search, Shown, entry_of
from mindnet.feedback.jsonlines import JsonLines, Keeping
from mindnet.feedback.scores import Scores
from mindnet.records import Contribution
from mindnet.settings.schema import LogsSection

GUIDE = (Path(__file__).resolve().parents[2] / "docs" / "feedback.md").read_text(encoding="utf-8")
NAMED = set(re.findall(r"`([^`]+)`", GUIDE))


def keys(value: object) -> set[str]:
    match value:
        case dict():
            return {*value, *(key for name, one in value.items() if name != "factors" for key in keys(one))}
        case list():
            return {key for one in value for key in keys(one)}
    return set()


def test_every_key_of_the_logs_is_explained(tmp_path: Path) -> None:
    parts = (Contribution("semantic", 1.0, 0.5, 0.5, {"type": 1.0}),)
    hits = [Shown(1, "note", "note#c01", 0.5, parts)]
    options = {"top_k": 1, "group_by": "note", "depth": 1, "filters": {}}
    search = Search("q", "chat", "one", "hybrid", "FACT", "en", "w", 1.0, hits, False, "two", "s", options)
    lines = JsonLines(tmp_path / "feedback.jsonl", Keeping(1_000, 1, 0))
    scores = Scores(lines)
    scores.take_back(scores.give("q", "q", "answer", 5, "why"))
    written = keys(dict(entry_of(search))) | {key for entry in lines.entries() for key in entry}
    assert len(written) > 20
    assert written <= NAMED


def test_every_setting_of_the_logs_is_explained() -> None:
    assert {f"logs.{name}" for name in LogsSection.model_fields} <= NAMED


def test_every_route_of_notes_edges_and_feedback_is_listed() -> None:
    listed = {tuple(name.split("?")[0].split(" ", 1)) for name in NAMED if " /" in name}
    routes = {
        (method, route.path)
        for route in create_app(None, token="").routes
        if isinstance(route, APIRoute) and route.path.startswith(("/notes", "/edges", "/feedback"))
        for method in route.methods or ()
    }
    assert len(routes) >= 9
    assert routes <= listed
