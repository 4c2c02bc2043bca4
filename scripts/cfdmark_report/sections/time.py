"""Time of an iteration (or a kernel's step) against the number of nodes, one line a backend."""

from __future__ import annotations

from ..model import COUNT, Axis, Column, Figure, LinePanel, Point, Section, Series, Table
from ..numbers import quantity_with_unit
from ..records import Record
from ..select import best_configs, fastest, grouped, name_rank, precision_rank, report_order, subject, wheres
from ..wording import config_text, grid_text, subject_text
from .context import Context

NODES = Axis("nodes", "nodes")


def best_by_backend(context: Context, records: list[Record]) -> dict[str, list[Record]]:
    """Backend -> its fastest row on each grid, small grids first."""
    lines = {}
    for where, group in grouped(records, context.dataset.where).items():
        best = [fastest(g) for g in grouped(group, lambda r: r.grid).values()]
        lines[where] = sorted(best, key=lambda r: r.nodes)
    return lines


def tooltip(context: Context, record: Record) -> str:
    return (f"{context.row(record)} {record.precision} {grid_text(record)}: "
            f"{quantity_with_unit(record.iteration_time, 'seconds')} ({config_text(record)})")


def time_series(context: Context, records: list[Record]) -> list[Series]:
    lines = best_by_backend(context, records)
    return [Series(where, f"backend:{lines[where][0].backend}",
                   [Point(r.nodes, r.iteration_time, r.method, tooltip(context, r)) for r in lines[where]])
            for where in wheres(context.dataset, records)]


def panels(context: Context, records: list[Record], unit: str) -> list[LinePanel]:
    groups = sorted(grouped(records, subject).values(), key=lambda g: name_rank(g[0]))
    return [LinePanel(subject_text(g[0]), NODES, Axis(f"time per {unit}", "seconds"), time_series(context, g))
            for g in groups]


def figures(context: Context, kind: str, unit: str) -> list[Figure]:
    """One figure a precision; all but the first are folded."""
    records = sorted(context.dataset.ok(kind), key=precision_rank)
    return [Figure(f"time-{kind}-{precision}", f"Time per {unit} against nodes, {precision}",
                   panels(context, group, unit), collapsed=index > 0 or kind == "kernel",
                   note="One line a backend: its fastest method and config at each size; the marker is the method. "
                        "Bars are 95 % intervals. Lower is better.")
            for index, (precision, group) in enumerate(grouped(records, lambda r: r.precision).items())]


def pivot(context: Context, kind: str, unit: str) -> Table:
    """One line for each subject, precision and grid; one column a backend."""
    records = context.dataset.ok(kind)
    columns = wheres(context.dataset, records)
    groups = grouped(sorted(records, key=report_order), lambda r: (subject(r), r.precision, r.grid))
    rows = [pivot_row(context, group, columns) for group in groups.values()]
    heads = [Column("what", kind), Column("precision", "precision"), Column("grid", "grid"),
             Column("nodes", "nodes", COUNT),
             *(Column(where.replace("@", "_"), where, "seconds", "plus_minus") for where in columns),
             Column("fastest", "fastest")]
    return Table(f"time-{kind}", f"Time per {unit}: the fastest method and config of each backend", heads, rows)


def pivot_row(context: Context, group: list[Record], columns: list[str]) -> list:
    best = {where: fastest(g) for where, g in grouped(group, context.dataset.where).items()}
    first = group[0]
    return [subject_text(first), first.precision, grid_text(first), first.nodes,
            *(best[c].iteration_time if c in best else None for c in columns), context.row(fastest(group))]


def finding(context: Context) -> str:
    """Growth between the two ends of the longest line: linear in the nodes, or not."""
    records = context.dataset.ok("solver") or context.dataset.ok("kernel")
    lines = [line for group in grouped(records, lambda r: (subject(r), r.precision)).values()
             for line in best_by_backend(context, group).values()]
    line = max(lines, key=lambda l: l[-1].nodes / l[0].nodes)
    first, last = line[0], line[-1]
    if first.nodes == last.nodes:
        best = fastest(best_configs(context.dataset, records))
        return (f"All cases ran on one grid size; the shortest time is {tooltip(context, best)}.")
    growth = last.iteration_time.value / first.iteration_time.value
    return (f"{subject_text(last)} in {last.precision} on {context.dataset.where(last)}: from {grid_text(first)} to "
            f"{grid_text(last)} the nodes grow {last.nodes / first.nodes:,.0f} times and the time {growth:,.3g} times.")


def build(context: Context) -> Section:
    section = Section("time", "Time per iteration against nodes")
    for kind, unit in (("solver", "iteration"), ("kernel", "step")):
        if context.dataset.ok(kind):
            section.figures += figures(context, kind, unit)
            section.tables.append(pivot(context, kind, unit))
    if not section.tables:
        section.empty = "No case has a time."
        return section
    if not context.dataset.ok("solver"):
        section.figures[0].collapsed = False
    section.finding = finding(context)
    return section
