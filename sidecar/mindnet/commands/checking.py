"""`mindnet check`, `mindnet heal` and `mindnet stats`: what the index holds, and whether it is whole."""

from __future__ import annotations

from typing import Annotated

import typer

from mindnet import terminal
from mindnet.api import convert, maintenance, reports, wire
from mindnet.client import Daemon
from mindnet.commands import show
from mindnet.commands.call import HERE, AsJson, Call, ConfigDir, DataDir, Vault, call
from mindnet.indexing.heal import heal as heal_index
from mindnet.indexing.heal import unresolved_targets
from mindnet.workspace import Workspace

Strict = Annotated[
    bool,
    typer.Option(
        "--strict", help="Also list notes without id, type or title, and fail where the vault has moved on since."
    ),
]
Unresolved = Annotated[bool, typer.Option("--unresolved", help="List the links that lead nowhere instead.")]


def check(
    vault: Vault = HERE,
    strict: Strict = False,
    data_dir: DataDir = None,
    config_dir: ConfigDir = None,
    as_json: AsJson = False,
) -> None:
    """Check the index: whole, consistent, the same as the vault. Exit code 1 when it is not."""
    run_check(call(vault, data_dir, config_dir, as_json), strict=strict)


def run_check(this: Call, *, strict: bool = False) -> None:
    with this.daemon_or_workspace() as index:
        if isinstance(index, Daemon):
            report = index.get("/check", wire.CheckReport, {"strict": str(strict).lower()})
        else:
            this.need_notes(index)
            report = convert.check(index.examine(), index.pipeline.report(), index.store if strict else None)
    this.show(report, show.check_report(report))
    if not report.ok:
        raise typer.Exit(1)


def heal(vault: Vault = HERE, data_dir: DataDir = None, config_dir: ConfigDir = None, as_json: AsJson = False) -> None:
    """Resolve links that could lead somewhere by now. That happens by itself: normally there is nothing to do."""
    run_heal(call(vault, data_dir, config_dir, as_json))


def run_heal(this: Call) -> None:
    with this.daemon_or_workspace() as index:
        if isinstance(index, Daemon):
            terminal.note(f"The sidecar at {index.run.url} does it.", show=not this.as_json)
            report = index.post("/heal", None, reports.HealReport)
        else:
            this.need_notes(index)
            report = _heal(index, show_progress=not this.as_json)
    this.show(report, show.heal_report(report))


def _heal(index: Workspace, *, show_progress: bool) -> reports.HealReport:
    with terminal.progress("Linking", show=show_progress) as bar:
        done = heal_index(index.pipeline, lambda: index.update(None, on_total=bar.total, on_step=bar.step))
    return maintenance.healed(done)


def stats(
    vault: Vault = HERE,
    unresolved: Unresolved = False,
    data_dir: DataDir = None,
    config_dir: ConfigDir = None,
    as_json: AsJson = False,
) -> None:
    """Print numbers of the index: notes by type, edges by kind, provenance and rule."""
    this = call(vault, data_dir, config_dir, as_json)
    with this.daemon_or_workspace() as index:
        if isinstance(index, Workspace):
            this.need_notes(index)
        if unresolved:
            links = _unresolved(index)
            this.show(links, show.unresolved(links))
        else:
            numbers = index.get("/stats", wire.Statistics) if isinstance(index, Daemon) else convert.statistics(index)
            this.show(numbers, show.statistics(numbers))


def _unresolved(index: Daemon | Workspace) -> reports.UnresolvedReport:
    if isinstance(index, Daemon):
        return index.get("/unresolved", reports.UnresolvedReport)
    return maintenance.unresolved(unresolved_targets(index.pipeline))
