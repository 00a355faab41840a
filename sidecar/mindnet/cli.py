"""The command line: one table of commands and the way in."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NoReturn

import typer

from mindnet.commands import (
    asking,
    chatting,
    checking,
    doctor,
    files,
    importing,
    resetting,
    serving,
    status,
    validating,
)
from mindnet.commands.call import run

COMMANDS: Mapping[str, Callable[..., None]] = {
    "import": importing.import_vault,
    "payloads": importing.payloads,
    "query": asking.query,
    "chat": chatting.chat,
    "status": status.status,
    "validate": validating.validate,
    "check": checking.check,
    "stats": checking.stats,
    "heal": checking.heal,
    "export": files.export,
    "compare": files.compare,
    "reset": resetting.reset,
    "doctor": doctor.doctor,
    "serve": serving.serve_vault,
    "version": serving.version,
}

app = typer.Typer(
    name="mindnet",
    help="Your Obsidian vault as a graph that can be searched and explained, on your own machine.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
for _name, _command in COMMANDS.items():
    app.command(_name)(_command)


def main() -> NoReturn:
    """Runs a command; an expected failure is one sentence on stderr and its exit code."""
    run(app)
