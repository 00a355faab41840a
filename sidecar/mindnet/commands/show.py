"""Reports as a person reads them, within the 80 columns of a plain terminal."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby, zip_longest
from pathlib import Path

from rich.cells import cell_len, set_cell_size
from rich.console import Group, RenderableType
from rich.text import Text

from mindnet import terminal
from mindnet.api import reports, wire
from mindnet.indexing.check import STALE
from mindnet.terminal import many

SHOWN = 20
"""So many lines of a list are shown; all are in the JSON."""
REBUILD = "To build it anew: mindnet reset --mode truncate --yes, then mindnet import --apply."
TOTALS = ("explicit_total", "inline_total", "callout_total", "defaults_total", "smart_total", "mirror_total")


# ------------------------------------------------------------------ parts
# Lines are put together by hand: a table of the library cuts off what does not fit.
def _numbers(label: str, counts: Mapping[str, int]) -> list[Text]:
    """A heading, and below it names with their numbers, the largest first."""
    rows = [(name, str(number)) for name, number in counts.items() if number]
    rows.sort(key=lambda row: (-int(row[1]), row[0]))
    wide = max((cell_len(name) for name, _ in rows), default=0)
    long = max((len(number) for _, number in rows), default=0)
    return [Text(label, "bold"), *(Text(f"{set_cell_size(name, wide)}  {number:>{long}}") for name, number in rows)]


def _beside(left: Sequence[Text], right: Sequence[Text]) -> list[Text]:
    """Two columns, four spaces apart, two from the edge."""
    wide = max(line.cell_len for line in left)
    lines = []
    for one, other in zip_longest(left, right, fillvalue=Text()):
        line = Text.assemble("  ", one, " " * (wide - one.cell_len + 4), other)
        line.rstrip()
        lines.append(line)
    return lines


def _edges(edges: wire.EdgeCounts) -> list[Text]:
    right = [*_numbers("by provenance", edges.by_provenance), Text(), *_numbers("by rule", edges.by_rule)]
    return [Text(), *_beside(_numbers("edges by kind", edges.by_kind), right)]


def wrapped(text: str, first: str = "  ", after: str = "      ") -> Text:
    """A message in lines of the terminal's width; words longer than that (paths, ids) stay whole."""
    return Text(
        "\n".join(
            textwrap.wrap(
                text,
                max(terminal.out.width, 40),
                initial_indent=first,
                subsequent_indent=after,
                break_long_words=False,
                break_on_hyphens=False,
            )
        )
    )


def _listed(lines: Sequence[Text], what: str, where: str = "all with --json") -> Iterator[Text]:
    """The first lines, and how many more there are."""
    yield from lines[:SHOWN]
    if len(lines) > SHOWN:
        left = len(lines) - SHOWN
        yield Text(f"  … and {left} more {what.removesuffix('s') if left == 1 else what}: {where}", "dim")


def place_of(path: str, line: int) -> str:
    return f"{path}:{line}" if line else path


def amount(number: int) -> str:
    for unit in ("bytes", "kB", "MB", "GB"):
        if number < 1000 or unit == "GB":
            return f"{number:.0f} {unit}" if unit == "bytes" or number >= 100 else f"{number:.1f} {unit}"
        number = number / 1000  # type: ignore[assignment]
    raise AssertionError("the last unit takes any number")


# ------------------------------------------------------------------ import
def import_report(report: wire.ImportReport) -> RenderableType:
    what = "would be indexed; nothing was written, add --apply" if report.dry_run else "in the index"
    held = (("notes", report.notes), ("chunks", report.chunks), ("edges", report.edges.total))
    done = (("notes written", report.written), ("notes removed", report.removed))
    windows = (("windows embedded", report.embedded), ("windows known", report.reused))
    left = [Text(f"{number:>8}  {label}") for label, number in held]
    right = [Text(f"{number:>8}  {label}") for label, number in (*(() if report.dry_run else done), *windows)]
    parts: list[RenderableType] = [
        Text(f"{many(report.notes, 'note')} {what} ({report.seconds:.1f} s)", "bold"),
        *_beside(left, right),
        *_edges(report.edges),
        Text(),
        *_beside(*_evidence(report)),
        *_faults(report.faults),
    ]
    if report.problems:
        parts.append(_problems(report.problems))
    return Group(*parts)


