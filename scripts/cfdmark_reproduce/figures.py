"""Panels that put measured lines beside published levels. Published lines are dashed, and named so."""

from __future__ import annotations

from typing import Callable

from cfdmark_report.model import Axis, Figure, LinePanel, Point, Series
from cfdmark_report.numbers import brackets, quantity_with_unit
from cfdmark_report.quantity import Quantity
from cfdmark_report.records import Record
from cfdmark_report.statistics import times_faster

from .comparison import row
from .measured import Absent, Measured, rate

NODES = Axis("nodes", "nodes")
READING = "Solid: measured here, with 95 % intervals. Dashed: as published."


def times_line(label: str, colour: str, records: list[Record]) -> Series:
    """Seconds an iteration or a step against nodes."""
    return Series(
        label,
        colour,
        [
            Point(
                r.nodes, r.iteration_time, note=f"{row(r)}: {quantity_with_unit(r.iteration_time, 'seconds')}"
            )
            for r in records
        ],
    )


def rate_line(label: str, colour: str, records: list[Record], operations_a_node: float) -> Series:
    points = []
    for r in records:
        value = rate(r, operations_a_node)
        points.append(Point(r.nodes, value, note=f"{row(r)}: {brackets(value)} Gflop/s"))
    return Series(label, colour, points)


def speedup_line(label: str, colour: str, pairs: list[tuple[Record, Record]]) -> Series:
    """How many times faster the first of each pair is than the second."""
    points = []
    for fast, slow in pairs:
        ratio = times_faster(fast, slow)
        points.append(
            Point(fast.nodes, ratio, note=f"{row(fast)}: {brackets(ratio)} times faster than {row(slow)}")
        )
    return Series(label, colour, points)


def level(label: str, colour: str, value: float, lines: list[Series]) -> Series:
    """A published value without its sizes, as a dashed line over the sizes measured here."""
    xs = [p.x for line in lines for p in line.points] or [1e3, 1e7]
    points = [Point(min(xs), Quantity(value)), Point(max(xs), Quantity(value))]
    return Series(label, colour, points, "dashed", markers=False)


def collected(*makers: Callable[[], Series]) -> list[Series]:
    """The lines for which there are records."""
    lines = []
    for make in makers:
        try:
            lines.append(make())
        except Absent:
            pass
    return lines


def speedups_over_one_core(measured: Measured, sweep: dict, published: float, said: str) -> list[LinePanel]:
    """Each backend against the serial row `plain`, and a published speedup of a GPU."""
    core = {**sweep, "backend": "serial", "method": "plain"}

    def against_core(label: str, backend: str, **more) -> Series:
        wanted = {**sweep, "backend": backend, **more}
        return speedup_line(label, f"backend:{backend}", measured.pairs(wanted, core))

    lines = collected(
        lambda: against_core("GPU, plain", "cuda", method="plain"),
        lambda: against_core("GPU, best", "cuda"),
        lambda: against_core("all cores", "openmp"),
        lambda: against_core("Kokkos", "kokkos"),
    )
    axis = Axis("times faster than one CPU core", "ratio")
    return [LinePanel(said, NODES, axis, lines + [level("published GPU", "backend:cuda", published, lines)])]


def figure(key: str, caption: str, panels: list[LinePanel], note: str = "") -> list[Figure]:
    """One figure of the panels that have lines; none without."""
    drawn = [p for p in panels if p.series]
    return [Figure(key, caption, drawn, f"{READING} {note}".strip())] if drawn else []
