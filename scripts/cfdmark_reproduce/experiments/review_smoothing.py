"""The review, section 11.6: 3-D smoothing with planes that rotate through shared memory."""

from __future__ import annotations

from cfdmark_report.model import Axis, LinePanel

from ..comparison import Comparison, told
from ..figures import NODES, collected, figure, times_line
from ..measured import CORES
from ..verdict import not_stated

ID = "review-smoothing"
STEP = {"kind": "kernel", "name": "smoothing"}
GPU = {**STEP, "backend": "cuda"}
PLANES, PLAIN = {**GPU, "method": "planes"}, {**GPU, "method": "plain"}
ONE_CORE = {**STEP, "backend": "serial"}
ALL_CORES = {**STEP, **CORES}
PROTOCOL = [
    "Cubes of 64 to 256 points a side, 32-bit values. The printed kernel has one block for the whole "
    "plane, which no grid of use fits into; here the plane is cut into blocks, and columns of planes into "
    "pieces, with the same rotation.",
    "The printed formula takes the east neighbour where the scheme has the cell itself; the scheme is what "
    "is run here.",
]


def planes_sentence(comparison: Comparison) -> str:
    ratio, planes, _ = comparison.measured.ratio(PLANES, PLAIN)
    return (
        f"Rotating planes are {told(ratio)} as fast as one thread a cell that loads its six neighbours. "
        f"They read each value once from memory, {planes.number('rate', 'bytes_per_second') / 1e9:,.0f} "
        "GB/s of it."
    )


def column_sentence(comparison: Comparison) -> str:
    ratio, _, _ = comparison.measured.ratio({**GPU, "method": "column"}, PLANES)
    return (
        "A thread that walks its column with the three values in registers and leaves the others to the "
        f"cache is {told(ratio)} as fast as the planes in shared memory."
    )


def cores_sentence(comparison: Comparison) -> str:
    ratio, best, _ = comparison.measured.ratio(ALL_CORES, ONE_CORE)
    return (
        "On the CPU the three nested loops of the document, vectorised, need no such care: caches hold the "
        f"three planes. All cores are {told(ratio)} as fast as one ({best.backend}/{best.method})."
    )


def compare(comparison: Comparison) -> None:
    comparison.protocol = PROTOCOL
    comparison.line(
        "rotating planes against plain loads, GPU",
        comparison.faster(PLANES, PLAIN),
        not_stated,
        fair=comparison.faster(PLANES, {**GPU, "method": ("plain", "column")}),
    )
    comparison.line(
        "rotating planes on the GPU against one core",
        comparison.faster(PLANES, ONE_CORE),
        not_stated,
        fair=comparison.faster(GPU, ALL_CORES),
    )
    for sentence in (planes_sentence, column_sentence, cores_sentence):
        comparison.explain(lambda sentence=sentence: sentence(comparison))
    comparison.figures += figure("time", "Time of a smoothing step", [panel(comparison)])


def panel(comparison: Comparison) -> LinePanel:
    def line(label: str, colour: str, **wanted):
        return lambda: times_line(label, colour, comparison.measured.by_grid(**{**STEP, **wanted}))

    lines = collected(
        line("GPU, planes", "method:planes", backend="cuda", method="planes"),
        line("GPU, plain", "method:plain", backend="cuda", method="plain"),
        line("GPU, column", "method:column", backend="cuda", method="column"),
        line("one core", "backend:serial", backend="serial"),
        line("all cores", "backend:openmp", backend="openmp"),
        line("Kokkos", "backend:kokkos", backend="kokkos"),
    )
    return LinePanel("second-order smoothing", NODES, Axis("time of a step", "seconds"), lines)
