"""Stacked bars of shares."""

from __future__ import annotations

from matplotlib import ticker

from ..model import BarPanel
from ..palette import Palette
from .canvas import WIDTH, Canvas
from .strips import wrapped

BAR_HEIGHT = 0.34  # inches
LETTER = 0.0125  # width of a letter, as a share of the picture's width
PAPER = "#ffffff"  # between two parts


def bar_drawing(panel: BarPanel, palette: Palette) -> Canvas:
    height = 0.85 + BAR_HEIGHT * len(panel.bars)
    left = min(0.40, 0.06 + 0.018 * max(len(label) for label, _, _ in panel.bars))
    right = 0.03 + LETTER * max(len(whole) for _, _, whole in panel.bars)
    canvas = Canvas(palette, WIDTH, height, (left, 0.45 / height, 1 - left - right, 1 - 0.78 / height))
    for y, (_, parts, whole) in enumerate(panel.bars):
        start = 0.0
        for part in parts:
            (bar,) = canvas.axes.barh(
                y, part.share, 0.66, start, color=palette.colour(part.colour), edgecolor=PAPER, linewidth=0.7
            )
            canvas.mark(bar, part.note, line=part.label)
            start += part.share
        canvas.text(whole, (1, y), (4, 0), va="center", fontsize=8, annotation_clip=False)
    canvas.axes.set_yticks(range(len(panel.bars)), [wrapped(label) for label, _, _ in panel.bars])
    canvas.axes.set_ylim(len(panel.bars) - 0.5, -0.5)
    canvas.axes.set_xlim(0, 1)
    canvas.axes.xaxis.set_major_formatter(ticker.PercentFormatter(1, decimals=0, symbol=" %"))
    canvas.axes.set_xlabel(panel.x_label)
    canvas.axes.tick_params(axis="y", length=0, labelsize=8.5)
    canvas.title(panel.title)
    return canvas.described(f"{panel.title}: {panel.x_label}")
