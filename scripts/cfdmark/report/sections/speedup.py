"""Speedup against nodes. Every cell names its baseline and has its interval."""

from __future__ import annotations

from cfdmark.records.records import Record
from cfdmark.records.select import best_configs, grouped, name_rank, precision_rank, subject, wheres
from cfdmark.stats.statistics import verdict
from cfdmark.text.numbers import brackets
from cfdmark.text.wording import config_text, grid_text, plural

from .. import lines
from ..baseline import Speedup
from ..model import Axis, Column, Figure, LinePanel, Point, Section, Series, Table
from .context import ROW_COLUMNS, Context
from .time import NODES, best_by_grid

READING = (
    "One line a backend: its fastest method and config at each size. Bars: 95 % intervals. Solvers are"
    " compared by time per iteration, without transfers between host and device."
)
COLUMNS = [
    *ROW_COLUMNS,
    Column("speedup", "times as fast", "ratio", "brackets"),
    Column("baseline", "as"),
    Column("config", "config", optional=True),
]


def speedups(context: Context, records: list[Record]) -> list[Speedup]:
    """Returns the speedups of all records except the baselines themselves."""
    found = [context.baselines.of(r) for r in records]
    return [s for s in found if s and s.record is not s.baseline]


def table_row(context: Context, speedup: Speedup) -> list:
    r = speedup.record
    return [*context.row_cells(r), speedup.ratio, speedup.baseline_text, config_text(r)]


def tooltip(context: Context, speedup: Speedup) -> str:
    r = speedup.record
    return (
        f"{context.row(r)} {r.precision} {grid_text(r)}: {brackets(speedup.ratio)} times as fast as "
        f"{speedup.baseline_text}"
    )


def series(context: Context, records: list[Record]) -> list[Series]:
    of_backend, made = grouped(records, context.dataset.where), []
    for where in wheres(context.dataset, records):
        found = speedups(context, best_by_grid(of_backend[where]))
        points = [Point(s.record.nodes, s.ratio, tooltip(context, s)) for s in found]
        if points:
            made.append(Series(where, f"backend:{found[0].record.backend}", points))
    return made


def panels(context: Context, records: list[Record]) -> list[LinePanel]:
    made = []
    for group in sorted(grouped(records, subject).values(), key=lambda g: name_rank(g[0])):
        found = series(context, group)
        if found:
            made.append(
                LinePanel(
                    context.subject(group[0]),
                    NODES,
                    Axis(f"times as fast as {context.baselines.selector.short_text()}", "ratio"),
                    found,
                    reference=1.0,
                    reference_label="baseline",
                )
            )
    return made


def figures(context: Context, records: list[Record]) -> list[Figure]:
    """Returns a figure for each kind and precision, solvers first; all but the first are folded."""
    groups = grouped(
        sorted(records, key=lambda r: (r.kind != "solver", precision_rank(r))),
        lambda r: (r.kind, r.precision),
    )
    made = []
    for (kind, precision), group in groups.items():
        caption = f"Speedup of the {kind}s against nodes, {precision}"
        drawn, folded = panels(context, group), bool(made)
        made += lines.figure(
            f"speedup-{kind}-{precision}", caption, drawn, READING, collapsed=folded, share_y=True
        )
    return made


def finding(context: Context, found: list[Speedup], without: int) -> str:
    best = max(found, key=lambda s: s.ratio.value)
    slower = sum(verdict(s.ratio) == "slower" for s in found)
    summary = (
        f"The largest speedup is {brackets(best.ratio)}: {context.subject(best.record)} on"
        f" {context.row(best.record)} ({best.record.precision}, {grid_text(best.record)}) against"
        f" {best.baseline_text}."
    )
    are, have = "is" if slower == 1 else "are", "has" if without == 1 else "have"
    summary += f" {plural(slower, 'row')} of {len(found)} {are} slower than the baseline." if slower else ""
    return summary + (f" {plural(without, 'row')} {have} no baseline in these records." if without else "")


def build(context: Context) -> Section:
    section = Section("speedup", "Speedup against nodes")
    rows = best_configs(context.dataset, context.dataset.ok())
    found = speedups(context, rows)
    text = context.baselines.selector.text()
    if not found:
        section.empty = f"No row can be compared with the baseline ({text}); choose another with --baseline."
        return section
    without = sum(context.baselines.of(r) is None for r in rows)
    section.finding = finding(context, found, without)
    section.figures = figures(context, context.dataset.ok())
    section.tables = [
        Table(
            "speedup",
            "Speedup of each row at its fastest config",
            COLUMNS,
            [table_row(context, s) for s in found],
        )
    ]
    section.note = (
        f"Baseline: {text}. Ratio of medians with a 95 % interval (below six samples a process the "
        "number of samples). Of several records that fit, the fastest is the baseline."
    )
    return section
