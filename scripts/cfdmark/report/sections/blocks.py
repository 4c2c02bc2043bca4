"""Fastest block (CUDA) or tile (other backends) shape, and the cost of a bad choice."""

from __future__ import annotations

from dataclasses import replace

from cfdmark.records.record_check import finite
from cfdmark.records.records import Record
from cfdmark.records.select import fastest, grouped, largest_grid, precision_rank, report_order, row_of, subject
from cfdmark.stats.quantity import Quantity
from cfdmark.stats.statistics import times_faster, verdict
from cfdmark.text.numbers import quantity_with_unit
from cfdmark.text.wording import grid_text, value_text

from ..model import COUNT, Column, Figure, HeatPanel, Section, Table
from .context import Context

SHAPES = [("block_x", "block_y"), ("tile_x", "tile_y")]
MOST_PANELS = 12
Shape = tuple[int, int]
Search = dict[Shape, Record]  # the fastest record of each shape of a row


def axes_of(record: Record) -> tuple[str, str] | None:
    return next((pair for pair in SHAPES if all(finite(record.config.get(key)) for key in pair)), None)


def shape_of(record: Record) -> Shape:
    across, down = axes_of(record)
    return int(record.config[across]), int(record.config[down])


def shape_text(shape: Shape) -> str:
    return f"{shape[0]}×{shape[1]}"


def best_text(record: Record) -> str:
    """Returns the shape and the other settings that go with it."""
    others = {k: v for k, v in record.config.items() if k not in axes_of(record)}
    return ", ".join([shape_text(shape_of(record))] + [f"{k}={value_text(v)}" for k, v in sorted(others.items())])


def by_shape(group: list[Record]) -> Search:
    """Returns the fastest record of each shape over all other settings."""
    return {shape: fastest(g) for shape, g in grouped(group, shape_of).items()}


def searches(context: Context) -> list[Search]:
    """Returns rows measured with several shapes on one grid: the largest such grid of each row."""
    shaped = [r for r in context.dataset.ok() if axes_of(r)]
    rows = grouped(sorted(shaped, key=report_order), lambda r: (subject(r), row_of(context.dataset, r)))
    found = []
    for group in rows.values():
        several = [r for g in grouped(group, lambda r: r.grid).values() if len(by_shape(g)) > 1 for r in g]
        if several:
            found.append(by_shape(largest_grid(several)))
    return found


def ends(search: Search) -> tuple[Record, Record]:
    """Returns the records of the best and the worst shape."""
    ranked = sorted(search.values(), key=lambda r: r.iteration_time.value)
    return ranked[0], ranked[-1]


def best_of(search: Search) -> Record:
    return ends(search)[0]


def tied(search: Search) -> int:
    best = best_of(search)
    return sum(verdict(times_faster(best, r)) != "faster" for r in search.values() if r is not best)


def cost(search: Search) -> Quantity:
    return times_faster(*ends(search))


def table(context: Context, found: list[Search]) -> Table:
    columns = [
        *context.row_columns(best_of),
        Column("shapes", "shapes", COUNT, optional=True, of=len),
        Column("best", "best shape", of=lambda search: best_text(best_of(search))),
        Column("time", "time", "seconds", "plus_minus", of=lambda search: best_of(search).iteration_time),
        Column("tied", "tied with best", COUNT, of=tied),
        Column("worst", "worst shape", of=lambda search: shape_text(shape_of(ends(search)[1]))),
        Column("cost", "worst / best", "ratio", "brackets", of=cost),
    ]
    return Table.of("blocks", "Best and worst shape of each row", columns, found)


def panel(context: Context, search: Search) -> HeatPanel:
    best = best_of(search)
    across, down = axes_of(best)
    relative = {shape: r.iteration_time.value / best.iteration_time.value for shape, r in search.items()}
    title = f"{context.subject(best)} · {context.row(best)} · {best.precision} · {grid_text(best)}"
    return HeatPanel(title, across, down, relative, shape_of(best), times(search))


def times(search: Search) -> dict[Shape, str]:
    """Returns the time of each shape, with its interval."""
    return {shape: quantity_with_unit(r.iteration_time, "seconds") for shape, r in search.items()}


def finding(context: Context, found: list[Search]) -> str:
    costliest = max(found, key=lambda s: cost(s).value)
    best, worst = ends(costliest)
    shapes = {shape_text(shape_of(best_of(s))) for s in found}
    summary = (
        f"The shape matters most for {context.row_with_grid(best)}: {shape_text(shape_of(worst))} takes"
        f" {cost(costliest).value:.2f} times as long as {shape_text(shape_of(best))}."
    )
    if len(shapes) > 1:
        return f"{summary} {len(shapes)} different shapes are best over {len(found)} rows."
    return f"{summary} The best shape is {shapes.pop()} in {'every row' if len(found) > 1 else 'that row'}."


def build(context: Context) -> Section:
    section = Section("blocks", "Block and tile shapes")
    found = searches(context)
    if not found:
        why = "No row was measured with several block or tile shapes on the same grid."
        return replace(section, empty=why)
    widest = sorted(found, key=len, reverse=True)[:MOST_PANELS]
    panels = [panel(context, s) for s in sorted(widest, key=lambda s: precision_rank(best_of(s)))]
    note = "1.00, framed, is the best shape; other parameters at their best."
    note += " Blank: not measured or not valid."
    if len(found) > MOST_PANELS:
        note += f" The {MOST_PANELS} widest of {len(found)} searches are drawn."
    section.finding = finding(context, found)
    section.figures = [Figure("blocks", "Time relative to the best shape of the row", panels, note)]
    section.tables = [table(context, found)]
    section.note = "Tied: the interval of the ratio to the best holds 1."
    section.note += " The best of many is a little flattered by chance."
    return section
