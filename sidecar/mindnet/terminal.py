"""What a person sees in the terminal: answers on stdout, progress and messages on stderr."""

from __future__ import annotations

import contextlib
import shlex
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent import futures
from concurrent.futures import Future

from pydantic import ValidationError
from rich.console import Console, Group, RenderableType
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.text import Text

from mindnet.api import wire
from mindnet.api.service import Service
from mindnet.errors import MindnetError
from mindnet.indexing.report import Report
from mindnet.records import Fault
from mindnet.settings.folders import RunFile

out = Console(highlight=False, soft_wrap=True)
err = Console(stderr=True, highlight=False, soft_wrap=True)

PART_STYLES = {
    "semantic": "blue",
    "lexical": "green",
    "links": "cyan",
    "edge": "magenta",
    "centrality": "yellow",
    "recency": "white",
}
PASSAGE_LINES = 4
SHOWN_EDGES = 8
BAR_WIDTH = 32
LOOK_SECONDS = 0.2


# ------------------------------------------------------------------ stderr
def note(text: str, *, show: bool = True) -> None:
    if show:
        err.print(Text(text))


def rebuilding(found: wire.Rebuild) -> str:
    """What somebody should know who gets an answer while an index is built anew."""
    so_far = f"{found.notes} of {found.total} notes are in it"
    return f"{found.reason} {so_far}." if found.beside else f"{found.reason} Answers come from what is there: {so_far}."


def failure(error: MindnetError) -> None:
    problem(error.message, error.hint)


def problem(message: str, hint: str) -> None:
    err.print(Text.assemble(("error: ", "bold red"), message))
    if hint:
        err.print(Text.assemble(("  → ", "dim"), hint))


def many(number: int, one: str, several: str = "") -> str:
    """A number and what it counts, in the form that belongs to it."""
    return f"{number} {one if number == 1 else several or f'{one}s'}"


def fault(found: Fault) -> None:
    err.print(Text(fault_line(found.path, found.line, found.code, found.message)))


def fault_line(path: str, line: int, code: str, message: str) -> str:
    return f"{path}:{line}: {message} [{code}]" if line else f"{path}: {message} [{code}]"


def first_fault(error: ValueError) -> str:
    if isinstance(error, ValidationError):
        first = error.errors()[0]
        return f"{'.'.join(map(str, first['loc']))}: {first['msg']}"
    return str(error)


class Bar:
    """A progress bar that is told a total, then each note."""

    def __init__(self, progress: Progress, label: str) -> None:
        self._progress = progress
        self._task = progress.add_task(label, total=None, current="")

    def total(self, count: int) -> None:
        """From here on it counts to so many, from nothing."""
        self._progress.update(self._task, total=count, completed=0)

    def step(self, path: str) -> None:
        self._progress.update(self._task, advance=1, current=path)

    def at(self, done: int, total: int, path: str) -> None:
        self._progress.update(self._task, completed=done, total=total or None, current=path)


@contextlib.contextmanager
def progress(label: str, *, show: bool = True) -> Iterator[Bar]:
    columns = (
        TextColumn("{task.description}"),
        BarColumn(BAR_WIDTH),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("[dim]{task.fields[current]}", markup=True),
    )
    with Progress(*columns, console=err, transient=True, disable=not show) as shown:
        yield Bar(shown, label)


def follow(service: Service, first: Future[Report], run: RunFile) -> Callable[[], None]:
    """Shows the first scan while the server answers, says how to ask, then shows how far a better index is.

    What it gives has to be called at the end, so that the terminal is left as it was.
    """
    ended = threading.Event()

    def watch() -> None:
        report = _first_scan(service, first, ended)
        if report is not None:
            welcome(service, report, run)
            if report.is_unfinished:
                _better_index(service, ended)

    thread = threading.Thread(target=watch, name="mindnet-progress", daemon=True)
    thread.start()

    def end() -> None:
        ended.set()
        thread.join()

    return end


def _first_scan(service: Service, first: Future[Report], ended: threading.Event) -> Report | None:
    with progress("Indexing") as bar:
        while not ended.is_set():
            try:
                return first.result(timeout=LOOK_SECONDS)
            except futures.TimeoutError:
                now = service.worker.progress
                bar.at(now.done, now.total, now.current or "")
            except futures.CancelledError:
                return None
            except Exception as error:
                note(f"Indexing failed: {error}")
                return None
    return None


def _better_index(service: Service, ended: threading.Event) -> None:
    workspace = service.workspace
    quick = workspace.embedder.name
    with progress("A better index") as bar:
        while (now := workspace.rebuild()) is not None and now.better:
            bar.at(now.notes, now.total, "")
            if ended.wait(LOOK_SECONDS):
                return
    if workspace.embedder.name != quick:
        note("Answers come from the better index now.")


