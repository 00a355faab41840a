"""`mindnet validate`: the language model judges proposed links now, and how far it is can be seen."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import typer

from mindnet import terminal
from mindnet.api import convert, wire
from mindnet.client import Daemon
from mindnet.commands import show
from mindnet.commands.call import HERE, AsJson, Call, ConfigDir, DataDir, Vault, call
from mindnet.workspace import Workspace
from mindnet.workspace.validating import open_validation

AT_A_TIME = 5
"""Questions between two steps of the progress line."""


def validate(
    vault: Vault = HERE, data_dir: DataDir = None, config_dir: ConfigDir = None, as_json: AsJson = False
) -> None:
    """Have the language model judge proposed links now; what it said before is not asked again."""
    run_validate(call(vault, data_dir, config_dir, as_json))


def run_validate(this: Call) -> None:
    """Asks until nothing is open; exit code 3 when a model is missing or gave no answer."""
    with (
        this.daemon_or_workspace() as index,
        terminal.progress("Validating", show=not this.as_json) as bar,
    ):
        if not isinstance(index, Daemon):
            this.need_notes(index)
        asked = 0
        for step in _asked(index) if isinstance(index, Daemon) else _here(index):
            asked += step.asked
            bar.at(asked, asked + step.validation.waiting, "")
    done = step.model_copy(update={"asked": asked})
    this.show(done, show.validated(done))
    if done.validation.refused or (done.validation.fault is not None and done.validation.waiting):
        raise typer.Exit(3)


def _asked(daemon: Daemon) -> Iterator[wire.Validated]:
    again = True
    while True:
        step = daemon.post("/validate", wire.ValidateRequest(limit=AT_A_TIME, again=again), wire.Validated)
        yield step
        if not step.more:
            return
        again = False


def _here(workspace: Workspace) -> Iterator[wire.Validated]:
    behind = frozenset[str]().union(*(index.pipeline.waiting() for index in workspace.open_indexes))
    if behind:
        # What a process that was killed has left undone: nothing can be asked about these notes before.
        workspace.update(behind)
    validation = open_validation(workspace, workspace.update)
    with asyncio.Runner() as runner:
        again = True
        while True:
            done = runner.run(validation.work(AT_A_TIME, again=again))
            yield wire.Validated(asked=done.asked, more=done.more, validation=convert.validation(validation.state))
            if not done.more:
                return
            again = False
