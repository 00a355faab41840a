"""Asks one question and says why each hit is there: `mindnet query --explain`."""

from __future__ import annotations

from typing import Annotated

import typer

from mindnet.commands.asking import run_query
from mindnet.commands.call import HERE, AsJson, ConfigDir, DataDir, Prefix, Vault, call, run_door


def retriever_smoke(
    query: Annotated[str, typer.Option("--query", help="What to ask.")],
    mode: Annotated[str, typer.Option("--mode", help="hybrid, semantic or lexical.")] = "hybrid",
    expand_depth: Annotated[
        int, typer.Option("--expand-depth", min=0, max=3, help="Steps over the graph; 0 leaves it out.")
    ] = 1,
    top_k: Annotated[int, typer.Option("--top-k", min=1, max=200)] = 5,
    vault: Vault = HERE,
    prefix: Prefix = None,
    data_dir: DataDir = None,
    config_dir: ConfigDir = None,
    as_json: AsJson = False,
) -> None:
    """Ask one question and print the hits with their reasons. Exit code 1 when there are none."""
    wanted = {"query": query, "mode": mode, "top_k": top_k, "expand": {"depth": expand_depth}, "explain": True}
    answer = run_query(call(vault, data_dir, config_dir, as_json, prefix=prefix), wanted)
    if not answer.hits:
        raise typer.Exit(1)


if __name__ == "__main__":
    run_door(retriever_smoke)
