"""A real sidecar that is stopped or killed while a question is with the model."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from modelserver import Answering, Asked, say
from serving import Served, serving, until
from validation.judging import TEN, Judge, judging
from workspaces import config_folder, write_vault

ON = {"MINDNET_VALIDATION": "on"}


@pytest.fixture
def judge() -> Iterator[Judge]:
    with judging() as one:
        yield one


def pace(folder: Path) -> dict[str, str]:
    """Settings without an embedding model, by which questions follow each other at once."""
    own = config_folder(folder / "config" / "mindnet") / "mindnet.yaml"
    own.write_text(own.read_text(encoding="utf-8") + "validation:\n  per_minute: 100000\n", encoding="utf-8")
    return {"XDG_CONFIG_HOME": str(folder / "config")}


@pytest.mark.parametrize("end", ["stopped", "killed"])
def test_what_was_judged_before_the_end_is_not_asked_again(judge: Judge, tmp_path: Path, end: str) -> None:
    held = threading.Event()

    def hold_the_fourth(asked: Asked, answering: Answering) -> None:
        if len(judge.questions) == 4:
            held.set()
            assert answering.gone(60), "the question outlived its sidecar"
        else:
            say(answering, [judge.verdict(asked)])

    def decided(served: Served) -> int:
        found: int = served.client.get("/status").json()["llm"]["validation"]["decided"]
        return found

    env = {**judge.env, **ON, **pace(tmp_path)}
    vault = write_vault(tmp_path / "vault", TEN)
    judge.judge = hold_the_fourth
    with serving(vault, tmp_path / "data", **env) as served:
        assert held.wait(60)
        if end == "stopped":
            assert served.stop() == 0
        else:
            served.process.kill()
            served.process.wait(60)
    judge.judge = None
    with serving(vault, tmp_path / "data", **env) as served:
        until(lambda: decided(served) == 10)
        assert served.client.get("/check").json()["problems"] == []
    assert len(judge.questions) == 11
