"""Flows: time of an iteration compared with the bound of its traffic, and values compared with published
ones."""

from __future__ import annotations

from math import log

from cfdmark.records.record_check import finite
from cfdmark.records.records import Record
from cfdmark.records.select import best_configs, grouped, name_rank, precision_rank
from cfdmark.stats.quantity import Quantity
from cfdmark.text.numbers import digits
from cfdmark.text.wording import grid_text, plural

from ..ceiling import exceeds, share
from ..model import COUNT, Column, Section, Table
from .context import Context

STEP_COLUMNS = [
    Column("what", "flow"),
    Column("solver", "by", optional=True),
    Column("grid", "grid"),
    Column("precision", "precision"),
    Column("row", "row"),
    Column("time", "an iteration", "seconds", "plus_minus"),
    Column("rate", "iterations a second", "per_second"),
    Column("updates", "cells", "updates_per_second"),
    Column("traffic", "bytes a cell", COUNT, optional=True),
    Column("bound", "by its traffic alone", "seconds"),
    Column("times", "times that", "ratio"),
    Column("launches", "launches", COUNT, optional=True),
    Column("regime", "fields in", optional=True),
]
PUBLISHED_COLUMNS = [
    Column("what", "flow"),
    Column("solver", "by", optional=True),
    Column("grid", "grid"),
    Column("precision", "precision"),
    Column("quantity", "quantity"),
    Column("here", "here"),
    Column("published", "published"),
    Column("deviation", "differs by", "fraction"),
    Column("order", "order", "plain", optional=True),
    Column("source", "published by"),
    Column("rows", "on", optional=True),
]
# Older records lack the accuracy that this source claims: 0.1 % at a Rayleigh number of 1e3, 1 % at 1e6.
WITHOUT_ACCURACY = "de Vahl Davis 1983"
# As solvers/flow/table.hpp has it.
MOST_LEFT = 1e-3
# Settings by which flows of one problem differ.
NUMBERS = ("reynolds", "rayleigh")


FIRST_ORDER = " PISO's time steps are of first order: half of the Courant number halves their error."


def is_flow(record: Record) -> bool:
    return record.kind == "solver" and "momentum" in (record.section("solver").get("residuals") or {})


def times_the_bound(record: Record) -> Quantity | None:
    """Returns the time over that of the declared bytes at the measured ceiling; None if that ceiling was
    exceeded."""
    found = None if exceeds(record) else share(record)
    return Quantity.without_interval(1 / found.value, found) if found and found.value > 0 else None


def with_its_number(record: Record) -> str:
    """Returns the problem with its Reynolds or Rayleigh number, also if that is the default: published values
    belong to one number."""
    asked = record.section("workload")
    usual = [
        f"{key}={asked[key]:g}" for key in NUMBERS if finite(asked.get(key)) and f"{key}=" not in record.problem
    ]
    return ", ".join([record.problem, *usual]) if " with " in record.problem else " with ".join([record.problem, *usual])


def what(record: Record) -> str:
    """Returns the problem, its dimensions, and settings that change its answer."""
    own = [record.config.get("convection", "central"), record.config.get("eddy_viscosity", "none")]
    dimensions = [] if len(record.grid) == 2 else ["3-D"]
    return ", ".join([with_its_number(record), *dimensions, *(word for word in own if word not in ("central", "none"))])


def step_row(context: Context, r: Record) -> list:
    time, times, moved = r.iteration_time, times_the_bound(r), r.bytes_an_iteration
    return [
        what(r),
        r.name,
        grid_text(r),
        r.precision,
        context.row(r),
        time,
        1 / time.value,
        r.nodes / time.value,
        moved / r.nodes if moved else None,
        time.value / times.value if times else None,
        times,
        r.launches,
        r.regime,
    ]


def order(record: Record):
    return (name_rank(record), len(record.grid), record.problem, precision_rank(record), record.nodes)


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


