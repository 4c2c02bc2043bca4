"""The data of a panel as CSV: what its picture shows, in SI units and full digits."""

from __future__ import annotations

import csv
import io

from cfdmark.stats.quantity import Quantity
from cfdmark.text.printable import in_csv

from .model import Axis, BarPanel, HeatPanel, LinePanel, RooflinePanel, StripPanel, TimelinePanel

UNITS = {
    "seconds": "s",
    "bytes": "B",
    "joules": "J",
    "watts": "W",
    "bytes_per_second": "B/s",
    "flops_per_second": "1/s",
    "updates_per_second": "1/s",
    "per_second": "1/s",
}
ENDS = ["low", "high"]  # of the 95 % interval; empty where there is none


def head(axis: Axis) -> str:
    unit = UNITS.get(axis.kind, "")
    return f"{axis.label} ({unit})" if unit else axis.label


def with_ends(quantity: Quantity) -> list:
    return [quantity.value, *((quantity.low, quantity.high) if quantity.has_interval else (None, None))]


def of_lines(panel: LinePanel) -> list[list]:
    rows = [[s.label, p.x, *with_ends(p.y), p.note] for s in panel.series for p in s.points]
    return [["line", head(panel.x), head(panel.y), *ENDS, "note"], *rows]


def of_strips(panel: StripPanel) -> list[list]:
    rows = [
        [label, dot.colour.partition(":")[2], dot.marker, *with_ends(dot.x), "yes" if dot.filled else "no"]
        for label, dots in panel.rows
        for dot in dots
    ]
    return [["row", "colour", "marker", head(panel.x), *ENDS, "filled"], *rows]


def of_roofline(panel: RooflinePanel) -> list[list]:
    roofs = [("slope (B/s)", panel.slopes), ("ceiling (1/s)", panel.ceilings)]
    rows = [[kind, roof.label, "", "", None, None, *with_ends(roof.value)] for kind, found in roofs for roof in found]
    rows += [
        ["point (1/s)", p.name, p.colour.partition(":")[2], p.marker, p.intensity, p.declared, *with_ends(p.flops)]
        for p in panel.points
    ]
    names = ["kind", "name", "colour", "marker", "operations a byte of useful traffic", "operations a declared byte"]
    return [[*names, "value", *ENDS], *rows]


def of_bars(panel: BarPanel) -> list[list]:
    rows = [[label, part.label, part.share, whole] for label, parts, whole in panel.bars for part in parts]
    return [["bar", "part", "share of the bar", "whole bar"], *rows]


def of_heat(panel: HeatPanel) -> list[list]:
    rows = [[x, y, value, panel.notes.get((x, y), "")] for (x, y), value in sorted(panel.cells.items())]
    return [[panel.x_label, panel.y_label, "time relative to the best", "time"], *rows]


def of_timeline(panel: TimelinePanel) -> list[list]:
    rows = [["point", p.x, *with_ends(p.y)] for p in panel.points]
    rows += [["level", x, y, None, None] for xs, ys in panel.levels for x, y in zip(xs, ys)]
    return [["kind", "position", head(panel.y), *ENDS], *rows]


TABLES = {
    LinePanel: of_lines,
    StripPanel: of_strips,
    RooflinePanel: of_roofline,
    BarPanel: of_bars,
    HeatPanel: of_heat,
    TimelinePanel: of_timeline,
}


def text_of(cell) -> str:
    if cell is None:
        return ""
    return f"{cell:.10g}" if isinstance(cell, (int, float)) else in_csv(cell)


def data_of(panel) -> str:
    """Returns the CSV of a panel, with one row for each thing that it draws."""
    heads, *rows = TABLES[type(panel)](panel)
    table = [["panel", *heads], *([panel.title, *row] for row in rows)]
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows([text_of(cell) for cell in row] for row in table)
    return text.getvalue()
