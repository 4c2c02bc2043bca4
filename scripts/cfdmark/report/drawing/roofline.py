"""Roofline: operations a second against operations a byte, below bandwidth slopes and arithmetic ceilings."""

from __future__ import annotations

import math
from collections.abc import Callable

from cfdmark.stats.quantity import Quantity
from cfdmark.text.numbers import with_unit

from ..model import Axis, Roof, RooflinePanel, RoofPoint
from ..palette import REFERENCE, Palette
from .axes import set_scales
from .canvas import DASHED, WIDTH, Canvas

HEIGHT = 4.0  # inches
BOX = (0.165, 0.115, 0.81, 0.765)
SMALL, LETTER = 7.5, 4.3  # points: font size of names, and width of a letter
NAME_HEIGHT = 9.0
INTENSITY = Axis("operations a byte of useful traffic")
RATE = Axis("operations a second", "flops_per_second")


def ranges(panel: RooflinePanel) -> tuple[tuple[float, float], tuple[float, float]]:
    """Returns the ranges of x and y: all points, and the corners where slopes meet ceilings."""
    xs = [x for p in panel.points for x in (p.intensity, p.declared or p.intensity)]
    ys = [y for p in panel.points for y in (p.flops.value, p.flops.low or p.flops.value, p.flops.high or p.flops.value)]
    if panel.ceilings:
        xs += [panel.ceilings[-1].value.value / slope.value.value for slope in panel.slopes]
        ys += [ceiling.value.value for ceiling in panel.ceilings]
    low, high = min(xs) / 2.2, max(xs) * 2.2
    ys += [slope.value.value * high for slope in panel.slopes if not panel.ceilings]
    return (low, high), (min(ys) / 2, max(ys) * 2)


def draw_slope(canvas: Canvas, roof: Roof, x: tuple[float, float], top: float, above: bool) -> None:
    """Draws a slope up to the highest ceiling, with its spread as a band and its name along it."""
    value = roof.value
    end = min(x[1], top / value.value)
    if end <= x[0]:
        return
    draw_line(canvas, [x[0], end], lambda rate, v: min(rate * v, top), value)
    start = canvas.axes.transData.transform((x[0], value.value * x[0]))
    stop = canvas.axes.transData.transform((end, value.value * end))
    angle = math.degrees(math.atan2(stop[1] - start[1], stop[0] - start[0]))
    at, turned = x[0] * (end / x[0]) ** 0.05, math.radians(angle)
    aside = 3 if above else -3  # points, across the line
    offset = (-aside * math.sin(turned), aside * math.cos(turned))
    along = {"rotation": angle, "rotation_mode": "anchor", "ha": "left"}
    draw_name(canvas, roof, (at, value.value * at), offset, above, **along)


def draw_ceiling(canvas: Canvas, roof: Roof, start: float, x: tuple[float, float], above: bool) -> None:
    """Draws a ceiling from the slope that reaches it first."""
    draw_line(canvas, [start, x[1]], lambda rate, _: rate, roof.value)
    draw_name(canvas, roof, (x[1], roof.value.value), (-2, 2 if above else -2), above, ha="right")


def draw_line(canvas: Canvas, xs: list[float], height: Callable, value: Quantity) -> None:
    """Draws a roof, and its spread as a band. `height` returns y for a rate and x."""
    if value.has_interval:
        low, high = ([height(end, x) for x in xs] for end in (value.low, value.high))
        canvas.axes.fill_between(xs, low, high, color=REFERENCE, alpha=0.18, linewidth=0)
    canvas.axes.plot(xs, [height(value.value, x) for x in xs], color=REFERENCE, linewidth=1.2)


def draw_name(canvas: Canvas, roof: Roof, at: tuple, offset: tuple, above: bool, **how) -> None:
    name, va = roof.label.partition(":")[0], "bottom" if above else "top"
    canvas.mark(canvas.text(name, at, offset, va=va, fontsize=SMALL, color=REFERENCE, **how), roof.label)


