"""`mindnet import` and `mindnet payloads`: files of the vault into the index, or onto stdout."""

from __future__ import annotations

import json
from typing import Annotated

import typer

from mindnet import terminal
from mindnet.api import convert, wire
from mindnet.client import Daemon
from mindnet.commands import show
from mindnet.commands.call import HERE, AsJson, Call, ConfigDir, DataDir, Vault, call
from mindnet.feedback import decisions
from mindnet.feedback.decisions import Decisions
from mindnet.indexing.dry_run import dry_run
from mindnet.indexing.source import VaultSource
from mindnet.records import Fault
from mindnet.store.payload import graph_payloads
from mindnet.store.payload_schema import json_schemas, payload_fault
from mindnet.validation import answers
from mindnet.validation.answers import ModelAnswers
from mindnet.workspace import Workspace, make_source
from mindnet.workspace.embedders import embedder_at

_ESCAPED = {ord(sign): f"\\u{ord(sign):04x}" for sign in "\x85\u2028\u2029"}
"""Line ends for some readers, where JSON allows them; they can only stand inside of texts."""
GRAPH = {"files": "false"}
"""The check after an import: the files have just been read."""


def import_vault(
    vault: Vault = HERE,
    apply: Annotated[bool, typer.Option("--apply", help="Write the index; without it nothing is written.")] = False,
    prune: Annotated[
        bool, typer.Option("--prune/--no-prune", help="Remove notes that are gone from the vault.")
    ] = True,
    prune_all: Annotated[
        bool, typer.Option("--prune-all", help="Remove them even if no note is left in the vault.")
    ] = False,
    data_dir: DataDir = None,
    config_dir: ConfigDir = None,
    as_json: AsJson = False,
) -> None:
    """Index the vault: read, parse, embed, store what has changed."""
    run_import(call(vault, data_dir, config_dir, as_json, make=apply), apply=apply, prune=prune, prune_all=prune_all)


def run_import(this: Call, *, apply: bool, prune: bool, prune_all: bool = False) -> None:
    """Imports, or says what an import would do; exit code 1 when the index has problems after it."""
    if not apply:
        with terminal.progress("Reading", show=not this.as_json) as bar:
            done = dry_run(_source(this), bar)
        report = convert.report(done)
    else:
        with this.daemon_or_workspace(building=True) as index:
            report = _import(index, prune=prune, prune_all=prune_all, visible=not this.as_json)
    this.show(report, show.import_report(report))
    if report.problems:
        raise typer.Exit(1)


def _source(this: Call) -> VaultSource:
    """The vault as an import would read it, without an index."""
    place = this.place
    decided = Decisions(place.data_dir / decisions.FILE)
    answered = ModelAnswers(place.data_dir / answers.FILE)
    return make_source(place.vault, place.settings, embedder_at(place, this.env), decided.verdicts, answered.answers)


def _import(index: Daemon | Workspace, *, prune: bool, prune_all: bool, visible: bool) -> wire.ImportReport:
    if isinstance(index, Daemon):
        terminal.note(f"The sidecar at {index.run.url} does it.", show=visible)
        report = index.post("/ingest", wire.IngestRequest(prune=prune, prune_all=prune_all), wire.ImportReport)
        found = index.get("/check", wire.CheckReport, GRAPH).problems if report.written or report.removed else []
    else:
        with terminal.progress("Indexing", show=visible) as bar:
            done = index.update(None, prune=prune, prune_all=prune_all, on_total=bar.total, on_step=bar.step)
        report = convert.report(done)
        changed = done.written or done.removed
        found = convert.check(index.examine(files=False), done).problems if changed else []
    return report.model_copy(update={"problems": found})


def payloads(
    vault: Vault = HERE,
    schema: Annotated[bool, typer.Option("--schema", help="Print the JSON schema of the payloads instead.")] = False,
    data_dir: DataDir = None,
    config_dir: ConfigDir = None,
    as_json: AsJson = False,
) -> None:
    """Print every payload as JSON Lines, without store or embedding; faults go to stderr."""
    if schema:
        print(json.dumps(json_schemas(), indent=2))
        return
    run_payloads(call(vault, data_dir, config_dir, as_json))


def run_payloads(this: Call) -> None:
    """Prints them; exit code 1 when one is not as its schema says."""
    source = _source(this)
    odd = 0
    for graph in source.graphs():
        if isinstance(graph, Fault):
            terminal.fault(graph)
            continue
        for fault in graph.faults:
            terminal.fault(fault)
        for collection, payload in graph_payloads(graph):
            print(json.dumps({"collection": collection, "payload": payload}, ensure_ascii=False).translate(_ESCAPED))
            wrong = payload_fault(collection, payload)
            if wrong is not None:
                odd += 1
                terminal.note(f"{graph.note.path}: a payload for {collection} is not as its schema says: {wrong}")
    if odd:
        raise typer.Exit(1)
