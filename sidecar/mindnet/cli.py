"""The command line: each command finds its vault, calls the layer below, and prints."""

from __future__ import annotations

import contextlib
import io
import json
import logging
import os
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, NoReturn

import typer
from pydantic import BaseModel

from mindnet import __version__, terminal
from mindnet.api import convert, wire
from mindnet.api.service import Service
from mindnet.client import Daemon
from mindnet.errors import MindnetError, UsageError
from mindnet.indexing.dry_run import dry_run
from mindnet.indexing.report import Report
from mindnet.records import Fault
from mindnet.server import run_line, serve
from mindnet.settings.folders import RunFile
from mindnet.settings.load import environment
from mindnet.store.payload import graph_payloads
from mindnet.workspace import Place, Workspace, embedder_of, find_place, make_source

app = typer.Typer(
    name="mindnet",
    help="Your Obsidian vault as a graph that can be searched and explained, on your own machine.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)

Vault = Annotated[Path, typer.Option("--vault", envvar="MINDNET_VAULT", help="Folder of the vault.")]
DataDir = Annotated[
    Path | None, typer.Option("--data-dir", help="Where the index is kept [default: your user data folder].")
]
ConfigDir = Annotated[Path | None, typer.Option("--config-dir", help="Folder of your own settings files.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document on stdout and nothing else there.")]
HERE = Path()


@dataclass(frozen=True, slots=True)
class Call:
    """The options that every command takes, resolved."""

    place: Place
    env: Mapping[str, str]
    as_json: bool

    @contextlib.contextmanager
    def daemon_or_workspace(self) -> Iterator[Daemon | Workspace]:
        """The daemon that holds the data folder if there is one, else the index itself."""
        daemon = Daemon.find(self.place.data_dir)
        if daemon is not None:
            with contextlib.closing(daemon):
                yield daemon
            return
        with Workspace(self.place, self.env) as workspace:
            if workspace.rebuilt:
                terminal.note(f"{workspace.rebuilt}.")
            yield workspace

    def show(self, answer: BaseModel, text: Any) -> None:
        """The answer as JSON, or ``text``, a renderable, for a person."""
        if self.as_json:
            print(answer.model_dump_json(by_alias=True))
        else:
            terminal.out.print(text)


def call(
    vault: Path, data_dir: Path | None, config_dir: Path | None, as_json: bool, flags: Mapping[str, Any] | None = None
) -> Call:
    env = environment()
    return Call(find_place(vault, data_dir, config_dir, env, flags or {}), env, as_json)


# ------------------------------------------------------------------ commands
@app.command("import")
def import_vault(
    vault: Vault = HERE,
    apply: Annotated[bool, typer.Option("--apply", help="Write the index; without it nothing is written.")] = False,
    prune: Annotated[
        bool, typer.Option("--prune/--no-prune", help="Remove notes that are gone from the vault.")
    ] = True,
    data_dir: DataDir = None,
    config_dir: ConfigDir = None,
    as_json: AsJson = False,
) -> None:
    """Index the vault: read, parse, embed, store what has changed."""
    this = call(vault, data_dir, config_dir, as_json)
    if not apply:
        with terminal.progress("Reading", show=not as_json) as bar:
            done = dry_run(make_source(this.place.vault, this.place.settings, embedder_of(this.place.settings)), bar)
        report = convert.report(done)
    else:
        with this.daemon_or_workspace() as index:
            report = _import(index, prune=prune, show=not as_json)
    this.show(report, terminal.import_report(report))
    if report.problems:
        raise typer.Exit(1)


def _import(index: Daemon | Workspace, *, prune: bool, show: bool) -> wire.ImportReport:
    if isinstance(index, Daemon):
        terminal.note(f"The sidecar at {index.run.url} does it.", show=show)
        report = index.post("/ingest", wire.IngestRequest(prune=prune), wire.ImportReport)
        found = index.get("/check", wire.CheckReport).problems if report.written or report.removed else []
    else:
        with terminal.progress("Indexing", show=show) as bar:
            done = index.pipeline.update(None, prune=prune, on_total=bar.total, on_indexed=bar.step)
        report = convert.report(done)
        changed = done.written or done.removed
        found = convert.check(index.check(), done).problems if changed else []
    return report.model_copy(update={"problems": found})


@app.command()
def payloads(
    vault: Vault = HERE,
    data_dir: DataDir = None,
    config_dir: ConfigDir = None,
    as_json: AsJson = False,
) -> None:
    """Print every payload as JSON Lines, without store or embedding; faults go to stderr."""
    this = call(vault, data_dir, config_dir, as_json)
    source = make_source(this.place.vault, this.place.settings, embedder_of(this.place.settings))
    for graph in source.graphs():
        if isinstance(graph, Fault):
            terminal.fault(graph)
            continue
        for fault in graph.faults:
            terminal.fault(fault)
        for collection, payload in graph_payloads(graph):
            print(json.dumps({"collection": collection, "payload": payload}, ensure_ascii=False))


@app.command()
def query(
    text: Annotated[str, typer.Argument(help="What you want to know.")],
    vault: Vault = HERE,
    mode: Annotated[str, typer.Option("--mode", help="hybrid, semantic or lexical.")] = "hybrid",
    top_k: Annotated[int, typer.Option("--top-k", min=1, max=200)] = 10,
    depth: Annotated[
        int | None, typer.Option("--depth", min=0, max=3, help="Steps over the graph; 0 leaves it out.")
    ] = None,
    note_type: Annotated[list[str] | None, typer.Option("--type", help="Only notes of this type.")] = None,
    tag: Annotated[list[str] | None, typer.Option("--tag", help="Only notes with this tag.")] = None,
    path: Annotated[list[str] | None, typer.Option("--path", help="Only notes whose path starts so.")] = None,
    status: Annotated[list[str] | None, typer.Option("--status", help="Only notes of this status.")] = None,
    group_by: Annotated[str, typer.Option("--group-by", help="note or chunk.")] = "note",
    explain: Annotated[bool, typer.Option("--explain", help="Say why each hit is there.")] = False,
    why_not: Annotated[list[str] | None, typer.Option("--why-not", help="Say why this note is not a hit.")] = None,
    include_private: Annotated[bool, typer.Option("--include-private")] = False,
    language: Annotated[str | None, typer.Option("--language", help="de or en [default: the question's].")] = None,
    data_dir: DataDir = None,
    config_dir: ConfigDir = None,
    as_json: AsJson = False,
) -> None:
    """Search the vault; with --explain each hit says why it is there."""
    this = call(vault, data_dir, config_dir, as_json)
    wanted = {
        "query": text,
        "mode": mode,
        "top_k": top_k,
        "group_by": group_by,
        "expand": {"depth": depth},
        "filters": {"type": note_type or [], "tag": tag or [], "path": path or [], "status": status or []},
        "explain": explain,
        "why_not": why_not or [],
        "include_private": include_private,
        "language": language,
    }
    request = _request(wanted)
    with this.daemon_or_workspace() as index:
        if isinstance(index, Daemon):
            answer = index.post("/query", request, wire.QueryAnswer)
        else:
            if not index.pipeline.entries:
                raise UsageError(
                    f"{this.place.vault} is not indexed yet.", hint="Run `mindnet import --apply` or `mindnet serve`."
                )
            answer = Service(index).query(request)
    this.show(answer, terminal.answer(answer))


def _request(wanted: Mapping[str, Any]) -> wire.QueryRequest:
    try:
        return wire.QueryRequest.model_validate(wanted)
    except ValueError as error:
        raise UsageError(terminal.first_fault(error), hint="See `mindnet query --help`.") from error


@app.command()
def check(vault: Vault = HERE, data_dir: DataDir = None, config_dir: ConfigDir = None, as_json: AsJson = False) -> None:
    """Check the index: whole, consistent, the same as the vault. Exit code 1 when it is not."""
    this = call(vault, data_dir, config_dir, as_json)
    with this.daemon_or_workspace() as index:
        if isinstance(index, Daemon):
            report = index.get("/check", wire.CheckReport)
        else:
            report = convert.check(index.check(), index.pipeline.report())
    this.show(report, terminal.check_report(report))
    if not report.ok:
        raise typer.Exit(1)


@app.command()
def stats(vault: Vault = HERE, data_dir: DataDir = None, config_dir: ConfigDir = None, as_json: AsJson = False) -> None:
    """Print numbers of the index: notes by type, edges by kind, provenance and rule."""
    this = call(vault, data_dir, config_dir, as_json)
    with this.daemon_or_workspace() as index:
        numbers = index.get("/stats", wire.Statistics) if isinstance(index, Daemon) else convert.statistics(index)
    this.show(numbers, terminal.statistics(numbers))


@app.command("serve")
def serve_vault(
    vault: Vault = HERE,
    port: Annotated[int | None, typer.Option("--port", min=0, max=65_535, help="0 takes a free one.")] = None,
    host: Annotated[str, typer.Option("--host", help="A loopback address.")] = "127.0.0.1",
    data_dir: DataDir = None,
    config_dir: ConfigDir = None,
    as_json: AsJson = False,
) -> None:
    """Serve the vault on this machine: index it, watch it, answer."""
    this = call(vault, data_dir, config_dir, as_json, {} if port is None else {"api.port": port})

    def ready(run: RunFile, service: Service, first: Future[Report]) -> None:
        print(run_line(run), flush=True)
        terminal.follow(service, first, run)

    with Workspace(this.place, this.env) as workspace:
        if workspace.rebuilt:
            terminal.note(f"{workspace.rebuilt}.")
        serve(workspace, host=host, port=this.place.settings.mindnet.api.port, on_ready=ready)


@app.command()
def version() -> None:
    """Print the version."""
    print(__version__)


# ------------------------------------------------------------------ the way in
def _speak_utf8() -> None:
    """File names, arguments and output are UTF-8 whatever the locale.

    Where Python has taken another encoding for file names (``LC_ALL=C`` without UTF-8 mode), only a new start can
    change that; the process stays the same one.
    """
    if sys.getfilesystemencoding() != "utf-8" and not sys.flags.utf8_mode and sys.executable:
        os.execv(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]])
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8")


def main() -> NoReturn:
    """Runs a command; an expected failure is one sentence on stderr and its exit code."""
    _speak_utf8()
    logging.basicConfig(level=logging.WARNING, stream=sys.stderr, format="%(levelname)s %(name)s: %(message)s")
    try:
        app()
    except MindnetError as error:
        terminal.failure(error)
        sys.exit(error.exit_code)
    except BrokenPipeError:
        # The reader has gone (`mindnet payloads | head`): nothing is left to say.
        sys.stderr.close()
        sys.exit(0)
    sys.exit(0)
