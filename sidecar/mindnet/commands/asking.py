"""`mindnet query`: a question, its hits, and why they are there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

import typer

from mindnet import terminal
from mindnet.api import wire
from mindnet.api.service import Service
from mindnet.client import Daemon
from mindnet.commands.call import HERE, AsJson, Call, ConfigDir, DataDir, Vault, call
from mindnet.errors import UsageError


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
    phrases: Annotated[
        str, typer.Option("--phrases", help="What is in quotation marks: auto, require or ignore.")
    ] = "auto",
    dates: Annotated[str, typer.Option("--dates", help="Times in the question: auto, apply or ignore.")] = "auto",
    copies: Annotated[
        bool, typer.Option("--copies", help="List passages with nearly the same text one by one.")
    ] = False,
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
        "phrases": phrases,
        "dates": dates,
        "fold_copies": not copies,
        "explain": explain,
        "why_not": why_not or [],
        "include_private": include_private,
        "language": language,
    }
    run_query(this, wanted)


def run_query(this: Call, wanted: Mapping[str, Any]) -> wire.QueryAnswer:
    """Asks, prints and gives the answer; ``wanted`` has the fields of a ``QueryRequest``."""
    request = _request(wanted)
    with this.daemon_or_workspace(answering=True) as index:
        if isinstance(index, Daemon):
            answer = index.post("/query", request, wire.QueryAnswer)
            if answer.rebuild is not None:
                terminal.note(terminal.rebuilding(answer.rebuild))
        else:
            this.need_notes(index)
            answer = Service(index).query(request)
    this.show(answer, terminal.answer(answer))
    return answer


def _request(wanted: Mapping[str, Any]) -> wire.QueryRequest:
    try:
        return wire.QueryRequest.model_validate(wanted)
    except ValueError as error:
        raise UsageError(terminal.first_fault(error), hint="See `mindnet query --help`.") from error
