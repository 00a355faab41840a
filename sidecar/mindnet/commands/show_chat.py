"""Answers, their sources and the state of the models as text for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Group, RenderableType
from rich.text import Text

from mindnet.api import chat_wire as wire

PASSAGE_LINES = 4


def passages(sources: Sequence[wire.SourceOut]) -> RenderableType:
    """Each source with its place and the beginning of its text."""
    return Group(*(part for source in sources for part in _passage(source)))


def _passage(source: wire.SourceOut) -> Iterator[Text]:
    heading = " › ".join(source.heading_path)
    yield Text.assemble(
        (f"[{source.number}] ", "bold"),
        (source.title, "bold"),
        f"  {source.total_score:.3f}  ",
        (f"{source.path}:{source.start_line}", "cyan"),
    )
    if heading and heading != source.title:
        yield Text(f"    {heading}", "italic")
    lines = [line for line in source.text.splitlines() if line.strip()]
    more = " …" if len(lines) > PASSAGE_LINES else ""
    yield Text("\n".join(f"    {line}" for line in lines[:PASSAGE_LINES]) + more, "dim")
    for copy in source.also_in:
        yield Text.assemble("    ≈ ", copy.title, (f"  {copy.path}:{copy.start_line}", "cyan"))


def done(event: wire.DoneEvent) -> RenderableType:
    """Where the citations lead, what the user should know, and who answered."""
    parts = [
        Text.assemble((f"[{one.number}] ", "bold"), one.title, "  ", (f"{one.path}:{one.start_line}", "cyan"))
        for one in event.citations
    ]
    parts += [Text(notice, "yellow") for notice in event.notices]
    if event.left_out:
        numbers = ", ".join(str(one.number) for one in event.left_out)
        parts.append(Text(f"No room in the prompt for: {numbers}", "dim"))
    if event.model is not None:
        seconds = event.timings.get("total", 0.0) / 1000
        parts.append(Text(f"{event.model} · {seconds:.1f} s · session {event.session_id}", "dim"))
    return Group(*parts)


def models(found: Sequence[wire.ModelCondition]) -> RenderableType:
    parts: list[Text] = []
    for one in found:
        mark, style = ("ok", "green") if one.ok else ("!!", "red")
        told = f"{one.model}, window {one.num_ctx} tokens" if one.ok else one.message
        parts.append(Text.assemble((f"{mark} ", style), (f"{one.profile}: ", "bold"), f"{told}  ", (one.place, "cyan")))
        if one.hint:
            parts.append(Text(f"   → {one.hint}", "dim"))
        if one.leaves_machine:
            parts.append(Text("   Questions and passages of your notes are sent to another computer.", "yellow"))
    return Group(*parts)
