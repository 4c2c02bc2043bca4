"""Normore 2010, figures 6.1 and 6.2: what an iteration of red-black SOR and of CG costs on a GPU."""

from __future__ import annotations

from cfdmark_report.model import COUNT, Axis, Column, LinePanel, Point, Series, Table
from cfdmark_report.numbers import quantity_with_unit
from cfdmark_report.quantity import Quantity
from cfdmark_report.records import Record
from cfdmark_report.statistics import times_faster
from cfdmark_report.wording import grid_text

from ..comparison import Comparison, Value, told
from ..figures import NODES, collected, figure, times_line
from ..measured import Absent
from ..verdict import another_machine, as_published, by_construction

ID = "normore-figure-6.1"
SOR, CG = {"kind": "solver", "name": "sor"}, {"kind": "solver", "name": "cg"}
HIS_SOR = {"cuda": "shared"}  # elsewhere there is no shared memory: plain
HIS_CG = "textbook"
BACKENDS = {"cuda": "GPU", "serial": "one core", "openmp": "all cores", "kokkos": "Kokkos"}
RATIO, EXTRAPOLATED = "cg_over_sor_time", "extrapolated_cg_time"
PROTOCOL = [
    "32-bit values and an array for each of the five coefficients, as in his kernels: the problem is "
    "diffusion with coefficients that jump, because the heated plate would need no arrays. Squares of 64 "
    "to 2048 points a side, which is his range up to 4 million nodes. Forty iterations of each are timed, "
    "with the checks of the residual that a solver makes; convergence is not waited for.",
    "His SOR keeps tiles in shared memory; his CG is the textbook's, a kernel for each operation. Fair "
    "today: CG with its kernels fused, against the fastest SOR.",
    "The number of iterations to convergence, about 55 for SOR and 25 for CG, cannot be compared: the "
    "thesis tells neither the problem nor the tolerance.",
]
COLUMNS = [
    Column("backend", "backend"),
    Column("grid", "grid"),
    Column("sor", "SOR", "seconds", "three_digits"),
    Column("cg", "CG, textbook", "seconds", "three_digits"),
    Column("fused", "CG, fused", "seconds", "three_digits"),
    Column("ratio", "CG / SOR", "ratio", "three_digits"),
    Column("fused_ratio", "fused / SOR", "ratio", "three_digits"),
]
TRAFFIC = [
    Column("row", "row"),
    Column("launches", "launches an iteration", COUNT),
    Column("bytes", "bytes an iteration", "bytes"),
    Column("words", "words a node", "ratio"),
    Column("bandwidth", "bandwidth", "bytes_per_second"),
]


MUCH_LESS = 100  # a ratio below it does not explain one of almost 1000
NOT_IN_THE_ALGORITHM = (
    "So the factor of almost 1000 is not in the algorithm. His suspicion, the time to load and start a "
    "kernel, would cost the same at every size and be lost among the millions of nodes where he found the "
    "factor. What can cost so much and grow with the nodes is what a program does around its kernels: "
    "vectors copied to the host for their dot products, or memory allocated in each iteration. The thesis "
    "does not show that code."
)


def sor(backend: str) -> dict:
    return {**SOR, "backend": backend, "method": HIS_SOR.get(backend, "plain")}


def cg(backend: str, method: str = HIS_CG) -> dict:
    return {**CG, "backend": backend, "method": method}


def cost_ratio(comparison: Comparison, backend: str) -> Value:
    ratio, a, b = comparison.measured.ratio(sor(backend), cg(backend))
    return Value(ratio, f"{backend} {grid_text(a)}: cg/{b.method} over sor/{a.method}")


def fair_ratio(comparison: Comparison, backend: str) -> Value:
    ratio, a, b = comparison.measured.ratio({**SOR, "backend": backend}, cg(backend, "fused"))
    return Value(ratio, f"cg/{b.method} over sor/{a.method}")


def launches(record: Record) -> float:
    found = record.number("solver", "launches_per_iteration")
    if not found:
        raise Absent(f"{record.backend} launches no kernels that could be counted")
    return found


def launch_line(comparison: Comparison, said: str, wanted: dict, fair: dict) -> None:
    def count(row: dict) -> Value:
        record = comparison.measured.largest(**row)
        return Value(Quantity(launches(record)), f"{record.name}/{record.method}")

    published = comparison.document.entry("launches_per_iteration", method=said)
    comparison.line(
        f"kernel launches in an iteration of {said}",
        lambda: count(wanted),
        by_construction,
        published=published,
        unit="launches",
        fair=lambda: count(fair),
    )


def bytes_an_iteration(record: Record) -> float:
    return record.number("cost", "bytes") / record.number("solver", "iterations")


def ratio_sentence(comparison: Comparison, backend: str) -> str:
    value = cost_ratio(comparison, backend)
    a, b = comparison.measured.pairs(sor(backend), cg(backend))[-1]
    traffic = bytes_an_iteration(b) / bytes_an_iteration(a)
    return (
        f"{BACKENDS[backend]}: an iteration of CG takes {told(value.quantity)} that of SOR at "
        f"{grid_text(a)}, and moves {traffic:.2f} times the bytes."
    )


