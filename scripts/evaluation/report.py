"""Outcomes as figures: means, paired differences, pools of several sets; as JSON, a table, and Markdown."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypedDict

import numpy as np

from evaluation.fit import cross_fit, weights_of
from evaluation.metrics import METRICS, Figures, interval
from evaluation.run import Outcome
from evaluation.variants import HYBRID, NO_GRAPH, SINGLE

MAIN = "recall@5"
MARGIN = 0.5
POOLED = ("passages", "multi-hop", "linkhide masked", "linkhide anchor")


class Difference(TypedDict):
    """Points (of 100) of recall@5 between two variants, with the ends of the 95 % interval."""

    variant: str
    against: str
    mean: float
    low: float
    high: float


class Summary(TypedDict):
    name: str
    questions: int
    notes: int
    chunks: int
    edges: int
    figures: dict[str, dict[str, float]]
    differences: list[Difference]
    p50_ms: float | None
    p95_ms: float | None


def summarise(outcomes: Sequence[Outcome]) -> list[Summary]:
    """One summary a set, then one for each group of several sets, in which each question counts the same."""
    found = [_summary(outcome.name, [outcome]) for outcome in outcomes]
    for group in POOLED:
        members = [outcome for outcome in outcomes if outcome.group == group]
        if len(members) > 1:
            found.append(_summary(f"{group}, pooled", members))
    return found


def _summary(name: str, outcomes: Sequence[Outcome]) -> Summary:
    rows = {
        variant: np.concatenate([np.array(outcome.figures[variant]) for outcome in outcomes])
        for variant in outcomes[0].figures
    }
    figures = {
        variant: {metric: 100 * float(own[:, column].mean()) for column, metric in enumerate(METRICS)}
        for variant, own in rows.items()
    }
    times = [time for outcome in outcomes for time in outcome.times]
    return Summary(
        name=name,
        questions=sum(len(outcome.questions) for outcome in outcomes),
        notes=sum(outcome.notes for outcome in outcomes),
        chunks=sum(outcome.chunks for outcome in outcomes),
        edges=sum(outcome.edges for outcome in outcomes),
        figures=figures,
        differences=_differences(rows, figures),
        p50_ms=float(np.percentile(times, 50)) if times else None,
        p95_ms=float(np.percentile(times, 95)) if times else None,
    )


def _differences(rows: Mapping[str, Figures], figures: Mapping[str, Mapping[str, float]]) -> list[Difference]:
    best = max(SINGLE, key=lambda leg: figures[leg][MAIN])
    pairs = [(HYBRID, best), (HYBRID, NO_GRAPH), (NO_GRAPH, best)]
    pairs += [(HYBRID, name) for name in rows if name.startswith(f"{HYBRID} without")]
    pairs += [(name, NO_GRAPH) for name in rows if name.startswith(f"{NO_GRAPH} and")]
    pairs += [(name, NO_GRAPH) for name in rows if "shuffled" in name]
    column = METRICS.index(MAIN)
    found = []
    for variant, against in pairs:
        mean, low, high = (100 * value for value in interval(rows[variant][:, column] - rows[against][:, column]))
        found.append(Difference(variant=variant, against=against, mean=mean, low=low, high=high))
    return found


def by_backlink(outcomes: Sequence[Outcome]) -> list[tuple[str, int, float, int, float]]:
    """For hidden links: name, number and recall@5 of those whose target links back, and of the others."""
    column = METRICS.index(MAIN)
    found = []
    for outcome in outcomes:
        if outcome.group.startswith("linkhide"):
            own = 100 * np.array(outcome.figures[HYBRID])[:, column]
            marks = np.array(outcome.marks)
            back, rest = own[marks], own[~marks]
            found.append((outcome.name, len(back), _mean(back), len(rest), _mean(rest)))
    return found


def _mean(values: Figures) -> float:
    return float(values.mean()) if len(values) else float("nan")


# ------------------------------------------------------------------ as text
def figures_table(summary: Summary) -> str:
    head = ("", *METRICS)
    rows = [(name, *(f"{own[metric]:.1f}" for metric in METRICS)) for name, own in summary["figures"].items()]
    return table([head, *rows])


def differences_table(summary: Summary) -> str:
    rows = [
        (one["variant"], one["against"], f"{one['mean']:+.1f}", f"{one['low']:+.1f} … {one['high']:+.1f}")
        for one in summary["differences"]
    ]
    return table([("recall@5 of", "less that of", "difference", "95 % interval"), *rows])


def overview_table(summaries: Sequence[Summary]) -> str:
    """Recall@5 of every set by variant: the one table to look at first."""
    names = list(summaries[0]["figures"])
    rows = [
        (summary["name"], *(f"{summary['figures'][name][MAIN]:.1f}" for name in names), _times(summary))
        for summary in summaries
    ]
    return table([("recall@5", *names, "p50 / p95 ms"), *rows])


def floors_table(summaries: Sequence[Summary], floors: Mapping[str, float]) -> str:
    """What hybrid should reach at least, what it reaches, and what is missing; and the same for its best single leg.

    Hybrid may be at most half a point below that leg.
    """
    rows = []
    for summary in summaries:
        figures = {name: own[MAIN] for name, own in summary["figures"].items()}
        leg = max(figures[name] for name in SINGLE)
        floor = floors.get(summary["name"])
        short = [f"{floor - figures[HYBRID]:.1f} below the floor"] if floor and figures[HYBRID] < floor else []
        short += [f"{leg - figures[HYBRID]:.1f} below its best leg"] if figures[HYBRID] < leg - MARGIN else []
        shown = "–" if floor is None else f"{floor:.1f}"
        rows.append((summary["name"], shown, f"{figures[HYBRID]:.1f}", f"{leg:.1f}", ", ".join(short) or "kept"))
    return table([("recall@5", "floor", "hybrid", "best single leg", "outcome"), *rows])


def backlink_table(outcomes: Sequence[Outcome]) -> str:
    rows = [
        (name, str(back), f"{with_back:.1f}", str(rest), f"{without:.1f}")
        for name, back, with_back, rest, without in by_backlink(outcomes)
    ]
    return table([("hybrid, recall@5", "link back", "recall@5", "do not", "recall@5"), *rows])


def _times(summary: Summary) -> str:
    return f"{summary['p50_ms']:.0f} / {summary['p95_ms']:.0f}" if summary["p50_ms"] is not None else "–"


def table(rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table, padded so that it can be read as it is; numbers stand to the right."""
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    sides: list[Callable[[str, int], str]] = [str.ljust, *[str.rjust] * (len(widths) - 1)]

    def line(cells: Sequence[str]) -> str:
        padded = (side(cell, width) for side, cell, width in zip(sides, cells, widths, strict=True))
        return f"| {' | '.join(padded)} |"

    rule = [("-" * width) if column == 0 else "-" * (width - 1) + ":" for column, width in enumerate(widths)]
    return "\n".join([line(rows[0]), f"| {' | '.join(rule)} |", *map(line, rows[1:])])


