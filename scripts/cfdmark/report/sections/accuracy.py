"""Time to equal accuracy: only solvers that reached the same tolerance."""

from __future__ import annotations

import math
from dataclasses import replace

from cfdmark.records.records import TRUE_RESIDUAL_FACTOR, Record
from cfdmark.records.select import fastest_to_end, grouped, name_rank, precision_rank, row_of
from cfdmark.stats.quantity import Quantity
from cfdmark.stats.statistics import speedup_text, times_faster, verdict
from cfdmark.text.numbers import quantity_with_unit, scientific
from cfdmark.text.wording import grid_text, listed, plural

from .. import lines
from ..model import COUNT, ERROR, Axis, Card, Column, Figure, LinePanel, Point, Section, Series, Table, LabelledNumber
from .context import Context, number

# Recorded by library solvers: plans, matrices and coarse operators, made before the clock runs.
setup_seconds = number("solver", "setup_seconds")
# The largest error often lies where the boundary jumps, and no grid makes it smaller.
error = number("solver", "error_l2")
tolerance_of = number("solver", "tolerance")


def why_not_comparable(record: Record) -> str:
    """Returns the reason; empty if the tolerance was truly reached."""
    tolerance, claimed = tolerance_of(record), record.number("solver", "relative_residual")
    if tolerance is None:
        return "no tolerance"
    is_too_large = (record.true_residual or 0) > TRUE_RESIDUAL_FACTOR * tolerance
    if record.converged and not is_too_large:
        return ""
    return "true residual too large" if is_too_large and (claimed or 0) <= tolerance else "stopped before"


def large_first(grid: tuple) -> list:
    """Returns a sort key: the sides of a grid, the longest first; meshes by their text, after all grids."""
    return [(isinstance(side, str), side if isinstance(side, str) else -side) for side in grid]


def equals(context: Context) -> list[list[Record]]:
    """Returns groups that solved the same problem on the same grid to the same tolerance, fastest first."""
    solved = [r for r in context.dataset.ok("solver") if not why_not_comparable(r)]
    groups = grouped(solved, lambda r: (r.problem, r.dims, r.grid, tolerance_of(r)))
    return [
        best_first(context, groups[key])
        for key in sorted(groups, key=lambda k: (k[0], k[1], large_first(k[2]), k[3]))
    ]


def best_first(context: Context, group: list[Record]) -> list[Record]:
    rows = grouped(group, lambda r: (r.name, row_of(context.dataset, r))).values()
    return sorted((fastest_to_end(row) for row in rows), key=lambda r: r.time.value)


def solver_columns(context: Context) -> list[Column]:
    return [
        Column("solver", "solver", of="name"),
        Column("precision", "precision", of="precision"),
        Column("row", "row", of=context.row),
    ]


def accuracy_table(context: Context, groups: list[list[Record]]) -> Table:
    records = [r for group in groups for r in group]
    best = {id(r): group[0] for group in groups for r in group}

    def times_the_fastest(r: Record) -> Quantity | LabelledNumber:
        if r is best[id(r)]:
            return LabelledNumber("fastest", 1.0)
        return times_faster(best[id(r)], r, per_iteration=False)

    columns = [
        Column("problem", "problem", of="problem"),
        Column("grid", "grid", of=grid_text),
        Column("tolerance", "goal", ERROR, of=tolerance_of),
        *solver_columns(context),
        Column("iterations", "iterations", COUNT, optional=True, of=number("solver", "iterations")),
        Column("time", "time", "seconds", "plus_minus", of="time"),
        Column("error", "L2 error", ERROR, of=error),
        Column("slower", "times the fastest", "ratio", "brackets", of=times_the_fastest),
    ]
    if any(setup_seconds(r) is not None for r in records):
        columns.append(Column("setup", "set-up, not timed", "seconds", optional=True, of=setup_seconds))
    return Table.of("accuracy", "Time until the same tolerance (goal), fastest first", columns, records)


def stopped_table(context: Context, stopped: list[Record]) -> Table:
    columns = [
        Column("problem", "problem", of="problem"),
        Column("grid", "grid", of=grid_text),
        *solver_columns(context),
        Column("iterations", "iterations", COUNT, of=number("solver", "iterations")),
        Column("tolerance", "tolerance", ERROR, of=tolerance_of),
        Column("residual", "residual", ERROR, of=number("solver", "relative_residual")),
        Column("true_residual", "true residual", ERROR, of="true_residual"),
        Column("why", "why", of=why_not_comparable),
    ]
    return Table.of("stopped", "Not compared: these did not reach their tolerance", columns, stopped)


def setup_sentence(groups: list[list[Record]]) -> str:
    """Returns a sentence on the longest set-up outside the clock, compared with its solve."""
    with_setup = [r for g in groups for r in g if setup_seconds(r)]
    if not with_setup:
        return ""
    most = max(with_setup, key=lambda r: setup_seconds(r) / r.time.value)
    return (
        f" Set-up is not in these times: of {most.name} at {grid_text(most)} it took"
        f" {quantity_with_unit(Quantity(setup_seconds(most)), 'seconds')}, where the solve took"
        f" {quantity_with_unit(most.time, 'seconds')}."
    )


def tooltip(context: Context, record: Record) -> str:
    return (
        f"{record.name} {context.row(record)} {record.precision} {grid_text(record)}:"
        f" {quantity_with_unit(record.time, 'seconds')}, L2 error"
        f" {scientific(error(record))}"
    )


