"""Imports a vault: `mindnet import` under the playbook's name and flags."""

from __future__ import annotations

from typing import Annotated

import typer

from mindnet.commands.call import HERE, AsJson, ConfigDir, DataDir, Prefix, Vault, call, run_door
from mindnet.commands.importing import run_import


def import_markdown(
    vault: Vault = HERE,
    prefix: Prefix = None,
    apply: Annotated[bool, typer.Option("--apply", help="Write; without it the import is only tried out.")] = False,
    purge_before_upsert: Annotated[  # noqa: ARG001
        bool, typer.Option("--purge-before-upsert", help="Always so: a note's new state replaces the old one.")
    ] = False,
    sync_deletes: Annotated[
        bool, typer.Option("--sync-deletes", help="Remove notes that are gone from the vault.")
    ] = False,
    baseline_modes: Annotated[  # noqa: ARG001
        bool, typer.Option("--baseline-modes", help="Always so: the hashes of both modes are kept for every note.")
    ] = False,
    data_dir: DataDir = None,
    config_dir: ConfigDir = None,
    as_json: AsJson = False,
) -> None:
    """Import a vault: read, parse, embed, store what has changed."""
    run_import(call(vault, data_dir, config_dir, as_json, prefix=prefix, make=apply), apply=apply, prune=sync_deletes)


if __name__ == "__main__":
    run_door(import_markdown)