def observed_order(finer: tuple[float, Record], coarser: tuple[float, Record] | None) -> float | None:
    """Returns the observed order of convergence; None if the deviation does not fall, or changes its sign."""
    if coarser is None or finer[1].grid[0] <= coarser[1].grid[0] or finer[0] * coarser[0] <= 0:
        return None
    return log(coarser[0] / finer[0]) / log(finer[1].grid[0] / coarser[1].grid[0])


def published_rows(context: Context, records: list[Record]) -> list[list]:
    """Returns a row for each value on a grid: backends with the same digits share it."""
    rows = []
    for _, alike in grouped(sorted(records, key=order), lambda r: (what(r), r.name, r.precision)).items():
        names = dict.fromkeys(name for r in alike for name, *_ in published(r))
        for name in names:
            coarser = None
            for grid in dict.fromkeys(r.grid for r in alike):
                on = [(r, v) for r in alike if r.grid == grid for v in published(r) if v[0] == name]
                for (here, known, source), same in grouped(
                    on, lambda pair: (float(f"{pair[1][1]:.5g}"), *pair[1][2:])
                ).items():
                    r = same[0][0]
                    off = deviation(here, known)
                    now = (off, r)
                    rows.append(
                        [
                            what(r),
                            r.name,
                            grid_text(r),
                            r.precision,
                            name,
                            f"{here:.5g}",
                            f"{known:g}",
                            abs(off),
                            observed_order(now, coarser),
                            source,
                            ", ".join(dict.fromkeys(context.row(one) for one, _ in same)),
                        ]
                    )
                if on:
                    coarser = now
    return rows


def finding(context: Context, steps: list[Record], rows: list[list]) -> str:
    summary = []
    bound = [(times_the_bound(r).value, r) for r in steps if r.regime == "memory" and times_the_bound(r)]
    if bound:
        least, record = min(bound, key=lambda pair: pair[0])
        summary.append(
            f"With fields in memory, an iteration of {what(record)} at {grid_text(record)} on {context.row(record)}"
            f" ({record.precision}) comes nearest to its traffic alone: {digits(least)} times that."
        )
    if rows:
        finest = {row[0]: row[2] for row in rows}  # rows go from coarse to fine
        ends = sorted((row for row in rows if row[2] == finest[row[0]]), key=lambda row: row[7])
        near, far = (f"{100 * row[7]:.2g} % ({row[4]} of {row[0]}, {row[2]})" for row in (ends[0], ends[-1]))
        summary.append(
            f"{plural(len(rows), 'value')} are compared with published ones; on the finest grid of each flow they differ by"
            f" {near} to {far}."
        )
    if unsolved := left_unsolved(steps):
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


def left_unsolved(records: list[Record]) -> list[Record]:
    return [r for r in records if inner_residual(r) > MOST_LEFT]


def build(context: Context) -> Section:
    section = Section("flows", "Flows")
    solved = [r for r in context.dataset.ok("solver") if is_flow(r)]
    if not solved:
        section.empty = "No flow was solved."
        return section
    steps = sorted(best_configs(context.dataset, solved), key=order)
    rows = published_rows(context, solved)
    section.finding = finding(context, steps, rows)
    section.tables = [
        Table("steps", "An iteration, or a time step, of each flow", STEP_COLUMNS, [step_row(context, r) for r in steps])
    ]
    if rows:
        section.tables.append(Table("published", "Flows compared with published values", PUBLISHED_COLUMNS, rows))
    section.note = (
        "Cells counts each cell once an iteration, however many kernels it takes. By its traffic alone: the declared bytes at"
        " the roof of memory that the record names, which binds no smaller fields. The order is that by which the"
        " difference falls from the next coarser grid, where it keeps its sign. A profile's difference is the largest of u and v at"
        " all published points, as a share of the lid's speed. A difference below the accuracy that a source claims says nothing."
        + (FIRST_ORDER if any(r.name == "piso" for r in solved) else "")
    )
    return section
