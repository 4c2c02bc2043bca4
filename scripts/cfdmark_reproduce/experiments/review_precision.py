"""The review, section 7: 64 bits against 32, and mixed precision."""

from __future__ import annotations

from cfdmark_report.model import ERROR, Axis, Column, LinePanel, Table
from cfdmark_report.numbers import scientific
from cfdmark_report.quantity import Quantity
from cfdmark_report.records import Record
from cfdmark_report.statistics import times_faster
from cfdmark_report.wording import grid_text

from ..comparison import Comparison, Value, row, told
from ..figures import NODES, collected, figure, level, speedup_line
from ..measured import Absent
from ..verdict import as_published, within

ID = "review-precision"
SWEEP = {"kind": "kernel", "name": "red_black_sor", "operator": "constant"}
SOLVE = {"kind": "solver", "name": "sor", "problem": "manufactured"}
BACKENDS = {"cuda": "GPU", "serial": "one core", "openmp": "all cores", "kokkos": "Kokkos"}
SLOWER, MUCH_SLOWER = (
    "how much slower 64 bits are, reference 10",
    "time with 64 bits over time with 32 bits, reference 13",
)
SAME_ERROR = 1.05  # errors of fp64 and mixed that differ by less are the same
PROTOCOL = [
    "A red-black sweep without coefficient arrays on grids of 512 to 4096 points a side, in 64 bits, in "
    "32, and in mixed precision: stored in 32 bits and computed in 64. The largest grid is compared: it is "
    "in main memory.",
    "What mixed precision keeps of the accuracy needs a solver: SOR and CG on a smooth problem with a "
    "known solution, 255 x 255 points, to a residual of 1e-10. Mixed there means 32-bit iterations inside "
    "a 64-bit residual and correction, as in the review. 32 bits alone cannot reach that residual and stop "
    "after 3000 iterations.",
]
COLUMNS = [
    Column("row", "row"),
    Column("precision", "precision"),
    Column("time", "time to the end", "seconds", "plus_minus"),
    Column("residual", "true residual", ERROR),
    Column("error", "max error", ERROR),
]


def published_range(comparison: Comparison, quantity: str) -> Quantity:
    low, high = (comparison.document.entry(end, quantity=quantity).value for end in ("lowest", "highest"))
    return Quantity((low + high) / 2, low, high)


def slower(comparison: Comparison) -> Quantity:
    """x slower is 1 + x times the time, or 1 - x of the speed: the range that holds both readings."""
    x = published_range(comparison, SLOWER)
    low, high = 1 + x.low, 1 / (1 - x.high)
    return Quantity((low + high) / 2, low, high)


def of(backend: str, precision: str, what: dict = SWEEP) -> dict:
    return {**what, "backend": backend, "precision": precision}


def accuracy(comparison: Comparison, backend: str, one: str, other: str):
    """The error of one precision over that of another: exact numbers."""

    def value() -> Value:
        a = comparison.measured.largest(**of(backend, one, SOLVE))
        b = comparison.measured.largest(**of(backend, other, SOLVE))
        return Value(
            Quantity(a.number("solver", "error_max") / b.number("solver", "error_max")), f"{row(a)}, sor"
        )

    return value


def to_the_end(comparison: Comparison, backend: str):
    """How many times faster mixed precision reaches the residual."""

    def value() -> Value:
        fast, slow = comparison.measured.pairs(of(backend, "mixed", SOLVE), of(backend, "fp64", SOLVE))[-1]
        return Value(times_faster(fast, slow, per_iteration=False), f"{row(fast)}, sor")

    return value


def first_backend(comparison: Comparison) -> str:
    """Where the solver is looked at: the GPU if there is one."""
    for backend in BACKENDS:
        if comparison.measured.has(**of(backend, "mixed", SOLVE)):
            return backend
    return "cuda"


