"""Time of an iteration, or of a kernel's step, against the number of nodes."""

from __future__ import annotations

from cfdmark.records.records import Record
from cfdmark.records.select import (
    backend_rank,
    fastest,
    fullest_grid,
    grouped,
    main_precision,
    name_rank,
    precision_rank,
    report_order,
    subject,
    wheres,
)
from cfdmark.stats.quantity import Quantity
from cfdmark.text.numbers import quantity_with_unit, with_unit
from cfdmark.text.wording import config_text, grid_text, listed

from .. import lines
from ..model import COUNT, Axis, Column, Figure, LinePanel, Point, Section, Series, Table
from .context import Context

NODES, CELLS, ROWS = Axis("nodes", "nodes"), Axis("cells", "nodes"), Axis("rows", "nodes")
READING = "Bars: 95 % intervals. Lower is better."


def size_axis(record: Record) -> Axis:
    return CELLS if record.mesh else ROWS if record.matrix else NODES


def best_by_grid(records: list[Record]) -> list[Record]:
    """Returns the fastest record of each grid, small grids first."""
    return sorted((fastest(g) for g in grouped(records, lambda r: r.grid).values()), key=lambda r: r.nodes)


def tooltip(context: Context, record: Record) -> str:
    time = quantity_with_unit(record.iteration_time, "seconds")
    return f"{context.case(record)}: {time} ({config_text(record)})"


def time_line(context: Context, label: str, colour: str, records: list[Record]) -> Series:
    points = [Point(r.nodes, r.iteration_time, tooltip(context, r)) for r in best_by_grid(records)]
    return Series(label, colour, points)


def backend_panel(context: Context, group: list[Record], unit: str) -> LinePanel:
    """Returns the panel of one kernel or solver, a line for each backend."""
    of_backend = grouped(group, context.dataset.where)
    series = [
        time_line(context, where, context.colour(of_backend[where][0]), of_backend[where])
        for where in wheres(context.dataset, group)
    ]
    return LinePanel(context.subject(group[0]), size_axis(group[0]), Axis(f"time per {unit}", "seconds"), series)


def solver_panel(context: Context, group: list[Record]) -> LinePanel:
    """Returns the panel of one problem on one backend, a line for each solver."""
    of_solver = sorted(grouped(group, lambda r: r.name).values(), key=lambda g: name_rank(g[0]))
    series = [time_line(context, g[0].name, f"solver:{g[0].name}", g) for g in of_solver]
    title = f"{context.dataset.where(group[0])}{context.problem_suffix(group[0])}"
    return LinePanel(title, size_axis(group[0]), Axis("time per iteration", "seconds"), series)


def solver_figure(context: Context) -> list[Figure]:
    solvers = context.dataset.ok("solver")
    if len({r.name for r in solvers}) < 2:
        return []
    precision = main_precision(solvers)
    mine = sorted((r for r in solvers if r.precision == precision), key=backend_rank)
    groups = grouped(mine, lambda r: (r.problem, r.dims, context.dataset.where(r))).values()
    caption = f"The solvers side by side, time per iteration, {precision}"
    note = f"One line a solver: its fastest method and config at each size. {READING}"
    panels = [solver_panel(context, group) for group in groups]
    return lines.figure("time-solvers", caption, panels, note, share_y=True)


def backend_figures(context: Context, kind: str, unit: str, first: bool) -> list[Figure]:
    """Returns a figure for each precision; all but the first of the section are folded."""
    records = sorted(context.dataset.ok(kind), key=lambda r: (precision_rank(r), name_rank(r)))
    made = []
    for precision, group in grouped(records, lambda r: r.precision).items():
        panels = [backend_panel(context, g, unit) for g in grouped(group, subject).values()]
        made += lines.figure(
            f"time-{kind}-{precision}",
            f"The backends side by side, time per {unit}, {precision}",
            panels,
            f"One line a backend: its fastest method and config at each size. {READING}",
            share_y=True,
            collapsed=bool(made) or not first,
        )
    return made


