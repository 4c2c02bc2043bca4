"""Panels with measured lines and published levels. Published lines are dashed and labelled."""

from __future__ import annotations

from cfdmark.report import lines as line_figures
from cfdmark.report.model import Axis, Figure, LinePanel, Point, Series, Table
from cfdmark.stats.quantity import Quantity
from cfdmark.text.numbers import brackets, quantity_with_unit

from .measured import Absent
from .measures import SIDES
from .plan import Curve, Drawing, Level, Panel
from .rows import Rows, Value

NODES, CELLS = Axis("nodes", "nodes"), Axis("cells", "nodes")
READING = "Solid: measured here, with 95 % intervals."
PUBLISHED = "Dashed: as published."


def note_of(curve: Curve, value: Value) -> str:
    if curve.of.kind == "seconds":
        return f"{value.rows}: {quantity_with_unit(value.quantity, 'seconds')}"
    return f"{value.rows}: {brackets(value.quantity)} {curve.of.unit}"


def series(curve: Curve, rows: Rows) -> Series:
    """Returns the measure on each grid that all its rows ran on. Raises Absent."""
    points = []
    for grid in curve.of.grids(rows):
        value = curve.of.value(rows.at(grid))
        points.append(Point(value.records[0].nodes, value.quantity, note=note_of(curve, value)))
    return Series(curve.label, curve.colour, points)


def collected(curves: list[Curve], rows: Rows) -> list[Series]:
    """Returns the lines that have records."""
    made = []
    for curve in curves:
        try:
            made.append(series(curve, rows))
        except Absent:
            pass
    return [line for line in made if line.points]


def published(level: Level, lines: list[Series]) -> Series:
    """Returns a published value without sizes as a dashed line over the measured ones."""
    if level.nodes is not None:
        return Series(level.label, level.colour, [Point(level.nodes, Quantity(level.at), note=level.note)], "dashed")
    xs = [p.x for line in lines for p in line.points]
    points = [Point(x, Quantity(level.at)) for x in (min(xs), max(xs))]
    return Series(level.label, level.colour, points, "dashed", markers=False)


def size_axis(panel: Panel, rows: Rows) -> Axis:
    """Returns the axis of sizes: cells for rows on meshes, else nodes."""
    return CELLS if "mesh_kind" in rows.named[panel.lines[0].of.rows[0]].wanted else NODES


def panels(panel: Panel, rows: Rows) -> list[LinePanel]:
    """Returns a panel for each side that has lines."""
    made = []
    for side in panel.each:
        lines = collected(panel.lines, rows.on(side))
        if lines:
            lines += [published(level, lines) for level in panel.published]
            axis = Axis(panel.y, panel.lines[0].of.kind)
            title = panel.title.replace("{side}", SIDES.get(side, ""))
            made.append(LinePanel(title, size_axis(panel, rows), axis, lines, reference=panel.reference))
    return made


def figure(name: str, caption: str, drawn: list[LinePanel], note: str = "") -> list[Figure]:
    """Returns one figure of the panels, or none."""
    dashed = PUBLISHED if any(line.style == "dashed" for panel in drawn for line in panel.series) else ""
    return line_figures.figure(name, caption, drawn, " ".join(text for text in (READING, dashed, note) if text))


def drawn(drawing: Drawing, rows: Rows) -> tuple[list[Figure], list[Table]]:
    """Returns the drawing's panels, and those with one size as tables."""
    made = [panel for each in drawing.panels for panel in panels(each, rows)]
    return figure(drawing.name, drawing.caption, made, drawing.note), line_figures.tables(drawing.name, made)
