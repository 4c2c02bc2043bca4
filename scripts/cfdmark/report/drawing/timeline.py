"""A quantity over time: points, their level, and its jumps."""

from __future__ import annotations

from statistics import median

from ..model import Point, TimelinePanel
from ..palette import TIMELINE, Palette
from .axes import set_axis
from .canvas import DASHED, WIDTH, Canvas

HEIGHT = 2.4  # inches
POINT, WORSE, BETTER = TIMELINE.values()
LEVEL = "#1c2128"
SPIKE = 1.25  # times the highest level: points above are drawn at the edge, as arrows
MOST_TIPS = 60  # points with a tooltip; more would make pages of many panels large


def y_limits(panel: TimelinePanel) -> tuple[float, float]:
    values = [p.y.value for p in panel.points]
    levels = [y for _, ys in panel.levels for y in ys] or values
    arm = median(p.y.uncertainty or 0 for p in panel.points)  # most intervals fit in the panel
    low = min(values) - arm
    high = min(max(values) + arm, SPIKE * max(levels))
    room = 0.08 * max(high - low, 0.04 * high)
    return max(0.0, low - room), high + 2 * room


def draw_points(canvas: Canvas, panel: TimelinePanel, top: float) -> None:
    canvas.intervals([(p.x, p.y) for p in panel.points if p.y.value <= top], POINT, 0.8)
    early, late = panel.points[:-MOST_TIPS], panel.points[-MOST_TIPS:]
    draw_dots(canvas, [p for p in early if p.y.value <= top], "o", top)
    draw_dots(canvas, [p for p in early if p.y.value > top], "^", top)
    for point in late:
        canvas.mark(draw_dots(canvas, [point], "o" if point.y.value <= top else "^", top), point.note)


def draw_dots(canvas: Canvas, points: list[Point], marker: str, top: float):
    xs, ys = [p.x for p in points], [min(p.y.value, top) for p in points]
    (dots,) = canvas.axes.plot(xs, ys, marker, color=POINT, markersize=3.6, clip_on=False)
    return dots


def draw_marks(canvas: Canvas, panel: TimelinePanel, top: float) -> None:
    for mark in panel.marks:
        colour = WORSE if mark.worse else BETTER
        canvas.axes.axvline(mark.x, color=colour, linewidth=1.1, linestyle=DASHED, zorder=1)
        how = {"va": "top", "fontsize": 8.5, "fontweight": "bold", "color": colour}
        canvas.text(mark.text, (mark.x, top), (3, -1), **how)


def timeline_drawing(panel: TimelinePanel, palette: Palette) -> Canvas:
    canvas = Canvas(palette, WIDTH, HEIGHT, (0.165, 0.17, 0.80, 0.64))
    low, top = y_limits(panel)
    draw_points(canvas, panel, top)
    for xs, ys in panel.levels:
        canvas.axes.plot(xs, ys, color=LEVEL, linewidth=1.6)
    draw_marks(canvas, panel, top)
    canvas.axes.set_ylim(low, top)
    canvas.axes.margins(x=0.03)
    set_axis(canvas.axes.yaxis, panel.y, [p.y.value for p in panel.points])
    canvas.axes.set_xticks([x for x, _ in panel.ticks], [text for _, text in panel.ticks])
    canvas.axes.tick_params(labelsize=8.5)
    canvas.title(panel.title, size=9)
    return canvas.described(f"{panel.title}: {panel.y.label} over time", panel.title)
