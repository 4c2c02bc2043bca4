"""Shinn: share of the pressure in a projection step, by solver and tolerance."""

from __future__ import annotations

from cfdmark.records.records import Record
from cfdmark.report.model import Axis, Column, LinePanel, Point, Series, Table
from cfdmark.stats.quantity import Quantity
from cfdmark.text.wording import grid_text, plural

from ..comparison import Comparison, or_none
from ..figures import figure
from ..measures import SIDES
from ..routines import SHARES

PRESSURE_SOLVERS = {"sor": "red-black SOR", "cg": "CG", "pcg": "preconditioned CG", "multigrid": "multigrid"}
CURVES = list(PRESSURE_SOLVERS)


def share_of(record: Record) -> float | None:
    return or_none(lambda: SHARES["pressure"](record))


def names_pressure_solver(record: Record, solvers: list[str]) -> bool:
    """True if the record has one of these solvers for its pressure, and the settings of it."""
    has_settings = record.has_numbers("pressure_tolerance", "pressure_sweeps")
    return has_settings and record.config.get("pressure_solver") in solvers


def order(record: Record) -> tuple:
    config = record.config
    return record.nodes, CURVES.index(config["pressure_solver"]), -config["pressure_tolerance"]


def goal(record: Record) -> str:
    tolerance, most = record.config["pressure_tolerance"], record.config["pressure_sweeps"]
    return f"{tolerance:g}" if tolerance > 0 else plural(most, "cycle")


COLUMNS = [
    Column("side", "on", of=lambda r: SIDES[r.backend]),
    Column("grid", "grid", of=grid_text),
    Column("solver", "pressure by", of=lambda r: PRESSURE_SOLVERS[r.config["pressure_solver"]]),
    Column("tolerance", "to", of=goal),
    Column("share", "share of the pressure", "fraction", of=share_of),
    Column("time", "a step", "seconds", "three_digits", of="iteration_time"),
]


def series(solver: str, records: list[Record]) -> Series:
    mine = [r for r in records if r.config["pressure_solver"] == solver and r.config["pressure_tolerance"] > 0]
    points = [Point(r.config["pressure_tolerance"], Quantity(share_of(r))) for r in mine]
    return Series(PRESSURE_SOLVERS[solver], f"solver:{solver}", points)


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
    records, panels = [], []
    for side in SIDES:
        found = or_none(lambda: comparison.measured.all(name="projection", backend=side)) or []
        found = [r for r in found if share_of(r) is not None and names_pressure_solver(r, CURVES)]
        shares = sorted(found, key=order)
        records += shares
        for grid in dict.fromkeys(r.grid for r in shares):
            drawn = panel(side, [r for r in shares if r.grid == grid])
            if drawn.series:
                drawn.series += published(drawn.series, *ends)
                panels.append(drawn)
    if records:
        comparison.tables.append(Table.of("shares", "Share of the pressure in a step", COLUMNS, records))
    comparison.figures += figure(
        "shares",
        "Share of the pressure in a step against its tolerance",
        panels,
        "The residual of the pressure, relative to the first of the step, that ends its solve.",
    )
