"""`mindnet reset`: the index goes, the vault stays."""

from __future__ import annotations

from typing import Annotated

import typer

from mindnet.api.reports import ResetReport
from mindnet.commands import show
from mindnet.commands.call import HERE, AsJson, Call, ConfigDir, DataDir, Vault, call
from mindnet.errors import UsageError
from mindnet.indexing.reset import truncate
from mindnet.settings.folders import hold
from mindnet.store import files
from mindnet.workspace import Workspace

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
    parts = files.present(folder, files.ALL_FILES if mode == "wipe" else files.INDEX_FILES)
    sizes = {part.name: files.size(part) for part in parts}
    if not yes:
        what = show.reset_plan(mode, folder, sizes)
        raise UsageError(what, hint="Say --yes to do it. The vault itself is never touched.")
    notes = 0
    if mode == "wipe" and parts:
        lock = hold(folder)
        try:
            files.remove(parts)
        finally:
            lock.release()
    elif parts:
        with Workspace(this.place, this.env) as workspace:
            notes = truncate(workspace.pipeline)
    report = ResetReport(
        mode=mode,
        data_dir=str(folder),
        removed=list(sizes) if mode == "wipe" else [],
        bytes=sum(sizes.values()) if mode == "wipe" else 0,
        notes=notes,
    )
    this.show(report, show.reset_report(report))
