"""Menon 2008, figures 4.4 and 4.5: sums by 2 x 2 reductions, and where to leave the rest to the CPU."""

from __future__ import annotations

from cfdmark_report.model import Axis, LinePanel
from cfdmark_report.quantity import Quantity

from ..comparison import Comparison, row, told
from ..figures import NODES, collected, figure, level, rate_line, times_line
from ..measured import CORES, rate
from ..verdict import another_machine, as_published
from .menon_rates import gflops, published_rate

ID = "menon-figure-4.4"
SUM = {"kind": "kernel", "name": "sum"}
OPERATIONS = 1  # an addition an element
GPU = {**SUM, "backend": "cuda"}
HIS_GPU = {**GPU, "method": ("local", "quarter")}
ONE_CORE = {**SUM, "backend": "serial", "method": "plain"}
ALL_CORES = {**SUM, **CORES}
RESIDUES = (32, 64, 128)
SHORT = 16384  # elements: one pass at rmin = 128, two at 64, three at 32
PROTOCOL = [
    "A vector of 32-bit values laid out as a square, from 32 x 32 to 4096 x 4096. Local: each pass adds "
    "blocks of 2 x 2 neighbours; quarter: it adds the four quarters of the square. Passes go on until "
    "fewer than 0.75 rmin x rmin values are left (his appendix A.4), which the host reads and adds: this "
    "readback is in the time, the transfer of the vector is not. Gflop/s count one addition an element.",
    "Fair today: reductions in one launch on the GPU, against the best with all cores.",
]

TRANSFERS = (
    "The vector lies in the memory of the device before and after. Reading the residue back is in the time "
    "of local and quarter, as in the document's; the sums of all other rows stay on the device."
)


def passes(method, rmin=None) -> dict:
    wanted = {**GPU, "method": method}
    return {**wanted, "rmin": rmin} if rmin else wanted


def short(wanted: dict) -> dict:
    side = round(SHORT**0.5)
    return {**wanted, "grid": (side, side)}


def gpu_sentence(comparison: Comparison) -> str:
    passes_ratio, _, _ = comparison.measured.ratio(HIS_GPU, ONE_CORE)
    today, best, his = comparison.measured.ratio({**GPU, "method": ("plain", "vector", "cublas")}, HIS_GPU)
    return (
        f"On the longest vector his passes are {told(passes_ratio)} as fast as one core. A reduction in one "
        f"launch ({row(best)}) is {told(today)} as fast as the passes ({row(his)}), of which each reads and "
        "writes memory again, a third more bytes in all, and starts a kernel, before the host waits for "
        "the residue."
    )


def residue_sentence(comparison: Comparison) -> str:
    times = {n: comparison.measured.largest(**short(passes(("local", "quarter"), n))) for n in RESIDUES}
    best = min(times, key=lambda n: times[n].time.value)
    return (
        f"With {SHORT:,} elements rmin = {best} is fastest here; his optimum was about 64. What counts is "
        "the price of a pass against that of reading back and adding what it would have removed."
    )


def crossing_sentence(comparison: Comparison) -> str:
    pairs = comparison.measured.pairs(HIS_GPU, ONE_CORE)
    wins = [gpu.nodes for gpu, cpu in pairs if gpu.time.value < cpu.time.value]
    if not wins:
        return "His passes are slower than one core at every length here."
    return f"His passes overtake one core from {min(wins):,} elements on; he found it at about 20,000."


def cores_sentence(comparison: Comparison) -> str:
    ratio, best, _ = comparison.measured.ratio(ALL_CORES, ONE_CORE)
    core = comparison.measured.largest(**ONE_CORE)
    return (
        f"On the CPU one core sums {rate(core, OPERATIONS).value:.2f} billion values a second, vectorised, "
        f"and all cores are {told(ratio)} as fast ({row(best)}). A sum reads each value once, so that the "
        "memory sets the speed."
    )


def sums_panel(comparison: Comparison) -> LinePanel:
    def line(label: str, colour: str, wanted: dict):
        return lambda: rate_line(label, colour, comparison.measured.by_grid(**wanted), OPERATIONS)

    lines = collected(
        line("GPU, one launch", "backend:cuda", {**GPU, "method": ("plain", "vector")}),
        line("GPU, quarter", "method:quarter", passes("quarter")),
        line("GPU, local", "method:local", passes("local")),
        line("all cores", "backend:openmp", {**SUM, "backend": "openmp"}),
        line("one core", "backend:serial", ONE_CORE),
    )
    lines += [
        level("published GPU", "backend:cuda", published_rate(comparison, "GPU").value, lines),
        level("published CPU", "backend:serial", published_rate(comparison, "CPU").value, lines),
    ]
    return LinePanel("sum, 32 bits", NODES, Axis("Gflop/s", "plain"), lines)


def residue_panel(comparison: Comparison) -> LinePanel:
    makers = (
        lambda n=n: times_line(f"rmin {n}", f"rmin:{n}", comparison.measured.by_grid(**passes("quarter", n)))
        for n in RESIDUES
    )
    return LinePanel("quarter, by residue", NODES, Axis("time", "seconds"), collected(*makers))


def compare(comparison: Comparison) -> None:
    comparison.protocol, comparison.transfers = PROTOCOL, TRANSFERS
    published = Quantity(published_rate(comparison, "GPU").value / published_rate(comparison, "CPU").value)
    comparison.line(
        "GPU against one core, long vectors",
        comparison.faster(HIS_GPU, ONE_CORE),
        lambda ratio: as_published(ratio, published),
        published=published,
        fair=comparison.faster(GPU, ALL_CORES),
    )
    comparison.line(
        "quarter against local, long vectors",
        comparison.faster(passes("quarter"), passes("local")),
        as_published,
    )
    comparison.line(
        f"rmin 64 against 128, {SHORT:,} elements",
        comparison.faster(short(passes(("local", "quarter"), 64)), short(passes(("local", "quarter"), 128))),
        as_published,
    )
    for said, wanted, processor, fair in (
        ("GPU, long vectors", HIS_GPU, "GPU", GPU),
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
    for sentence in (gpu_sentence, crossing_sentence, residue_sentence, cores_sentence):
        comparison.explain(lambda sentence=sentence: sentence(comparison))
    panels = [sums_panel(comparison), residue_panel(comparison)]
    comparison.figures += figure("sum", "Figures 4.4 and 4.5 again: Gflop/s, and time by residue", panels)
