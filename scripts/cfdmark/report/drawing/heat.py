"""A heat map of shapes: the time of each, relative to the best."""

from __future__ import annotations

import math

import matplotlib
from matplotlib.patches import Rectangle

from ..model import HeatPanel
from ..palette import Palette
from .canvas import WIDTH, Canvas

CELL_HEIGHT = 0.36  # inches
BAR_STEPS = 12
DARKEST = 3.0  # times the best; slower cells are not darker
NARROWEST = 1.02  # smallest range of the colour scale: cells within noise look alike
FRAME = "#c2185b"
ON_LIGHT, ON_DARK = "#1c2127", "#fefefe"  # colours of digits, the same on light and dark pages
COLOURS = matplotlib.colormaps["cividis_r"]
MOST = 0.85  # share of the colour map in use: digits would be unreadable on darker cells


def ends(cells: dict) -> tuple[float, float]:
    """Returns the range of the colour scale."""
    low, high = min(cells.values()), max(cells.values())
    return low, min(max(high, NARROWEST * low), DARKEST * low)


def shade_of(value: float, cells: dict) -> float:
    """Returns the square root of the logarithmic distance to the best, so that small differences near the
    best are visible."""
    low, high = ends(cells)
    return min(1.0, math.sqrt(math.log(value / low) / math.log(high / low))) * MOST


def draw_cell(canvas: Canvas, at: tuple[int, int], value: float, shade: float, best: bool, tip: str) -> None:
    face = COLOURS(shade)
    edge, width = (FRAME, 2.2) if best else ("none", 0)
    corner = at[0] - 0.48, at[1] - 0.46
    cell = Rectangle(corner, 0.96, 0.92, facecolor=face, edgecolor=edge, linewidth=width)
    canvas.mark(canvas.axes.add_patch(cell), tip)
    ink, weight = ON_DARK if shade > 0.5 else ON_LIGHT, "bold" if best else "normal"
    how = {"ha": "center", "va": "center", "fontsize": 9.5}
    canvas.axes.text(*at, f"{value:.2f}", color=ink, fontweight=weight, **how)


def heat_drawing(panel: HeatPanel, palette: Palette) -> Canvas:
    xs, ys = sorted({x for x, _ in panel.cells}), sorted({y for _, y in panel.cells})
    height = 1.0 + CELL_HEIGHT * len(ys)
    canvas = Canvas(palette, WIDTH, height, (0.13, 0.45 / height, 0.71, 1 - 0.80 / height))
    for (x, y), value in panel.cells.items():
        shade, best = shade_of(value, panel.cells), (x, y) == panel.best
        draw_cell(canvas, (xs.index(x), ys.index(y)), value, shade, best, cell_tip(panel, (x, y)))
    set_heat_axes(canvas.axes, panel, xs, ys)
    draw_bar(canvas, panel.cells, height)
    canvas.title(panel.title, size=9.5)
    return canvas.described(f"{panel.title}: time relative to the best shape", panel.heading or panel.title)


def cell_tip(panel: HeatPanel, shape: tuple[int, int]) -> str:
    measured = f"{panel.notes[shape]}, " if shape in panel.notes else ""
    return f"{panel.x_label}={shape[0]}, {panel.y_label}={shape[1]}: {measured}{panel.cells[shape]:.3f} times the best"


def draw_bar(canvas: Canvas, cells: dict, height: float) -> None:
    """Draws the colour scale with its times."""
    low, high = ends(cells)
    axes = canvas.figure.add_axes((0.86, 0.45 / height, 0.028, 1 - 0.80 / height))
    for n in range(BAR_STEPS):
        colour = COLOURS(n / (BAR_STEPS - 1) * MOST)
        axes.add_patch(Rectangle((0, n / BAR_STEPS), 1, 1 / BAR_STEPS, facecolor=colour, edgecolor=colour))
    middle = low * (high / low) ** 0.25  # where the root is one half
    beyond = "≥ " if max(cells.values()) > high else ""
    axes.yaxis.tick_right()
    axes.set_xticks([])
    axes.set_yticks([0, 0.5, 1], [f"{low:.2f}", f"{middle:.2f}", f"{beyond}{high:.3g}"])
    bare(axes, labelsize=8.5)


def bare(axes, **ticks) -> None:
    """Removes grid, ticks and frame."""
    axes.grid(False)
    axes.tick_params(length=0, **ticks)
    for spine in axes.spines.values():
        spine.set_visible(False)


def set_heat_axes(axes, panel: HeatPanel, xs: list[int], ys: list[int]) -> None:
    axes.set_xlim(-0.5, len(xs) - 0.5)
    axes.set_ylim(-0.5, len(ys) - 0.5)
    axes.set_xticks(range(len(xs)), [str(x) for x in xs])
    axes.set_yticks(range(len(ys)), [str(y) for y in ys])
    axes.set_xlabel(panel.x_label)
    axes.set_ylabel(panel.y_label)
    bare(axes)
