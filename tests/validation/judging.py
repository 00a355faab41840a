"""A vault with ten candidates, and a model server that judges them as a test says."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from inprocess import Running, running
from modelserver import Answering, Asked, ModelServer, model_server, openai_protocol, say
from workspaces import write_vault

TEN = {
    "Bread.md": "# Bread\n\nA loaf.\n\nrel: candidate:uses [[Flour]]\n\nrel: candidate:uses [[Engine]]\n",
    "Dough.md": "# Dough\n\nKneaded with [[rel:candidate:uses Salt]] and left.\n\nrel: candidate:part_of [[Bread]]\n",
    "Oven.md": "# Oven\n\nHot.\n\n## Unassigned Edges\n\n- [[Bread]]\n- [[Engine]]\n- [[Flour]]\n",
    "Salt.md": "# Salt\n\nFrom the sea.\n\n## Unzugeordnete Kanten\n\n- [[Dough]]\n- [[Engine]]\n- [[Nowhere]]\n",
    "Flour.md": "# Flour\n\nMilled.\n",
    "Engine.md": "# Engine\n\nBurns petrol.\n",
}
WRONG = ("Engine", "Nowhere")
"""Targets that the model finds unfit: four of the ten."""


def target_of(asked: Asked) -> str:
    found = re.search(r"^(?:Linked with|Verknüpft mit): (.+)$", asked.prompt, re.MULTILINE)
    assert found is not None, asked.prompt
    return found[1]


def sensible(asked: Asked) -> str:
    return json.dumps({"answer": "no" if target_of(asked) in WRONG else "yes"})


@dataclass
class Judge:
    """``chat`` answers what is no question about a link; ``verdict`` gives the answer's text."""

    server: ModelServer = field(init=False)
    verdict: Callable[[Asked], str] = sensible
    chat: Callable[[Asked, Answering], None] = lambda _, answering: say(answering, ["Fine [1]."])
    judge: Callable[[Asked, Answering], None] | None = None

    def handle(self, asked: Asked, answering: Answering) -> None:
        openai_protocol(self._answer)(asked, answering)

    def _answer(self, asked: Asked, answering: Answering) -> None:
        if "response_format" not in asked.body:
            self.chat(asked, answering)
        elif self.judge is not None:
            self.judge(asked, answering)
        else:
            say(answering, [self.verdict(asked)])

    @property
    def questions(self) -> list[Asked]:
        return [one for one in self.server.chats if "response_format" in one.body]

    @property
    def env(self) -> dict[str, str]:
        return at(self.server.url)


def at(url: str, **more: str) -> dict[str, str]:
    return {"MINDNET_LLM_BACKEND": "openai", "MINDNET_OPENAI_URL": f"{url}/v1", **more}


@contextmanager
def judging() -> Iterator[Judge]:
    judge = Judge()
    with model_server(judge.handle) as judge.server:
        yield judge


@contextmanager
def vault_of_ten(
    folder: Path, env: Mapping[str, str], *, flags: Mapping[str, Any] | None = None, files: Mapping[str, str] = TEN
) -> Iterator[Running]:
    """The vault in ``folder``, written if it is not there yet."""
    vault = folder / "vault"
    if not vault.exists():
        write_vault(vault, files)
    with running(vault, folder / "data", env=env, flags=flags) as app:
        yield app


def validate(app: Running, *, again: bool = False) -> dict[str, Any]:
    """Asks all that is open now; gives how things stand."""
    answer: dict[str, Any] = app.post("/validate", {"limit": 1000, "again": again})
    return answer


def smart(app: Running) -> dict[tuple[str, str, str], dict[str, Any]]:
    """Stored edges that a model has to do with, by note, kind and target."""
    found = [dict(one) for one in app.workspace.store.scroll("edges") if "smart" in one["provenance"]]
    path_of = app.workspace.pipeline.catalog.path_of
    name = {one["edge_id"]: (path_of(one["note_id"]) or "").removesuffix(".md") for one in found}
    return {
        (name[one["edge_id"]], one["kind"], (path_of(one["target_id"]) or one["target_id"]).removesuffix(".md")): one
        for one in found
    }


def provenances(app: Running) -> set[str]:
    return {one["provenance"] for one in smart(app).values()}
