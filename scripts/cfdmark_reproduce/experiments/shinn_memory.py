"""Shinn: tiles in shared memory with branches at their edges, against plain global memory."""

from __future__ import annotations

from ..comparison import Comparison, told
from ..figures import collected, figure, NODES, times_line
from ..verdict import as_published
from cfdmark_report.model import Axis, LinePanel

ID = "shinn-memory"
SWEEP = {"kind": "kernel", "name": "red_black_sor", "operator": "arrays", "backend": "cuda"}
PLAIN, BRANCHES = {**SWEEP, "method": "plain"}, {**SWEEP, "method": "shared_branches"}
GLOBAL, SHARED = {**SWEEP, "method": ("plain", "coloured", "readonly")}, {
    **SWEEP,
    "method": ("shared", "shared_branches"),
}
PROTOCOL = [
    "Both kernels have one thread a cell, 32-bit values and an array for each coefficient. The tile is "
    "loaded by the block's threads; those at its edge branch to load the neighbours outside. Sides of 512 "
    "to 4096 points; the largest is compared.",
    "Fair today: the better of his tile and one with a whole layer of ghosts, against the best of the "
    "kernels in global memory.",
]
LINES = {
    "plain": "global memory",
    "coloured": "global, a colour's threads",
    "readonly": "read-only path",
    "shared": "tile with ghosts",
    "shared_branches": "tile with branches",
}


CACHES = (
    "His GPU had no cache for global memory, and the branches alone made the tile slow. Today the "
    "first-level cache keeps a cell's neighbours as the tile does, without its loads, branches and "
    "barrier, and a five-point stencil uses each value too seldom to pay for them."
)


def why(comparison: Comparison) -> str:
    ratio, plain, tile = comparison.measured.ratio(PLAIN, BRANCHES)
    said = (
        f"Global memory is {told(ratio)} as fast as the tile: "
        f"{plain.number('rate', 'bytes_per_second') / 1e9:,.0f} GB/s against "
        f"{tile.number('rate', 'bytes_per_second') / 1e9:,.0f}."
    )
    return f"{said} {CACHES}" if ratio.value > 1 else said


def compare(comparison: Comparison) -> None:
    comparison.protocol = PROTOCOL
    comparison.line(
        "global memory against the tile with branches",
        comparison.faster(PLAIN, BRANCHES),
        as_published,
        fair=comparison.faster(GLOBAL, SHARED),
    )
    comparison.explain(lambda: why(comparison))
    lines = collected(*(line_maker(comparison, method) for method in LINES))
    panel = LinePanel("one sweep of both colours", NODES, Axis("time", "seconds"), lines)
    comparison.figures += figure("time", "Time of a sweep by the path through memory", [panel])


def line_maker(comparison: Comparison, method: str):
    return lambda: times_line(
        LINES[method], f"method:{method}", comparison.measured.by_grid(**{**SWEEP, "method": method})
    )
