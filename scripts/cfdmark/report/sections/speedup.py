"""Speedup against nodes. Every cell names its baseline and has its interval."""

from __future__ import annotations

from dataclasses import replace

from cfdmark.records.records import Record
from cfdmark.records.select import best_configs, grouped, name_rank, precision_rank, subject, wheres
from cfdmark.stats.statistics import verdict
from cfdmark.text.numbers import brackets
from cfdmark.text.wording import config_text, grid_text, plural

from .. import lines
from ..baseline import Speedup
from ..model import Axis, Column, Figure, LinePanel, Point, Section, Series, Table
from .context import Context
from .time import NODES, best_by_grid

READING = (
    "One line a backend: its fastest method and config at each size. Bars: 95 % intervals. Solvers are"
    " compared by time per iteration, without transfers between host and device."
)


def speedups(context: Context, records: list[Record]) -> list[Speedup]:
    """Returns the speedups of all records except the baselines themselves."""
    found = [context.baselines.of(r) for r in records]
    return [s for s in found if s and s.record is not s.baseline]


def table(context: Context, found: list[Speedup]) -> Table:
    columns = [
        *context.row_columns(lambda speedup: speedup.record),
        Column("speedup", "times as fast", "ratio", "brackets", of="ratio"),
        Column("baseline", "as", of="baseline_text"),
        Column("config", "config", optional=True, of=lambda speedup: config_text(speedup.record)),
    ]
    return Table.of("speedup", "Speedup of each row at its fastest config", columns, found)


def tooltip(context: Context, speedup: Speedup) -> str:
    r = speedup.record
    ratio = brackets(speedup.ratio)
    return f"{context.row(r)} {r.precision} {grid_text(r)}: {ratio} times as fast as {speedup.baseline_text}"


def series(context: Context, records: list[Record]) -> list[Series]:
    of_backend, made = grouped(records, context.dataset.where), []
    for where in wheres(context.dataset, records):
        found = speedups(context, best_by_grid(of_backend[where]))
        points = [Point(s.record.nodes, s.ratio, tooltip(context, s)) for s in found]
        if points:
            made.append(Series(where, f"backend:{found[0].record.backend}", points))
    return made


def panels(context: Context, records: list[Record]) -> list[LinePanel]:
    axis = Axis(f"times as fast as {context.baselines.selector.short_text()}", "ratio")
    groups = sorted(grouped(records, subject).values(), key=lambda g: name_rank(g[0]))
    found = [(context.subject(group[0]), series(context, group)) for group in groups]
    return [LinePanel(title, NODES, axis, drawn, reference=1.0) for title, drawn in found if drawn]


def figures(context: Context, records: list[Record]) -> list[Figure]:
    """Returns a figure for each kind and precision, solvers first; all but the first are folded."""
    ordered = sorted(records, key=lambda r: (r.kind != "solver", precision_rank(r)))
    made = []
    for (kind, precision), group in grouped(ordered, lambda r: (r.kind, r.precision)).items():
        key, caption = f"speedup-{kind}-{precision}", f"Speedup of the {kind}s against nodes, {precision}"
        drawn, folded = panels(context, group), bool(made)
        made += lines.figure(key, caption, drawn, READING, collapsed=folded, share_y=True)
    return made


def finding(context: Context, found: list[Speedup], without: int) -> str:
    best = max(found, key=lambda s: s.ratio.value)
    slower = sum(verdict(s.ratio) == "slower" for s in found)
    summary = (
        f"The largest speedup is {brackets(best.ratio)}: {context.row_with_grid(best.record)} against"
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
        why = f"No row can be compared with the baseline ({text}); choose another with --baseline."
        return replace(section, empty=why)
    without = sum(context.baselines.of(r) is None for r in rows)
    section.finding = finding(context, found, without)
    section.figures = figures(context, context.dataset.ok())
    section.tables = [table(context, found)]
    section.note = (
        f"Baseline: {text}. Ratio of medians with a 95 % interval (below six samples a process the "
        "number of samples). Of several records that fit, the fastest is the baseline."
    )
    return section