def _evidence(report: wire.ImportReport) -> tuple[list[Text], list[Text]]:
    """The totals, which count pieces of evidence; and beside them what has no target or no decision yet."""
    totals = [Text(f"{name.removesuffix('_total'):<10}{report.totals.get(name, 0):>6}") for name in TOTALS]
    edges = report.edges
    missing = many(edges.unresolved, "edge leads", "edges lead") + " to no note"
    waiting = many(edges.candidates, "candidate waits", "candidates wait") + " for a decision"
    left = [
        Text("not settled", "bold"),
        Text(f"{missing}{': mindnet stats --unresolved' if edges.unresolved else ''}"),
        Text(waiting),
    ]
    return [Text("pieces of evidence", "bold"), *totals], left


def _faults(faults: Sequence[wire.FaultOut]) -> Iterator[RenderableType]:
    """By file, each with its line."""
    if not faults:
        return
    files = len({fault.path for fault in faults})
    yield Text(f"\n{many(len(faults), 'remark')} on {many(files, 'file')}", "bold")
    lines: list[Text] = []
    for path, own in groupby(faults, key=lambda fault: fault.path):
        for number, fault in enumerate(own):
            head = Text(f"  {path or 'the vault'}\n", "cyan") if number == 0 else Text()
            line = f"{fault.line:>6}  " if fault.line else " " * 8
            lines.append(head + wrapped(f"{fault.message} [{fault.code}]", line, " " * 8))
    yield from _listed(lines, "remarks")


# ------------------------------------------------------------------ check
def _problems(problems: Sequence[wire.CheckProblem]) -> RenderableType:
    lines = [wrapped(f"{one.id}: {one.message} [{one.code}]") for one in problems]
    return Group(Text(f"\n{many(len(problems), 'problem')} in the index", "bold red"), *_listed(lines, "problems"))


def check_report(report: wire.CheckReport) -> RenderableType:
    counts = ", ".join(many(number, name.removesuffix("s")) for name, number in report.counts.items())
    parts: list[RenderableType] = []
    if not report.problems:
        parts.append(Text.assemble(("The index is clean", "green"), f": {counts}."))
    else:
        parts += [
            Text(counts),
            _problems(report.problems),
            Text(REBUILD),
        ]
    stale = [one for one in report.remarks if one.code in STALE]
    if stale:
        lines = [wrapped(f"{one.id}: {one.message}") for one in stale]
        head = f"\n{many(len(lines), 'file is', 'files are')} not as in the index: mindnet import --apply, or serve"
        parts.append(Text(head, "bold yellow"))
        parts += _listed(lines, "files")
    if lacking := [one for one in report.remarks if one.code not in STALE]:
        lines = [wrapped(f"{one.id}: {one.message}") for one in lacking]
        parts.append(Text(f"\n{many(len(lines), 'note')} without id, type or title (none is mandatory)", "bold"))
        parts += _listed(lines, "notes")
    return Group(*parts)


# ------------------------------------------------------------------ stats and links
def validated(done: wire.Validated) -> RenderableType:
    now = done.validation
    lines = [
        f"{many(done.asked, 'proposed link')} judged now",
        f"{now.confirmed:>6}  confirmed",
        f"{now.rejected:>6}  rejected",
        f"{now.waiting:>6}  waiting" + (f", {now.pending} of them counting meanwhile" if now.pending else ""),
    ]
    if now.refused:
        lines.append(f"{now.refused:>6}  left out, since no model could be asked")
    parts: list[RenderableType] = [Text(lines[0], "bold"), *map(Text, lines[1:])]
    if now.fault is not None:
        parts.append(wrapped(now.fault, "", ""))
    return Group(*parts)


def statistics(numbers: wire.Statistics) -> RenderableType:
    values = (
        ("vault", numbers.vault),
        ("data folder", numbers.data_dir),
        ("embedding", numbers.embedding),
        ("notes", numbers.notes),
        ("chunks", numbers.chunks),
        ("edges", numbers.edges.total),
        ("unresolved edges", numbers.edges.unresolved),
        ("remarks on notes", numbers.faults),
    )
    parts = [Text.assemble((f"{label:<18}", "dim"), str(value)) for label, value in values]
    types = _beside(_numbers("notes by type", numbers.types), [])
    return Group(*parts, Text(), *types, *_edges(numbers.edges), *_acceptance(numbers.acceptance))


def _acceptance(rules: Mapping[str, wire.Acceptance]) -> Iterator[Text]:
    """By rule how much of what was decided was confirmed."""
    if not rules:
        return
    yield Text("\nwhat you decided, by rule", "bold")
    wide = max(cell_len(rule) for rule in rules)
    for rule, one in rules.items():
        share = f"{one.confirmed} of {one.confirmed + one.rejected} confirmed ({one.rate:.0%})"
        yield Text(f"  {set_cell_size(rule, wide)}  {share}")