def pivot(context: Context, kind: str, unit: str) -> Table:
    """Returns a row for each subject, precision and grid, with a column for each backend."""

    def time_column(where: str) -> Column:
        def best(group: list[Record]) -> Quantity | None:
            mine = [r for r in group if context.dataset.where(r) == where]
            return fastest(mine).iteration_time if mine else None

        return Column(where.replace("@", "_"), where, "seconds", "plus_minus", of=best)

    records = context.dataset.ok(kind)
    columns = [
        Column("what", kind, of=lambda group: context.subject(group[0])),
        Column("precision", "precision", of=lambda group: group[0].precision),
        Column("grid", "grid", of=lambda group: grid_text(group[0])),
        Column("nodes", "nodes", COUNT, optional=True, of=lambda group: group[0].nodes),
        *map(time_column, wheres(context.dataset, records)),
        Column("fastest", "fastest", optional=True, of=lambda group: context.row(fastest(group))),
    ]
    groups = grouped(sorted(records, key=report_order), lambda r: (subject(r), r.precision, r.grid)).values()
    title = f"Time per {unit}: the fastest method and config of each backend"
    return Table.of(f"time-{kind}", title, columns, groups)


def solver_finding(context: Context) -> str:
    """Returns the time of an iteration of each solver on the largest grid that most of them share."""
    solvers = context.dataset.ok("solver")
    precision = main_precision(solvers)
    problems = grouped([r for r in solvers if r.precision == precision], lambda r: (r.problem, r.dims))
    fullest = max(problems.values(), key=lambda g: (len({r.name for r in g}), max(r.nodes for r in g)))
    shared = grouped(fullest_grid(context.dataset, fullest), lambda r: r.name).values()
    best = sorted((fastest(g) for g in shared), key=lambda r: r.iteration_time.value)
    summary = [f"{r.name} {quantity_with_unit(r.iteration_time, 'seconds')} ({context.row(r)})" for r in best]
    ratio = best[-1].iteration_time.value / best[0].iteration_time.value
    more = f" The costliest iteration takes {ratio:.2f} times the cheapest." if len(best) > 1 else ""
    place = f"{grid_text(best[0])} in {precision}{context.problem_suffix(best[0])}"
    return f"One iteration at {place}, on the fastest backend: {listed(summary, 6)}.{more}"


def longest_line(context: Context) -> list[Record]:
    """Returns the line over most sizes, of all kernels and backends; fp64 before others."""
    kernels = context.dataset.ok("kernel")
    groups = grouped(kernels, lambda r: (subject(r), r.precision, context.dataset.where(r))).values()
    candidates = [best_by_grid(group) for group in groups]
    return max(candidates, key=lambda line: (line[-1].nodes / line[0].nodes, line[0].precision == "fp64"))


def kernel_finding(context: Context) -> str:
    """Returns the growth along the longest line: linear in the nodes, or not."""
    line = longest_line(context)
    first, last = line[0], line[-1]
    if first.nodes == last.nodes:
        return f"Each kernel ran on one size of grid; for example {tooltip(context, last)}."
    growth = last.iteration_time.value / first.iteration_time.value
    times = [with_unit(r.iteration_time.value, "seconds") for r in (first, last)]
    return (
        f"{context.subject(last)} in {last.precision} on {context.dataset.where(last)}: from"
        f" {grid_text(first)} to {grid_text(last)} the nodes grow {last.nodes / first.nodes:,.0f} times and"
        f" the time {growth:,.0f} times, from {times[0]} to {times[1]}."
    )


def build(context: Context) -> Section:
    section = Section("time", "Time per iteration against nodes")
    findings = []
    if context.dataset.ok("solver"):
        section.figures += solver_figure(context)
        section.figures += backend_figures(context, "solver", "iteration", first=True)
        section.tables.append(pivot(context, "solver", "iteration"))
        findings.append(solver_finding(context))
    if context.dataset.ok("kernel"):
        section.figures += backend_figures(context, "kernel", "step", first=not section.figures)
        section.tables.append(pivot(context, "kernel", "step"))
        findings.append(kernel_finding(context))
    if not section.tables:
        section.empty = "No case has a time."
    section.finding = " ".join(findings)
    return section
