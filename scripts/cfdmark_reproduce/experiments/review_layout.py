"""The review, section 11.1: how the four variables of a cell lie in memory."""

from __future__ import annotations

from cfdmark_report.model import Axis, LinePanel

from ..comparison import Comparison, told
from ..figures import NODES, collected, figure, speedup_line
from ..verdict import as_published, not_comparable

ID = "review-layout"
UPDATE = {"kind": "kernel", "name": "four_variable_update"}
BACKENDS = {"cuda": "GPU", "serial": "one core", "openmp": "all cores", "kokkos": "Kokkos"}
PROTOCOL = [
    "An explicit step of a plane flow: each of a cell's four variables gets its right-hand side, q = q + "
    "dt rhs, twelve words a cell. Side by side: variable v of cell i is u[4 i + v], an array of "
    "structures. In blocks: u[v n + i], a structure of arrays. As vectors: side by side, but loaded and "
    "stored four at a time. Grids of 256 to 2048 points a side.",
    "The review speaks of 32-bit values for vectors of four, which are 16 bytes; 64-bit values are "
    "measured beside. Vectors are a matter of the GPU: a CPU's compiler chooses its own.",
]


def layout(backend: str, method: str, precision: str = "fp32") -> dict:
    return {**UPDATE, "backend": backend, "method": method, "precision": precision}


def blocks_sentence(comparison: Comparison, backend: str) -> str:
    ratio, _, _ = comparison.measured.ratio(
        layout(backend, "structure_of_arrays"), layout(backend, "array_of_structures")
    )
    return f"{BACKENDS[backend]}: blocks are {told(ratio)} as fast as variables side by side, in 32 bits."


def vectors_sentence(comparison: Comparison) -> str:
    loads, _, _ = comparison.measured.ratio(
        layout("cuda", "vector_loads"), layout("cuda", "array_of_structures")
    )
    blocks, _, _ = comparison.measured.ratio(
        layout("cuda", "vector_loads"), layout("cuda", "structure_of_arrays")
    )
    return (
        f"GPU: vector loads are {told(loads)} as fast as four single ones, and {told(blocks)} as fast as "
        "blocks, in 32 bits."
    )


WHY = (
    "All three move the same bytes. On a GPU a warp that reads one variable side by side touches four "
    "times the lines that it needs at once, and the cache must keep them for the next three loads; blocks "
    "and vectors use each line whole. On a CPU a core reads the line anyway, and what counts is whether "
    "the compiler can fill its vectors without shuffling."
)


def panels(comparison: Comparison) -> list[LinePanel]:
    made = []
    for backend, said in BACKENDS.items():
        lines = collected(
            *(
                lambda label=label, method=method: speedup_line(
                    label,
                    f"method:{method}",
                    comparison.measured.pairs(
                        layout(backend, method), layout(backend, "array_of_structures")
                    ),
                )
                for label, method in (("blocks", "structure_of_arrays"), ("vectors", "vector_loads"))
            )
        )
        made.append(
            LinePanel(
                f"{said}, 32 bits", NODES, Axis("times faster than side by side", "ratio"), lines, reference=1
            )
        )
    return made


def compare(comparison: Comparison) -> None:
    comparison.protocol = PROTOCOL
    for precision in ("fp32", "fp64"):
        comparison.line(
            f"blocks against side by side, GPU, {precision}",
            comparison.faster(
                layout("cuda", "structure_of_arrays", precision),
                layout("cuda", "array_of_structures", precision),
            ),
            as_published,
        )
    comparison.line(
        "vector loads against four loads, GPU, fp32",
        comparison.faster(layout("cuda", "vector_loads"), layout("cuda", "array_of_structures")),
        as_published,
    )
    comparison.line(
        "blocks against side by side, one CPU core, fp32",
        comparison.faster(layout("serial", "structure_of_arrays"), layout("serial", "array_of_structures")),
        lambda _: not_comparable("the review does not say which is faster on a CPU"),
        fair=comparison.faster(
            layout("openmp", "structure_of_arrays"), layout("openmp", "array_of_structures")
        ),
    )
    comparison.explain(lambda: WHY if comparison.measured.all(**UPDATE) else "")
    for backend in BACKENDS:
        comparison.explain(lambda backend=backend: blocks_sentence(comparison, backend))
    comparison.explain(lambda: vectors_sentence(comparison))
    comparison.figures += figure(
        "layouts", "Layouts of four variables", panels(comparison), "The dashed line is side by side."
    )
