"""Normore 2010, table 8.1: the shapes, their drag and times, one of them by each pressure solver."""

from __future__ import annotations

from cfdmark.records.records import Record
from cfdmark.report.model import COUNT, Column, Table
from cfdmark.report.sections.context import number

from ..comparison import Comparison, or_none
from ..measures import SIDES
from ..rows import Rows
from .shinn_share import PRESSURE_SOLVERS, names_pressure_solver

SOLVERS = ["pcg", "sor", "multigrid"]
SIDE = Column("side", "on", of=lambda r: SIDES[r.backend])
DRAG = Column("drag", "drag coefficient", "plain", of=number("solver", "drag_coefficient"))
ITERATIONS = Column("iterations", "iterations", COUNT, of=number("solver", "iterations"))
TIME = Column("time", "time of an evaluation", "seconds", "three_digits", of="time")
INNER = number("solver", "pressure_iterations")


def shape(record: Record) -> tuple[float, float]:
    settings = record.section("workload")
    return settings.get("exponent"), settings.get("aspect")


def until(record: Record) -> str:
    tolerance, most = record.config["pressure_tolerance"], record.config["pressure_sweeps"]
    return f"{tolerance:g} of its residual, {most} at most" if tolerance else f"{most} sweeps"


SHAPES = [
    SIDE,
    Column("exponent", "exponent", "plain", of=lambda r: shape(r)[0]),
    Column("aspect", "length / height", "plain", of=lambda r: shape(r)[1]),
    DRAG,
    ITERATIONS,
    TIME,
]
CHOICES = [
    SIDE,
    Column("solver", "pressure correction by", of=lambda r: PRESSURE_SOLVERS[r.config["pressure_solver"]]),
    Column("ends", "until", of=until),
    ITERATIONS,
    Column("inner", "inner ones, on average", "plain", optional=True, of=INNER),
    DRAG,
    TIME,
]


def shapes(rows: Rows) -> list[Record]:
    """Returns the shapes on the largest grid."""
    largest = or_none(lambda: rows.largest("population").grid)
    found = rows.at(largest).all("population") if largest else []
    return sorted((r for r in found if r.has_numbers("exponent", "aspect")), key=shape)


def circles(rows: Rows) -> list[Record]:
    """Returns the circle on the smallest grid with each pressure solver."""
    smallest = or_none(lambda: rows.by_grid("any_solver")[0].grid)
    records = rows.at(smallest).all("any_solver") if smallest else []
    found = [r for r in records if shape(r) == (2, 1) and names_pressure_solver(r, SOLVERS)]
    return sorted(found, key=lambda r: (SOLVERS.index(r.config["pressure_solver"]), r.time.value))


def add(comparison: Comparison) -> None:
    sides = [comparison.rows.on(side) for side in SIDES]
    population = [r for rows in sides for r in shapes(rows)]
    if population:
        title = "The shapes, each backend on its largest grid"
        comparison.tables.append(Table.of("shapes", title, SHAPES, population))
    by_solver = [r for rows in sides for r in circles(rows)]
    if len({r.config["pressure_solver"] for r in by_solver}) > 1:
        comparison.tables.append(Table.of("choices", "A circle by each solver inside", CHOICES, by_solver))