def text_report(outcomes: Sequence[Outcome], floors: Mapping[str, float]) -> str:
    """All tables, as Markdown."""
    summaries = summarise(outcomes)
    parts = [floors_table(summaries, floors), overview_table(summaries)]
    if any(outcome.group.startswith("linkhide") for outcome in outcomes):
        parts.append(backlink_table(outcomes))
    for summary in summaries:
        size = f"{summary['notes']} notes, {summary['chunks']} passages, {summary['edges']} edges"
        title = f"### {summary['name']} ({summary['questions']} questions; {size})"
        parts += [title, figures_table(summary), differences_table(summary)]
    parts.append(fit_section(outcomes))
    return "\n\n".join(parts)


def fit_section(outcomes: Sequence[Outcome]) -> str:
    """What weights chosen on the other half of the questions would give."""
    settings = outcomes[0].settings
    assert settings is not None
    fit = cross_fit({outcome.name: outcome.parts for outcome in outcomes}, weights_of(settings))
    rows = [(name, f"{fit.default[name]:.1f}", f"{fit.fitted[name]:.1f}") for name in fit.default]
    chosen = "; ".join(map(_listed, fit.chosen))
    return "\n\n".join(
        (
            "### Weights chosen on the other half of the questions",
            table([("hybrid, recall@5", "default", "cross-fitted"), *rows]),
            f"Chosen: {chosen}.\n\nBy all questions together: {_listed(fit.best)}.",
        )
    )


def _listed(weights: Mapping[str, float]) -> str:
    return ", ".join(f"{part} {weight:g}" for part, weight in weights.items())