def sweep_sentence(comparison: Comparison, backend: str) -> str:
    ratio, record, _ = comparison.measured.ratio(of(backend, "fp32"), of(backend, "fp64"))
    return f"{BACKENDS[backend]}: 64 bits take {told(ratio)} the time of 32 ({grid_text(record)})."


def accuracy_sentence(comparison: Comparison) -> str:
    backend = first_backend(comparison)
    errors = {}
    for precision in ("fp64", "mixed", "fp32"):
        errors[precision] = comparison.measured.largest(**of(backend, precision, SOLVE)).number(
            "solver", "error_max"
        )
    said = (
        f"The solved problem is off by {scientific(errors['fp64'])} in 64 bits, "
        f"{scientific(errors['mixed'])} in mixed and {scientific(errors['fp32'])} in 32 bits"
    )
    kept = errors["mixed"] < SAME_ERROR * errors["fp64"] < errors["fp32"]
    return (
        f"{said}: a 64-bit residual is enough to keep the accuracy, while 32 bits stop at their rounding."
        if kept
        else f"{said}."
    )


WHY = (
    "These sweeps are bound by memory, and 64 bits are twice the bytes: a factor of two is what bytes "
    "alone explain, wherever the fields are in main memory. The first GPUs with 64-bit arithmetic had one "
    "unit of it for every eight or twelve of 32 bits, so that arithmetic could add to it; where a factor "
    "is below two, something else than bytes limits the 32 bits."
)


def solver_rows(comparison: Comparison) -> list[Record]:
    try:
        return comparison.measured.all(kind="solver")
    except Absent:
        return []


def compare(comparison: Comparison) -> None:
    comparison.protocol = PROTOCOL
    for said, published in (
        ("GPU, by either reading of 46 to 66 % slower", slower(comparison)),
        ("GPU, finite differences", published_range(comparison, MUCH_SLOWER)),
    ):
        comparison.line(
            f"time of 64 bits over 32, {said}",
            comparison.faster(of("cuda", "fp32"), of("cuda", "fp64")),
            lambda ratio, size=published: as_published(ratio, size, 1.1),
            published=published,
            fair=comparison.faster(of("openmp", "fp32"), of("openmp", "fp64")),
        )
    backend = first_backend(comparison)
    comparison.line(
        f"error of mixed over that of 64 bits, {BACKENDS[backend]}",
        accuracy(comparison, backend, "mixed", "fp64"),
        lambda ratio: within(ratio, Quantity(1.0), SAME_ERROR),
    )
    comparison.line(
        f"mixed against 64 bits, to the residual, {BACKENDS[backend]}",
        to_the_end(comparison, backend),
        as_published,
    )
    comparison.explain(lambda: WHY if comparison.measured.all(**SWEEP) else "")
    for name in BACKENDS:
        comparison.explain(lambda name=name: sweep_sentence(comparison, name))
    comparison.explain(lambda: accuracy_sentence(comparison))
    add_table_and_figure(comparison)


def add_table_and_figure(comparison: Comparison) -> None:
    rows = [
        [
            f"{r.name} on {r.backend}/{r.method}",
            r.precision,
            r.time,
            r.number("solver", "true_residual"),
            r.number("solver", "error_max"),
        ]
        for r in solver_rows(comparison)
    ]
    if rows:
        comparison.tables.append(Table("solvers", "A solver in three precisions", COLUMNS, rows, folded=True))
    lines = collected(
        *(
            lambda backend=backend, said=said: speedup_line(
                said,
                f"backend:{backend}",
                comparison.measured.pairs(of(backend, "fp32"), of(backend, "fp64")),
            )
            for backend, said in BACKENDS.items()
        )
    )
    if lines:
        lines.append(
            level("published GPU", "backend:cuda", published_range(comparison, MUCH_SLOWER).low, lines)
        )
    panel = LinePanel("red-black sweep", NODES, Axis("time of 64 bits over 32", "ratio"), lines, reference=2)
    comparison.figures += figure("slower", "What 64 bits cost", [panel], "The thin line is twice the bytes.")
