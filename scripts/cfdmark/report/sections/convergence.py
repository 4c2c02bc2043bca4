"""Residual and error against iterations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from cfdmark.records.records import Record
from cfdmark.records.select import grouped, name_rank, precision_rank, report_order, subject
from cfdmark.stats.quantity import Quantity
from cfdmark.text.numbers import scientific
from cfdmark.text.wording import grid_text, listed

from ..model import COUNT, ERROR, Axis, Column, Figure, LinePanel, Point, Section, Series, Table
from .context import Context

MOST_POINTS = 160  # enough for a curve, and the file stays small
STYLES = {"fp64": "solid", "fp32": "dashed", "mixed": "dotted"}
READING = (
    "Both axes are logarithmic. Solid fp64, dashed fp32, dotted mixed. An error that stops falling has met"
    " the discretisation error, or the rounding of the precision."
)


def thinned(pairs: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Returns at most MOST_POINTS of a history: even steps, first and last kept."""
    if len(pairs) <= MOST_POINTS:
        return pairs
    step = (len(pairs) - 1) / (MOST_POINTS - 1)
    return [pairs[round(i * step)] for i in range(MOST_POINTS)]


def curve(record: Record, key: str) -> Series:
    points = [Point(max(x, 1.0), Quantity(y)) for x, y in thinned(record.history(key)) if x > 0]
    style = STYLES.get(record.precision, "dashdot")
    return Series(record.name, f"solver:{record.name}", points, style, markers=False)


def curves(records: list[Record], key: str) -> list[Series]:
    """Returns a curve for each solver and precision, from the longest history: backends iterate alike."""
    groups = grouped(records, lambda r: (r.name, r.precision)).values()
    longest = [max(g, key=lambda r: len(r.history(key))) for g in groups]
    longest.sort(key=lambda r: (name_rank(r), precision_rank(r)))
    found = (curve(r, key) for r in longest)
    return [c for c in found if len(c.points) > 1]  # a single point has no slope


def panels(records: list[Record]) -> list[LinePanel]:
    title = f"{records[0].problem} {grid_text(records[0])}"
    found = []
    for key, label in (("history", "relative residual"), ("error_history", "max error")):
        series = curves(records, key)
        if series:
            found.append(LinePanel(title, Axis("iteration", "iterations"), Axis(label, "error"), series))
    return found


def workload_key(record: Record) -> tuple:
    """Returns what the rows of one line of the table have in common."""
    return subject(record), record.precision, record.grid, record.number("solver", "tolerance")


def telling_grid(records: list[Record]) -> list[Record]:
    """Returns the grid on which most solvers converge; of equals the largest."""

    def converging(group: list[Record]) -> int:
        return len({r.name for r in group if r.converged})

    groups = grouped(records, lambda r: r.grid).values()
    return max(groups, key=lambda g: (converging(g), g[0].nodes))


def figures(solvers: list[Record]) -> list[Figure]:
    with_history = [r for r in solvers if r.history("history") or r.history("error_history")]
    groups = grouped(with_history, lambda r: (r.problem, r.dims))
    found = [panel for key in sorted(groups) for panel in panels(telling_grid(groups[key]))]
    caption = "Residual and error against iteration, on the grid where most solvers converge"
    return [Figure("convergence", caption, found, READING)] if found else []


def most(key: str) -> Callable[[list[Record]], float | None]:
    """Returns a function for a column: the largest of a number that the solvers report."""
    return lambda group: max((v for r in group if (v := r.number("solver", key)) is not None), default=None)


def fewest(group: list[Record]) -> float | None:
    """Returns the fewest iterations, if the records differ."""
    counts = {v for r in group if (v := r.number("solver", "iterations")) is not None}
    return min(counts) if len(counts) > 1 else None


def converged_text(group: list[Record]) -> str:
    converged = sum(r.converged for r in group)
    return "yes" if converged == len(group) else "no" if converged == 0 else f"{converged} of {len(group)}"


def table(context: Context, solvers: list[Record]) -> Table:
    """Returns a table with a row for the records that compute the same."""
    columns = [
        Column("solver", "solver", of=lambda group: context.subject(group[0])),
        Column("precision", "precision", of=lambda group: group[0].precision),
        Column("grid", "grid", of=lambda group: grid_text(group[0])),
        Column("rows", "rows", COUNT, of=len),
        Column("iterations", "iterations", COUNT, of=most("iterations")),
        Column("fewest", "fewest", COUNT, of=fewest),
        Column("converged", "converged", of=converged_text),
        Column("tolerance", "tolerance", ERROR, of=most("tolerance")),
        Column("true_residual", "true residual", ERROR, of=most("true_residual")),
        Column("error_max", "max error", ERROR, of=most("error_max")),
        Column("error_l2", "L2 error", ERROR, of=most("error_l2")),
    ]
    title = "Iterations, residuals and errors: the most of the rows counted"
    return Table.of("convergence", title, columns, grouped(solvers, workload_key).values())


def finding(solvers: list[Record]) -> str:
    """Returns the iterations of converged solvers on the largest grid that several of them share."""
    converged = [
        r for r in solvers if r.converged and r.precision == "fp64" and r.number("solver", "iterations")
    ]
    groups = grouped(converged, lambda r: (r.problem, r.grid, r.number("solver", "tolerance"))).values()
    shared = [g for g in groups if len({r.name for r in g}) > 1]
    if not shared:
        return f"{sum(r.converged for r in solvers)} of {len(solvers)} solver cases reached their tolerance."
    group = max(shared, key=lambda g: (len({r.name for r in g}), g[0].nodes))
    counts = {r.name: int(r.number("solver", "iterations")) for r in sorted(group, key=name_rank)}
    ordered = sorted(counts.items(), key=lambda item: item[1])
    summary = listed([f"{name} {count:,}" for name, count in ordered])
    tolerance = group[0].number("solver", "tolerance")
    goal = f" to a relative residual of {scientific(tolerance)}" if tolerance else ""
    return (
        f"Iterations on the {group[0].problem} problem at {grid_text(group[0])}{goal}, fp64: {summary}; "
        f"the last needs {ordered[-1][1] / ordered[0][1]:.3g} times the iterations of the first."
    )


def build(context: Context) -> Section:
    section = Section("convergence", "Residual and error against iteration")
    solvers = sorted(context.dataset.ok("solver"), key=report_order)
    if not solvers:
        return replace(section, empty="No solver ran to its end.")
    section.finding = finding(solvers)
    section.figures = figures(solvers)
    section.tables = [table(context, solvers)]
    section.note = (
        "The true residual is b - Ax recomputed in fp64, relative to its start; the errors are against the"
        " exact solution."
    )
    return section