def welcome(service: Service, report: Report, run: RunFile) -> None:
    place = service.workspace.place
    took = f" in {report.seconds:.1f} s ({report.written} written)" if report.written else ""
    counted = f"{many(report.notes, 'note')}, {many(report.chunks, 'chunk')}, {many(report.edges, 'edge')}"
    err.print(Text(f"{counted}{took}; serving at {run.url}"))
    if report.faults:
        err.print(Text(f"{many(len(report.faults), 'remark')} on notes: see `mindnet import`."))
    question = service.question_to_try()
    if question is not None:
        program = shlex.quote(sys.argv[0])
        place_options = f"--vault {shlex.quote(str(place.vault))}"
        err.print(
            Text.assemble(
                "Ask it, in another terminal:\n  ",
                (f"{program} query {shlex.quote(question)} --explain {place_options}", "bold"),
            )
        )
    if report.is_unfinished:
        err.print(Text("Meanwhile a better model's index is built; then answers come from that one.", style="dim"))
    err.print(Text("Stop with Ctrl+C.", style="dim"))


# ------------------------------------------------------------------ answers
def answer(found: wire.QueryAnswer) -> RenderableType:
    parts: list[RenderableType] = [
        Text(said, "italic") for said in (*(one.said for one in found.phrases), *(one.said for one in found.dates))
    ]
    if found.left_out is not None:
        sought = "By words and links alone" if found.language == "en" else "Nur nach Wörtern und Links"
        parts.append(Text(f"{sought}: {found.left_out}", "yellow"))
    missing = [Text(f"\n{one.note}: {one.text}") for one in found.why_not]
    if not found.hits:
        nothing = "Nothing in your notes matches." if found.language == "en" else "Nichts in deinen Notizen passt."
        return Group(*parts, Text(nothing), *missing)
    for hit in found.hits:
        parts.extend(_hit(hit))
    parts.extend(missing)
    boosts = ", ".join(f"{kind} ×{boost:g}" for kind, boost in found.intent.boosts.items())
    intent = f"{found.intent.name}{f' ({boosts})' if boosts else ''}"
    parts.append(
        Text(f"\n{many(len(found.hits), 'hit')} in {found.took_ms:.0f} ms · {found.mode} · intent {intent}", "dim")
    )
    return Group(*parts)


def _hit(hit: wire.HitOut) -> Iterator[RenderableType]:
    place = f"{hit.path}:{hit.start_line}"
    heading = " › ".join(hit.heading_path)
    yield Text.assemble(
        (f"\n{hit.rank:>2}. ", "bold"), (hit.title, "bold"), f"  {hit.total_score:.3f}  ", (place, "cyan")
    )
    if heading and heading != hit.title:
        yield Text(f"    {heading}", "italic")
    lines = [line for line in hit.text.splitlines() if line.strip()]
    more = " …" if len(lines) > PASSAGE_LINES else ""
    yield Text("\n".join(f"    {line}" for line in lines[:PASSAGE_LINES]) + more, "dim")
    for copy in hit.also_in:
        yield Text.assemble("    ≈ ", copy.title, (f"  {copy.path}:{copy.start_line}", "cyan"))
    if hit.explanation is None:
        return
    yield Text("    ") + _bar(hit.explanation.contributions)
    for reason in hit.explanation.reasons:
        where = f"  ({reason.path}:{reason.line})" if reason.path and reason.line else ""
        yield Text.assemble(("    • ", PART_STYLES[reason.part]), reason.text, (where, "cyan"))
    edges = hit.explanation.related_edges
    for edge in edges[:SHOWN_EDGES]:
        arrow = "→" if edge.direction == "out" else "←"
        yield Text(
            f"      {arrow} {edge.kind} {edge.title}  [{edge.provenance}, line {edge.line}, {edge.confidence:.2f}]",
            "dim",
        )
    if len(edges) > SHOWN_EDGES:
        yield Text(
            f"      … and {len(edges) - SHOWN_EDGES} more {'edge' if len(edges) == SHOWN_EDGES + 1 else 'edges'}", "dim"
        )


def _bar(parts: list[wire.ContributionOut]) -> Text:
    total = sum(max(part.points, 0.0) for part in parts)
    bar, legend = Text(), Text("  ")
    for part in parts:
        if part.points <= 0 or not total:
            continue
        style = PART_STYLES[part.part]
        bar.append("█" * max(1, round(BAR_WIDTH * part.points / total)), style)
        legend.append(f"{part.part} {part.points:.3f}  ", style)
    return bar + legend
