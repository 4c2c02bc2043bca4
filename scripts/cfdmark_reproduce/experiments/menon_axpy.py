"""Menon 2008, figure 2.5: axpy in Gflop/s against the length of the vectors."""

from __future__ import annotations

from cfdmark_report.model import Axis, LinePanel
from cfdmark_report.records import Record

from ..comparison import Comparison, Value, row, told
from ..figures import NODES, collected, figure, level, rate_line
from ..measured import CORES, divided, rate
from ..verdict import another_machine, as_published
from .menon_rates import gflops, published_rate

ID = "menon-figure-2.5"
AXPY = {"kind": "kernel", "name": "axpy"}
OPERATIONS = 2  # a multiplication and an addition an element, his equation 2.1
GPU, ONE_CORE = {**AXPY, "backend": "cuda", "method": "plain"}, {
    **AXPY,
    "backend": "serial",
    "method": "plain",
}
ALL_CORES = {**AXPY, **CORES}
SPEEDUP = "gpu_over_cpu"
PROTOCOL = [
    "y = y + a x in 32 bits on 32 x 32 to 4096 x 4096 elements, which is a thousand to 16 million. Gflop/s "
    "are by his equation 2.1, two operations an element. As he did, the time is that of many repetitions "
    "without transfers; vectors that fit into a cache stay there from one to the next.",
    "His GPU could not write what it read and stored z = y + a x; here y is updated in place. The bytes "
    "are the same.",
]


def best_of_cpu(comparison: Comparison) -> list[Record]:
    return comparison.measured.by_grid(**ONE_CORE)


def plateau_sentence(comparison: Comparison) -> str:
    lines = best_of_cpu(comparison)
    top = max(lines, key=lambda r: rate(r, OPERATIONS).value)
    last = lines[-1]
    plateaus = (
        "the plateaus of his CPU are here too" if top is not last else "there is no faster plateau in a cache"
    )
    return (
        f"One core: {rate(top, OPERATIONS).value:.1f} Gflop/s with {top.nodes:,} elements, "
        f"{rate(last, OPERATIONS).value:.1f} with {last.nodes:,}, where "
        f"{last.number('rate', 'bytes_per_second') / 1e9:.1f} GB/s of the memory are used up: {plateaus}. "
        "Both then and now axpy is bound by memory; two operations for twelve bytes leave the arithmetic "
        "idle."
    )


def gpu_sentence(comparison: Comparison) -> str:
    ratio, gpu, _ = comparison.measured.ratio(GPU, ONE_CORE)
    return (
        f"The GPU is {told(ratio)} as fast as one core on the longest vectors, "
        f"{gpu.number('rate', 'bytes_per_second') / 1e9:,.0f} GB/s: the ratio of the two memories, as it "
        "was then."
    )


def crossing_sentence(comparison: Comparison) -> str:
    pairs = comparison.measured.pairs(GPU, ONE_CORE)
    wins = [gpu.nodes for gpu, cpu in pairs if gpu.time.value < cpu.time.value]
    if not wins:
        return "The GPU is slower than one core at every length here."
    return (
        f"From {min(wins):,} elements on the GPU is faster than one core; below, starting a kernel takes "
        "longer than the work."
    )


def panel(comparison: Comparison) -> LinePanel:
    def line(label: str, colour: str, wanted: dict):
        return lambda: rate_line(label, colour, comparison.measured.by_grid(**wanted), OPERATIONS)

    lines = collected(
        line("GPU", "backend:cuda", GPU),
        line("all cores", "backend:openmp", {**AXPY, "backend": "openmp"}),
        line("Kokkos", "backend:kokkos", {**AXPY, "backend": "kokkos"}),
        line("one core", "backend:serial", ONE_CORE),
    )
    lines += [
        level("published GPU", "backend:cuda", published_rate(comparison, "GPU").value, lines),
        level("published CPU", "backend:serial", published_rate(comparison, "CPU").value, lines),
    ]
    return LinePanel("axpy, 32 bits", NODES, Axis("Gflop/s", "plain"), lines)


def compare(comparison: Comparison) -> None:
    comparison.protocol = PROTOCOL
    published = comparison.document.claim(SPEEDUP)
    comparison.line(
        "GPU against one core, long vectors",
        comparison.faster(GPU, ONE_CORE),
        lambda ratio: as_published(ratio, published),
        published=published,
        fair=comparison.faster({**AXPY, "backend": "cuda"}, ALL_CORES),
    )
    for said, wanted, processor, fair in (
        ("GPU, long vectors", GPU, "GPU", {**AXPY, "backend": "cuda"}),
        ("CPU, one core, long vectors", ONE_CORE, "CPU", ALL_CORES),
    ):
        comparison.line(
            said,
            gflops(comparison, wanted, OPERATIONS),
            another_machine,
            published=published_rate(comparison, processor),
            unit="Gflop/s",
            fair=gflops(comparison, fair, OPERATIONS),
        )
    add_plateaus(comparison)
    for sentence in (gpu_sentence, crossing_sentence, plateau_sentence):
        comparison.explain(lambda sentence=sentence: sentence(comparison))
    comparison.figures += figure(
        "axpy", "Figure 2.5 again: Gflop/s against the length of the vectors", [panel(comparison)]
    )


def add_plateaus(comparison: Comparison) -> None:
    """One core is faster in its cache than in main memory."""

    def in_cache() -> Value:
        lines = best_of_cpu(comparison)
        top = max(lines, key=lambda r: rate(r, OPERATIONS).value)
        last = lines[-1]
        return Value(
            divided(rate(top, OPERATIONS), rate(last, OPERATIONS)), f"{row(top)} against {row(last)}"
        )

    comparison.line("CPU in cache against CPU in main memory", in_cache, as_published)
