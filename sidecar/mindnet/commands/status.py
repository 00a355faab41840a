"""`mindnet status`: what is there, what it is doing, and what waits; the sidecar is asked, or the data folder read."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from typing import Annotated, Any, Literal

import typer

from mindnet import __version__
from mindnet.api import convert, wire
from mindnet.api.reports import FaultGroup, PendingOut, StatusReport
from mindnet.client import Daemon
from mindnet.commands import show_status
from mindnet.commands.call import HERE, AsJson, Call, ConfigDir, DataDir, Vault, call
from mindnet.errors import StoreError, UsageError
from mindnet.indexing.plan import missing
from mindnet.indexing.report import distinct_faults
from mindnet.records import Fault, VaultFile
from mindnet.settings.folders import holding_process
from mindnet.store import files
from mindnet.store.manifest import Manifest, ManifestEntry
from mindnet.vault.discover import discover, load_ignore_rules
from mindnet.workspace.recipe import Recipe
from mindnet.workspace.shelf import Shelf
from mindnet.workspace.stages import stages_of

FIRST = 3
"""So many faults of a code are named."""


def status(
    vault: Vault = HERE,
    language: Annotated[str | None, typer.Option("--language", help="de or en [default: the terminal's].")] = None,
    data_dir: DataDir = None,
    config_dir: ConfigDir = None,
    as_json: AsJson = False,
) -> None:
    """Say what the index holds, what it is doing, what waits, and what is wrong with which files."""
    if language not in (None, "de", "en"):
        raise UsageError(f"--language {language} is not known.", hint="Say de or en.")
    this = call(vault, data_dir, config_dir, as_json)
    report = run_status(this)
    this.show(report, show_status.status_report(report, language or show_status.language_of(this.env)))


def run_status(this: Call) -> StatusReport:
    """Asks the sidecar if one runs; else reads the data folder and the vault, takes no lock and loads no model."""
    daemon = Daemon.find(this.place.data_dir)
    if daemon is None:
        return _read(this)
    with contextlib.closing(daemon):
        return _asked(this, daemon, daemon.get("/status", wire.Status))


def _asked(this: Call, daemon: Daemon, now: wire.Status) -> StatusReport:
    return StatusReport(
        state=now.state,
        url=daemon.run.url,
        pid=daemon.run.pid,
        version=now.version,
        error=now.error,
        indexed=now.indexed,
        total=now.total,
        current=now.current,
        eta_s=now.eta_s,
        notes=now.notes,
        chunks=now.chunks,
        edges=now.edges,
        pending=_pending(_Held.read(this), *_discovered(this)),
        faults=_groups(now.faults, now.fault_counts),
        embedding=now.embedding.model,
        validation=now.llm.validation,
        **_kept(this),
    )


def _read(this: Call) -> StatusReport:
    place = this.place
    found, seen = _discovered(this)
    held, error = _Held(), None
    try:
        held = _Held.read(this)
    except StoreError as failure:
        # One who has just begun an index has not written all of it yet.
        error = None if holding_process(place.data_dir) else f"{failure.message} {failure.hint}".strip()
    indexed = [entry for entry in held.entries.values() if entry.indexed]
    of_notes = (fault for entry in held.entries.values() for fault in entry.faults)
    faults = convert.faults(distinct_faults([*seen, *of_notes]))
    pending = _pending(held, found, seen)
    pid = holding_process(place.data_dir)
    return StatusReport(
        state="unreadable" if error else "busy" if pid else _at_rest(this, pending),
        url=None,
        pid=pid,
        version=__version__,
        error=error,
        indexed=len(indexed),
        total=len(indexed),
        current=None,
        eta_s=None,
        notes=len(indexed),
        chunks=sum(entry.chunks for entry in indexed),
        edges=sum(entry.edges for entry in indexed),
        pending=pending,
        faults=_groups(faults, Counter(fault.code for fault in faults)),
        embedding=_embedding(this),
        validation=None,
        **_kept(this),
    )


def _embedding(this: Call) -> str:
    """The model of the index that is there, else that of the settings."""
    folder = _index_folder(this)
    recipe = Recipe.read(folder) if folder else None
    section = stages_of(this.place.settings).final.mindnet.embedding
    return recipe.embedder if recipe else section.model or section.provider


def _at_rest(this: Call, pending: PendingOut) -> Literal["none", "behind", "current"]:
    if _index_folder(this) is None:
        return "none"
    return "behind" if any(pending.model_dump().values()) else "current"


def _kept(this: Call) -> dict[str, Any]:
    """What of a report is the same with and without a sidecar."""
    folder = this.place.data_dir
    sizes = {part.name: files.size(part) for part in files.everything(folder)} if folder.exists() else {}
    index = _index_folder(this)
    written = [_written_at(part) for part in files.present(index, files.MANIFEST_FILES)] if index else []
    changed = datetime.fromtimestamp(max(written), UTC).isoformat(timespec="seconds") if written else None
    return {"vault": str(this.place.vault), "data_dir": str(folder), "sizes": sizes, "changed_at": changed}


def _index_folder(this: Call) -> Path | None:
    """The folder of the index that serves, else of one that is begun, else None."""
    folder = this.place.data_dir
    if not folder.exists():
        return None
    begun = (path for path in files.index_folders(folder).values() if (path / files.MANIFEST).exists())
    return Shelf(this.place, this.env).serving() or next(begun, None)


def _written_at(file: Path) -> float:
    try:
        return file.stat().st_mtime
    except FileNotFoundError:
        # A process that ends takes its log away.
        return 0.0


@dataclass(frozen=True, slots=True)
class _Held:
    """What the manifest holds; ``begun`` files were announced and not finished."""

    entries: Mapping[str, ManifestEntry] = field(default_factory=dict)
    begun: int = 0

    @classmethod
    def read(cls, this: Call) -> _Held:
        folder = _index_folder(this)
        if folder is None or not (folder / files.MANIFEST).exists():
            return cls()
        with Manifest.peek(folder / files.MANIFEST) as manifest:
            return cls(manifest.entries(), len(manifest.pending()))


def _discovered(this: Call) -> tuple[list[VaultFile], list[Fault]]:
    rules = load_ignore_rules(this.place.vault, this.place.settings.mindnet.vault.exclude)
    return discover(this.place.vault, rules)


def _pending(held: _Held, found: Iterable[VaultFile], faults: Iterable[Fault]) -> PendingOut:
    """What differs between the vault and the manifest by size and time of change."""
    there = {file.path: file for file in found}
    known = {path: (entry.size, entry.mtime_ns) for path, entry in held.entries.items()}
    return PendingOut(
        new=len(there.keys() - known.keys()),
        changed=sum(known[path] != (file.size, file.mtime_ns) for path, file in there.items() if path in known),
        gone=len(missing(known, there, faults)),
        begun=held.begun,
    )


def _groups(faults: Iterable[wire.FaultOut], counts: Mapping[str, int]) -> dict[str, FaultGroup]:
    """By code, the most frequent first."""
    ordered = sorted(faults, key=lambda fault: (fault.code, fault.path, fault.line))
    first = {code: list(own)[:FIRST] for code, own in groupby(ordered, key=lambda fault: fault.code)}
    by_number = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    return {code: FaultGroup(count=number, first=first.get(code, [])) for code, number in by_number}
