"""A table of figures, a column a vault, held against the bounds that they have to keep."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

Figures = Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Line:
    """One row of the table: a figure's name, its unit, and the bound that it has to keep, if any."""

    name: str
    label: str
    unit: str = ""
    bound: float | None = None


def lines_of(found: Mapping[str, Figures], lines: Sequence[Line], growth: Sequence[str] = ()) -> list[str]:
    """The table, with a star where a bound is not kept; ``growth`` names figures to hold against the first vault's."""
    rows = [["", *found, "bound"]]
    for line in lines:
        cells = [_cell(figures[line.name], line) for figures in found.values()]
        rows.append([line.label, *cells, "" if line.bound is None else f"<= {line.bound:g} {line.unit}".strip()])
    first, *others = found.items()
    for name, figures in others:
        for key in growth:
            label = next(line.label.strip() for line in lines if line.name == key)
            share = figures[key] / first[1][key] if first[1][key] else float("inf")
            rows.append([f"{name} / {first[0]}: {label}", *[""] * (len(found) - 1), f"{share:.1f}", ""])
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        "  ".join(
            cell.ljust(width) if place == 0 else cell.rjust(width)
            for place, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def _cell(value: float, line: Line) -> str:
    over = line.bound is not None and value > line.bound
    text = f"{value:.0f}" if value == int(value) or value >= 100 else f"{value:.2f}"
    return f"{text} {line.unit}".strip() + (" *" if over else "")


def broken(found: Mapping[str, Figures], lines: Sequence[Line]) -> list[str]:
    """The bounds that are not kept."""
    return [
        f"{name}: {line.label.strip()} is {figures[line.name]:.2f}, bound {line.bound:g}"
        for name, figures in found.items()
        for line in lines
        if line.bound is not None and figures[line.name] > line.bound
    ]
