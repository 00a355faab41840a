"""The status as a person reads it, in German or English."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime

from rich.console import Group, RenderableType
from rich.text import Text

from mindnet.api.reports import FaultGroup, StatusReport
from mindnet.api.wire import ValidationStatus
from mindnet.commands.show import amount, place_of, wrapped

TEXTS: Mapping[str, Mapping[str, str]] = {
    "en": {
        "idle": "up to date; the sidecar watches",
        "scanning": "the sidecar looks for changes",
        "indexing": "indexing: {indexed} of {total}",
        "error": "the sidecar waits",
        "none": "not indexed yet: mindnet import --apply, or mindnet serve",
        "current": "up to date; no sidecar runs",
        "behind": "no sidecar runs, and the vault has changed: mindnet import --apply, or mindnet serve",
        "busy": "process {pid} works on it",
        "unreadable": "the index cannot be read",
        "left": "about {seconds} s left",
        "vault": "vault",
        "data_dir": "data folder",
        "sidecar": "sidecar",
        "process": "process {pid}",
        "notes": "notes",
        "chunks": "chunks",
        "edges": "edges",
        "pending": "waiting",
        "new": "{n} new",
        "changed": "{n} changed",
        "gone": "{n} gone",
        "begun": "{n} begun",
        "nothing": "nothing",
        "embedding": "embedding",
        "validation": "proposed links",
        "confirmed": "{n} confirmed",
        "rejected": "{n} rejected",
        "open": "{n} still to be judged by the model",
        "meanwhile": "{n} of them count meanwhile",
        "refused": "{n} left out, since no model could be asked",
        "unasked": "asked about by mindnet validate alone",
        "sizes": "size",
        "changed_at": "last import",
        "never": "never",
        "faults": "remarks on files",
        "more": "… and {n} more: mindnet import",
    },
    "de": {
        "idle": "auf dem neuesten Stand; der Sidecar beobachtet",
        "scanning": "der Sidecar sucht nach Änderungen",
        "indexing": "indiziert: {indexed} von {total}",
        "error": "der Sidecar wartet",
        "none": "noch nicht indiziert: mindnet import --apply oder mindnet serve",
        "current": "auf dem neuesten Stand; kein Sidecar läuft",
        "behind": "kein Sidecar läuft, und der Vault ist geändert: mindnet import --apply oder mindnet serve",
        "busy": "Prozess {pid} arbeitet daran",
        "unreadable": "der Index ist nicht lesbar",
        "left": "noch etwa {seconds} s",
        "vault": "Vault",
        "data_dir": "Datenordner",
        "sidecar": "Sidecar",
        "process": "Prozess {pid}",
        "notes": "Notizen",
        "chunks": "Abschnitte",
        "edges": "Kanten",
        "pending": "wartet",
        "new": "{n} neu",
        "changed": "{n} geändert",
        "gone": "{n} entfernt",
        "begun": "{n} begonnen",
        "nothing": "nichts",
        "embedding": "Einbettung",
        "validation": "vorgeschlagene Links",
        "confirmed": "{n} bestätigt",
        "rejected": "{n} abgelehnt",
        "open": "{n} beurteilt das Modell noch",
        "meanwhile": "{n} davon zählen bis dahin",
        "refused": "{n} ausgelassen, weil kein Modell zu fragen war",
        "unasked": "gefragt wird nur mit mindnet validate",
        "sizes": "Größe",
        "changed_at": "letzter Import",
        "never": "nie",
        "faults": "Bemerkungen zu Dateien",
        "more": "… und {n} weitere: mindnet import",
    },
}
GOOD = frozenset(("idle", "current"))
BAD = frozenset(("error", "unreadable"))


def language_of(env: Mapping[str, str]) -> str:
    """German where the terminal speaks it, else English."""
    named = next((env[name] for name in ("LC_ALL", "LC_MESSAGES", "LANG") if env.get(name)), "")
    return "de" if named.lower().startswith("de") else "en"


def status_report(report: StatusReport, language: str) -> RenderableType:
    say = TEXTS[language]
    head = say[report.state].format(indexed=report.indexed, total=report.total, pid=report.pid)
    if report.eta_s is not None:
        head += f", {say['left'].format(seconds=round(report.eta_s))}"
    style = "green" if report.state in GOOD else "bold red" if report.state in BAD else "yellow"
    parts: list[RenderableType] = [Text.assemble(("● ", style), (head, "bold"))]
    if report.error:
        parts.append(wrapped(report.error))
    wide = max(len(label) for label, _ in _rows(report, say)) + 2
    parts += [Text.assemble((f"  {label:<{wide}}", "dim"), value) for label, value in _rows(report, say)]
    if report.validation and report.validation.fault and report.validation.waiting:
        parts.append(wrapped(report.validation.fault))
    if report.faults:
        parts.append(Text(f"\n{sum(group.count for group in report.faults.values())} {say['faults']}", "bold"))
        for code, group in report.faults.items():
            parts += _fault_group(code, group, say)
    return Group(*parts)


def _rows(report: StatusReport, say: Mapping[str, str]) -> list[tuple[str, str]]:
    waiting = [say[name].format(n=number) for name, number in report.pending.model_dump().items() if number]
    kept = ", ".join(f"{name} {amount(number)}" for name, number in report.sizes.items() if number)
    total = f"{amount(sum(report.sizes.values()))}{f' ({kept})' if kept else ''}"
    changed = datetime.fromisoformat(report.changed_at).astimezone() if report.changed_at else None
    sidecar = [(say["sidecar"], f"{report.url} ({say['process'].format(pid=report.pid)})")] if report.url else []
    return [
        (say["vault"], report.vault),
        (say["data_dir"], report.data_dir),
        *sidecar,
        *((say[name], str(getattr(report, name))) for name in ("notes", "chunks", "edges")),
        (say["pending"], ", ".join(waiting) or say["nothing"]),
        (say["embedding"], report.embedding),
        *((say["validation"], text) for text in _validation(report.validation, say)),
        (say["sizes"], total),
        (say["changed_at"], changed.strftime("%Y-%m-%d %H:%M") if changed else say["never"]),
    ]


def _validation(found: ValidationStatus | None, say: Mapping[str, str]) -> Iterator[str]:
    """One text on the links that a model judges, none where there are no such links."""
    if found is None or not (found.decided or found.waiting or found.refused):
        return
    counts = {
        "confirmed": found.confirmed,
        "rejected": found.rejected,
        "open": found.waiting,
        "meanwhile": found.pending,
        "refused": found.refused,
    }
    parts = [say[name].format(n=number) for name, number in counts.items() if number]
    yield ", ".join(parts if found.enabled or not found.waiting else [*parts, say["unasked"]])


def _fault_group(code: str, group: FaultGroup, say: Mapping[str, str]) -> Iterator[RenderableType]:
    yield Text.assemble((f"  {group.count:>5}  {code}", "cyan"))
    for fault in group.first:
        yield wrapped(f"{place_of(fault.path, fault.line)}: {fault.message}", " " * 9, " " * 11)
    if group.count > len(group.first):
        yield Text(f"         {say['more'].format(n=group.count - len(group.first))}", "dim")
