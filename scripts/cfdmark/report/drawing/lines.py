"""Lines with points and intervals, labelled at their ends."""

from __future__ import annotations

import math

from matplotlib.lines import Line2D

from cfdmark.text.wording import cut_front

from ..model import LinePanel, Series
from ..palette import REFERENCE, Palette
from .axes import set_scales
from .canvas import DASHED, POINTS_PER_INCH, WIDTH, Canvas

HEIGHT = 3.2  # inches
LABEL_GAP = 12.0  # points between the labels of two lines
BOLD_LETTER = 6.9  # width of a letter in points; openmp has wide ones
LONGEST_LABEL = 24  # letters
MARKER_RADIUS = 4.0  # points


def draw_series(canvas: Canvas, series: Series) -> None:
    colour, marker = canvas.palette.colour(series.colour), canvas.palette.line_marker(series.colour)
    marked = series.points if series.markers else []
    canvas.mark(canvas.intervals([(p.x, p.y) for p in marked], colour, 1.2), line=series.label)
    xs, ys = [p.x for p in series.points], [p.y.value for p in series.points]
    (path,) = canvas.axes.plot(xs, ys, color=colour, linestyle=series.style, solid_capstyle="round")
    canvas.mark(path, line=series.label)
    for point in marked:
        tip = point.note or f"{series.label}: {point.y.value:.4g} at {point.x:.4g}"
        canvas.mark(canvas.dot(point.x, point.y.value, marker, colour, 6), tip, series.label)


def spread(wanted: list[float], gap: float, low: float, high: float) -> list[float]:
    """Moves sorted positions apart until neighbours are `gap` apart, within low and high if they fit."""
    placed = list(wanted)
    for i in range(1, len(placed)):
        placed[i] = max(placed[i], placed[i - 1] + gap)
    overflow = (placed[-1] - high) if placed else 0
    if overflow > 0:
        placed[-1] -= overflow
        for i in range(len(placed) - 2, -1, -1):
            placed[i] = min(placed[i], placed[i + 1] - gap)
    return placed


def shown(series: Series) -> str:
    """Returns the label, shortened to leave room for the line."""
    return cut_front(series.label, LONGEST_LABEL)


def label_lines(canvas: Canvas, series: list[Series]) -> None:
    """Labels each line at the right edge, next to its end; a thin leader joins them if the line ends early.
    """
    axes, box = canvas.axes, canvas.axes.get_window_extent()
    axes.autoscale_view()  # otherwise the transformation below is that of empty axes
    first_of_label = {s.label: s for s in reversed(series) if s.points}.values()
    ends = [(max(((p.x, p.y.value) for p in s.points)), s) for s in first_of_label]
    ends.sort(key=lambda end: end[0][1])
    heights = spread([axes.transData.transform(end)[1] for end, _ in ends], LABEL_GAP, box.y0, box.y1)
    for (end, line), height in zip(ends, heights):
        colour, right = canvas.palette.colour(line.colour), box.x1 + 8
        inches, at = canvas.figure.dpi_scale_trans, (right / POINTS_PER_INCH, height / POINTS_PER_INCH)
        how = {"va": "center", "ha": "left", "fontweight": "bold", "fontsize": 9.5}
        label = canvas.figure.text(*at, shown(line), transform=inches, color=colour, **how)
        xs, ys = leader(axes.transData.transform(end), (right - 1, height))
        joint = Line2D(xs, ys, transform=inches, color=colour, alpha=0.45, linewidth=0.8)
        for artist in (label, canvas.figure.add_artist(joint)):
            canvas.mark(artist, line=line.label)


def leader(end: tuple[float, float], label: tuple[float, float]) -> tuple[list[float], list[float]]:
    """Returns the line from marker to label, in inches. Not an annotation's arrow: matplotlib 3.11 fails on
    some of them."""
    dx, dy = label[0] - end[0], label[1] - end[1]
    share = MARKER_RADIUS / max(math.hypot(dx, dy), MARKER_RADIUS)
    xs, ys = (end[0] + share * dx, label[0]), (end[1] + share * dy, label[1])
    return [x / POINTS_PER_INCH for x in xs], [y / POINTS_PER_INCH for y in ys]


def keep_width(canvas: Canvas, points: list[tuple[float, float]]) -> None:
    """Gives an axis on which all points have one value a width; not every matplotlib does."""
    for values, limit in zip(zip(*points), (canvas.axes.set_xlim, canvas.axes.set_ylim)):
        if min(values) == max(values) > 0:
            limit(min(values) / 2, max(values) * 2)


def line_drawing(panel: LinePanel, palette: Palette) -> Canvas:
    label_points = max((len(shown(s)) for s in panel.series), default=0) * BOLD_LETTER + LABEL_GAP
    wide = 0.83 - label_points / (POINTS_PER_INCH * WIDTH)
    canvas = Canvas(palette, WIDTH, HEIGHT, (0.165, 0.15, wide, 0.70))
    points = [(p.x, p.y.value) for s in panel.series for p in s.points]
    points += [(points[0][0], y) for y in panel.y_range or ()]
    points += [(points[0][0], panel.reference)] if panel.reference else []
    set_scales(canvas.axes, panel.x, panel.y, points)
    for series in panel.series:
        draw_series(canvas, series)
    keep_width(canvas, points)
    if panel.y_range:
        canvas.axes.set_ylim(panel.y_range[0] / 1.4, panel.y_range[1] * 1.4)
    if panel.reference is not None:
        canvas.axes.axhline(panel.reference, color=REFERENCE, linewidth=1, linestyle=DASHED)
    canvas.title(panel.title)
    canvas.figure.text(0.012, 0.917, panel.y.label, fontsize=9, va="top", color="#4a5260")
    label_lines(canvas, panel.series)
    return canvas.described(f"{panel.title}: {panel.y.label} against {panel.x.label}")