def work_precision(context: Context, groups: list[list[Record]]) -> list[Figure]:
    """Returns error against time, one line for each solver: at equal error, the leftmost line wins."""
    solved = [r for g in groups for r in g if (error(r) or 0) > 0 and r.precision == "fp64"]
    found, left_out = [], []
    for (problem, dimensions, tolerance), group in sorted(
        grouped(solved, lambda r: (r.problem, r.dims, tolerance_of(r))).items()
    ):
        title = f"{problem} {dimensions}-D, to {scientific(tolerance)}"
        by_solver = grouped(sorted(group, key=name_rank), lambda r: r.name).values()
        series = [solver_line(context, g) for g in by_solver]
        found.append(
            LinePanel(
                title,
                Axis("L2 error", "error"),
                Axis("time to tolerance", "seconds"),
                [s for s in series if falls(s)],
            )
        )
        left_out += [f"{s.label} on {title}" for s in series if not falls(s)]
    note = "Each point is a grid: finer grids lie to the left. Compare lines at the same error: lower is better."
    if left_out:
        note += f" Not drawn, as no finer grid made the error smaller: {listed(left_out)}."
    drawn = [p for p in found if p.series]
    return lines.figure("accuracy", "Time against error, fp64, fastest row of each solver", drawn, note)


def falls(line: Series) -> bool:
    """True if each finer grid has a smaller error. Points go from coarse to fine."""
    errors = [p.x for p in line.points]
    return len(errors) > 1 and all(finer < coarser for coarser, finer in zip(errors, errors[1:]))


def solver_line(context: Context, records: list[Record]) -> Series:
    best = [fastest_to_end(g) for g in grouped(records, lambda r: r.grid).values()]
    best.sort(key=lambda r: r.nodes)
    points = [Point(error(r), r.time, tooltip(context, r)) for r in best]
    return Series(records[0].name, f"solver:{records[0].name}", points)


def rivals(group: list[Record]) -> tuple[Record, Record | None]:
    """Returns the fastest, and the fastest of another solver."""
    best = group[0]
    return best, next((r for r in group if r.name != best.name), None)


def about_as_large(record: Record) -> int:
    """Returns the same number for grids that differ by a few cells a side, such as 8192 and 8193."""
    return round(20 * math.log(record.nodes))


def telling(groups: list[list[Record]]) -> list[list[Record]]:
    """Returns for each problem the largest grid that several solvers solved, to the tightest tolerance; of
    grids of similar size the one with the tightest tolerance."""

    def rank(group: list[Record]) -> tuple:
        first = group[0]
        return len({r.name for r in group}) > 1, about_as_large(first), -tolerance_of(first), first.nodes

    problems = grouped(groups, lambda g: (g[0].problem, g[0].dims)).values()
    return [max(found, key=rank) for found in problems]


def sentence(context: Context, group: list[Record]) -> str:
    best, other = rivals(group)
    tolerance = scientific(tolerance_of(best))
    summary = (
        f"{best.name} on {context.row(best)} ({best.precision}) solves the {best.problem} problem at "
        f"{grid_text(best)} to {tolerance} in {quantity_with_unit(best.time, 'seconds')}"
    )
    if other is None:
        return summary + "; no other solver reached that tolerance."
    lead = times_faster(best, other, per_iteration=False)
    return f"{summary}, {speedup_text(lead, f'{other.name} on {context.row(other)} ({other.precision})')}."


def cards(context: Context) -> list[Card]:
    """Returns headlines over all solvers and backends together."""
    made = []
    for group in telling(equals(context)):
        best, other = rivals(group)
        if other is None:
            continue
        lead = times_faster(best, other, per_iteration=False)
        made.append(
            Card(
                f"to {scientific(tolerance_of(best))} · {best.problem} · {grid_text(best)}",
                f"{best.name} on {context.row(best)}, {best.precision}",
                context.colour(best),
                f"{quantity_with_unit(best.time, 'seconds')} to solution",
                speedup_text(lead, f"{other.name} on {context.row(other)}, {other.precision}"),
                verdict(lead),
                best_of_others(context, group),
                wide=True,
            )
        )
    return made


def best_of_others(context: Context, group: list[Record]) -> str:
    """Returns the best method of each other solver, fastest first."""
    best = {}
    for record in group:
        best.setdefault(record.name, record)
    return " · ".join(
        f"{r.name} on {context.row(r)}, {r.precision} {quantity_with_unit(r.time, 'seconds')}"
        for r in list(best.values())[1:]
    )


def build(context: Context) -> Section:
    section = Section("accuracy", "Time to equal accuracy")
    groups = equals(context)
    solvers = sorted(context.dataset.ok("solver"), key=lambda r: (name_rank(r), -r.nodes, precision_rank(r)))
    stopped = [r for r in solvers if why_not_comparable(r)]
    if not solvers:
        return replace(section, empty="No solver ran to its end.")
    if groups:
        section.tables.append(accuracy_table(context, groups))
        section.figures = work_precision(context, groups)
    if stopped:
        section.tables.append(stopped_table(context, stopped))
    summary = " ".join(sentence(context, g) for g in telling(groups))
    section.finding = (summary or "No solver reached its tolerance.") + setup_sentence(groups)
    if stopped:
        section.finding += f" {plural(len(stopped), 'case')} did not reach the tolerance and take no part."
    return section
