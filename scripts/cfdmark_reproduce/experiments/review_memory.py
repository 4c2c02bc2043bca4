"""The review, sections 3, 5 and 11.2: shared memory and the read-only path against plain global memory."""

from __future__ import annotations

from cfdmark_report.model import Axis, LinePanel
from cfdmark_report.quantity import Quantity

from ..comparison import Comparison, told
from ..figures import NODES, collected, figure, level, speedup_line
from ..verdict import as_published

ID = "review-memory"
SWEEP = {"kind": "kernel", "name": "red_black_sor", "operator": "arrays", "backend": "cuda"}
PLAIN, SHARED = {**SWEEP, "method": "plain"}, {**SWEEP, "method": ("shared", "shared_branches")}
READONLY = {**SWEEP, "method": "readonly"}
SMOOTHING = {"kind": "kernel", "name": "smoothing", "backend": "cuda"}
PLANES, CUBE = {**SMOOTHING, "method": "planes"}, {**SMOOTHING, "method": "plain"}
KOKKOS = {"kind": "kernel", "name": "red_black_sor", "operator": "arrays", "backend": "kokkos"}
PROTOCOL = [
    "The review gives the gains without a kernel. Here they are those of a red-black sweep with an array "
    "for each coefficient, and of 3-D smoothing with planes in shared memory; 32 bits, one thread a cell, "
    "largest grid.",
    "Textures were the way to the read-only cache. That cache is now reached by a load instruction, which "
    "the method readonly uses; texture units and constant memory are left out, as no coefficient or "
    "unknown here is the same for all threads.",
]


def gain(comparison: Comparison, memory: str) -> Quantity:
    """The published range of speed over that of global memory: a gain of 0.18 is a factor of 1.18."""
    ends = (comparison.document.entry(f"{end}_gain", memory=memory).value for end in ("lowest", "highest"))
    low, high = (1 + end for end in ends)
    return Quantity((low + high) / 2, low, high)


CACHES = (
    "Devices of that time had no cache for global memory: each neighbour was fetched again. Since then the "
    "first-level cache holds the neighbours, and read-only loads go through the same cache as all others."
)


def sweep_sentence(comparison: Comparison) -> str:
    shared, _, _ = comparison.measured.ratio(SHARED, PLAIN)
    readonly, _, _ = comparison.measured.ratio(READONLY, PLAIN)
    said = (
        f"In a red-black sweep shared memory is {told(shared)} and the read-only path {told(readonly)} as "
        "fast as plain loads."
    )
    return f"{said} {CACHES}" if min(shared.value, readonly.value) < gain(comparison, "shared").low else said


def planes_sentence(comparison: Comparison) -> str:
    planes, _, _ = comparison.measured.ratio(PLANES, CUBE)
    return (
        f"Planes in shared memory are {told(planes)} as fast as plain loads in 3-D smoothing, where a value "
        "is needed by three planes: shared memory holds it for the third, a cache only if it is large "
        "enough."
    )


def kokkos_sentence(comparison: Comparison) -> str:
    scratch, _, _ = comparison.measured.ratio(
        {**KOKKOS, "method": "team_scratch"}, {**KOKKOS, "method": "plain"}
    )
    return (
        f"Kokkos's team scratch is {told(scratch)} as fast as its plain loads on this machine. Scratch is "
        "shared memory where Kokkos's device is a GPU; on a CPU it is ordinary memory, and a tile in it "
        "one more copy beside the cache's."
    )


def compare(comparison: Comparison) -> None:
    comparison.protocol = PROTOCOL
    shared, cached = gain(comparison, "shared"), gain(comparison, "constant and texture")
    texture = comparison.document.claim("texture_speedup")
    for what, fast, slow, published in (
        ("shared memory, red-black sweep", SHARED, PLAIN, shared),
        ("shared memory, 3-D smoothing", PLANES, CUBE, shared),
        ("read-only path, for constant and texture memory", READONLY, PLAIN, cached),
        ("read-only path, for texture memory alone", READONLY, PLAIN, texture),
    ):
        test = lambda ratio, size=published: as_published(ratio, size)  # noqa: E731
        comparison.line(what, comparison.faster(fast, slow), test, published)
    for sentence in (sweep_sentence, planes_sentence, kokkos_sentence):
        comparison.explain(lambda sentence=sentence: sentence(comparison))
    lines = collected(
        lambda: speedup_line("shared", "method:shared", comparison.measured.pairs(SHARED, PLAIN)),
        lambda: speedup_line("read-only", "method:readonly", comparison.measured.pairs(READONLY, PLAIN)),
        lambda: speedup_line("planes, 3-D", "method:planes", comparison.measured.pairs(PLANES, CUBE)),
    )
    if lines:
        lines += [
            level("published shared", "method:shared", shared.value, lines),
            level("published texture", "method:readonly", texture.value, lines),
        ]
    panel = LinePanel("GPU", NODES, Axis("times faster than plain global memory", "ratio"), lines)
    comparison.figures += figure("paths", "Paths through a GPU's memory against plain loads", [panel])
