"""Shinn: the heated plate by red-black SOR, GPU against CPU, sweep by sweep and to the solution."""

from __future__ import annotations

from cfdmark_report.numbers import scientific
from cfdmark_report.statistics import times_faster

from ..comparison import Comparison, Value, row, told
from ..measured import CORES
from ..verdict import as_published
from . import review_laplace

ID = "shinn-heat"
PLATE = {"kind": "solver", "name": "sor", "problem": "heated_plate"}
PROTOCOL = [
    *review_laplace.PROTOCOL,
    "The plate itself is then solved to a relative residual of 1e-4, where 32 bits still carry, with the "
    "factor that is optimal for the grid instead of his 1.85: the number of sweeps differs from his, the "
    "cost of one does not.",
]


def solution_speedup(comparison: Comparison, fast: dict, slow: dict):
    """To the solution, on the largest plate that both solved: sweeps and residual checks together."""

    def value() -> Value:
        a, b = comparison.measured.pairs({**PLATE, **fast}, {**PLATE, **slow})[-1]
        return Value(times_faster(a, b, per_iteration=False), f"{row(a)} against {row(b)}")

    return value


def solution_sentence(comparison: Comparison) -> str:
    plate = comparison.measured.largest(**PLATE)
    return (
        f"The solved plate ({row(plate)}, {plate.number('solver', 'iterations'):,.0f} sweeps) differs from "
        f"the exact temperature by {scientific(plate.number('solver', 'error_l2'))} in the root mean "
        "square; most of it sits at the two hot corners, where the boundary temperature jumps."
    )


def compare(comparison: Comparison) -> None:
    comparison.protocol = PROTOCOL
    review_laplace.add_speedup(comparison)
    published = comparison.document.claim(review_laplace.CLAIM)
    comparison.line(
        "the whole plate, GPU against one core",
        solution_speedup(
            comparison, {"backend": "cuda", "method": "plain"}, {"backend": "serial", "method": "plain"}
        ),
        lambda ratio: as_published(ratio, published),
        published=published,
        fair=solution_speedup(comparison, {"backend": "cuda"}, CORES),
    )
    comparison.explain(lambda: all_cores_sentence(comparison))
    comparison.explain(lambda: solution_sentence(comparison))


def all_cores_sentence(comparison: Comparison) -> str:
    value = solution_speedup(
        comparison, CORES, {"backend": "serial", "method": "plain"}
    )()
    return f"To the solution all cores are {told(value.quantity)} as fast as one ({value.rows})."
