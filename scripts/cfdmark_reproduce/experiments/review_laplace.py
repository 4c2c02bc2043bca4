"""The review, section 12: a red-black sweep over Laplace's equation, GPU against one CPU core."""

from __future__ import annotations

from ..comparison import Comparison, told
from ..figures import figure, speedups_over_one_core
from ..measured import CORES
from ..verdict import as_published

ID = "review-laplace"
SWEEP = {"kind": "kernel", "name": "red_black_sor", "operator": "arrays"}
THEIRS = {**SWEEP, "backend": "cuda", "method": "plain"}  # one thread a cell, global memory
ONE_CORE = {**SWEEP, "backend": "serial", "method": "plain"}
ALL_CORES = {**SWEEP, **CORES}
CLAIM = "gpu_over_cpu"
PROTOCOL = [
    "Sides of 256 to 4096 points stand for the grid, which the document does not tell; the largest one "
    "that both sides ran is compared. Values and arithmetic have 32 bits, as in the printed code, and each "
    "of the five coefficients is an array. The CPU's side is one thread of the same sweep over the same "
    "data.",
    "Beside it stand the fastest sweep on the GPU and the fastest with all cores: vectors, both colours in "
    "one pass.",
]


def add_speedup(comparison: Comparison) -> None:
    """The line, figure and reasons that the two documents with this problem share."""
    published = comparison.document.claim(CLAIM)
    comparison.line(
        "GPU sweep against one CPU core",
        comparison.faster(THEIRS, ONE_CORE),
        lambda ratio: as_published(ratio, published),
        published=published,
        fair=comparison.faster({**SWEEP, "backend": "cuda"}, ALL_CORES),
    )
    panels = speedups_over_one_core(
        comparison.measured, SWEEP, published.value, "one sweep of both colours"
    )
    comparison.figures += figure("speedup", "Speedup over one CPU core, then and now", panels)
    comparison.explain(lambda: gpu_sentence(comparison))
    comparison.explain(lambda: cores_sentence(comparison))


def gpu_sentence(comparison: Comparison) -> str:
    ratio, gpu, _ = comparison.measured.ratio(THEIRS, ONE_CORE)
    cpu_rate = comparison.measured.largest(**ONE_CORE).number("rate", "bytes_per_second")
    gpu_rate = gpu.number("rate", "bytes_per_second")
    return (
        f"The same kernel in global memory is {told(ratio)} as fast as one core. A sweep reads and writes "
        f"far more than it computes, so that the speedup is that of the memories: {gpu_rate / 1e9:,.0f} "
        f"GB/s against {cpu_rate / 1e9:,.1f}."
    )


def cores_sentence(comparison: Comparison) -> str:
    ratio, best, _ = comparison.measured.ratio(ALL_CORES, ONE_CORE)
    return (
        f"One core is a weak baseline: all cores of this CPU do the same sweep {told(ratio)} as fast "
        f"({best.backend}/{best.method}), and a GPU must be compared with that to say what it gains."
    )


def compare(comparison: Comparison) -> None:
    comparison.protocol = PROTOCOL
    add_speedup(comparison)
