"""Flows: time of an iteration compared with the bound of its traffic, and values compared with published
ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import log

from cfdmark.records.record_check import finite
from cfdmark.records.records import Record
from cfdmark.records.select import best_configs, grouped, name_rank, precision_rank
from cfdmark.stats.quantity import Quantity
from cfdmark.text.numbers import digits
from cfdmark.text.wording import grid_text, plural

from ..ceiling import exceeds, share
from ..model import COUNT, Column, Section, Table
from . import error_lines, headline
from .context import Context

# Older records lack the accuracy that this source claims: 0.1 % at a Rayleigh number of 1e3, 1 % at 1e6.
WITHOUT_ACCURACY = "de Vahl Davis 1983"
# As solvers/flow/table.hpp has it.
MOST_LEFT = 1e-3
# Settings by which flows of one problem differ.
NUMBERS = ("reynolds", "rayleigh")
FIRST_ORDER = " PISO's time steps are of first order: half of the Courant number halves their error."


def times_the_bound(record: Record) -> Quantity | None:
    """Returns the time over that of the declared bytes at the measured ceiling; None if that ceiling was
    exceeded."""
    found = None if exceeds(record) else share(record)
    return Quantity.without_interval(1 / found.value, found) if found and found.value > 0 else None


def with_its_number(record: Record) -> str:
    """Returns the problem with its Reynolds or Rayleigh number, also if that is the default: published values
    belong to one number."""
    settings = record.section("workload")
    usual = [
        f"{key}={settings[key]:g}" for key in NUMBERS if finite(settings.get(key)) and f"{key}=" not in record.problem
    ]
    return ", ".join([record.problem, *usual]) if " with " in record.problem else " with ".join([record.problem, *usual])


def what(record: Record) -> str:
    """Returns the problem, its dimensions, and settings that change its answer."""
    own = [record.config.get("convection", "central"), record.config.get("eddy_viscosity", "none")]
    dimensions = [] if record.dims == 2 else ["3-D"]
    return ", ".join([with_its_number(record), *dimensions, *(word for word in own if word not in ("central", "none"))])


def flow_columns(record_of: Callable = lambda record: record) -> list[Column]:
    """Returns the columns that name a flow, for items with a record."""
    return [
        Column("what", "flow", of=lambda item: what(record_of(item))),
        Column("solver", "by", optional=True, of=lambda item: record_of(item).name),
        Column("grid", "grid", of=lambda item: grid_text(record_of(item))),
        Column("precision", "precision", of=lambda item: record_of(item).precision),
    ]


def bytes_a_cell(record: Record) -> float | None:
    return record.bytes_an_iteration / record.nodes if record.bytes_an_iteration else None


def bound(record: Record) -> float | None:
    """Returns the seconds that the traffic alone takes."""
    times = times_the_bound(record)
    return record.iteration_time.value / times.value if times else None


def steps_table(context: Context, steps: list[Record]) -> Table:
    columns = [
        *flow_columns(),
        Column("row", "row", of=context.row),
        Column("time", "an iteration", "seconds", "plus_minus", of="iteration_time"),
        Column("rate", "iterations a second", "per_second", of=lambda r: 1 / r.iteration_time.value),
        Column("updates", "cells", "updates_per_second", of=lambda r: r.nodes / r.iteration_time.value),
        Column("traffic", "bytes a cell", COUNT, optional=True, of=bytes_a_cell),
        Column("bound", "by its traffic alone", "seconds", of=bound),
        Column("times", "times that", "ratio", of=times_the_bound),
        Column("launches", "launches", COUNT, optional=True, of="launches"),
        Column("regime", "fields in", optional=True, of="regime"),
    ]
    return Table.of("steps", "An iteration, or a time step, of each flow", columns, steps)


def order(record: Record):
    return (name_rank(record), record.dims, record.problem, precision_rank(record), record.nodes)


def published(record: Record) -> list[tuple[str, float, float, str]]:
    """Returns name, value, published value and source for a converged flow."""
    if not record.converged:
        return []
    found = []
    for known in record.section("solver").get("published", []):
        here = record.number("solver", known["name"])
        if here is not None:
            source = with_accuracy(record, known.get("source", ""))
            found.append((known["name"], here, known["value"], source))
    return found


def with_accuracy(record: Record, source: str) -> str:
    """Returns: de Vahl Davis 1983, within 1 %."""
    if source != WITHOUT_ACCURACY:
        return source
    rayleigh = record.section("workload").get("rayleigh")
    return f"{source}, within {'0.1' if finite(rayleigh) and rayleigh <= 1e3 else '1'} %"


def deviation(here: float, known: float) -> float:
    """Returns the relative deviation; the value itself for a published 0, such as a profile's difference."""
    return here / known - 1 if known else here


def across(record: Record) -> float:
    """Returns the number of cells along the first axis; on a mesh the number along an axis of a box with its cells."""
    return record.nodes ** (1 / record.dims) if record.mesh else record.grid[0]


def observed_order(finer: tuple[float, Record], coarser: tuple[float, Record] | None) -> float | None:
    """Returns the observed order of convergence; None if the deviation does not fall, or changes its sign."""
    if coarser is None or across(finer[1]) <= across(coarser[1]) or finer[0] * coarser[0] <= 0:
        return None
    return log(coarser[0] / finer[0]) / log(across(finer[1]) / across(coarser[1]))


