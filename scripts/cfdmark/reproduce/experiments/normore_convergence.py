"""Normore 2010, figure 2.4: iterations expected by the theory of the model problem, and error against
iteration."""

from __future__ import annotations

import math

from cfdmark.records.records import Record
from cfdmark.report.model import COUNT, Axis, Column, LinePanel, Table
from cfdmark.report.sections.convergence import curve

from ..comparison import Comparison, or_none
from ..figures import figure
from ..measures import iterations_to

METHODS = {"sor": "SOR", "gauss_seidel": "Gauss-Seidel", "jacobi": "Jacobi"}
ALL = {**METHODS, "cg": "CG (today)"}
REDUCTIONS = (10, 100, 1000, 10000)


def predicted(record: Record, reduction: float) -> dict[str, float]:
    """Returns the iterations that reduce the slowest component of the error by this factor, from the spectral
    radii of the model problem."""
    sides = record.grid[0] + 1  # 1 / h
    jacobi, omega = math.cos(math.pi / sides), 2 / (1 + math.sin(math.pi / sides))
    radii = {"jacobi": jacobi, "gauss_seidel": jacobi**2, "sor": omega - 1}
    return {name: math.log(reduction) / -math.log(radius) for name, radius in radii.items()}


def theory_sentence(comparison: Comparison) -> str:
    """Raises Absent."""
    rows, reduction = comparison.rows, comparison.plan.reduction
    expected = predicted(rows.largest("jacobi"), reduction)
    summary = [
        f"{said} {iterations_to(rows.largest(name), reduction).value:,.0f} (theory {expected[name]:,.0f})"
        for name, said in METHODS.items()
    ]
    return (
        f"Iterations that make the error {reduction:g} times smaller: {', '.join(summary)}. The theory is that of "
        "the slowest component alone: an iteration of Jacobi multiplies it by cos(pi h), one of "
        "Gauss-Seidel by its square, one of SOR by omega - 1. SOR needs somewhat more than that: at the "
        "optimal factor two slowest components coincide, and the error falls like k (omega - 1)^k."
    )


def counts_table(records: dict[str, Record]) -> Table:
    def column(reduction: float) -> Column:
        count = lambda name: or_none(lambda: iterations_to(records[name], reduction).value)  # noqa: E731
        return Column(f"to_{reduction}", f"{reduction:,} times", COUNT, of=count)

    columns = [Column("method", "method", of=lambda name: ALL[name]), *map(column, REDUCTIONS)]
    return Table.of("iterations", "Iterations until the error is N times smaller", columns, records)


def add(comparison: Comparison) -> None:
    theory = or_none(lambda: theory_sentence(comparison))
    comparison.why[:0] = [theory] if theory else []
    found = {name: or_none(lambda name=name: comparison.rows.largest(name)) for name in ALL}
    records = {name: record for name, record in found.items() if record}
    if not records:
        return
    comparison.tables.append(counts_table(records))
    lines = [curve(record, "error_history") for record in records.values()]
    for line in lines:
        line.label = ALL[line.label]
    axes = Axis("iteration", "iterations"), Axis("max error", "error")
    comparison.figures += figure(
        "convergence",
        "Figure 2.4 again: error against iteration",
        [LinePanel("exp(x y) on 31 x 31 points", *axes, lines)],
        "The thesis shows its figure without values, so that there is no published line. An error that "
        "stops falling has met the discretisation error.",
    )