def draw_roofs(canvas: Canvas, panel: RooflinePanel, x: tuple[float, float], top: float) -> None:
    highest = panel.ceilings[-1].value.value if panel.ceilings else math.inf
    for number, slope in enumerate(panel.slopes):
        draw_slope(canvas, slope, x, min(highest, top), above=number > 0)
    steepest = max((slope.value.value for slope in panel.slopes), default=0)
    for number, ceiling in enumerate(panel.ceilings):
        start = max(x[0], ceiling.value.value / steepest) if steepest else x[0]
        draw_ceiling(canvas, ceiling, start, x, above=number == len(panel.ceilings) - 1)


def draw_point(canvas: Canvas, point: RoofPoint) -> None:
    colour, word = canvas.palette.colour(point.colour), point.colour.partition(":")[2]
    y = point.flops.value
    at = point.intensity
    parts = [canvas.intervals([(at, point.flops)], colour, 1.0)] if point.flops.has_interval else []
    if point.declared:
        parts += canvas.axes.plot([at, point.declared], [y, y], color=colour, linewidth=0.9, linestyle=DASHED)
        parts += canvas.axes.plot([point.declared], [y], "|", color=colour, markersize=7)
    for part in parts:
        canvas.mark(part, line=word, method=point.marker)
    marker = canvas.palette.marker(point.marker)
    dot = canvas.dot(at, y, marker, colour, 6, markeredgewidth=0.6)
    canvas.mark(dot, point.note, word, point.marker)


def label_points(canvas: Canvas, points: list[RoofPoint]) -> None:
    """Labels points, the fastest first: each name once, where it covers neither a point nor another name."""
    axes, box = canvas.axes, canvas.axes.get_window_extent()
    places = [axes.transData.transform((p.intensity, p.flops.value)) for p in points]
    taken = [(x - 4, y - 4, x + 4, y + 4) for x, y in places]
    taken += [path_room(axes, p, y) for p, (_, y) in zip(points, places) if p.declared]
    named = set()
    for point, (x, y) in sorted(zip(points, places), key=lambda pair: -pair[0].flops.value):
        width = LETTER * len(point.name)
        for left, ha in ((x + 6, "left"), (x - 6 - width, "right")):
            room = (left, y - NAME_HEIGHT / 2, left + width, y + NAME_HEIGHT / 2)
            if point.name in named or room[0] < box.x0 or room[2] > box.x1 or any(overlap(room, t) for t in taken):
                continue
            at, offset = (point.intensity, point.flops.value), (6 if ha == "left" else -6, 0)
            canvas.text(point.name, at, offset, va="center", ha=ha, fontsize=SMALL)
            taken.append(room)
            named.add(point.name)


def path_room(axes, point: RoofPoint, y: float) -> tuple:
    """Returns the area of the line from useful to declared traffic."""
    ends = [axes.transData.transform((x, point.flops.value))[0] for x in (point.intensity, point.declared)]
    return (min(ends), y - 2, max(ends) + 4, y + 2)


def overlap(a: tuple, b: tuple) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def roofline_drawing(panel: RooflinePanel, palette: Palette) -> Canvas:
    canvas = Canvas(palette, WIDTH, HEIGHT, BOX)
    x, y = ranges(panel)
    set_scales(canvas.axes, INTENSITY, RATE, [(x[0], y[0]), (x[1], y[1])])
    canvas.axes.set_xlim(*x)
    canvas.axes.set_ylim(*y)
    draw_roofs(canvas, panel, x, y[1])
    for point in panel.points:
        draw_point(canvas, point)
    label_points(canvas, panel.points)
    canvas.title(panel.title)
    canvas.figure.text(0.012, 0.935, RATE.label, fontsize=9, va="top", color="#4a5260")
    best = max(panel.points, key=lambda p: p.flops.value)
    fastest = f"{best.name} with {with_unit(best.flops.value, RATE.kind)}"
    return canvas.described(f"{panel.title}: {RATE.label} against {INTENSITY.label}, at most {fastest}")
