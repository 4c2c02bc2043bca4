"""Menon 2008, figure 4.6: a dot product in one pass against a product that is stored and then summed."""

from __future__ import annotations

from cfdmark_report.model import Axis, LinePanel
from cfdmark_report.quantity import Quantity

from ..comparison import Comparison, row, told
from ..figures import NODES, collected, figure, level, rate_line
from ..measured import CORES
from ..verdict import another_machine, as_published
from .menon_rates import gflops, published_rate

ID = "menon-figure-4.6"
DOT = {"kind": "kernel", "name": "dot"}
OPERATIONS = 2  # a multiplication and an addition an element
GPU, ONE_CORE = {**DOT, "backend": "cuda"}, {**DOT, "backend": "serial", "method": "plain"}
ALL_CORES = {**DOT, **CORES}
ONE_PASS = ("plain", "team", "vector")
BACKENDS = {"cuda": "GPU", "serial": "one core", "openmp": "all cores", "kokkos": "Kokkos"}
FUSING = "gain_of_fusing"
PROTOCOL = [
    "Vectors of 32-bit values from 32 x 32 to 4096 x 4096. Two passes: the products are stored, then "
    "summed. One pass: each product is added where it is made. Gflop/s count two operations an element. "
    "His one pass made an array of a quarter of the size and went on as his sum; here it is the plain "
    "reduction of each backend.",
    "He told the gain for the GPU, and gave bandwidth as its reason, which holds for a CPU as well: so it "
    "is tested on all.",
]

TRANSFERS = (
    "The vectors and the result stay in the memory of the device. The document's times hold the readback "
    "of a residue, at most 1024 values, after either method; ours hold none, so that only ratios are "
    "judged."
)


def fused_gain(comparison: Comparison, backend: str):
    return comparison.faster(
        {**DOT, "backend": backend, "method": ONE_PASS}, {**DOT, "backend": backend, "method": "two_pass"}
    )


def gain_sentence(comparison: Comparison, backend: str) -> str:
    ratio, one, two = comparison.measured.ratio(
        {**DOT, "backend": backend, "method": ONE_PASS}, {**DOT, "backend": backend, "method": "two_pass"}
    )
    moved = two.number("cost", "bytes") / one.number("cost", "bytes")
    return f"{BACKENDS[backend]}: one pass is {told(ratio)} as fast as two, which move {moved:.2f} times the bytes."


WHY = (
    "The dot product reads two values an element; two passes also write the product and read it again, "
    "twice the bytes. What is bound by memory should then gain a factor of two, and more where a write "
    "first fetches its line; his 1.5 shows that his passes were not bound by bytes alone: his sum took "
    "several reductions after either."
)


def cores_sentence(comparison: Comparison) -> str:
    ratio, best, _ = comparison.measured.ratio(ALL_CORES, ONE_CORE)
    return f"All cores are {told(ratio)} as fast as one on the longest vectors ({row(best)})."


def panel(comparison: Comparison) -> LinePanel:
    def line(label: str, colour: str, wanted: dict):
        return lambda: rate_line(label, colour, comparison.measured.by_grid(**wanted), OPERATIONS)

    lines = collected(
        line("GPU, one pass", "backend:cuda", {**GPU, "method": ONE_PASS}),
        line("GPU, two", "method:two_pass", {**GPU, "method": "two_pass"}),
        line("all cores, one pass", "backend:openmp", {**DOT, "backend": "openmp", "method": ONE_PASS}),
        line("one core, one pass", "backend:serial", ONE_CORE),
        line("one core, two", "method:two_pass_core", {**DOT, "backend": "serial", "method": "two_pass"}),
    )
    lines += [
        level("published GPU", "backend:cuda", published_rate(comparison, "GPU").value, lines),
        level("published CPU", "backend:serial", published_rate(comparison, "CPU").value, lines),
    ]
    return LinePanel("dot product, 32 bits", NODES, Axis("Gflop/s", "plain"), lines)


def compare(comparison: Comparison) -> None:
    comparison.protocol, comparison.transfers = PROTOCOL, TRANSFERS
    published = Quantity(1 + comparison.document.claim(FUSING).value)
    for backend, said in BACKENDS.items():
        comparison.line(
            f"one pass against two, {said}",
            fused_gain(comparison, backend),
            lambda ratio: as_published(ratio, published),
            published=published,
        )
    rates = Quantity(published_rate(comparison, "GPU").value / published_rate(comparison, "CPU").value)
    comparison.line(
        "GPU against one core, long vectors",
        comparison.faster({**GPU, "method": ONE_PASS}, ONE_CORE),
        lambda ratio: as_published(ratio, rates),
        published=rates,
        fair=comparison.faster(GPU, ALL_CORES),
    )
    for said, wanted, processor, fair in (
        ("GPU, long vectors", {**GPU, "method": "plain"}, "GPU", GPU),
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
    comparison.explain(lambda: WHY if comparison.measured.all(**DOT) else "")
    for backend in BACKENDS:
        comparison.explain(lambda backend=backend: gain_sentence(comparison, backend))
    comparison.explain(lambda: cores_sentence(comparison))
    comparison.figures += figure(
        "dot", "Figure 4.6 again: Gflop/s against the length of the vectors", [panel(comparison)]
    )
