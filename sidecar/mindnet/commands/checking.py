"""`mindnet check` and `mindnet stats`: what the index holds, and whether it is whole."""

from __future__ import annotations

import typer

from mindnet import terminal
from mindnet.api import convert, wire
from mindnet.client import Daemon
from mindnet.commands.call import HERE, AsJson, Call, ConfigDir, DataDir, Vault, call


def check(vault: Vault = HERE, data_dir: DataDir = None, config_dir: ConfigDir = None, as_json: AsJson = False) -> None:
    """Check the index: whole, consistent, the same as the vault. Exit code 1 when it is not."""
    run_check(call(vault, data_dir, config_dir, as_json))


def run_check(this: Call) -> None:
    with this.daemon_or_workspace() as index:
        if isinstance(index, Daemon):
            report = index.get("/check", wire.CheckReport)
        else:
            report = convert.check(index.check(), index.pipeline.report())
    this.show(report, terminal.check_report(report))
    if not report.ok:
        raise typer.Exit(1)


def stats(vault: Vault = HERE, data_dir: DataDir = None, config_dir: ConfigDir = None, as_json: AsJson = False) -> None:
    """Print numbers of the index: notes by type, edges by kind, provenance and rule."""
    this = call(vault, data_dir, config_dir, as_json)
    with this.daemon_or_workspace() as index:
        numbers = index.get("/stats", wire.Statistics) if isinstance(index, Daemon) else convert.statistics(index)
    this.show(numbers, terminal.statistics(numbers))
