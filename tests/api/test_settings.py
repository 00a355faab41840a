"""Settings that the plugin changes: what applies at once, what waits for a new start, and what is refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from inprocess import Running, ok, running
from workspaces import write_vault

FILES = {"Plan.md": "# Plan\n\nA plan for the harbour.\n", "Archive/Old.md": "# Old\n\nThe harbour of old.\n"}


def change(app: Running, key: str, value: Any) -> dict[str, Any]:
    found = ok(app.client.patch("/config", json={"key": key, "value": value}))
    setting: dict[str, Any] = next(one for one in found["settings"] if one["key"] == key)
    return setting


def paths(app: Running) -> set[str]:
    return {hit["path"] for hit in app.ask("harbour")["hits"]}


def test_a_folder_that_is_left_out_goes_from_the_answers_and_comes_back(tmp_path: Path) -> None:
    with running(write_vault(tmp_path / "vault", FILES), tmp_path / "data") as app:
        assert paths(app) == {"Plan.md", "Archive/Old.md"}
        told = change(app, "mindnet.vault.exclude", ["Archive/"])
        assert (told["value"], told["waiting"], told["entries"]) == ("Archive/", None, ["Archive/"])
        assert told["origin"].endswith("mindnet.yaml")
        app.ingest()
        assert paths(app) == {"Plan.md"}
        change(app, "mindnet.vault.exclude", [])
        app.ingest()
        assert paths(app) == {"Plan.md", "Archive/Old.md"}


def test_logs_are_off_from_the_next_question_on(tmp_path: Path) -> None:
    with running(write_vault(tmp_path / "vault", FILES), tmp_path / "data") as app:
        log = tmp_path / "data" / "logs" / "search_history.jsonl"
        app.ask("harbour")
        before = log.read_text(encoding="utf-8")
        assert change(app, "mindnet.logs.enabled", False)["value"] == "off"
        app.ask("plan")
        assert log.read_text(encoding="utf-8") == before
        assert app.get("/status")["logs"]["enabled"] is False
        change(app, "mindnet.logs.enabled", True)
        app.ask("plan")
        assert len(log.read_text(encoding="utf-8")) > len(before)


def test_what_is_private_waits_for_a_new_start_and_says_so(tmp_path: Path) -> None:
    vault = write_vault(tmp_path / "vault", FILES)
    with running(vault, tmp_path / "data") as app:
        told = change(app, "mindnet.vault.private", ["Archive/"])
        assert (told["value"], told["waiting"], told["entries"]) == ("", "Archive/", ["Archive/"])
        assert paths(app) == {"Plan.md", "Archive/Old.md"}
    with running(vault, tmp_path / "data") as app:
        assert paths(app) == {"Plan.md"}
        settings = {one["key"]: one for one in app.get("/config")["settings"]}
        assert settings["mindnet.vault.private"]["value"] == "Archive/"
        assert settings["mindnet.vault.private"]["waiting"] is None


def test_the_model_of_the_chat_applies_at_once(tmp_path: Path) -> None:
    with running(write_vault(tmp_path / "vault", FILES), tmp_path / "data") as app:
        told = change(app, "llm.profiles.chat.model", "phi3:mini")
        assert (told["value"], told["waiting"]) == ("phi3:mini", None)
        chat = next(one for one in app.get("/models")["models"] if one["profile"] == "chat")
        assert chat["code"] == "model_down"
        assert change(app, "llm.profiles.chat.model", "")["value"] == ""


@pytest.mark.parametrize(
    ("key", "value", "status", "code"),
    [
        ("mindnet.logs.keep_days", -1, 400, "config"),
        ("mindnet.api.port", 80, 404, "not_found"),
        ("mindnet.logs.enabled", True, 409, "conflict"),
        ("mindnet.vault.exclude", {"a": 1}, 422, "invalid"),
    ],
)
def test_what_cannot_be_changed_so_is_refused_with_a_reason(
    tmp_path: Path, key: str, value: Any, status: int, code: str
) -> None:
    env = {"MINDNET_LOGS": "on"}
    with running(write_vault(tmp_path / "vault", FILES), tmp_path / "data", env=env) as app:
        answer = app.client.patch("/config", json={"key": key, "value": value})
        assert (answer.status_code, answer.json()["code"]) == (status, code)
        assert answer.json()["hint"]
        settings = {one["key"]: one for one in app.get("/config")["settings"]}
        assert settings["mindnet.logs.enabled"]["changeable"] is False
        assert settings["mindnet.logs.keep_days"]["changeable"] is True
        assert settings["mindnet.api.port"]["changeable"] is False
