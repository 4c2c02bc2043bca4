"""Shinn: share of the pressure in a projection step, by solver and tolerance."""

from __future__ import annotations

from cfdmark.records.records import Record
from cfdmark.report.model import Axis, Column, LinePanel, Point, Series, Table
from cfdmark.stats.quantity import Quantity
from cfdmark.text.wording import grid_text

from ..comparison import Comparison, or_none
from ..figures import figure
from ..measures import SIDES
from ..routines import SHARES

SOLVERS = {"sor": "red-black SOR", "cg": "CG", "pcg": "preconditioned CG", "multigrid": "multigrid"}
COLUMNS = [
    Column("side", "on"),
    Column("grid", "grid"),
    Column("solver", "pressure by"),
    Column("tolerance", "to"),
    Column("share", "share of the pressure", "fraction"),
    Column("time", "a step", "seconds", "three_digits"),
]
CURVES = tuple(SOLVERS)


def share_of(record: Record) -> float | None:
    return or_none(lambda: SHARES["pressure"](record))


def names_its_solver(record: Record) -> bool:
    return record.has_numbers("pressure_tolerance", "pressure_sweeps") and record.config.get("pressure_solver") in CURVES


def order(record: Record) -> tuple:
    config = record.config
    return record.nodes, CURVES.index(config["pressure_solver"]), -config["pressure_tolerance"]


def line(record: Record) -> list:
    config = record.config
    tolerance, most = config["pressure_tolerance"], config["pressure_sweeps"]
    goal = f"{tolerance:g}" if tolerance > 0 else f"{most} cycle{'s' if most > 1 else ''}"
    solver = SOLVERS[config["pressure_solver"]]
    return [SIDES[record.backend], grid_text(record), solver, goal, share_of(record), record.iteration_time]


def series(solver: str, records: list[Record]) -> Series:
    mine = [r for r in records if r.config["pressure_solver"] == solver and r.config["pressure_tolerance"] > 0]
    points = [Point(r.config["pressure_tolerance"], Quantity(share_of(r))) for r in mine]
    return Series(SOLVERS[solver], f"solver:{solver}", points)


def panel(side: str, records: list[Record]) -> LinePanel:
    """Returns the panel of one grid, with the published range."""
    lines = [made for made in (series(solver, records) for solver in CURVES) if made.points]
    axes = Axis("tolerance of the pressure", "error"), Axis("share of the pressure", "fraction", log=False)
    return LinePanel(f"{SIDES[side]}, {grid_text(records[0])}", *axes, lines)


def published(lines: list[Series], low: float, high: float) -> list[Series]:
    """Returns the ends of the published range, over all tolerances."""
    tolerances = [point.x for one in lines for point in one.points]
    ends = (min(tolerances), max(tolerances))
    named = (("published, lowest", low), ("published, highest", high))
    return [
        Series(label, "published:range", [Point(x, Quantity(share)) for x in ends], "dashed", markers=False)
        for label, share in named
    ]


def add(comparison: Comparison) -> None:
    table = comparison.document.data.table()
    ends = [table.column(name)[0] for name in ("lowest_share", "highest_share")]
    rows, panels = [], []
    for side in SIDES:
        found = or_none(lambda: comparison.measured.all(name="projection", backend=side)) or []
        shares = sorted((r for r in found if share_of(r) is not None and names_its_solver(r)), key=order)
        rows += map(line, shares)
        for grid in dict.fromkeys(r.grid for r in shares):
            drawn = panel(side, [r for r in shares if r.grid == grid])
            if drawn.series:
                drawn.series += published(drawn.series, *ends)
                panels.append(drawn)
    if rows:
        comparison.tables.append(Table("shares", "Share of the pressure in a step", COLUMNS, rows))
    comparison.figures += figure(
        "shares",
        "Share of the pressure in a step against its tolerance",
        panels,
        "The residual of the pressure, relative to the first of the step, that ends its solve.",
    )
