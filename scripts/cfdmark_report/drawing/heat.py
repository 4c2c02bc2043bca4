"""A map of shapes: how long each takes, relative to the best."""

from __future__ import annotations

import matplotlib
from matplotlib.patches import Rectangle

from ..model import HeatPanel
from ..palette import Palette
from .canvas import WIDTH, Canvas

CELL_HEIGHT = 0.36  # inches
DARKEST = 3.0  # times the best; slower cells are no darker
LIGHTEST_RANGE = 1.2  # nor does a map of near equals use the whole scale
FRAME = "#c2185b"


def shade_of(value: float, cells: dict) -> float:
    top = min(max(max(cells.values()), LIGHTEST_RANGE), DARKEST)
    return min(1.0, (value - 1) / (top - 1)) * 0.85


def draw_cell(canvas: Canvas, at: tuple[int, int], value: float, shade: float, best: bool):
    face = matplotlib.colormaps["cividis_r"](shade)
    edge, width = (FRAME, 2.2) if best else ("none", 0)
    corner = at[0] - 0.48, at[1] - 0.46
    canvas.axes.add_patch(Rectangle(corner, 0.96, 0.92, facecolor=face, edgecolor=edge, linewidth=width))
    ink, weight = "white" if shade > 0.5 else "#1c2128", "bold" if best else "normal"
    return canvas.axes.text(
        *at, f"{value:.2f}", ha="center", va="center", fontsize=9.5, color=ink, fontweight=weight
    )


def heat_svg(panel: HeatPanel, palette: Palette, prefix: str) -> str:
    xs, ys = sorted({x for x, _ in panel.cells}), sorted({y for _, y in panel.cells})
    height = 0.95 + CELL_HEIGHT * len(ys)
    canvas = Canvas(palette, WIDTH, height, (0.13, 0.45 / height, 0.84, 1 - 0.80 / height))
    for (x, y), value in panel.cells.items():
        shade, best = shade_of(value, panel.cells), (x, y) == panel.best
        text = draw_cell(canvas, (xs.index(x), ys.index(y)), value, shade, best)
        canvas.tip(text, f"{panel.x_label}={x}, {panel.y_label}={y}: {value:.3f} times the best")
    set_heat_axes(canvas.axes, panel, xs, ys)
    canvas.title(panel.title, size=9.5)
    return canvas.svg(prefix, f"{panel.title}: time relative to the best shape")


def set_heat_axes(axes, panel: HeatPanel, xs: list[int], ys: list[int]) -> None:
    axes.set_xlim(-0.5, len(xs) - 0.5)
    axes.set_ylim(-0.5, len(ys) - 0.5)
    axes.set_xticks(range(len(xs)), [str(x) for x in xs])
    axes.set_yticks(range(len(ys)), [str(y) for y in ys])
    axes.set_xlabel(panel.x_label)
    axes.set_ylabel(panel.y_label)
    axes.grid(False)
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)
