"""Dots on one axis, a row for each kernel or solver."""

from __future__ import annotations

from matplotlib import ticker

from ..model import Dot, StripPanel
from ..palette import REFERENCE, Palette
from .axes import tick_text, with_marks
from .canvas import DASHED, WIDTH, Canvas

FRACTION_LIMIT = 1.5  # rows with cached fields may exceed the ceiling many times; they are drawn at the edge
ROW_HEIGHT = 0.38  # inches


def strip_x(panel: StripPanel, dot: Dot) -> float:
    return min(dot.x.value, FRACTION_LIMIT) if panel.x.kind == "fraction" else dot.x.value


def draw_dot(canvas: Canvas, panel: StripPanel, dot: Dot, y: float) -> None:
    colour, x = canvas.palette.colour(dot.colour), strip_x(panel, dot)
    beyond = x < dot.x.value
    line, parts = dot.colour.partition(":")[2], []
    if dot.x.has_interval and not beyond:
        parts.append(canvas.axes.hlines([y], [dot.x.low], [dot.x.high], color=colour, linewidth=1.2))
    face = {"markeredgecolor": colour, "markerfacecolor": colour if dot.filled else "white"}
    marker = canvas.palette.marker(dot.marker)
    mark = canvas.dot(x, y, marker, colour, 6.5, clip_on=False, markeredgewidth=1.2, **face)
    canvas.mark(mark, dot.note, line, dot.marker)
    if beyond:
        how = {"va": "center", "fontsize": 8, "color": colour, "annotation_clip": False}
        parts.append(canvas.text(f"{100 * dot.x.value:.0f} %", (x, y), (6, 0), **how))
    for part in parts:
        canvas.mark(part, line=line, method=dot.marker)


def offsets(dots: list[Dot]) -> list[float]:
    """Returns small vertical offsets by colour, so that dots of different backends do not overlap."""
    colours = list(dict.fromkeys(d.colour for d in dots))
    step = 0.66 / max(1, len(colours))
    return [(colours.index(d.colour) - (len(colours) - 1) / 2) * step for d in dots]


def strip_drawing(panel: StripPanel, palette: Palette) -> Canvas:
    height = 0.85 + ROW_HEIGHT * len(panel.rows)
    longest = max(len(label) for label, _ in panel.rows)
    left = min(0.45, 0.06 + 0.018 * longest)
    canvas = Canvas(palette, WIDTH, height, (left, 0.45 / height, 0.90 - left, 1 - 0.78 / height))
    for index, (_, dots) in enumerate(panel.rows):
        for dot, offset in zip(dots, offsets(dots)):
            draw_dot(canvas, panel, dot, index + offset)
    canvas.axes.set_yticks(range(len(panel.rows)), [wrapped(label) for label, _ in panel.rows])
    canvas.axes.set_ylim(len(panel.rows) - 0.5, -0.5)
    if panel.reference is not None:
        canvas.axes.axvline(panel.reference, color=REFERENCE, linewidth=1.2, linestyle=DASHED, zorder=1)
    set_strip_range(canvas.axes, panel)
    canvas.title(panel.title)
    return canvas.described(f"{panel.title}: {panel.x.label}")


def set_strip_range(axes, panel: StripPanel) -> None:
    values = [strip_x(panel, d) for _, dots in panel.rows for d in dots]
    right = max([*values, panel.reference or 0]) * 1.06
    axes.set_xlim(0, right)
    with_marks(axes.xaxis, 0, right, [1.0, 2.0] if panel.x.kind == "ratio" else [panel.reference or 0])
    axes.xaxis.set_major_formatter(ticker.FuncFormatter(lambda value, _: tick_text(panel.x.kind, value)))
    axes.set_xlabel(panel.x.label)
    axes.tick_params(axis="y", length=0)


def wrapped(label: str, limit: int = 20) -> str:
    """Breaks a long row label once: at the comma, or at the last space or underscore that fits."""
    if len(label) <= limit:
        return label
    at = label.find(", ") + 1 or 1 + max(label.rfind(mark, 0, limit) for mark in " _")
    return label if at <= 0 else label[:at] + "\n" + label[at:].strip()