def unresolved(report: reports.UnresolvedReport) -> RenderableType:
    if not report.targets:
        return Text("Every link leads to a note.")
    missing = many(len(report.targets), "note that does not exist", "notes that do not exist")
    head = f"{many(report.links, 'place links', 'places link')} to {missing} ({many(report.edges, 'edge')})"
    return Group(Text(head, "bold"), *_listed([_target(one) for one in report.targets], "targets"))


def _target(one: reports.UnresolvedOut) -> Text:
    """The target and its first place, on a line of its own where one does not hold both."""
    head = Text.assemble(f"{one.links:>6}  ", (one.target, "bold"))
    place = Text.assemble(("first in ", "dim"), (place_of(one.path, one.line), "cyan"))
    between = "  " if head.cell_len + 2 + place.cell_len <= terminal.out.width else "\n" + " " * 10
    return Text.assemble(head, between, place)


def heal_report(report: reports.HealReport) -> RenderableType:
    healed = report.before - report.after
    parts: list[RenderableType] = [
        Text(f"unresolved edges: {report.before} before, {report.after} after ({report.seconds:.1f} s)")
    ]
    if report.relinked:
        parts += _listed([Text(f"  linked anew: {path}", "green") for path in report.relinked], "notes")
    elif healed == 0:
        parts.append(Text("Nothing was out of date: links heal by themselves when a note of their name appears."))
    if report.after:
        parts.append(Text("What is left has no note of its name: mindnet stats --unresolved", "dim"))
    return Group(*parts)


# ------------------------------------------------------------------ files
def export_report(report: reports.ExportReport) -> RenderableType:
    head = Text(f"{many(report.notes, 'note')} ({amount(report.bytes)}) written to {report.folder}")
    if not report.faults:
        return head
    lines = [wrapped(f"{fault.path}: {fault.message}") for fault in report.faults]
    return Group(head, Text(f"{many(len(lines), 'note')} not written", "bold red"), *_listed(lines, "notes"))


def compare_report(report: reports.CompareReport) -> RenderableType:
    parts: list[RenderableType] = []
    if report.same:
        parts.append(Text(f"No difference in {many(report.compared, 'note')}.", "green"))
    else:
        parts.append(Text(f"The folders differ; {many(report.compared, 'note is', 'notes are')} in both.", "bold red"))
    parts += _paths("missing in the second", report.missing)
    parts += _paths("in the second alone", report.extra)
    if report.differing:
        parts.append(Text(f"\n{many(len(report.differing), 'file differs', 'files differ')}", "bold"))
        parts += _listed([_difference(one) for one in report.differing], "files")
    parts += _paths("that could not be read", [f"{fault.path}: {fault.message}" for fault in report.unread])
    parts += _paths("left out: of a status that is not indexed", report.left_out)
    return Group(*parts)


def _paths(label: str, paths: Iterable[str]) -> Iterator[Text]:
    lines = [Text(f"  {path}") for path in paths]
    if lines:
        yield Text(f"\n{len(lines)} {label}", "bold")
        yield from _listed(lines, "files")


def _difference(one: reports.DifferenceOut) -> Text:
    sides = (("-", one.left, "red"), ("+", one.right, "green"))
    shown = [(f"\n    {sign} {'(ends here)' if text is None else text}", style) for sign, text, style in sides]
    return Text.assemble((f"  {place_of(one.path, one.line)}", "cyan"), *shown)


# ------------------------------------------------------------------ reset
def reset_plan(mode: str, folder: Path, sizes: Mapping[str, int], servers: Sequence[str]) -> str:
    if not sizes and not servers:
        return f"There is no index in {folder}."
    named = ", ".join([*(f"{name} ({amount(number)})" for name, number in sizes.items()), *servers])
    if mode == "truncate":
        return f"This would empty the index in {folder}: {named}. Vectors stay, so that nothing is embedded again."
    return f"This would delete the index in {folder}: {named}. The whole vault has to be embedded again after it."


def reset_report(report: reports.ResetReport) -> RenderableType:
    if report.mode == "truncate":
        return Text(f"{many(report.notes, 'note')} taken out of the index in {report.data_dir}; the vectors are kept.")
    server = f" On the server: {', '.join(report.collections)}." if report.collections else ""
    if not report.removed:
        return Text(f"There was no index in {report.data_dir}.{server}")
    return Text(f"Deleted {', '.join(report.removed)} in {report.data_dir} ({amount(report.bytes)}).{server}")
