"""Normore 2010, figure 2.4: error against iteration for Jacobi, Gauss-Seidel and SOR with the optimal factor."""

from __future__ import annotations

import math

from cfdmark_report.model import COUNT, Axis, Column, LinePanel, Table
from cfdmark_report.quantity import Quantity
from cfdmark_report.records import Record
from cfdmark_report.sections.convergence import curve

from ..comparison import Comparison, Value
from ..figures import figure
from ..measured import Absent
from ..verdict import as_published, rising, within

ID = "normore-figure-2.4"
METHODS = {"sor": "SOR", "gauss_seidel": "Gauss-Seidel", "jacobi": "Jacobi"}
TODAY = "cg"
REDUCTIONS = (10, 100, 1000, 10000)
JUDGED = 1000  # the reduction of the error that the lines of the page are about
PROTOCOL = [
    "His problem is only called very simple. Here it is Poisson's equation with the solution exp(x y) on "
    "31 x 31 points, so that h = 1/32 and the optimal factor, his equation 43, is 1.821. The error is the "
    "largest difference from the exact solution, looked at every ten iterations, so that counts are known "
    "to ten.",
    "Jacobi and Gauss-Seidel are his loops. SOR goes over the points red-black, as his GPU code does, and "
    "not row by row as his algorithm 2.5; for this equation both orders converge at the same rate. Fair "
    "today: CG, looked at every iteration.",
]


def solver(comparison: Comparison, name: str) -> Record:
    return comparison.measured.largest(kind="solver", name=name)


def iterations_to(record: Record, reduction: float) -> Quantity:
    """Iterations until the error is `reduction` times smaller; the interval holds those between two looks."""
    history = record.history("error_history")
    if not history:
        raise Absent(f"{record.name} has no history of its error")
    goal, before = history[0][1] / reduction, 0.0
    for iteration, error in history:
        if error <= goal:
            return Quantity(iteration, min(before + 1, iteration), iteration)
        before = iteration
    raise Absent(f"{record.name} did not reduce the error {reduction:g} times")


def times_fewer(comparison: Comparison, few: str, many: str):
    def value() -> Value:
        a, b = (iterations_to(solver(comparison, name), JUDGED) for name in (few, many))
        return Value(
            Quantity(b.value / a.value, b.low / a.high, b.high / a.low),
            f"{many} {b.value:g}, {few} {a.value:g}",
        )

    return value


def sides(record: Record) -> int:
    return record.grid[0] + 1  # 1 / h


def predicted(record: Record) -> dict[str, float]:
    """Iterations that reduce the slowest part of the error by JUDGED: the spectral radii of the model problem."""
    jacobi = math.cos(math.pi / sides(record))
    omega = 2 / (1 + math.sin(math.pi / sides(record)))
    radii = {"jacobi": jacobi, "gauss_seidel": jacobi**2, "sor": omega - 1}
    return {name: math.log(JUDGED) / -math.log(radius) for name, radius in radii.items()}


def theory_sentence(comparison: Comparison) -> str:
    expected = predicted(solver(comparison, "jacobi"))
    told = [
        f"{said} {iterations_to(solver(comparison, name), JUDGED).value:,.0f} (theory {expected[name]:,.0f})"
        for name, said in METHODS.items()
    ]
    return (
        f"Iterations that make the error {JUDGED} times smaller: {', '.join(told)}. The theory is that of "
        "the slowest component alone: an iteration of Jacobi multiplies it by cos(pi h), one of "
        "Gauss-Seidel by its square, one of SOR by omega - 1. SOR needs somewhat more than that: at the "
        "optimal factor two slowest components coincide, and the error falls like k (omega - 1)^k."
    )


def cg_sentence(comparison: Comparison) -> str:
    cg = iterations_to(solver(comparison, TODAY), JUDGED)
    sor = iterations_to(solver(comparison, "sor"), JUDGED)
    return (
        f"CG, which the thesis sets aside for its cost per iteration, needs {cg.value:g} iterations here "
        f"against {sor.value:g} of SOR, and no factor to choose."
    )


def counts_table(comparison: Comparison) -> Table:
    rows = []
    for name, said in {**METHODS, TODAY: "CG"}.items():
        counts = []
        for reduction in REDUCTIONS:
            try:
                counts.append(iterations_to(solver(comparison, name), reduction).value)
            except Absent:
                counts.append(None)
        rows.append([said, *counts])
    heads = [Column(f"to_{n}", f"{n:,} times", COUNT) for n in REDUCTIONS]
    return Table(
        "iterations",
        "Iterations until the error is so many times smaller",
        [Column("method", "method"), *heads],
        rows,
    )


def compare(comparison: Comparison) -> None:
    comparison.protocol = PROTOCOL
    named = "iterations, SOR < Gauss-Seidel < Jacobi"
    comparison.line(
        named,
        lambda: Value(iterations_to(solver(comparison, "sor"), JUDGED), "SOR's iterations"),
        lambda _: rising(
            [(said, iterations_to(solver(comparison, name), JUDGED)) for name, said in METHODS.items()]
        ),
        unit="iterations",
        fair=lambda: Value(iterations_to(solver(comparison, TODAY), JUDGED), "CG's"),
    )
    published = comparison.document.claim("gauss_seidel_over_jacobi")
    comparison.line(
        "Gauss-Seidel against Jacobi, fewer iterations",
        times_fewer(comparison, "gauss_seidel", "jacobi"),
        lambda ratio: within(ratio, published, 1.1),
        published,
    )
    comparison.line(
        "SOR against Gauss-Seidel, fewer iterations",
        times_fewer(comparison, "sor", "gauss_seidel"),
        as_published,
        fair=times_fewer(comparison, TODAY, "gauss_seidel"),
    )
    comparison.explain(lambda: theory_sentence(comparison))
    comparison.explain(lambda: cg_sentence(comparison))
    if comparison.measured.has(kind="solver"):
        comparison.tables.append(counts_table(comparison))
        add_figure(comparison)


def add_figure(comparison: Comparison) -> None:
    series = [curve(r, "error_history") for r in comparison.measured.all(kind="solver")]
    for line in series:
        line.label = {**METHODS, TODAY: "CG (today)"}[line.label]
    axes = Axis("iteration", "iterations"), Axis("max error", "error")
    comparison.figures += figure(
        "convergence",
        "Figure 2.4 again: error against iteration",
        [LinePanel("exp(x y) on 31 x 31 points", *axes, series)],
        "The thesis shows its figure without values, so that there is no published line. An error that "
        "stops falling has met the discretisation error.",
    )
