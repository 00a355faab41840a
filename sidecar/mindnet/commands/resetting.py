"""`mindnet reset`: the index goes, the vault stays."""

from __future__ import annotations

from typing import Annotated

import typer

from mindnet import terminal
from mindnet.api.reports import ResetReport
from mindnet.commands import show
from mindnet.commands.call import HERE, AsJson, Call, ConfigDir, DataDir, Vault, call
from mindnet.errors import StoreError, UsageError
from mindnet.settings.folders import hold
from mindnet.store import files
from mindnet.workspace import Workspace
from mindnet.workspace.shelf import Shelf

Yes = Annotated[bool, typer.Option("--yes", help="Do it; without it nothing is removed.")]
Mode = Annotated[str, typer.Option("--mode", help="wipe: delete the files. truncate: empty them, keep the vectors.")]


def reset(
    yes: Yes = False,
    mode: Mode = "wipe",
    vault: Vault = HERE,
    data_dir: DataDir = None,
    config_dir: ConfigDir = None,
    as_json: AsJson = False,
) -> None:
    """Remove the index of a vault; the vault itself is never touched."""
    run_reset(call(vault, data_dir, config_dir, as_json), yes=yes, mode=mode)


def run_reset(this: Call, *, yes: bool, mode: str) -> None:
    """Raises ``UsageError`` without ``yes``, ``BusyError`` while another process holds the data folder."""
    if mode not in ("wipe", "truncate"):
        raise UsageError(f"--mode {mode} is not known.", hint="Say wipe or truncate.")
    this.same_prefix()
    folder = this.place.data_dir
    parts = files.everything(folder) if mode == "wipe" else files.index_parts(folder)
    sizes = {part.name: files.size(part) for part in parts}
    shelf = Shelf(this.place, this.env)
    if not yes:
        servers = [f"{prefix}_* at {url}" for url, prefix in shelf.places()]
        what = show.reset_plan(mode, folder, sizes, servers)
        raise UsageError(what, hint="Say --yes to do it. The vault itself is never touched.")
    collections: list[str] = []
    notes = 0
    if mode == "wipe" and (parts or shelf.places()):
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = hold(folder)
        try:
            collections = _wipe_servers(this, shelf)
            files.remove(parts)
        finally:
            lock.release()
    elif parts:
        with Workspace(this.place, this.env) as workspace:
            notes = workspace.truncate()
    report = ResetReport(
        mode=mode,
        data_dir=str(folder),
        removed=list(sizes) if mode == "wipe" else [],
        bytes=sum(sizes.values()) if mode == "wipe" else 0,
        notes=notes,
        collections=collections,
    )
    this.show(report, show.reset_report(report))


def _wipe_servers(this: Call, shelf: Shelf) -> list[str]:
    """Deletes the collections first: while the files are there, it is known where they are.

    Raises ``StoreError`` when the configured server does not answer; of one that was configured once, that is said.
    """
    gone: list[str] = []
    for url, prefix in shelf.places():
        try:
            gone += shelf.clear_server(url, prefix)
        except StoreError as error:
            if url == this.place.settings.mindnet.store.url:
                raise
            terminal.note(f"{error.message} The collections {prefix}_* stay there.")
    return gone
