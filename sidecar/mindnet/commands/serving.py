"""`mindnet serve`: the sidecar of one vault, until it is told to stop."""

from __future__ import annotations

import contextlib
from concurrent.futures import Future
from typing import Annotated

import typer

from mindnet import __version__, terminal
from mindnet.api.service import Service
from mindnet.commands.call import HERE, AsJson, ConfigDir, DataDir, Vault, call
from mindnet.indexing.report import Report
from mindnet.settings.folders import RunFile
from mindnet.store.ahead import read_ahead
from mindnet.workspace import Workspace


def serve_vault(
    vault: Vault = HERE,
    port: Annotated[int | None, typer.Option("--port", min=0, max=65_535, help="0 takes a free one.")] = None,
    host: Annotated[str, typer.Option("--host", help="A loopback address.")] = "127.0.0.1",
    data_dir: DataDir = None,
    config_dir: ConfigDir = None,
    as_json: AsJson = False,
) -> None:
    """Serve the vault on this machine: index it, watch it, answer."""
    this = call(vault, data_dir, config_dir, as_json, flags={} if port is None else {"api.port": port}, make=True)
    embedder = this.loading_embedder()
    read_ahead(this.place.data_dir)
    # Here, since no other command needs the web server, which takes long to import.
    from mindnet import server

    def ready(run: RunFile, service: Service, first: Future[Report]) -> None:
        print(server.run_line(run), flush=True)
        shown.callback(terminal.follow(service, first, run))

    with (
        Workspace(this.place, this.env, answering=True, embedder=embedder) as workspace,
        contextlib.ExitStack() as shown,
    ):
        if workspace.rebuilt:
            terminal.note(workspace.rebuilt)
        server.serve(workspace, host=host, port=this.place.settings.mindnet.api.port, on_ready=ready)


def version() -> None:
    """Print the version."""
    print(__version__)