@dataclass(frozen=True)
class Value:
    """A value with a published one, on one grid."""

    records: list[Record]  # backends that found the same digits
    name: str
    here: float
    known: float
    source: str
    order: float | None

    @property
    def record(self) -> Record:
        return self.records[0]

    @property
    def deviation(self) -> float:
        return abs(deviation(self.here, self.known))


def published_values(records: list[Record]) -> list[Value]:
    """Returns the values of each flow, from coarse grids to fine ones."""
    found = []
    for alike in grouped(sorted(records, key=order), lambda r: (what(r), r.name, r.precision)).values():
        for name in dict.fromkeys(name for r in alike for name, *_ in published(r)):
            coarser = None
            for grid in dict.fromkeys(r.grid for r in alike):
                on = [(r, v) for r in alike if r.grid == grid for v in published(r) if v[0] == name]
                alike_here = grouped(on, lambda pair: (float(f"{pair[1][1]:.5g}"), *pair[1][2:]))
                for (here, known, source), same in alike_here.items():
                    now = (deviation(here, known), same[0][0])
                    rows, falls_by = [r for r, _ in same], observed_order(now, coarser)
                    found.append(Value(rows, name, here, known, source, falls_by))
                coarser = now if on else coarser
    return found


def published_table(context: Context, values: list[Value]) -> Table:
    def rows_text(value: Value) -> str:
        return ", ".join(dict.fromkeys(map(context.row, value.records)))

    columns = [
        *flow_columns(lambda value: value.record),
        Column("quantity", "quantity", of="name"),
        Column("here", "here", of=lambda value: f"{value.here:.5g}"),
        Column("published", "published", of=lambda value: f"{value.known:g}"),
        Column("deviation", "differs by", "fraction", of="deviation"),
        Column("order", "order", "plain", optional=True, of="order"),
        Column("source", "published by", of="source"),
        Column("rows", "on", optional=True, of=rows_text),
    ]
    return Table.of("published", "Flows compared with published values", columns, values)


def deviation_text(value: Value) -> str:
    place = f"{value.name} of {what(value.record)}, {grid_text(value.record)}"
    return f"{100 * value.deviation:.2g} % ({place})"


def finding(context: Context, steps: list[Record], values: list[Value]) -> str:
    summary = []
    bounded = [(times_the_bound(r).value, r) for r in steps if r.regime == "memory" and times_the_bound(r)]
    if bounded:
        least, record = min(bounded, key=lambda pair: pair[0])
        summary.append(
            f"With fields in memory, an iteration of {what(record)} at {grid_text(record)} on {context.row(record)}"
            f" ({record.precision}) comes nearest to its traffic alone: {digits(least)} times that."
        )
    if values:
        finest = {what(v.record): v.record.grid for v in values}  # the last is the finest
        on_finest = [v for v in values if v.record.grid == finest[what(v.record)]]
        ends = sorted(on_finest, key=lambda v: v.deviation)
        near, far = map(deviation_text, (ends[0], ends[-1]))
        summary.append(
            f"{plural(len(values), 'value')} are compared with published ones; on the finest grid of each"
            f" flow they differ by {near} to {far}."
        )
    if unsolved := [r for r in steps if inner_residual(r) > MOST_LEFT]:
        worst = max(unsolved, key=inner_residual)
        summary.append(
            f"{plural(len(unsolved), 'row')} of PISO {'leaves' if len(unsolved) == 1 else 'leave'} more than {MOST_LEFT:g} of the"
            f" residual of momentum in each time step, {what(worst)} at {grid_text(worst)} {inner_residual(worst):.2g}: answers"
            " in time are off by that, and by more the finer the grid."
        )
    return " ".join(summary) or f"{plural(len(steps), 'row')} of flow solvers."


def inner_residual(record: Record) -> float:
    """Returns the share of the momentum residual that a time step leaves; 0 if there is none."""
    return record.number("solver", "inner_residual") or 0.0


def solved_flows(context: Context) -> list[Record]:
    return [r for r in context.dataset.ok("solver") if "momentum" in (r.section("solver").get("residuals") or {})]


def is_about_accuracy(context: Context) -> bool:
    """True if records have values next to published or exact ones on several grids, and no row has a rival."""
    solved = solved_flows(context)
    if not error_lines.figures(solved, published_values(solved), what):
        return False
    return not any(contest.second for contest in headline.contests(context))


def build(context: Context) -> Section:
    section = Section("flows", "Flows")
    solved = solved_flows(context)
    if not solved:
        return replace(section, empty="No flow was solved.")
    steps = sorted(best_configs(context.dataset, solved), key=order)
    values = published_values(solved)
    section.finding = finding(context, steps, values)
    section.figures = error_lines.figures(solved, values, what)
    section.tables = [published_table(context, values)] if values else []
    section.tables.append(steps_table(context, steps))
    section.note = (
        "Cells counts each cell once an iteration, however many kernels it takes. By its traffic alone: the declared bytes at"
        " the roof of memory that the record names, which binds no smaller fields. The order is that by which the"
        " difference falls from the next coarser grid, where it keeps its sign. A profile's difference is the largest of u and v at"
        " all published points, as a share of the lid's speed. A difference below the accuracy that a source claims says nothing."
        + (FIRST_ORDER if any(r.name == "piso" for r in solved) else "")
    )
    return section
