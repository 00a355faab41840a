"""`mindnet export` and `mindnet compare`: notes out of the index into files, and files against files."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from mindnet import terminal
from mindnet.api import convert, maintenance, reports
from mindnet.client import Daemon
from mindnet.commands import show
from mindnet.commands.call import HERE, AsJson, Call, ConfigDir, DataDir, Vault, answer_with, call
from mindnet.errors import UsageError
from mindnet.indexing.compare import Focus, compare_folders
from mindnet.indexing.export import Page, export_folder, pages, stored_page, write_notes
from mindnet.settings import load_settings
from mindnet.settings.folders import config_folder, vault_folder
from mindnet.settings.load import environment
from mindnet.vault.discover import load_ignore_rules
from mindnet.workspace import Workspace, registries

Out = Annotated[Path, typer.Option("--out", help="A new or empty folder outside of the vault.")]
FocusOn = Annotated[str, typer.Option("--focus", help="all, or body: without frontmatter and encoding.")]
TWO_FOLDERS = "Name two folders of notes: mindnet compare VAULT EXPORT."
Unused = Annotated[Path | None, typer.Option(hidden=True)]
"""Every command takes ``--vault`` and ``--data-dir``; one that needs neither passes them over."""


def export(
    out: Out,
    below: Annotated[str, typer.Option("--path", "--prefix", help="Only notes in this folder of the vault.")] = "",
    vault: Vault = HERE,
    data_dir: DataDir = None,
    config_dir: ConfigDir = None,
    as_json: AsJson = False,
) -> None:
    """Write every indexed note into a folder, byte for byte as its file is. Exit code 1 when one could not be."""
    run_export(call(vault, data_dir, config_dir, as_json), out=out, below=below)


def run_export(this: Call, *, out: Path, below: str = "") -> None:
    folder = export_folder(out, this.place.vault)
    with this.daemon_or_workspace() as index:
        fetch = _pages_of(this, index, convert.vault_path(below) if below else "")
        with terminal.progress("Writing", show=not this.as_json) as bar:
            done = write_notes(pages(fetch), folder, on_total=bar.total, on_written=bar.step)
    report = maintenance.exported(done)
    this.show(report, show.export_report(report))
    if report.faults:
        raise typer.Exit(1)


def _pages_of(this: Call, index: Daemon | Workspace, below: str) -> Callable[[str], Page]:
    if isinstance(index, Daemon):
        terminal.note(f"The sidecar at {index.run.url} gives the notes.", show=not this.as_json)
        return lambda after: maintenance.page_of(
            index.get("/export", reports.ExportPage, {"below": below, "after": after})
        )
    this.need_notes(index)
    return lambda after: stored_page(index.pipeline, below, after)


def compare(
    one: Annotated[Path, typer.Argument(metavar="A", help="A folder of notes, such as a vault.")],
    other: Annotated[Path, typer.Argument(metavar="B", help="The folder to hold against it, such as an export.")],
    focus: FocusOn = "all",
    config_dir: ConfigDir = None,
    as_json: AsJson = False,
    vault: Unused = None,  # noqa: ARG001
    data_dir: Unused = None,  # noqa: ARG001
) -> None:
    """Compare the notes of two folders byte for byte. Exit code 1 when they differ."""
    run_compare(one, other, focus=focus, config_dir=config_dir, as_json=as_json)


def run_compare(one: Path, other: Path, *, focus: str, config_dir: Path | None, as_json: bool) -> None:
    """What mindnet would not read in ``one`` is passed over in both."""
    if focus not in ("all", "body"):
        raise UsageError(f"--focus {focus} is not known.", hint="Say all or body.")
    wanted: Focus = "body" if focus == "body" else "all"
    settings = load_settings(config_folder(config_dir), env=environment())
    left, right = (vault_folder(folder, hint=TWO_FOLDERS) for folder in (one, other))
    rules = load_ignore_rules(left, settings.mindnet.vault.exclude)
    found = compare_folders(left, right, rules=rules, types=registries(settings)[0], focus=wanted)
    report = maintenance.comparison(found)
    answer_with(report, show.compare_report(report), as_json=as_json)
    if not report.same:
        raise typer.Exit(1)
