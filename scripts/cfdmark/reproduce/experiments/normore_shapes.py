"""Normore 2010, table 8.1: the shapes, their drag and times, one of them by each pressure solver."""

from __future__ import annotations

from cfdmark.records.records import Record
from cfdmark.report.model import COUNT, Column, Table

from ..comparison import Comparison, or_none
from ..measures import SIDES
from ..rows import Rows

COLUMNS = [
    Column("side", "on"),
    Column("exponent", "exponent", "plain"),
    Column("aspect", "length / height", "plain"),
    Column("drag", "drag coefficient", "plain"),
    Column("iterations", "iterations", COUNT),
    Column("time", "time of an evaluation", "seconds", "three_digits"),
]
CHOICES = [
    Column("side", "on"),
    Column("solver", "pressure correction by"),
    Column("ends", "until"),
    Column("iterations", "iterations", COUNT),
    Column("inner", "inner ones, on average", "plain", optional=True),
    Column("drag", "drag coefficient", "plain"),
    Column("time", "time of an evaluation", "seconds", "three_digits"),
]
SOLVERS = {"pcg": "preconditioned CG", "sor": "red-black SOR", "multigrid": "multigrid"}


def line(record: Record) -> list:
    asked = record.section("workload")
    return [
        SIDES[record.backend],
        asked["exponent"],
        asked["aspect"],
        record.number("solver", "drag_coefficient"),
        record.number("solver", "iterations"),
        record.time,
    ]


def is_circle(record: Record) -> bool:
    asked = record.section("workload")
    return asked.get("exponent") == 2 and asked.get("aspect") == 1


def choice(record: Record) -> list:
    config = record.config
    tolerance, most = config["pressure_tolerance"], config["pressure_sweeps"]
    return [
        SIDES[record.backend],
        SOLVERS[config["pressure_solver"]],
        f"{tolerance:g} of its residual, {most} at most" if tolerance else f"{most} sweeps",
        record.number("solver", "iterations"),
        record.number("solver", "pressure_iterations"),
        record.number("solver", "drag_coefficient"),
        record.time,
    ]


def choices(rows: Rows) -> list[list]:
    """Returns the circle on the smallest grid with each pressure solver."""
    found = or_none(lambda: rows.by_grid("any_solver")[0].grid)
    records = rows.at(found).all("any_solver") if found else []
    asked = [r for r in records if is_circle(r) and r.config.get("pressure_solver") in SOLVERS]
    asked = [r for r in asked if r.has_numbers("pressure_tolerance", "pressure_sweeps")]
    order = list(SOLVERS)
    return [choice(r) for r in sorted(asked, key=lambda r: (order.index(r.config["pressure_solver"]), r.time.value))]


def add(comparison: Comparison) -> None:
    shapes = []
    for side in SIDES:
        rows = comparison.rows.on(side)
        largest = or_none(lambda: rows.largest("population").grid)
        found = rows.at(largest).all("population") if largest else []
        shapes += sorted((line(r) for r in found if r.has_numbers("exponent", "aspect")), key=lambda cells: cells[1:3])
    if shapes:
        comparison.tables.append(Table("shapes", "The shapes, each backend on its largest grid", COLUMNS, shapes))
    beside = [cells for side in SIDES for cells in choices(comparison.rows.on(side))]
    if len({cells[1] for cells in beside}) > 1:
        comparison.tables.append(Table("choices", "A circle by each solver inside", CHOICES, beside))