def claim_sentence(comparison: Comparison) -> str:
    first, last = (comparison.measured.pairs(sor("cuda"), cg("cuda"))[i] for i in (0, -1))
    small, large = times_faster(*first), times_faster(*last)
    said = (
        f"An iteration of CG launches {launches(last[1]):g} kernels where SOR launches "
        f"{launches(last[0]):g}: where launches are all that counts, at {grid_text(first[0])}, it takes "
        f"{told(small)} as long, and where bytes count, at {grid_text(last[0])}, {told(large)}."
    )
    return f"{said} {NOT_IN_THE_ALGORITHM}" if large.value < MUCH_LESS else said


def fused_sentence(comparison: Comparison) -> str:
    ratio, fused, textbook = comparison.measured.ratio(cg("cuda", "fused"), cg("cuda"))
    return (
        f"Fused into {launches(fused):g} launches, CG's iteration is {told(ratio)} as fast as the "
        f"textbook's {launches(textbook):g} and moves "
        f"{bytes_an_iteration(fused) / bytes_an_iteration(textbook):.2f} times its bytes."
    )


def table_rows(comparison: Comparison) -> list[list]:
    rows = []
    for backend in BACKENDS:
        try:
            pairs = comparison.measured.pairs(sor(backend), cg(backend))
        except Absent:
            continue
        for a, b in pairs:
            fused = fused_on(comparison, backend, a)
            rows.append(
                [
                    backend,
                    grid_text(a),
                    a.iteration_time,
                    b.iteration_time,
                    fused.iteration_time if fused else None,
                    times_faster(a, b),
                    times_faster(a, fused) if fused else None,
                ]
            )
    return rows


def fused_on(comparison: Comparison, backend: str, like: Record) -> Record | None:
    wanted = {**cg(backend, "fused"), "grid": like.grid}
    return comparison.measured.largest(**wanted) if comparison.measured.has(**wanted) else None


def traffic_rows(comparison: Comparison) -> list[list]:
    rows = []
    for backend in BACKENDS:
        for what in (SOR, CG):
            if not comparison.measured.has(**what, backend=backend):
                continue
            top = comparison.measured.largest(**what, backend=backend).grid
            for r in comparison.measured.all(**what, backend=backend, grid=top):
                moved = bytes_an_iteration(r)
                rows.append(
                    [
                        f"{r.name} on {r.backend}/{r.method} {grid_text(r)}",
                        r.number("solver", "launches_per_iteration") or None,
                        moved,
                        moved / 4 / r.nodes,
                        r.number("rate", "bytes_per_second"),
                    ]
                )
    return rows


def panel(comparison: Comparison, backend: str) -> LinePanel:
    def line(label: str, colour: str, wanted: dict):
        return lambda: times_line(label, colour, comparison.measured.by_grid(**wanted))

    lines = collected(
        line("SOR", "solver:sor", sor(backend)),
        line("SOR, best", "method:streamed", {**SOR, "backend": backend}),
        line("CG", "solver:cg", cg(backend)),
        line("CG, fused", "method:fused", cg(backend, "fused")),
    )
    if lines and backend == "cuda":
        seconds = comparison.document.claim(EXTRAPOLATED)
        lines.append(
            Series("published CG*", "solver:cg", [Point(4e6, seconds, note="his extrapolation")], "dashed")
        )
    return LinePanel(BACKENDS[backend], NODES, Axis("time of an iteration", "seconds"), lines)


def compare(comparison: Comparison) -> None:
    comparison.protocol = PROTOCOL
    published = comparison.document.claim(RATIO)
    comparison.line(
        "an iteration of CG costs almost 1000 times one of SOR",
        lambda: cost_ratio(comparison, "cuda"),
        lambda ratio: as_published(ratio, published),
        published=published,
        fair=lambda: fair_ratio(comparison, "cuda"),
    )
    launch_line(comparison, "CG", cg("cuda"), cg("cuda", "fused"))
    launch_line(comparison, "red-black SOR", sor("cuda"), {**SOR, "backend": "cuda", "method": "streamed"})
    comparison.line(
        "an iteration of CG at 4 million nodes, his extrapolation",
        lambda: largest_cg(comparison),
        another_machine,
        published=comparison.document.claim(EXTRAPOLATED),
        unit="s",
    )
    comparison.explain(lambda: claim_sentence(comparison))
    comparison.explain(lambda: fused_sentence(comparison))
    for backend in BACKENDS:
        comparison.explain(lambda backend=backend: ratio_sentence(comparison, backend))
    rows = table_rows(comparison)
    if rows:
        comparison.tables.append(Table("iterations", "Time of an iteration", COLUMNS, rows))
        comparison.tables.append(
            Table(
                "traffic",
                "What an iteration moves and launches, largest grid",
                TRAFFIC,
                traffic_rows(comparison),
            )
        )
    comparison.figures += figure(
        "cost",
        "Figures 6.1 and 6.2 again: time of an iteration against nodes",
        [panel(comparison, backend) for backend in BACKENDS],
        "The thesis shows its figures without values; a star marks the time that CG would have taken had it "
        "gone on growing linearly.",
    )


def largest_cg(comparison: Comparison) -> Value:
    record = comparison.measured.largest(**cg("cuda"))
    return Value(
        record.iteration_time, f"{grid_text(record)}: {quantity_with_unit(record.iteration_time, 'seconds')}"
    )
