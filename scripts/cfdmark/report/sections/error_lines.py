"""The difference from published or exact values against the width of a cell, one line for each value."""

from __future__ import annotations

from cfdmark.records.record_check import finite
from cfdmark.records.records import Record
from cfdmark.records.select import grouped
from cfdmark.stats.quantity import Quantity
from cfdmark.text.numbers import digits
from cfdmark.text.wording import capital, grid_text

from .. import lines
from ..model import Axis, Figure, LinePanel, Point, Series

H = Axis("h: cell width over length of the domain", "plain")
DIFFERENCE = Axis("difference from the published or exact value", "error")
READING = (
    "Finer grids lie to the left. Published values: the relative difference; errors: in L2, against the exact solution. A line that"
    " runs along the broken one falls with second order. A line that turns up has met the accuracy of the source or crossed its value."
)
COLOURS = 8  # of the palette's parts


def exact_errors(record: Record) -> dict[str, float]:
    """Returns the errors in L2 against an exact solution, by name."""
    solved = record.section("solver") if record.converged else {}
    return {k: v for k, v in solved.items() if k.startswith("error_") and k.endswith("_l2") and finite(v) and v > 0}


def differences(records: list[Record], published: list) -> dict[str, list[tuple[float, float, Record]]]:
    """Returns (h, difference, record) of each value that was found on several grids. `published` are values of
    flows.published_values() for the same flow."""
    found: dict[str, dict] = {}
    for value in published:
        found.setdefault(value.name, {}).setdefault(value.record.grid, (value.deviation, value.record))
    for record in records:
        for name, error in exact_errors(record).items():
            found.setdefault(name, {}).setdefault(record.grid, (error, record))
    points = {
        name: [(1 / r.grid[0], d, r) for d, r in on.values() if d > 0 and not r.mesh and not r.matrix]
        for name, on in found.items()
    }
    return {name: sorted(mine, key=lambda p: p[0]) for name, mine in points.items() if len({p[0] for p in mine}) > 1}


def second_order(series: list[Series]) -> Series:
    """Returns a line of second order below the others, over their range."""
    hs = sorted({p.x for s in series for p in s.points})
    lowest = min(p.y.value / p.x**2 for s in series for p in s.points)
    return Series("order 2", "part:rest", [Point(h, Quantity(lowest * h**2)) for h in (hs[0], hs[-1])], "dashed", markers=False)


def panel(title: str, found: dict) -> LinePanel:
    series = [
        Series(name.replace("_", " "), f"part:{n % COLOURS}",
               [Point(h, Quantity(d), f"{name} at {grid_text(r)}: {digits(100 * d)} %") for h, d, r in points])
        for n, (name, points) in enumerate(found.items())
    ]
    return LinePanel(title, H, DIFFERENCE, [*series, second_order(series)])


def figures(records: list[Record], published: list, name_of) -> list[Figure]:
    """Returns a panel for each flow, solver and precision with values on several grids. `name_of` names the
    flow of a record."""
    panels = []
    for (flow, solver, precision), alike in grouped(records, lambda r: (name_of(r), r.name, r.precision)).items():
        mine = [v for v in published if (name_of(v.record), v.record.name, v.record.precision) == (flow, solver, precision)]
        if found := differences(alike, mine):
            panels.append(panel(f"{flow}, {solver}", found))
    return lines.figure("errors", capital("difference against the width of a cell"), panels, READING)
